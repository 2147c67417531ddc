// SPDX-License-Identifier: MIT
#include "pipeline/run/backend_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "common/usable_threads.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/ranks.hpp"
#include "pipeline/run/auto_choice.hpp"
#include "pipeline/version.hpp"
#include "sim/ranks/shared_backend.hpp"
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

/// Throws Error, exit code 2, if this kind of backend is absent or lacks the kernel or precision.
void refuse_unable(const Section& section, const sim::BackendKind& kind, const sim::BackendOptions& options) {
  if (!has_kernel(kind, options.kernel)) {
    section.complain("kernel", fmt::format("the {} backend has no kernel `{}`: it has {}", kind.name, options.kernel,
                                           fmt::join(kind.kernels, ", ")));
  }
  if (!has_precision(kind, options.precision)) {
    section.complain("precision", fmt::format("the {} backend works in float64 alone", kind.name));
  }
  if (const std::string absence = kind.absence(); !absence.empty()) {
    const char* key = section.given("kind") ? "kind" : "kernel";
    throw Error(fmt::format("{}: {}", section.where(key), absence), 2);
  }
}

/// Returns the number of bodies to measure with: all, if a step is at most the work of all pairs of `most_measured`.
std::size_t measured_bodies(const Setup& setup) {
  constexpr double most = static_cast<double>(most_measured) * static_cast<double>(most_measured);
  const std::size_t n = setup.bodies.size();
  return n <= most_measured || setup.interactions <= most ? n : most_measured;
}

/// Returns the indices of `devices`: "0,1", or "all".
std::vector<int> devices_of(const Section& section) {
  const std::string& text = section->text("devices");
  std::vector<int> devices;
  if (text == "all") {
    const sim::BackendKind& gpus = kind_named("cuda");
    const int count = gpus.absence().empty() ? gpus.devices() : 0;
    for (int k = 0; k < count; ++k) devices.push_back(k);
    return devices;
  }
  for (const char *at = text.data(), *end = at + text.size(); at <= end;) {
    int index = -1;
    const auto [next, error] = std::from_chars(at, end, index);
    const bool ends = error == std::errc() && (next == end || *next == ',');
    if (!ends || index < 0 || std::ranges::count(devices, index) > 0)
      section.complain("devices", "`devices` must be different numbers of GPUs, \"0,1\", or \"all\"");
    devices.push_back(index);
    at = next + 1;
  }
  return devices;
}

/// The backends among which `auto` chooses for a scenario.
class AutoBackend {
 public:
  AutoBackend(const Scenario& scenario, const Setup& setup, const sim::BackendOptions& options)
      : scenario_(scenario), setup_(setup), options_(options), measured_(measured_bodies(setup)) {
    for (const sim::BackendKind* kind : sim::backend_kinds()) {
      // The reference is for comparison and never the fastest.
      if (kind->name == "reference" || !has_kernel(*kind, options.kernel)) continue;
      if (has_precision(*kind, options.precision)) add(*kind);
    }
  }

  [[nodiscard]] bool offers(const std::string& kind) const {
    const auto same = [&](const Candidate& c) { return c.name == kind && c.absence().empty(); };
    return std::ranges::any_of(candidates_, same);
  }

  [[nodiscard]] BackendRanking choose() const {
    const double work = interactions(scenario_, setup_);
    const bool same_bits = options_.precision == sim::Precision::float64;
    return pipeline::choose(candidates_, {setup_.bodies.size(), work, question(), same_bits, measured_},
                            CostCache::of_user());
  }

 private:
  void add(const sim::BackendKind& kind) {
    const auto measure = [this, &kind] {
      const Setup sample = sample_of(scenario_, setup_, measured_);
      const auto backend = sim::make_backend(kind, make_system(scenario_, sample), options_);
      return time_a_step(scenario_, sample, *backend, 0.1).seconds;
    };
    candidates_.push_back({std::string(kind.name), kind.absence, measure});
  }

  /// Returns everything that the cost of a step depends on, without calling a GPU's driver.
  [[nodiscard]] std::string question() const {
    const auto cpu = kind_named("cpu").make({}, options_);  // without bodies, only for hardware()
    std::string forces, others;
    for (const int index : options_.helpers) others += fmt::format(",{}", index);
    if (rank_count() > 1) others += fmt::format(", {} ranks", rank_count());
    for (const auto& choice : scenario_.forces) forces += fmt::format(" {}", choice.plugin->name);
    for (const auto& choice : scenario_.fields) forces += fmt::format(" {}", choice.plugin->name);
    return fmt::format(
        "{}\nprocessor {}, {}\ngpu {}{} of {}\nbodies {}, interactions {:.6g}\nforces{}\nintegrator {}\nprecision {}\n"
        "root {}, kernel {}, method {}\n",
        version_line(), processor(), cpu->hardware(), options_.device, others, gpus(), measured_,
        sample_of(scenario_, setup_, measured_).interactions, forces, scenario_.integrator.plugin->name,
        scenario_.backend->text("precision"), scenario_.backend->text("inverse_root"), options_.kernel,
        solver_of(scenario_).name);
  }

  const Scenario& scenario_;
  const Setup& setup_;
  const sim::BackendOptions& options_;
  std::size_t measured_;  ///< bodies
  std::vector<Candidate> candidates_;
};

}  // namespace

const sim::BackendKind& kind_named(std::string_view name) {
  return **std::ranges::find(sim::backend_kinds(), name, &sim::BackendKind::name);
}

Setup sample_of(const Scenario& scenario, const Setup& setup, std::size_t n) {
  Setup sample = setup;
  n = std::min(n, setup.bodies.size());
  sim::Bodies& bodies = sample.bodies;
  bodies.mass.resize(n);
  if (!bodies.charge.empty()) bodies.charge.resize(n);
  bodies.species.resize(n);
  bodies.names.clear();
  for (sim::Vectors* v : {&bodies.position, &bodies.velocity}) {
    for (auto* axis : {&v->x, &v->y, &v->z}) axis->resize(n);
  }
  const sim::System system = make_system(scenario, sample);
  sample.interactions = sim::solver_of(system).interactions(system);
  return sample;
}

Section backend_section(const std::vector<std::string>& overrides, const std::string& name) {
  // Parsed as part of a scenario, so that keys and flags mean the same everywhere.
  return parse_scenario("[initial]\nkind = \"random-cube\"\n[integrator]\nkind = \"leapfrog\"\ndt = 1.0\nsteps = 1\n",
                        name, overrides)
      .backend;
}

sim::BackendOptions options_of(const Section& section) {
  sim::BackendOptions options{
      .threads = section->has("threads") ? static_cast<int>(section->integer("threads")) : usable_threads(),
      .device = static_cast<int>(section->integer("device")),
      .precision = precision_of(section)};
  if (const int preferred = sim::preferred_device(); preferred > 0 && !section.given("device")) {
    const sim::BackendKind& gpus = kind_named("cuda");
    options.device = gpus.absence().empty() ? preferred % gpus.devices() : 0;
  }
  if (section->has("devices")) {
    if (const std::vector<int> devices = devices_of(section); !devices.empty()) {
      options.device = devices.front();
      options.helpers.assign(devices.begin() + 1, devices.end());
    }
  }
  if (section->text("kernel") != "auto") options.kernel = section->text("kernel");
  return options;
}

void wait_for(const sim::Backend& backend, sim::Column column) {
  (void)backend.greatest({column});
}

StepCost time_a_step(const Scenario& scenario, const Setup& setup, sim::Backend& backend, double seconds) {
  using Clock = std::chrono::steady_clock;
  sim::Simulation simulation = simulation_of(scenario, setup, backend);
  const auto time = [&](std::int64_t steps) {
    const auto begin = Clock::now();
    simulation.advance(steps);
    wait_for(backend, sim::Column::velocity);
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  std::int64_t batch = 1;
  if (setup.accuracy > 0) {  // adaptive steps differ in cost: take the mean, and stop at the end of the run
    double spent = 0;
    static thread_local Clock::time_point end;
    end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(2 * seconds));
    simulation.stop_when([] { return Clock::now() > end; });
    for (; spent < seconds && simulation.step() < setup.steps && !simulation.was_stopped(); batch *= 2) {
      try {
        spent += time(std::min(batch, setup.steps - simulation.step()));
      } catch (const Error&) {
        break;  // the run itself will report it
      }
    }
    // If it was stopped on the way, the clock tells how far it came.
    const double steps = simulation.was_stopped() ? std::max(std::abs(simulation.clock().end() / setup.dt), 1e-300)
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

void refuse_unavailable(const Section& section) {
  const sim::BackendOptions options = options_of(section);
  const std::string& name = section->text("kind");
  const bool any = name.empty() || name == "auto";
  const sim::BackendKind* last = nullptr;
  for (const sim::BackendKind* kind : sim::backend_kinds()) {
    const bool able = has_kernel(*kind, options.kernel) && has_precision(*kind, options.precision);
    if (any ? !able : kind->name != name) continue;
    if (any && kind->absence().empty()) return;
    last = kind;
  }
  if (last != nullptr) refuse_unable(section, *last, options);
}

ChosenBackend make_backend(const Scenario& scenario, const Setup& setup, const std::string& recorded) {
  const Section& section = scenario.backend;
  const sim::BackendOptions options = options_of(section);
  const std::string kind = section->text("kind");
  const auto make = [&](const std::string& name, const std::string& reason) -> ChosenBackend {
    const sim::BackendKind& named = kind_named(name);
    refuse_unable(section, named, options);
    return {sim::make_backend(named, make_system(scenario, setup), options), name, reason};
  };
  if (!kind.empty() && kind != "auto") return make(kind, "as asked");

  const AutoBackend choice(scenario, setup, options);
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
