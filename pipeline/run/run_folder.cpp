// SPDX-License-Identifier: MIT
#include "pipeline/run/run_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/thread_pool.hpp"
#include "pipeline/compare/key_differences.hpp"
#include "pipeline/following.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/pictures/render_run.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/force_methods.hpp"
#include "pipeline/run/imported_run.hpp"
#include "pipeline/run/longer_run.hpp"
#include "pipeline/run/main_loop.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/run/plausibility.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/run/stale_pictures.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/trajectory_copy.hpp"
#include "pipeline/trajectory/trajectory_repair.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {
namespace {

/// Returns where an unfinished trajectory is resumed.
ResumePoint resume_point(const TrajectoryReader& trajectory) {
  const History history = trajectory.history();
  sim::Snapshot state = trajectory.restart().value();
  const bool rows = !history.step.empty();  // the copy of a damaged file may have none
  const double kinetic = rows ? history.kinetic_energy.front() : state.observables.kinetic_energy;
  const double potential = rows ? history.potential_energy.front() : state.observables.potential_energy;
  // The extremes that the last row holds do not belong to the next row.
  if (rows && history.step.back() == state.step) state.extremes = {};
  return {.state = std::move(state), .first_energy = {kinetic, potential}, .extremes = trajectory.options().extremes};
}

}  // namespace

RunFolder::RunFolder(const RunOptions& options, const ScenarioText& source, Context& context)
    : RunFolder(options, parse_scenario(source, options.overrides), options.output.value_or(source.stem), false,
                context) {}

RunFolder RunFolder::of_trajectory(const RunOptions& options, Context& context) {
  const std::filesystem::path& file = options.source;
  refuse_live(file);
  refuse_imported(TrajectoryReader(file).record(), file, "continued");
  if (auto longer = longer_run(file, options.overrides, options.output, context.plug_ins)) {
    RunFolder folder(options, std::move(longer->scenario), longer->folder, false, context);
    folder.shorter_ = file;
    return folder;
  }
  if (options.output)
    refuse(file, "is resumed in place: -o is for a longer run, --set integrator.time or integrator.steps");
  return {options, scenario_of(TrajectoryReader(file), file, options.overrides, context.plug_ins), file, true, context};
}

RunFolder::RunFolder(const RunOptions& options, Scenario scenario, const std::filesystem::path& place, bool resumed,
                     Context& context)
    : options_(options),
      context_(context),
      scenario_(std::move(scenario)),
      setup_(set_up_to_step(scenario_, context.resources)),
      pictures_(scenario_, setup_, context.resources),
      resumed_(resumed),
      file_(resumed ? place : place / scenario_.file),
      summary_(file_),
      existing_(inspect_folder()) {}

RunFolder::Existing RunFolder::inspect_folder() {
  if (resumed_) return inspect_trajectory();
  std::error_code error;
  const std::filesystem::path folder = file_.parent_path();
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_directory(folder, error))
    refuse(folder, "is a file; give another folder with -o");
  refuse_live(file_);
  if (options_.force || !std::filesystem::exists(file_, error)) {
    refuse_too_large(scenario_, setup_, folder);
    return Existing::nothing;
  }
  try {
    return inspect_trajectory();
  } catch (const Error& cause) {
    throw Error(cause.what() + std::string("; --force replaces it, -o DIR writes elsewhere"), Fault::request);
  }
}

RunFolder::Existing RunFolder::inspect_trajectory() {
  const TrajectoryReader trajectory(file_);
  const auto differ = differences(physics_of(trajectory), physics(scenario_, setup_));
  if (!differ.empty()) refuse(file_, "holds another run: " + to_text(differ, "there", "here"));
  if (trajectory.finished()) return Existing::finished;
  if (trajectory.restart()) return Existing::unfinished;
  if (trajectory.size() > 0) refuse(file_, "has frames, but no complete state to resume from");
  if (resumed_) refuse(file_, "stopped before its first commit: there is no state to resume from");
  return Existing::nothing;  // nothing is lost if the run starts again
}

bool RunFolder::done(bool pictures) const {
  if (existing_ != Existing::finished || !summary_.exists()) return false;
  const auto exists = [&](const std::string& file) { return std::filesystem::exists(file_.parent_path() / file); };
  return !pictures || (std::ranges::all_of(pictures_.files(), exists) &&
                       TrajectoryReader(file_).record().resolved.ends_with(pictures_.resolved()));
}

void RunFolder::refuse_unavailable_backend() const {
  refuse_unavailable(scenario_.backend);
}

void RunFolder::refuse_pictures(Draw draw, const RunsToCome& to_come) const {
  const std::string_view elsewhere = resumed_ ? "" : ", -o DIR writes elsewhere";
  summary_.refuse_to_replace(options_.replacing(), elsewhere);
  const bool done = draw == Draw::unless_done && existing_ == Existing::finished && summary_.exists();
  if (draw != Draw::never && !done) pictures_.refuse_to_replace(file_.parent_path(), options_.replacing(), elsewhere);
  if (draw != Draw::always) return;
  check_other_runs(to_come);
  pictures_.refuse_too_large();
}

void RunFolder::refuse_rounded_end(Draw draw) const {
  if (draw != Draw::never && !sweep_figures().empty()) pipeline::refuse_rounded_end(scenario_, setup_);
}

bool RunFolder::complete(Draw draw, const std::string& label, Progress* sweep_progress) {
  const Context::During orderly(context_, Context::Phase::orderly);
  const UseThreads threads(scenario_.backend.threads.value_or(context_.resources.threads));
  report_notes(scenario_.document, context_);
  if (!resumed_) {  // then they were said when the run began
    for (const std::string& note : setup_.notes) context_.warning("{}{}", label, note);
  }
  refuse_pictures(draw);
  refuse_rounded_end(draw);
  const bool draws = draw == Draw::always || (draw == Draw::unless_done && !summary_.exists());
  if (draws) (void)thread_pool();  // refuses more threads than the system starts
  std::string why_not_drawn = draws ? pictures_.why_not_drawn() : "";
  if (!why_not_drawn.empty()) {
    why_not_drawn += fmt::format("; once it is there, `orrery render {}` draws the rest", quoted(file_));
    if (existing_ != Existing::finished) context_.warning("{}", why_not_drawn);
  }
  std::optional<TrajectoryReader> finished;
  if (existing_ == Existing::finished) {
    refuse_damaged(file_);
    context_.info("{}: {}", file_.string(), resumed_ ? "finished already" : "reused, the same physics");
    errors_ = energy_errors(finished.emplace(file_));
  } else {
    std::optional<StalePictures> stale;
    if (existing_ == Existing::nothing) stale.emplace(file_, draw == Draw::never ? nullptr : &pictures_, context_);
    if (!simulate(sweep_progress, finished)) return false;
  }
  const TrajectoryReader& trajectory = *finished;
  const sim::Snapshot last = trajectory.restart().value();
  // With a summary, nothing is left to do except pictures that may have changed.
  if (draw == Draw::always || !summary_.exists()) {
    summary_.remove();
    const auto drawn = draw == Draw::never ? std::vector<std::filesystem::path>() : draw_pictures(trajectory);
    if (draw != Draw::never && context_.stopped() && drawn.size() < pictures_.files().size()) {
      context_.warning("the run is finished, stopped at picture {} of {}; `orrery resume {}` draws them",
                       drawn.size() + 1, pictures_.files().size(), quoted(file_));
      return false;
    }
    if (why_not_drawn.empty()) summary_.write(trajectory, last, errors_, drawn, options_.replacing());
  } else {
    summary_.touch();
  }
  report_state(trajectory, last, label);
  if (!why_not_drawn.empty()) throw Error(why_not_drawn);
  return true;
}

void RunFolder::check_other_runs(const RunsToCome& to_come) const {
  try {
    pictures_.check_other_runs(
        file_, [this] { return outline(); }, to_come);
  } catch (const Error& error) {
    const std::filesystem::path& scenario = options_.source;
    if (!is_picture(scenario)) throw;
    throw Error(fmt::format("{}; `orrery simulate {}` makes the first", error.what(), quoted(scenario)), error.fault());
  }
}

bool RunFolder::simulate(Progress* sweep_progress, std::optional<TrajectoryReader>& finished) {
  const std::filesystem::path before = existing_ == Existing::unfinished ? file_ : shorter_;  // empty: start at step 0
  const std::string recorded = before.empty() ? "" : provenance_of(TrajectoryReader(before).record(), "backend");
  const ChosenBackend chosen = make_backend(setup_, scenario_.backend, context_.resources, recorded);
  // Bodies whose initial forces are not finite are refused here, before the folder is created.
  sim::Observables start;
  if (before.empty()) {
    const Context::During evaluation(context_, Context::Phase::once);
    start = with_places(scenario_, setup_,
                        [&] { return sim::Simulation(*chosen.backend, setup_.model).observe().observables; });
  }
  // Choosing a backend takes time, in which another process may have written the file.
  if (inspect_folder() != existing_)
    refuse(file_, "another orrery has changed it meanwhile: give the same command again");
  RunRecord record = make_record(scenario_, setup_, chosen, pictures_.resolved(), options_.command_line);
  Doubts doubtful;
  if (before.empty()) {
    const auto errors = force_errors(setup_.model, *chosen.backend);
    if (errors) record.provenance["force_error_start"] = to_text(*errors);
    doubtful = doubts(scenario_, setup_, *chosen.backend, start, errors);
  }
  if (existing_ == Existing::nothing) prepare_folder();
  if (existing_ == Existing::nothing && !shorter_.empty()) copy_shorter_run(record);
  std::optional<ResumePoint> origin;
  std::optional<TrajectoryWriter> writer;
  if (before.empty()) {
    writer.emplace(file_, setup_.model.bodies, record, setup_.output.stored);
    const bool default_frames = setup_.default_frames && setup_.output.frames.size() <= setup_.model.steps;
    if (default_frames && sweep_progress == nullptr) {
      context_.info("{}: frames: {}; `frames` or `every` in [trajectory] say otherwise", file_.string(),
                    frames_in_words(setup_));
    }
    if (const std::string moved = words_for_recentring(setup_); !moved.empty())
      context_.info("{}: {}", file_.string(), moved);
  } else {
    writer.emplace(file_, setup_.output.stored, record.provenance);
    summary_.remove();
    origin = resume_point(TrajectoryReader(file_));
    context_.info("{}: goes on from step {} of {}{}", file_.string(), origin->state.step, setup_.model.steps,
                  before == file_ ? "" : fmt::format(", begins as {}, which stays as it is", before.string()));
  }
  for (const std::string& line : doubtful.lines()) context_.warning("{}: {}", file_.string(), line);
  if (!writer->warning().empty()) context_.warning("{}", writer->warning());
  const SteppingResult stepping = MainLoop(setup_.model, setup_.output, *chosen.backend, *writer,
                                           origin ? &*origin : nullptr, context_, sweep_progress, observer_)
                                      .run();
  writer.reset();
  if (stepping.finished) errors_ = energy_errors(finished.emplace(file_));
  report_stepping(chosen, stepping);
  return stepping.finished;
}

void RunFolder::report_stepping(const ChosenBackend& chosen, const SteppingResult& stepping) const {
  if (!stepping.finished) {
    context_.warning("stopped at step {} of {}; `orrery resume {}` goes on from there", stepping.last.step,
                     setup_.model.steps, quoted(file_));
    return;
  }
  const std::size_t n = setup_.model.bodies.size();
  // Without dt, the number of steps between outputs says nothing.
  const std::int64_t steps = setup_.dt_of_outputs ? stepping.own_steps : stepping.steps;
  context_.info("{}: {} {}, {} steps in {} on {} ({} steps/s), {}", file_.string(), n, n == 1 ? "body" : "bodies",
                steps, to_text(std::chrono::duration<double>(stepping.seconds)), chosen.kind,
                with_prefix(static_cast<double>(steps) / stepping.seconds), errors_.to_text());
}

void RunFolder::prepare_folder() const {
  std::error_code error;
  const std::filesystem::path folder = file_.parent_path();
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  summary_.remove();
  remove_trajectory(file_, options_.force);
}

void RunFolder::copy_shorter_run(RunRecord record) const {
  const TrajectoryReader shorter(shorter_);
  record.scenario = shorter.record().scenario;
  record.provenance = shorter.record().provenance;
  // The overrides show that this is no longer a member of the shorter run's sweep.
  for (const std::string& override : scenario_.overrides) record.provenance["overrides"] += override + "\n";
  record.parts = shorter.record().parts;
  TrajectoryOptions options = setup_.output.stored;
  options.extremes = options.extremes && shorter.options().extremes;
  create_longer_run(shorter_, file_, setup_.model.bodies, record, options,
                    {.frame = [&](std::int64_t step) { return setup_.output.frames.contains(step); },
                     .row =
                         [&](std::int64_t step) {
                           return step == 0 || setup_.output.next_step(step - 1, setup_.model.steps) == step;
                         }});
}

std::vector<std::filesystem::path> RunFolder::draw_pictures(const TrajectoryReader& trajectory) const {
  const std::filesystem::path folder = file_.parent_path();
  RenderOptions drawing{.runs = {file_}, .replacing = options_.replacing()};
  if (!folder.empty()) drawing.output = folder;
  // Other ranks draw the pictures of the scenario in the file.
  auto drawn = trajectory.record().resolved.ends_with(pictures_.resolved())
                   ? draw_on_ranks(pictures_, trajectory, drawing, context_)
                   : pictures_.draw(trajectory, folder, context_, Pictures::What::all, "", options_.replacing());
  for (const auto& picture : drawn) context_.info("{}", picture.string());
  return drawn;
}

void RunFolder::report_state(const TrajectoryReader& trajectory, const sim::Snapshot& last,
                             const std::string& label) const {
  const std::string warning = energy_warning(trajectory, errors_);
  context_.result("{}state {} after {} steps, {} {}{}", label, state_hash(last), last.step,
                  warning.empty() ? "reproducible" : "the same bits",
                  reproducible(sim::name_of(setup_.model.precision)),
                  warning.empty() ? "" : ", but its energy is not conserved");
  if (!warning.empty()) context_.warning("{}{}: {}", label, file_.string(), warning);
}

}  // namespace orrery::pipeline
