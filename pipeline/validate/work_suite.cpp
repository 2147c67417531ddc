// SPDX-License-Identifier: MIT
// Work-precision: the cost of an error, for every integrator on the same two bodies over the same time.
#include <fmt/format.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): POSIX, clock_gettime

#include <algorithm>
#include <cmath>
#include <limits>

#include "pipeline/validate/measured_run.hpp"

namespace orrery::pipeline {
namespace {

constexpr double periods = 10.43;
constexpr double wanted = 1e-6;

struct Spent {
  double setting;  ///< dt in periods, or the accuracy
  double error, evaluations, seconds;
};

/// CPU time of this thread.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Short runs are repeated for 10 ms in total; the minimum time counts.
Spent cost_of(const Conditions& conditions, const Method& method, const Ellipse& two, std::int64_t steps) {
  Spent cost{.setting = method.accuracy > 0 ? method.accuracy : periods / static_cast<double>(steps),
             .error = 0,
             .evaluations = 0,
             .seconds = std::numeric_limits<double>::infinity()};
  for (double all = 0; all < 0.01;) {
    MeasuredRun run(conditions, two.problem.system, method, periods * two.period / static_cast<double>(steps));
    const double begin = processor_seconds();
    run.advance(steps);
    const double took = processor_seconds() - begin;
    all += took;
    cost.seconds = std::min(cost.seconds, took);
    cost.error = error_of(run.state(), two, run->time());
    cost.evaluations = static_cast<double>(run.evaluations());
  }
  return cost;
}

/// Evaluations for the error `wanted`, interpolated between the points on either side of it; those of the first point
/// if it is already better, infinity if no point is as good.
double evaluations_for(const std::vector<Spent>& costs) {
  if (costs.front().error <= wanted) return costs.front().evaluations;
  for (std::size_t k = 1; k < costs.size(); ++k) {
    const Spent &a = costs[k - 1], &b = costs[k];
    if (!(a.error > wanted) || b.error > wanted) continue;
    const double part = std::log(a.error / wanted) / std::log(a.error / b.error);
    return std::round(a.evaluations * std::pow(b.evaluations / a.evaluations, part));
  }
  return std::numeric_limits<double>::infinity();
}

Findings work_of(const Conditions& conditions, const Method& method) {
  const Ellipse two = ellipse();
  std::vector<Spent> costs;
  if (method.accuracy > 0) {
    // Not far below the default if that already reaches rounding: steps would become ever shorter.
    const double least = method.accuracy / (method.integrator->order < 15 ? 1000 : 2);
    for (double accuracy = std::min(1.0, 1e6 * method.accuracy); accuracy > least; accuracy /= 4)
      costs.push_back(cost_of(conditions, {method.integrator, accuracy}, two, 1));
  } else {
    for (double steps = 16 * periods; costs.empty() || costs.back().evaluations < 5e6; steps *= 1.5) {
      costs.push_back(cost_of(conditions, method, two, std::llround(steps)));
      if (costs.back().error < 1e-13) break;  // rounding from here on
    }
  }
  Findings findings;
  const std::string name = method.accuracy > 0 ? std::string(method.integrator->name) + ", own steps" : method.name();
  findings.checks = {{fmt::format("forces computed for an error of 1e-6 at t = {} P", periods), evaluations_for(costs),
                      Bound::none(), "for comparison", name}};
  Series dt{"error-dt", name, {}, {}}, evaluations{"error-evaluations", name, {}, {}}, time{"error-time", name, {}, {}};
  for (const Spent& cost : costs) {
    const double x[] = {cost.setting, cost.evaluations, cost.seconds};
    int k = 0;
    for (Series* series : {&dt, &evaluations, &time}) series->x.push_back(x[k++]), series->y.push_back(cost.error);
  }
  if (method.accuracy == 0) findings.series.push_back(dt);
  findings.series.push_back(evaluations);
  findings.series.push_back(time);
  return findings;
}

void plan(bool quick, std::vector<Task>& tasks) {
  if (quick) return;
  for (const Method& method : all_methods()) add_task(tasks, "two-body", method, work_of);
}

}  // namespace

const ValidationSuite work_suite{.name = "work", .meaning = "the cost of a given error", .plan = plan};

}  // namespace orrery::pipeline
