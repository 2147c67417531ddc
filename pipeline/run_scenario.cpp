// SPDX-License-Identifier: MIT
// Every member of a sweep is a run in a folder of its own, so that tasks on many machines share nothing.
#include "pipeline/run_scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "pipeline/progress.hpp"
#include "pipeline/run_folder.hpp"
#include "pipeline/sweep.hpp"

namespace orrery::pipeline {
namespace {

int run_one(RunFolder folder, bool pictures) {
  if (const int signal = folder.simulate(); signal != 0) return 128 + signal;
  if (pictures) folder.draw();
  folder.conclude();
  return 0;
}

/// "003 integrator.dt=0.005: "
std::string title_of(const Sweep& sweep, const Member& member) {
  return fmt::format("{} {}: ", sweep.folder(member), member.name());
}

/// The run of one member; `progress`, which may be null, is that of the sweep.
RunFolder open(const Sweep& sweep, const Member& member, const Request& request, Progress* progress) {
  Request own = sweep.request_of(member, request);
  own.progress = progress;
  return member.in_its_name([&] { return RunFolder(own); });
}

/// Its last line is that of any run, with the member's name before it.
int run_member(const Sweep& sweep, const Member& member, const Request& request, bool pictures, Progress* progress) {
  RunFolder folder = open(sweep, member, request, progress);
  const bool done = folder.done(pictures);
  if (!done) {
    if (const int signal = folder.simulate(); signal != 0) return 128 + signal;
    if (pictures) folder.draw();
  }
  fmt::print("{}{}", title_of(sweep, member), done ? "done already, " : "");
  folder.conclude();
  return 0;
}

int run_task(const Sweep& sweep, const Request& request, bool pictures) {
  const auto count = static_cast<std::int64_t>(sweep.members.size());
  const std::string& scenario = request.operands.front();
  if (count == 0) throw Error(fmt::format("{}: has no [sweep] of which --task could run a member", scenario), 2);
  if (*request.task >= count) {
    throw Error(fmt::format("--task {}: the tasks of {} are 0 to {}", *request.task, scenario, count - 1), 2);
  }
  return run_member(sweep, sweep.members[static_cast<std::size_t>(*request.task)], request, pictures, nullptr);
}

/// How much of the sweep each member is, and what of it is left: [members + 1], from what is done to 1.
std::vector<double> shares(const Sweep& sweep, const Request& request, bool pictures) {
  std::vector<double> edges{0};
  double done = 0;
  for (const Member& member : sweep.members) {
    const RunFolder folder = open(sweep, member, request, nullptr);
    const double work = folder.work() + 1;
    if (folder.done(pictures)) done += work;
    edges.push_back(edges.back() + (folder.done(pictures) ? 0 : work));
  }
  const double all = done + edges.back();
  for (double& edge : edges) edge = (done + edge) / all;
  return edges;
}

/// As much of a name as a line of progress has room for.
std::string shortened(const Member& member) {
  std::string text;
  for (const std::string& override : member.overrides) {
    if (text.size() + override.size() > 40) return text.empty() ? "…" : text + ", …";
    text += (text.empty() ? "" : ", ") + override;
  }
  return text;
}

int run_sweep(const Sweep& sweep, const Request& request, bool pictures) {
  const std::vector<double> edges = shares(sweep, request, pictures);  // every member is looked at before one is run
  const std::size_t count = sweep.members.size();
  Progress progress("sweep", request.quiet);
  progress.starts_at(edges.front());
  std::vector<std::string> failed;
  for (const Member& member : sweep.members) {
    progress.part(fmt::format("sweep {} of {} · {}", member.task + 1, count, shortened(member)), edges[member.task],
                  edges[member.task + 1]);
    try {
      if (const int code = run_member(sweep, member, request, pictures, &progress); code != 0) return code;
    } catch (const std::exception& error) {
      progress.clear();
      fmt::print(stderr, "orrery: {}{}\n", title_of(sweep, member), error.what());
      failed.push_back(sweep.folder(member));
    }
    std::fflush(stdout);
  }
  if (failed.empty()) return 0;
  throw Error(fmt::format("{} of {} members failed: {}", failed.size(), count, fmt::join(failed, ", ")));
}

}  // namespace

int run_scenario(const Request& request, bool pictures) {
  const Sweep sweep = sweep_of(request);
  if (request.task) return run_task(sweep, request, pictures);
  if (sweep.members.empty()) return run_one(RunFolder(request), pictures);
  return run_sweep(sweep, request, pictures);
}

}  // namespace orrery::pipeline
