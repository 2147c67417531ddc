// SPDX-License-Identifier: MIT
#include "pipeline/run/auto_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "pipeline/progress.hpp"

namespace orrery::pipeline {
namespace {

/// A step on a GPU costs at least 10 µs, one or two kernel launches per operation. In that time one core with AVX-512
/// computes 34 000 pairs, those of 184 bodies (3.4 G interactions/s, measured), and one with AVX2 those of 128 bodies.
constexpr std::size_t min_bodies_for_gpu = 128;

/// About a second of one core. Starting a GPU's driver and measuring takes half as long.
constexpr double min_interactions = 3e9;

using Costs = std::vector<Cost>;

BackendRanking fastest(Costs costs, const Work& work, const std::string& remark) {
  std::ranges::stable_sort(costs, {}, &Cost::seconds);
  BackendRanking ranking;
  for (const Cost& cost : costs) {
    ranking.reason +=
        fmt::format("{}{} {}{}", ranking.order.empty() ? "auto: " : ", ", cost.name,
                    to_text(std::chrono::duration<double>(cost.seconds)), ranking.order.empty() ? " per step" : "");
    ranking.order.push_back(cost.name);
  }
  if (work.bodies > work.measured) ranking.reason += fmt::format(" with {} of the bodies", work.measured);
  ranking.reason += remark;
  return ranking;
}

BackendRanking measure(std::span<const Candidate> candidates, const Work& work, const CostCache& cache) {
  Costs costs;
  std::string failures;
  for (const Candidate& candidate : candidates) {
    try {
      costs.push_back({candidate.name, candidate.measure()});
    } catch (const Error& error) {
      if (costs.empty() && &candidate == &candidates.back()) throw;
      failures += fmt::format("; not {}: {}", candidate.name, error.what());
    }
  }
  if (failures.empty()) cache.keep(work.question, costs);  // failures may be temporary
  return fastest(costs, work, failures);
}

/// Returns the last usable candidate: GPUs come after the cpu.
BackendRanking by_rule(std::span<const Candidate> candidates) {
  BackendRanking ranking{{}, "auto: by rule, since bits depend on the device: a GPU where there is one"};
  for (const Candidate& candidate : candidates) {
    if (const std::string absence = candidate.absence(); absence.empty()) {
      ranking.order.insert(ranking.order.begin(), candidate.name);
    } else {
      ranking.reason += fmt::format("; not {}: {}", candidate.name, absence);
    }
  }
  if (ranking.order.empty()) throw Error(ranking.reason, Fault::request);
  ranking.order.resize(1);  // no fallback: if it fails to start, the user must know
  return ranking;
}

}  // namespace

BackendRanking choose(std::span<const Candidate> candidates, const Work& work, const CostCache& cache) {
  const std::string& first = candidates.front().name;
  if (candidates.size() == 1) return {{first}, "auto: no other has this kernel"};
  if (work.bodies < min_bodies_for_gpu) return {{first}, "auto: too few bodies for a GPU"};
  if (work.interactions < min_interactions) return {{first}, "auto: too short a run to measure"};
  if (!work.same_bits) return by_rule(candidates);
  const auto known = [&](const Cost& cost) {
    return std::ranges::find(candidates, cost.name, &Candidate::name) != candidates.end();
  };
  if (const auto kept = cache.find(work.question); kept && std::ranges::all_of(*kept, known))
    return fastest(*kept, work, ", measured earlier");

  std::vector<Candidate> usable;
  std::string absences;
  for (const Candidate& candidate : candidates) {
    const std::string absence = candidate.absence();
    if (absence.empty()) {
      usable.push_back(candidate);
    } else {
      absences += (absences.empty() ? "" : "; ") + absence;
    }
  }
  if (usable.empty()) throw Error(absences, Fault::request);
  if (usable.size() == 1) return {{usable.front().name}, "auto: no other can be used here: " + absences};
  return measure(usable, work, cache);
}

}  // namespace orrery::pipeline
