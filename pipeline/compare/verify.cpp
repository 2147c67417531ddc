// SPDX-License-Identifier: MIT
#include "pipeline/compare/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "pipeline/compare/comparison.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/imported_run.hpp"
#include "pipeline/run/pace.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/run/summary.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {
namespace {

/// The frames and rows to compare. The run starts from stored frame `start` before them, or from step 0.
struct VerifiedPart {
  FrameRange frames, rows;
  std::optional<std::size_t> start;
};

/// Whether frames contain the whole state, so that a run can start from one with the same bits.
bool holds_state(const TrajectoryReader& trajectory, const sim::Integrator& integrator) {
  const TrajectoryOptions& stored = trajectory.options();
  return !stored.single_precision && stored.velocities && stored.bodies.empty() &&
         std::ranges::none_of(integrator.columns, &sim::ScratchColumn::persistent);
}

/// Returns the last intact frame before `begin`.
std::optional<std::size_t> intact_before(const TrajectoryReader& trajectory, std::size_t begin) {
  while (begin-- > 0) {
    try {
      (void)trajectory.snapshot(begin);
      return begin;
    } catch (const Error&) {  // try the previous one
    }
  }
  return std::nullopt;
}

VerifiedPart part_of(const VerifyOptions& options, const TrajectoryReader& trajectory,
                     const sim::Integrator& integrator, const std::vector<std::int64_t>& rows) {
  if (trajectory.size() == 0) throw Error(options.file.string() + ": holds no frame to compare with");
  VerifiedPart part{frame_range(options.frames, trajectory.size()), {0, rows.size()}, std::nullopt};
  if (options.frames.empty()) return part;
  if (holds_state(trajectory, integrator)) part.start = intact_before(trajectory, part.frames.begin);
  const auto& steps = trajectory.steps();
  const std::int64_t first = steps[part.frames.begin], last = steps[part.frames.end - 1];
  const auto place = [&](const auto at) { return static_cast<std::size_t>(at - rows.begin()); };
  part.rows = {place(std::ranges::lower_bound(rows, first)), place(std::ranges::upper_bound(rows, last))};
  return part;
}

/// Steps through the part and compares frames and rows; returns the step reached.
std::int64_t replay(const TrajectoryReader& trajectory, const VerifiedPart& part, const std::vector<std::int64_t>& rows,
                    sim::Simulation& simulation, const sim::Ensemble& ensemble, Comparison& comparison,
                    Context& context) {
  const auto& frames = trajectory.steps();
  const History history = trajectory.history();
  const BodySet bodies = stored_in(trajectory);
  const TrajectoryOptions& stored = trajectory.options();
  const std::vector<std::size_t> places(bodies.ids.begin(), bodies.ids.end());
  std::size_t frame = part.frames.begin, row = part.rows.begin;
  if (part.start) simulation.resume(trajectory.snapshot(*part.start));
  // When starting from a frame, extremes of the first row would not cover all states since the previous row.
  if (!part.start && !history.states.empty())
    simulation.watch({history.kinetic_energy.front(), history.potential_energy.front()}, {});
  const auto frame_step = [&] { return frame < part.frames.end ? frames[frame] : INT64_MAX; };
  const auto row_step = [&] { return row < part.rows.end ? rows[row] : INT64_MAX; };
  const std::int64_t start = simulation.step();
  const std::int64_t last = std::max(frames[part.frames.end - 1], part.rows.end > 0 ? rows[part.rows.end - 1] : 0);
  Progress progress("verifying", context);
  Pace pace;
  while (!context.stopped()) {
    const std::int64_t next = std::min(frame_step(), row_step());
    if (next == INT64_MAX) break;
    if (simulation.step() < next) {
      const std::int64_t steps = pace.slice(next - simulation.step());
      {
        const Context::During stepping(context, Context::Phase::stepping);
        simulation.advance(steps, simulation.step() + steps == row_step());
      }
      progress.show(static_cast<double>(simulation.step() - start) / static_cast<double>(last - start));
      if (simulation.step() < next) continue;
    }
    const sim::Snapshot now = row_step() == next ? simulation.observe() : simulation.state();
    if (frame_step() == next) {
      try {
        comparison.add_frame(frame, trajectory.snapshot(frame),
                             as_stored(now, places, stored.single_precision, stored.velocities), bodies);
      } catch (const Error& damage) {
        comparison.add_damaged(damage.what());
      }
      ++frame;
    }
    if (row_step() == next) {
      comparison.add_row(row, next, row_at(history, row), row_at(history_of(now, ensemble), 0));
      ++row;
    }
  }
  return simulation.step();
}

}  // namespace

Verdict verify(const VerifyOptions& options, Context& context) {
  const std::filesystem::path& file = options.file;
  const TrajectoryReader trajectory(file);
  const RunRecord& record = trajectory.record();
  refuse_imported(record, file, "repeated");
  const Scenario scenario = scenario_of(trajectory, file, options.overrides, context.plug_ins);
  report_notes(scenario.document, context);
  const Setup setup = set_up_to_step(scenario, context.resources);
  const sim::Model& model = setup.model;
  const sim::Integrator& integrator = *model.integrator;
  const std::vector<std::int64_t> rows = trajectory.history().step;
  const VerifiedPart part = part_of(options, trajectory, integrator, rows);
  const BodySet here = all_of(model.bodies), there = stored_in(trajectory);
  if (trajectory.whole() != here.ids.size())
    throw Error(fmt::format("{}: is of {} bodies, but its scenario comes to {}", file.string(), trajectory.whole(),
                            here.ids.size()));

  const Context::During orderly(context, Context::Phase::orderly);
  const ChosenBackend chosen =
      make_backend(setup, scenario.backend, context.resources, provenance_of(record, "backend"));
  sim::Simulation simulation(*chosen.backend, model);
  Comparison comparison(trajectory.options().single_precision, model.domain.periods());
  const auto ensemble = sim::ensemble_of(here.ids.size(), setup.facts.mass, model.domain);
  const std::int64_t reached = replay(trajectory, part, rows, simulation, ensemble, comparison, context);
  const auto bodies = differences(there, here.at(here.places_of(there)));
  const bool same = comparison.same() && bodies.empty();
  const std::string_view precision = sim::name_of(model.precision);

  Report report;
  report.add("file", file.string());
  report.add("same", same, same ? "yes, to the last bit" : "no");
  if (context.stopped()) report.add("stopped_at_step", reached);
  report.add("started_from", part.start ? fmt::format("frame {} as it is stored", *part.start) : "step 0");
  comparison.report(report, "there", "here");
  add_keys(report, "bodies", bodies, "there", "here");
  if (precision != "float64") {
    report.add("promise", fmt::format("{} gives the same bits {} only", precision, reproducible(precision)));
  }
  // Possible causes of differences.
  add_keys(report, "physics", differences(physics_of(trajectory), physics(scenario, setup)), "there", "here");
  const RunRecord now = make_record(scenario, setup, chosen, "", options.command_line);
  add_keys(report, "provenance", provenance_differences(record, now), "there", "here");
  return {.same = same, .stopped = context.stopped(), .report = std::move(report)};
}

}  // namespace orrery::pipeline
