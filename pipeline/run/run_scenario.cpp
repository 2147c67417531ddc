// SPDX-License-Identifier: MIT
#include "pipeline/run/run_scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "pipeline/pictures/render_run.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/run/carried_runs.hpp"
#include "pipeline/run/run_table.hpp"
#include "pipeline/run/sweep.hpp"
#include "pipeline/shared_parts.hpp"
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
  SweepRun(const Sweep& sweep, const ScenarioText& source, const ScenarioOptions& options, Context& context)
      : sweep_(sweep),
        source_(source),
        options_(options),
        context_(context),
        folder_(options.output.value_or(source.stem)) {}

  bool run_task(std::int64_t task) const {
    const std::size_t count = sweep_.members.size();
    if (count == 0) refuse(source_.name, "has no [sweep] of which --task could run a member");
    if (task >= static_cast<std::int64_t>(count))
      throw Error(fmt::format("--task {}: the tasks of {} are 0 to {}", task, source_.name, count - 1), Fault::request);
    const Member& member = sweep_.members[static_cast<std::size_t>(task)];
    RunFolder folder = member.with_context([&] { return folder_of(member); });
    return folder.complete(draw_of(folder, pictures_of_members()), label(member));
  }

  bool run_all() const {
    const std::vector<double> edges = progress_edges();  // refuses before the first member is run
    if (context_.resources.ranks != nullptr) return run_on_ranks();
    const std::size_t count = sweep_.members.size();
    const Context::During orderly(context_, Context::Phase::orderly);
    Progress progress("sweep", context_);
    progress.starts_at(edges.front());
    std::vector<std::string> failed;
    std::vector<Picture> figures;
    std::vector<std::filesystem::path> done;
    for (const Member& member : sweep_.members) {
      progress.part(fmt::format("sweep {} of {} · {}", member.task + 1, count, shortened(member)), edges[member.task],
                    edges[member.task + 1]);
      bool ended = true;
      try {
        RunFolder folder = folder_of(member);
        figures = folder.sweep_figures();
        ended = folder.complete(draw_of(folder, pictures_of_members()), label(member), &progress);
        if (ended) done.push_back(folder.file());
      } catch (const std::exception& error) {
        progress.clear();
        context_.warning("{}{}", label(member), error.what());
        failed.push_back(sweep_.folder(member));
      }
      // A stop during the last step of a member does not stop that member.
      if (!ended || (member.task + 1 < count && context_.stopped())) {
        context_.warning("the sweep was stopped in task {} of 0 to {}; the same command{} goes on from there",
                         member.task, count - 1, options_.force ? " without --force" : "");
        return false;
      }
    }
    progress.clear();
    finish(done, figures, failed);
    return true;
  }

 private:
  /// Every rank runs the next member that no other has begun.
  bool run_on_ranks() const {
    if (options_.source == "-")
      throw Error("a sweep is shared by several processes only if it is a file", Fault::request);
    const Context::During orderly(context_, Context::Phase::orderly);
    std::vector<SharedPart> members;
    for (const Member& member : sweep_.members) {
      ScenarioOptions own = options_;
      own.task = member.task;
      members.emplace_back(std::move(own));
    }
    const std::vector<Outcome> outcomes = share(members, context_);
    if (context_.stopped()) {
      context_.warning("the sweep was stopped; the same command{} goes on from there",
                       options_.force ? " without --force" : "");
      return false;
    }
    std::vector<std::string> failed;
    std::vector<Picture> figures;
    std::vector<std::filesystem::path> done;
    for (const Member& member : sweep_.members) {
      RunFolder folder = folder_of(member);
      figures = folder.sweep_figures();
      if (outcomes[member.task] == Outcome::done) {
        done.push_back(folder.file());
      } else {
        failed.push_back(sweep_.folder(member));
      }
    }
    finish(done, figures, failed);
    const TableFormat& markdown = table_format("markdown");
    std::istringstream lines(markdown.write(run_table({folder_}, context_), markdown.digits));
    for (std::string line; std::getline(lines, line);) context_.info("{}", line);
    return true;
  }

  /// Draws the figures of all members and reports those that failed.
  void finish(const std::vector<std::filesystem::path>& done, const std::vector<Picture>& figures,
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
  }

  [[nodiscard]] RunFolder folder_of(const Member& member) const {
    RunOptions own = options_;
    own.output = folder_ / sweep_.folder(member);
    own.overrides = member.added_to(options_.overrides);
    return {own, member.source ? *member.source : source_, context_};
  }

  /// Whether each member has pictures to draw.
  [[nodiscard]] bool pictures_of_members() const { return options_.pictures && sweep_.pictures.empty(); }

  /// "003 integrator.dt=0.005: "
  [[nodiscard]] std::string label(const Member& member) const {
    return member.overrides.empty() ? sweep_.folder(member) + ": "
                                    : fmt::format("{} {}: ", sweep_.folder(member), member.name());
  }

  /// Throws Error, Fault::request, if a member or a figure of all of them would be refused. Returns the fractions of the sweep's work
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
      const Pictures pictures(subject_of(first, context_.resources), {figure_of_runs(figure, runs)}, false);
      if (const std::string why_not_drawn = pictures.why_not_drawn(); !why_not_drawn.empty())
        context_.warning("{}; once it is there, `orrery render {} --figure convergence` draws it", why_not_drawn,
                         quoted(folder_));
      for (const auto& picture :
           pictures.draw(first, folder_, context_, Pictures::What::figures, "", options_.replacing()))
        context_.info("{}", picture.string());
    }
  }

  /// Draws the picture that carries the members; its keys name their files relative to the folder of the first.
  void draw_carried(const std::filesystem::path& file) const {
    const TrajectoryReader first(file);
    const Pictures pictures(subject_of(first, context_.resources),
                            read_pictures(Document(sweep_.pictures, source_.name, {})), false);
    if (const std::string why_not_drawn = pictures.why_not_drawn(); !why_not_drawn.empty()) throw Error(why_not_drawn);
    for (const auto& picture : pictures.draw(first, folder_, context_, Pictures::What::all, "", options_.replacing()))
      context_.info("{}", picture.string());
  }

  const Sweep& sweep_;
  const ScenarioText& source_;
  const ScenarioOptions& options_;
  Context& context_;
  std::filesystem::path folder_;  ///< contains the folders of the members
};

}  // namespace

bool run_scenario(const ScenarioOptions& options, Context& context) {
  const ScenarioText source = scenario_text(options.source, context);  // read only once: it may be a pipe
  const Sweep sweep = members_of(source, options.overrides);
  const SweepRun runs(sweep, source, options, context);
  if (options.task) return runs.run_task(*options.task);
  if (!sweep.members.empty()) return runs.run_all();
  return RunFolder(options, source, context).complete(options.pictures ? Draw::always : Draw::never);
}

bool resume(const RunOptions& options, Context& context) {
  return RunFolder::of_trajectory(options, context).complete(Draw::unless_done);
}

}  // namespace orrery::pipeline
