// SPDX-License-Identifier: MIT
// Every member of a sweep is a run in a folder of its own, so that tasks on many machines share nothing.
#include "pipeline/run/run_scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "pipeline/interrupt.hpp"
#include "pipeline/pictures/one_figure.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/run_folder.hpp"
#include "pipeline/run/sweep.hpp"
#include "pipeline/say.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

/// Pictures that are there already are not drawn again: in a sweep they are many.
Draw wanted_of(const RunFolder& folder, bool pictures) {
  return !pictures ? Draw::never : folder.done(pictures) ? Draw::unless_done : Draw::always;
}

int run_member(RunFolder& folder, bool pictures) {
  return folder.complete(wanted_of(folder, pictures));
}

int run_task(const Sweep& sweep, const ScenarioText& source, const Request& request, bool pictures) {
  const auto count = static_cast<std::int64_t>(sweep.members.size());
  if (count == 0) throw Error(fmt::format("{}: has no [sweep] of which --task could run a member", source.name), 2);
  if (*request.task >= count) {
    throw Error(fmt::format("--task {}: the tasks of {} are 0 to {}", *request.task, source.name, count - 1), 2);
  }
  const Member& member = sweep.members[static_cast<std::size_t>(*request.task)];
  RunFolder folder = member.in_its_name([&] { return RunFolder(sweep.request_of(member, request), source); });
  return run_member(folder, pictures);
}

/// How much of the sweep each member is, and what of it is left: [members + 1], from what is done to 1.
std::vector<double> shares(const Sweep& sweep, const ScenarioText& source, const Request& request, bool pictures) {
  std::vector<double> edges{0};
  double done = 0;
  for (const Member& member : sweep.members) {
    const auto folder = member.in_its_name([&] { return RunFolder(sweep.request_of(member, request), source); });
    folder.refuse_to_replace(wanted_of(folder, pictures));
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

/// Figures of all members that are done, into the folder of the sweep.
void draw_sweep(const std::vector<std::filesystem::path>& runs, const std::vector<std::string>& tables,
                const std::filesystem::path& folder, const Request& request) {
  if (runs.empty()) return;
  const TrajectoryReader first(runs.front());
  for (const std::string& table : tables) {
    const Commission commission = figure_of_runs(runs, table, folder);
    const Pictures pictures(subject_of(first, commission.document), false);
    if (const std::string hindrance = pictures.hindrance(); !hindrance.empty())
      say(stderr, "orrery: {}; once it is there, `orrery render {} --figure convergence` draws it\n", hindrance,
          quoted(folder));
    for (const auto& picture :
         pictures.draw(first, folder, request.quiet, Pictures::What::figures, "", request.replacing())) {
      if (!request.quiet) say("{}\n", picture.string());
    }
  }
}

int run_sweep(const Sweep& sweep, const ScenarioText& source, const Request& request, bool pictures) {
  const std::vector<double> edges =
      shares(sweep, source, request, pictures);  // every member is looked at before one is run
  const std::size_t count = sweep.members.size();
  const Interrupt interrupt;
  Progress progress("sweep", request.quiet);
  progress.starts_at(edges.front());
  std::vector<std::string> failed, tables;
  std::vector<std::filesystem::path> done;
  for (const Member& member : sweep.members) {
    progress.part(fmt::format("sweep {} of {} · {}", member.task + 1, count, shortened(member)), edges[member.task],
                  edges[member.task + 1]);
    Request own = sweep.request_of(member, request);
    own.progress = &progress;
    int code = 0;
    try {
      RunFolder folder(own, source);
      tables = folder.tables_of_sweep();
      code = run_member(folder, pictures);
      if (code == 0) done.push_back(folder.file());
    } catch (const std::exception& error) {
      progress.clear();
      say(stderr, "orrery: {}{}\n", own.label, error.what());
      failed.push_back(sweep.folder(member));
    }
    std::fflush(stdout);
    // A signal that came with a member's last step did not stop that member.
    if (code == 0 && member.task + 1 < count && Interrupt::signal() != 0) code = 128 + Interrupt::signal();
    if (code != 0) {
      say(stderr, "orrery: the sweep was stopped in task {} of 0 to {}; the same command{} goes on from there\n",
          member.task, count - 1, request.force ? " without --force" : "");
      return code;
    }
  }
  progress.clear();
  const std::string failures =
      failed.empty() ? "" : fmt::format("{} of {} members failed: {}", failed.size(), count, fmt::join(failed, ", "));
  try {
    if (pictures) draw_sweep(done, tables, request.output.value_or(sweep.stem), request);
  } catch (const Error& error) {
    if (failed.empty()) throw;
    throw Error(fmt::format("{}; of the others: {}", failures, error.what()));
  }
  if (failed.empty()) return 0;
  throw Error(failures);
}

}  // namespace

int run_scenario(const Request& request, bool pictures) {
  const ScenarioText source = scenario_text(request.operands.front());  // once: it may be a pipe
  const Sweep sweep = sweep_of(source, request);
  if (request.task) return run_task(sweep, source, request, pictures);
  if (sweep.members.empty()) return RunFolder(request, source).complete(pictures ? Draw::always : Draw::never);
  return run_sweep(sweep, source, request, pictures);
}

}  // namespace orrery::pipeline
