// SPDX-License-Identifier: MIT
// Every member of a sweep is a run in a folder of its own, so that tasks on many machines share nothing.
#include "pipeline/run/run_scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pipeline/interrupt.hpp"
#include "pipeline/pictures/one_figure.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/run_folder.hpp"
#include "pipeline/run/sweep.hpp"
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

int run_task(const Sweep& sweep, const ScenarioText& source, const RunOptions& options, bool pictures,
             Messages& messages) {
  const auto count = static_cast<std::int64_t>(sweep.members.size());
  if (count == 0) throw Error(fmt::format("{}: has no [sweep] of which --task could run a member", source.name), 2);
  if (*options.task >= count) {
    throw Error(fmt::format("--task {}: the tasks of {} are 0 to {}", *options.task, source.name, count - 1), 2);
  }
  const Member& member = sweep.members[static_cast<std::size_t>(*options.task)];
  RunFolder folder = member.in_its_name([&] { return RunFolder(sweep.options_of(member, options), source, messages); });
  return run_member(folder, pictures);
}

/// How much of the sweep each member is, and what of it is left: [members + 1], from what is done to 1.
std::vector<double> shares(const Sweep& sweep, const ScenarioText& source, const RunOptions& options, bool pictures,
                           Messages& messages) {
  std::vector<double> edges{0};
  double done = 0;
  for (const Member& member : sweep.members) {
    const auto folder =
        member.in_its_name([&] { return RunFolder(sweep.options_of(member, options), source, messages); });
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
                const std::filesystem::path& folder, Replacing replacing, Messages& messages) {
  if (runs.empty()) return;
  const TrajectoryReader first(runs.front());
  for (const std::string& table : tables) {
    const RenderJob job = figure_of_runs(runs, table, folder);
    const Pictures pictures(subject_of(first, job.document), false);
    if (const std::string hindrance = pictures.hindrance(); !hindrance.empty())
      messages.warning("{}; once it is there, `orrery render {} --figure convergence` draws it", hindrance,
                       quoted(folder));
    for (const auto& picture : pictures.draw(first, folder, messages, Pictures::What::figures, "", replacing))
      messages.info("{}", picture.string());
  }
}

int run_sweep(const Sweep& sweep, const ScenarioText& source, const RunOptions& options, bool pictures,
              Messages& messages) {
  const std::vector<double> edges =
      shares(sweep, source, options, pictures, messages);  // every member is looked at before one is run
  const std::size_t count = sweep.members.size();
  const Interrupt interrupt;
  Progress progress("sweep", messages);
  progress.starts_at(edges.front());
  std::vector<std::string> failed, tables;
  std::vector<std::filesystem::path> done;
  for (const Member& member : sweep.members) {
    progress.part(fmt::format("sweep {} of {} · {}", member.task + 1, count, shortened(member)), edges[member.task],
                  edges[member.task + 1]);
    RunOptions own = sweep.options_of(member, options);
    own.progress = &progress;
    int code = 0;
    try {
      RunFolder folder(own, source, messages);
      tables = folder.tables_of_sweep();
      code = run_member(folder, pictures);
      if (code == 0) done.push_back(folder.file());
    } catch (const std::exception& error) {
      progress.clear();
      messages.warning("{}{}", own.label, error.what());
      failed.push_back(sweep.folder(member));
    }
    // A signal that came with a member's last step did not stop that member.
    if (code == 0 && member.task + 1 < count && Interrupt::signal() != 0) code = 128 + Interrupt::signal();
    if (code != 0) {
      messages.warning("the sweep was stopped in task {} of 0 to {}; the same command{} goes on from there",
                       member.task, count - 1, options.force ? " without --force" : "");
      return code;
    }
  }
  progress.clear();
  const std::string failures =
      failed.empty() ? "" : fmt::format("{} of {} members failed: {}", failed.size(), count, fmt::join(failed, ", "));
  try {
    if (pictures) draw_sweep(done, tables, options.output.value_or(sweep.stem), options.replacing(), messages);
  } catch (const Error& error) {
    if (failed.empty()) throw;
    throw Error(fmt::format("{}; of the others: {}", failures, error.what()));
  }
  if (failed.empty()) return 0;
  throw Error(failures);
}

}  // namespace

int run_scenario(const RunOptions& options, bool pictures, Messages& messages) {
  const ScenarioText source = scenario_text(options.source, messages);  // once: it may be a pipe
  const Sweep sweep = sweep_of(source, options.overrides);
  if (options.task) return run_task(sweep, source, options, pictures, messages);
  if (sweep.members.empty())
    return RunFolder(options, source, messages).complete(pictures ? Draw::always : Draw::never);
  return run_sweep(sweep, source, options, pictures, messages);
}

int resume(const RunOptions& options, Messages& messages) {
  return RunFolder::of_trajectory(options, messages).complete(Draw::unless_done);
}

}  // namespace orrery::pipeline
