// SPDX-License-Identifier: MIT
#include "pipeline/validate/validation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <limits>
#include <thread>

#include "common/error.hpp"
#include "common/thread_pool.hpp"
#include "common/work_queue.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {
namespace {

/// The values of a field of tasks, without duplicates.
std::vector<std::string_view> values_of(const std::vector<Task>& tasks, std::string Task::*field) {
  std::vector<std::string_view> values;
  for (const Task& task : tasks) {
    if (std::ranges::find(values, task.*field) == values.end()) values.push_back(task.*field);
  }
  return values;
}

/// Removes the tasks whose `field` is not among `names`, which must be `known`.
void filter(std::vector<Task>& tasks, const std::vector<std::string_view>& known, std::string Task::*field,
            const std::vector<std::string>& names, std::string_view kind) {
  if (names.empty()) return;
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) == known.end())
      throw Error(fmt::format("validate has no {} `{}`{} (there are: {})", kind, name, suggestion(name, known),
                              fmt::join(known, ", ")),
                  Fault::request);
  }
  std::erase_if(tasks, [&](const Task& task) { return std::ranges::find(names, task.*field) == names.end(); });
}

Findings result_of(const Task& task, const Conditions& conditions) {
  Findings findings;
  try {
    findings = task.work(conditions);
  } catch (const std::exception& failure) {
    findings.checks = {
        {"could not be measured", std::numeric_limits<double>::quiet_NaN(), Bound::at_most(0), failure.what()}};
  }
  if (conditions.context.stopped()) return {};  // the measurement is incomplete
  for (Check& check : findings.checks) {
    check.suite = task.suite;
    if (check.integrator.empty()) check.integrator = task.integrator;
    if (check.orbit.empty()) check.orbit = task.orbit;
  }
  return findings;
}

}  // namespace

std::span<const ValidationSuite* const> validation_suites() {
  static constexpr const ValidationSuite* list[] = {&order_suite,    &own_steps_suite, &work_suite,   &reversal_suite,
                                                    &long_run_suite, &closure_suite,   &orbits_suite, &rounding_suite};
  return list;
}

std::vector<Task> planned(const Selection& selection) {
  std::vector<Task> tasks;
  for (const ValidationSuite* suite : validation_suites()) {
    const std::size_t before = tasks.size();
    suite->plan(selection.quick, tasks);
    for (std::size_t k = before; k < tasks.size(); ++k) tasks[k].suite = suite->name;
  }
  const std::vector<Task> all = tasks;
  std::vector<std::string_view> suites;
  for (const ValidationSuite* suite : validation_suites()) suites.push_back(suite->name);
  filter(tasks, suites, &Task::suite, selection.suites, "suite");
  filter(tasks, values_of(all, &Task::integrator), &Task::integrator, selection.integrators, "integrator");
  filter(tasks, values_of(all, &Task::orbit), &Task::orbit, selection.orbits, "orbit");
  if (tasks.empty()) {
    std::string selected;
    for (const auto& [names, word] :
         {std::pair{&selection.suites, "in suite"}, {&selection.integrators, "with"}, {&selection.orbits, "on"}}) {
      if (!names->empty()) selected += fmt::format(" {} {}", word, fmt::join(*names, ", "));
    }
    throw Error(fmt::format("nothing is validated{}{}; leave one of them out", selected,
                            selection.quick ? " with --quick" : ""),
                Fault::request);
  }
  return tasks;
}

Findings carry_out(const std::vector<Task>& tasks, const Conditions& conditions, int threads,
                   const std::function<bool(double done)>& show) {
  using namespace std::chrono_literals;
  std::vector<Findings> found(tasks.size());
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> stop = false;
  WorkQueue queue(2);
  queue.add([&] {
    thread_pool(threads)->for_each(0, tasks.size(), [&](std::size_t k) {
      const std::size_t i = tasks.size() - 1 - k;  // the longest tasks are last in the list and start first
      if (!stop) found[i] = result_of(tasks[i], conditions);
      ++done;
    });
  });
  while (done < tasks.size() && !stop) {
    stop = show(static_cast<double>(done) / static_cast<double>(tasks.size()));
    std::this_thread::sleep_for(20ms);
  }
  queue.wait();
  Findings all;
  for (Findings& one : found) {
    std::ranges::move(one.checks, std::back_inserter(all.checks));
    std::ranges::move(one.series, std::back_inserter(all.series));
  }
  return all;
}

}  // namespace orrery::pipeline
