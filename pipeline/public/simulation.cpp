// SPDX-License-Identifier: MIT
// Stepping a model: the state, its observables, and the operations that steps consist of.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "pipeline/public/handles.hpp"
#include "pipeline/run/pace.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/scenario/given_tables.hpp"

namespace orrery::pipeline {

Section backend_table(const Section& own, const orrery_backend_options& options) {
  Arguments keys = given_keys(own);
  const std::string kind = options.kind == nullptr ? kind_of(own) : options.kind;
  const auto place = "[backend]";
  if (options.kernel != nullptr) keys.set("kernel", std::string(options.kernel));
  if (options.threads != 0) keys.set("threads", static_cast<std::int64_t>(options.threads));
  if (options.devices != nullptr) keys.set("devices", std::string(options.devices)), keys.erase("device");
  std::vector<std::string_view> kinds{"auto"};
  for (const sim::BackendKind* known : sim::backend_kinds()) kinds.push_back(known->name);
  if (std::ranges::find(kinds, kind) == kinds.end())
    Section(keys, place, {}, {})
        .complain("kind", fmt::format("there is no backend \"{}\" (there are: {})", kind, fmt::join(kinds, ", ")));
  return given_table("backend", kind, std::move(keys), place);
}

namespace {

/// With scratch columns, and the jerk, for steps that the caller writes.
void add_scratch(orrery_simulation& s, const orrery_backend_options& options) {
  constexpr int most = 64;
  s.first_scratch = static_cast<int>(s.setup.model.integrator->columns.size());
  s.scratch = options.scratch_columns;
  if (s.scratch < 0 || s.scratch > most)
    throw Misuse(fmt::format("`scratch_columns` = {} must be in [0, {}]", s.scratch, most));
  if (s.scratch == 0 && options.jerk == 0) return;
  s.columns.assign(s.setup.model.integrator->columns.begin(), s.setup.model.integrator->columns.end());
  s.columns.resize(s.columns.size() + static_cast<std::size_t>(s.scratch), {"scratch", false});
  s.integrator = *s.setup.model.integrator;
  s.integrator->columns = s.columns;
  s.integrator->jerk = s.integrator->jerk || options.jerk != 0;
  s.setup.model.integrator = &*s.integrator;
}

/// A column of the interface as one of the engine.
sim::Column column_of(const orrery_simulation& s, orrery_column column) {
  const int k = column - ORRERY_SCRATCH;
  if (k >= s.scratch || column < 0) {
    throw Misuse(
        fmt::format("there is no column {}: the simulation was created with {} scratch columns", column, s.scratch));
  }
  return k < 0 ? static_cast<sim::Column>(column) : sim::scratch_column(s.first_scratch + k);
}

/// The current state, with its observables if they are asked for.
const sim::Snapshot& state_now(orrery_simulation& s, bool with_observables) {
  if (!s.state || (with_observables && !s.observed)) {
    s.state = with_observables ? s.simulation->look() : s.simulation->state();
    s.observed = with_observables;
  }
  return *s.state;
}

/// Carries out operations on the state.
template <class Work>
orrery_status change(orrery_simulation* simulation, const Work& work) {
  return answer_of(simulation, [&](orrery_simulation& s) {
    s.state.reset();
    return work(s);
  });
}

}  // namespace
}  // namespace orrery::pipeline

using namespace orrery::pipeline;
namespace sim = orrery::sim;

orrery_status orrery_simulation_create(orrery_model* model, const orrery_backend_options* options,
                                       orrery_simulation** simulation) {
  return answer_of(model, [&](orrery_model& m) {
    (void)needed(simulation, "simulation");
    const orrery_backend_options given = given_struct(options, "options");
    orrery_model own = m;
    own.tables.backend = backend_table(m.tables.backend, given);
    auto made = std::unique_ptr<orrery_simulation>(
        new orrery_simulation{.context = m.context, .scenario = own.scenario(Purpose::step)});
    orrery_simulation& s = *made;
    s.setup = set_up_to_step(s.scenario, m.context->resources);
    add_scratch(s, given);
    s.chosen = make_backend(s.setup, s.scenario.backend, m.context->resources);
    s.simulation.emplace(*s.chosen.backend, s.setup.model);
    s.first = with_places(s.scenario, s.setup, [&] { return state_now(s, true).observables; });
    *simulation = made.release();
  });
}

void orrery_simulation_free(orrery_simulation* simulation) {
  delete simulation;
}

orrery_status orrery_simulation_advance(orrery_simulation* simulation, int64_t steps) {
  return change(simulation, [&](orrery_simulation& s) {
    if (steps < 0) throw Misuse("`steps` is negative: to go backward, create a simulation with a negative dt");
    const std::int64_t start = s.simulation->step(), end = start + steps;
    Pace pace;
    while (s.simulation->step() < end) {
      s.simulation->advance(pace.slice(end - s.simulation->step()));
      s.context->reach(static_cast<double>(s.simulation->step() - start) / static_cast<double>(steps), "stepping");
      if (s.context->stopped() && s.simulation->step() < end) return ORRERY_STOPPED;
    }
    return ORRERY_OK;
  });
}

int64_t orrery_simulation_step(const orrery_simulation* simulation) {
  return simulation == nullptr ? 0 : simulation->simulation->step();
}

double orrery_simulation_time(const orrery_simulation* simulation) {
  return simulation == nullptr ? 0 : simulation->simulation->time();
}

size_t orrery_simulation_count(const orrery_simulation* simulation) {
  return simulation == nullptr ? 0 : simulation->setup.model.bodies.size();
}

const char* orrery_simulation_backend(const orrery_simulation* simulation) {
  return simulation == nullptr ? "" : simulation->chosen.kind.c_str();
}

orrery_status orrery_simulation_state(orrery_simulation* simulation, orrery_state* state) {
  return answer_of(simulation, [&](orrery_simulation& s) {
    fill(state, state_of(state_now(s, false), s.setup.model.bodies.mass), "state");
  });
}

orrery_status orrery_simulation_observe(orrery_simulation* simulation, orrery_observables* observables) {
  return answer_of(simulation, [&](orrery_simulation& s) {
    fill(observables, observables_of(state_now(s, true).observables, s.first), "observables");
  });
}

orrery_status orrery_simulation_hash(orrery_simulation* simulation, char hash[17]) {
  return answer_of(simulation, [&](orrery_simulation& s) {
    const std::string digits = state_hash(state_now(s, false));
    (void)needed(hash, "hash");
    digits.copy(hash, 16);
    hash[16] = '\0';
  });
}

orrery_status orrery_simulation_accelerate(orrery_simulation* simulation) {
  return answer_of(simulation, [&](orrery_simulation& s) { s.chosen.backend->accelerate(); });
}

orrery_status orrery_simulation_accelerate_with_jerk(orrery_simulation* simulation, orrery_column jerk) {
  return answer_of(simulation, [&](orrery_simulation& s) {
    if (jerk < ORRERY_SCRATCH) throw Misuse("`jerk` must be a scratch column");
    s.chosen.backend->accelerate_with_jerk(column_of(s, jerk));
  });
}

orrery_status orrery_simulation_kick(orrery_simulation* simulation, double dt) {
  return change(simulation, [&](orrery_simulation& s) { s.chosen.backend->kick(dt); });
}

orrery_status orrery_simulation_drift(orrery_simulation* simulation, double dt) {
  return change(simulation, [&](orrery_simulation& s) { s.chosen.backend->drift(dt); });
}

orrery_status orrery_simulation_combine(orrery_simulation* simulation, orrery_column target, const orrery_term* terms,
                                        size_t count) {
  return change(simulation, [&](orrery_simulation& s) {
    std::vector<sim::Term> all;
    for (std::size_t k = 0; k < count; ++k)
      all.push_back({(&needed(terms, "terms"))[k].factor, column_of(s, terms[k].source)});
    s.chosen.backend->combine(column_of(s, target), all);
  });
}

orrery_status orrery_simulation_download(orrery_simulation* simulation, orrery_column column, orrery_vectors_out to) {
  return answer_of(simulation,
                   [&](orrery_simulation& s) { copy_to(to, s.chosen.backend->download(column_of(s, column)), "to"); });
}

orrery_status orrery_simulation_upload(orrery_simulation* simulation, orrery_column column, orrery_vectors from) {
  return change(simulation, [&](orrery_simulation& s) {
    if (column == ORRERY_ACCELERATION) throw Misuse("the acceleration follows from the positions");
    s.chosen.backend->upload(column_of(s, column), vectors_of(from, s.setup.model.bodies.size(), "from"));
  });
}
