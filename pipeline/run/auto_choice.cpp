// SPDX-License-Identifier: MIT
// The choice: by rule, from the cache, by measurement, in this order.
#include "pipeline/run/auto_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "pipeline/progress.hpp"

namespace orrery::pipeline {
namespace {

/// A step on a GPU costs 10 µs at least, a kernel launch or two a verb; in that time one core with AVX-512
/// goes through 34 000 pairs, those of 184 bodies (3.4 G interactions a second, measured), and with AVX2 those of 128.
constexpr std::size_t fewest_for_a_gpu = 128;

/// About a second of one core. To start a GPU's driver and to measure takes half as long.
constexpr double fewest_interactions = 3e9;

using Costs = std::vector<Cost>;

Verdict fastest(Costs costs, const Work& work, const std::string& remark) {
  std::ranges::stable_sort(costs, {}, &Cost::seconds);
  Verdict verdict;
  for (const Cost& cost : costs) {
    verdict.reason +=
        fmt::format("{}{} {}{}", verdict.order.empty() ? "auto: " : ", ", cost.name,
                    in_words(std::chrono::duration<double>(cost.seconds)), verdict.order.empty() ? " a step" : "");
    verdict.order.push_back(cost.name);
  }
  if (work.bodies > work.measured) verdict.reason += fmt::format(" with {} of the bodies", work.measured);
  verdict.reason += remark;
  return verdict;
}

Verdict measure(std::span<const Candidate> candidates, const Work& work, const CostCache& cache) {
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
  if (failures.empty()) cache.keep(work.question, costs);  // a failure may be over tomorrow
  return fastest(costs, work, failures);
}

/// The last that can be used: a GPU comes behind the processor.
Verdict by_rule(std::span<const Candidate> candidates) {
  Verdict verdict{{}, "auto: by rule, since bits depend on the device: a GPU where there is one"};
  for (const Candidate& candidate : candidates) {
    if (const std::string absence = candidate.absence(); absence.empty()) {
      verdict.order.insert(verdict.order.begin(), candidate.name);
    } else {
      verdict.reason += fmt::format("; not {}: {}", candidate.name, absence);
    }
  }
  if (verdict.order.empty()) throw Error(verdict.reason, 2);
  verdict.order.resize(1);  // if it fails to start, that is to be known
  return verdict;
}

}  // namespace

Verdict choose(std::span<const Candidate> candidates, const Work& work, const CostCache& cache) {
  const std::string& first = candidates.front().name;
  if (candidates.size() == 1) return {{first}, "auto: no other has this kernel"};
  if (work.bodies < fewest_for_a_gpu) return {{first}, "auto: too few bodies for a GPU"};
  if (work.interactions < fewest_interactions) return {{first}, "auto: too short a run to measure"};
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
  if (usable.empty()) throw Error(absences, 2);
  if (usable.size() == 1) return {{usable.front().name}, "auto: no other can be used here: " + absences};
  return measure(usable, work, cache);
}

}  // namespace orrery::pipeline
