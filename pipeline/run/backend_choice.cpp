// SPDX-License-Identifier: MIT
#include "pipeline/run/backend_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "common/seconds_of.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/run/auto_choice.hpp"
#include "pipeline/scenario/foreign_text.hpp"
#include "pipeline/version.hpp"
#include "sim/foreign.hpp"
#include "sim/simulation.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

bool has_kernel(const sim::BackendKind& kind, std::string_view kernel) {
  return kernel.empty() || std::ranges::find(kind.kernels, kernel) != kind.kernels.end();
}

bool has_precision(const sim::BackendKind& kind, sim::Precision precision) {
  return std::ranges::find(kind.precisions, precision) != kind.precisions.end();
}

/// Throws Error, Fault::request, if this kind of backend is absent or lacks the kernel or precision.
void refuse_unable(const BackendRequest& request, const sim::BackendKind& kind) {
  if (!has_kernel(kind, request.kernel)) {
    refuse(request.kernel_place, fmt::format("the {} backend has no kernel `{}`: it has {}", kind.name, request.kernel,
                                             fmt::join(kind.kernels, ", ")));
  }
  if (!has_precision(kind, request.precision))
    refuse(request.precision_place, fmt::format("the {} backend works in float64 alone", kind.name));
  if (const std::string absence = kind.absence(); !absence.empty()) refuse(request.kind_place, absence);
}

/// The backends among which `auto` chooses for a run.
class AutoBackend {
 public:
  AutoBackend(const Setup& setup, const BackendRequest& request, const sim::BackendOptions& options)
      : setup_(setup), options_(options) {
    sim::System system;
    system.forces.emplace_back().law = setup.model.force.plugin;
    system.fields = sim::fields_of(setup.model);
    for (const sim::BackendKind* kind : sim::backend_kinds()) {
      // The reference is for comparison and never the fastest.
      if (kind->name == "reference" || !has_kernel(*kind, request.kernel)) continue;
      if (!sim::refusal_of_foreign(system, *kind, options).empty()) continue;
      if (has_precision(*kind, request.precision)) add(*kind);
    }
  }

  [[nodiscard]] bool offers(const std::string& kind) const {
    const auto same = [&](const Candidate& c) { return c.name == kind && c.absence().empty(); };
    return std::ranges::any_of(candidates_, same);
  }

  [[nodiscard]] BackendRanking choose() const {
    const bool same_bits = options_.precision == sim::Precision::float64;
    // What a function of the program costs, no name tells.
    const bool known = foreign_text(setup_.model).empty();
    return pipeline::choose(candidates_,
                            {setup_.model.bodies.size(), setup_.work(), question(), same_bits, measured_bodies()},
                            known ? CostCache::of_user() : CostCache({}));
  }

 private:
  /// The number of bodies to measure with: all, if a step is at most the work of all pairs of `max_measured`.
  [[nodiscard]] std::size_t measured_bodies() const {
    constexpr double most = static_cast<double>(max_measured) * static_cast<double>(max_measured);
    const std::size_t n = setup_.model.bodies.size();
    return n <= max_measured || setup_.interactions <= most ? n : max_measured;
  }

  void add(const sim::BackendKind& kind) {
    const auto measure = [this, &kind] {
      const sim::Model sample = sim::first_bodies(setup_.model, measured_bodies());
      const auto backend = sim::make_backend(kind, sim::system_of(sample), options_);
      return time_a_step(sample, *backend, 0.1).seconds;
    };
    candidates_.push_back({std::string(kind.name), kind.absence, measure});
  }

  /// Returns everything that the cost of a step depends on, without calling a GPU's driver.
  [[nodiscard]] std::string question() const {
    const auto cpu = kind_named("cpu").make({}, {.threads = options_.threads});  // without bodies, only for hardware()
    const sim::Model& model = setup_.model;
    const std::size_t n = measured_bodies();
    const double interactions = n == model.bodies.size()
                                    ? setup_.interactions
                                    : model.solver->interactions(sim::system_of(sim::first_bodies(model, n)));
    std::string others, fields;
    for (const int index : options_.helpers) others += fmt::format(",{}", index);
    if (options_.ranks != nullptr) others += fmt::format(", {} ranks", options_.ranks->size());
    for (const auto& field : model.fields) fields += fmt::format(" {}", field.plugin->name);
    return fmt::format(
        "{}\nprocessor {}, {}\ngpu {}{} of {}\nbodies {}, interactions {:.6g}\nforces {}{}\nintegrator {}\nprecision "
        "{}\nroot {}, kernel {}, method {}\n",
        version_line(), processor(), cpu->hardware(), options_.device, others, gpus(), n, interactions,
        model.force.plugin->name, fields, model.integrator->name, name_of(model.precision),
        model.precision == sim::Precision::float32_exact_root ? "sqrt" : "rsqrt", options_.kernel, model.solver->name);
  }

  const Setup& setup_;
  const sim::BackendOptions& options_;
  std::vector<Candidate> candidates_;
};

}  // namespace

void wait_for(const sim::Backend& backend, sim::Column column) {
  (void)backend.greatest({column});
}

StepCost time_a_step(const sim::Model& model, sim::Backend& backend, double seconds) {
  using Clock = std::chrono::steady_clock;
  sim::Simulation simulation(backend, model);
  const auto time = [&](std::int64_t steps) {
    return seconds_of([&] {
      simulation.advance(steps);
      wait_for(backend, sim::Column::velocity);
    });
  };
  std::int64_t batch = 1;
  if (model.accuracy() > 0) {  // adaptive steps differ in cost: take the mean, and stop at the end of the run
    double spent = 0;
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(2 * seconds));
    simulation.stop_when([end] { return Clock::now() > end; });
    for (; spent < seconds && simulation.step() < model.steps && !simulation.was_stopped(); batch *= 2) {
      try {
        spent += time(std::min(batch, model.steps - simulation.step()));
      } catch (const Error&) {
        break;  // the run itself will report it
      }
    }
    // If it was stopped on the way, the clock tells how far it came.
    const double steps = simulation.was_stopped() ? std::max(std::abs(simulation.clock().end() / model.dt), 1e-300)
                                                  : static_cast<double>(std::max<std::int64_t>(simulation.step(), 1));
    return {spent / steps, static_cast<double>(simulation.clock().steps) / steps, steps};
  }
  double least = time(1);  // includes the set-up of memory and kernels, which matters if steps are short
  if (least > 10 * seconds) return {least};
  for (double spent = 0; spent < seconds; batch *= 2) {
    const double took = time(batch);
    least = std::min(least, took / static_cast<double>(batch));
    spent += took;
  }
  return {least};
}

void refuse_unavailable(const BackendRequest& request) {
  const bool any = request.kind == "auto";
  const sim::BackendKind* last = nullptr;
  for (const sim::BackendKind* kind : sim::backend_kinds()) {
    const bool able = has_kernel(*kind, request.kernel) && has_precision(*kind, request.precision);
    if (any ? !able : kind->name != request.kind) continue;
    if (any && kind->absence().empty()) return;
    last = kind;
  }
  if (last != nullptr) refuse_unable(request, *last);
}

ChosenBackend make_backend(const Setup& setup, const BackendRequest& request, const Resources& resources,
                           const std::string& recorded) {
  sim::refuse_absent(setup.model);
  const sim::BackendOptions options = options_of(request, resources);
  const auto make = [&](const std::string& name, const std::string& reason) -> ChosenBackend {
    const sim::BackendKind& named = kind_named(name);
    refuse_unable(request, named);
    return {sim::make_backend(named, sim::system_of(setup.model), options), name, reason};
  };
  if (request.kind != "auto") return make(request.kind, "as asked");

  const AutoBackend choice(setup, request, options);
  if (choice.offers(recorded)) return make(recorded, "auto: as this run began");
  auto [order, reason] = choice.choose();
  for (; order.size() > 1; order.erase(order.begin())) {
    try {
      return make(order.front(), reason);
    } catch (const Error& error) {
      reason += fmt::format("; not {}: {}", order.front(), error.what());
    }
  }
  return make(order.front(), reason);
}

}  // namespace orrery::pipeline
