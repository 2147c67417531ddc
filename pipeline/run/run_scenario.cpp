// SPDX-License-Identifier: MIT
#include "pipeline/run/run_scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "pipeline/interrupt.hpp"
#include "pipeline/pictures/render_run.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/ranks.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/run/carried_runs.hpp"
#include "pipeline/run/run_table.hpp"
#include "pipeline/run/sweep.hpp"
#include "pipeline/scenario/overrides.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

/// Returns when a member's pictures are drawn: in a sweep there are many, so existing ones are not drawn again.
Draw draw_of(const RunFolder& folder, bool pictures) {
  return !pictures ? Draw::never : folder.done(pictures) ? Draw::unless_done : Draw::always;
}

/// The sweep of a scenario, run as `run` or `simulate`. Each member has a folder of its own, so that tasks on different
/// machines share no file.
class SweepRun {
 public:
  SweepRun(const Sweep& sweep, const ScenarioText& source, const ScenarioOptions& options, Messages& messages)
      : sweep_(sweep),
        source_(source),
        options_(options),
        messages_(messages),
        folder_(options.output.value_or(source.stem)) {}

  int run_task(std::int64_t task) const {
    const std::size_t count = sweep_.members.size();
    if (count == 0) refuse(source_.name, "has no [sweep] of which --task could run a member");
    if (task >= static_cast<std::int64_t>(count))
      throw Error(fmt::format("--task {}: the tasks of {} are 0 to {}", task, source_.name, count - 1), 2);
    const Member& member = sweep_.members[static_cast<std::size_t>(task)];
    RunFolder folder = member.with_context([&] { return folder_of(member); });
    return folder.complete(draw_of(folder, pictures_of_members()), label(member));
  }

  int run_all() const {
    const std::vector<double> edges = progress_edges();  // refuses before the first member is run
    if (rank_count() > 1) return run_on_ranks();
    const std::size_t count = sweep_.members.size();
    const Interrupt interrupt;
    Progress progress("sweep", messages_);
    progress.starts_at(edges.front());
    std::vector<std::string> failed;
    std::vector<Picture> figures;
    std::vector<std::filesystem::path> done;
    for (const Member& member : sweep_.members) {
      progress.part(fmt::format("sweep {} of {} · {}", member.task + 1, count, shortened(member)), edges[member.task],
                    edges[member.task + 1]);
      int code = 0;
      try {
        RunFolder folder = folder_of(member);
        figures = folder.sweep_figures();
        code = folder.complete(draw_of(folder, pictures_of_members()), label(member), &progress);
        if (code == 0) done.push_back(folder.file());
      } catch (const std::exception& error) {
        progress.clear();
        messages_.warning("{}{}", label(member), error.what());
        failed.push_back(sweep_.folder(member));
      }
      // A signal during the last step of a member does not stop that member.
      if (code == 0 && member.task + 1 < count && Interrupt::signal() != 0) code = 128 + Interrupt::signal();
      if (code != 0) {
        messages_.warning("the sweep was stopped in task {} of 0 to {}; the same command{} goes on from there",
                          member.task, count - 1, options_.force ? " without --force" : "");
        return code;
      }
    }
    progress.clear();
    return finish(done, figures, failed);
  }

 private:
  /// Every rank runs the next member that no other has begun.
  int run_on_ranks() const {
    if (options_.source == "-") throw Error("a sweep is shared by several processes only if it is a file", 2);
    const Interrupt interrupt;
    std::vector<std::vector<std::string>> commands;
    for (const Member& member : sweep_.members) {
      auto& command = commands.emplace_back(std::vector<std::string>{"orrery", options_.pictures ? "run" : "simulate",
                                                                     options_.source.string(), "--quiet", "--task",
                                                                     std::to_string(member.task)});
      if (options_.output) command.insert(command.end(), {"-o", options_.output->string()});
      if (options_.force) command.emplace_back("--force");
      add_flags(command, options_.overrides);
    }
    const std::vector<int> codes = carry_out_on_ranks(commands);
    if (Interrupt::signal() != 0) {
      messages_.warning("the sweep was stopped; the same command{} goes on from there",
                        options_.force ? " without --force" : "");
      return 128 + Interrupt::signal();
    }
    std::vector<std::string> failed;
    std::vector<Picture> figures;
    std::vector<std::filesystem::path> done;
    for (const Member& member : sweep_.members) {
      RunFolder folder = folder_of(member);
      figures = folder.sweep_figures();
      if (codes[member.task] == 0) done.push_back(folder.file());
      if (codes[member.task] != 0) failed.push_back(sweep_.folder(member));
    }
    const int code = finish(done, figures, failed);
    const TableFormat& markdown = table_format("markdown");
    std::istringstream lines(markdown.write(run_table({folder_}, messages_), markdown.digits));
    for (std::string line; std::getline(lines, line);) messages_.info("{}", line);
    return code;
  }

  /// Draws the figures of all members and reports those that failed.
  int finish(const std::vector<std::filesystem::path>& done, const std::vector<Picture>& figures,
             const std::vector<std::string>& failed) const {
    const std::string failures = failed.empty() ? ""
                                                : fmt::format("{} of {} members failed: {}", failed.size(),
                                                              sweep_.members.size(), fmt::join(failed, ", "));
    try {
      if (options_.pictures && sweep_.pictures.empty()) draw_together(done, figures);
      if (options_.pictures && !sweep_.pictures.empty() && failed.empty()) draw_carried(done.front());
    } catch (const Error& error) {
      if (failed.empty()) throw;
      throw Error(fmt::format("{}; of the others: {}", failures, error.what()));
    }
    if (!failed.empty()) throw Error(failures);
    return 0;
  }

  [[nodiscard]] RunFolder folder_of(const Member& member) const {
    RunOptions own = options_;
    own.output = folder_ / sweep_.folder(member);
    own.overrides = member.added_to(options_.overrides);
    return {own, member.source ? *member.source : source_, messages_};
  }

  /// Whether each member has pictures to draw.
  [[nodiscard]] bool pictures_of_members() const { return options_.pictures && sweep_.pictures.empty(); }

  /// "003 integrator.dt=0.005: "
  [[nodiscard]] std::string label(const Member& member) const {
    return member.overrides.empty() ? sweep_.folder(member) + ": "
                                    : fmt::format("{} {}: ", sweep_.folder(member), member.name());
  }

  /// Throws Error, exit code 2, if a member or a figure of all of them would be refused. Returns the fractions of the sweep's work
  /// at which the members begin and end: [members + 1], from the part that is already done to 1.
  [[nodiscard]] std::vector<double> progress_edges() const {
    std::vector<double> edges{0};
    std::vector<RunOutline> outlines;
    RunsToCome earlier;
    double done = 0;
    for (const Member& member : sweep_.members) {
      const auto folder = member.with_context([&] { return folder_of(member); });
      const bool is_done = folder.done(pictures_of_members());
      member.with_context([&] {
        folder.refuse_pictures(draw_of(folder, pictures_of_members()), earlier);
        folder.refuse_rounded_end(draw_of(folder, options_.pictures));
        if (!is_done) folder.refuse_unavailable_backend();
      });
      earlier.emplace(folder.file().lexically_normal(), [this, &member] { return folder_of(member).outline(); });
      if (pictures_of_members() && !folder.sweep_figures().empty()) outlines.push_back(folder.outline());
      // The figures of all members are those of the last one.
      if (outlines.size() == sweep_.members.size()) folder.pictures().check_sweep_figures(outlines);
      const double work = folder.work() + 1;
      if (is_done) done += work;
      edges.push_back(edges.back() + (is_done ? 0 : work));
    }
    const double all = done + edges.back();
    for (double& edge : edges) edge = (done + edge) / all;
    return edges;
  }

  /// Returns a member's name, shortened to fit into a progress line.
  static std::string shortened(const Member& member) {
    std::string text;
    for (const std::string& override : member.overrides) {
      if (text.size() + override.size() > 40) return text.empty() ? "…" : text + ", …";
      text += (text.empty() ? "" : ", ") + override;
    }
    return text;
  }

  /// Draws the figures that show all finished members into the folder of the sweep.
  void draw_together(const std::vector<std::filesystem::path>& runs, const std::vector<Picture>& figures) const {
    if (runs.empty()) return;
    const TrajectoryReader first(runs.front());
    for (const Picture& figure : figures) {
      const Pictures pictures(subject_of(first), {figure_of_runs(figure, runs)}, false);
      if (const std::string why_not_drawn = pictures.why_not_drawn(); !why_not_drawn.empty())
        messages_.warning("{}; once it is there, `orrery render {} --figure convergence` draws it", why_not_drawn,
                          quoted(folder_));
      for (const auto& picture :
           pictures.draw(first, folder_, messages_, Pictures::What::figures, "", options_.replacing()))
        messages_.info("{}", picture.string());
    }
  }

  /// Draws the picture that carries the members; its keys name their files relative to the folder of the first.
  void draw_carried(const std::filesystem::path& file) const {
    const TrajectoryReader first(file);
    const Pictures pictures(subject_of(first), read_pictures(Document(sweep_.pictures, source_.name, {})), false);
    if (const std::string why_not_drawn = pictures.why_not_drawn(); !why_not_drawn.empty()) throw Error(why_not_drawn);
    for (const auto& picture : pictures.draw(first, folder_, messages_, Pictures::What::all, "", options_.replacing()))
      messages_.info("{}", picture.string());
  }

  const Sweep& sweep_;
  const ScenarioText& source_;
  const ScenarioOptions& options_;
  Messages& messages_;
  std::filesystem::path folder_;  ///< contains the folders of the members
};

}  // namespace

int run_scenario(const ScenarioOptions& options, Messages& messages) {
  const ScenarioText source = scenario_text(options.source, messages);  // read only once: it may be a pipe
  const Sweep sweep = members_of(source, options.overrides);
  const SweepRun runs(sweep, source, options, messages);
  if (options.task) return runs.run_task(*options.task);
  if (!sweep.members.empty()) return runs.run_all();
  return RunFolder(options, source, messages).complete(options.pictures ? Draw::always : Draw::never);
}

int resume(const RunOptions& options, Messages& messages) {
  return RunFolder::of_trajectory(options, messages).complete(Draw::unless_done);
}

}  // namespace orrery::pipeline
