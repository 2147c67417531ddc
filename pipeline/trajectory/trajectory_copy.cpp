// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/trajectory_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/bodies.hpp"
#include "pipeline/trajectory/readable_file.hpp"
#include "pipeline/trajectory/vtk_view.hpp"

namespace orrery::pipeline {
namespace {

using namespace trajectory;
using hdf5::Failure;

/// All bodies of the run; those that are not stored have zeros.
sim::Bodies whole_bodies(const ReadableFile& found) {
  sim::Bodies stored = read_bodies(found.file);
  if (found.shape.bodies == found.shape.total_bodies) return stored;
  const std::vector<std::int64_t> ids = read_ids(found.file);
  const auto spread = [&](const auto& some) {
    std::decay_t<decltype(some)> all(some.empty() ? 0 : found.shape.total_bodies);
    for (std::size_t k = 0; k < some.size(); ++k) all[static_cast<std::size_t>(ids[k])] = some[k];
    return all;
  };
  return {.mass = spread(stored.mass),
          .charge = spread(stored.charge),
          .radius = spread(stored.radius),
          .position = {},
          .velocity = {},
          .species = spread(stored.species),
          .names = spread(stored.names)};
}

/// Collects single frames and writes them as whole chunk rows.
class FrameCollector {
 public:
  FrameCollector(hid_t file, const Shape& shape) : series_(file, shape), block_(shape) {}
  void add(const FrameBlock& from, std::size_t i) {
    block_.add(from, i);
    if (block_.size() == block_.shape().chunk_frames) write();
  }
  /// Writes the remaining frames and all steps. Call once, last.
  void finish() {
    if (block_.size() > 0) write();
    if (!steps_.empty()) series_.publish(0, steps_);
  }
  [[nodiscard]] const std::vector<std::int64_t>& steps() const { return steps_; }

 private:
  void write() {
    series_.write(steps_.size(), block_);
    steps_.insert(steps_.end(), block_.step.begin(), block_.step.end());
    block_.resize(0);
  }
  FrameSeries series_;
  FrameBlock block_;
  std::vector<std::int64_t> steps_;
};

/// Number of ascending steps that are at most `step`.
std::int64_t up_to(const std::vector<std::int64_t>& steps, std::int64_t step) {
  return std::ranges::upper_bound(steps, step) - steps.begin();
}

/// Copies the selected frames and rows and the newest state into a file that has its schema. Calls `fail(what, i, why)` for what
/// is not intact. `complete`: the copy of a finished file is finished too.
template <class Fail>
CopySummary copy(const ReadableFile& found, const RunRecord& record, const CopySelection& selection, const Fail& fail,
                 bool complete, hid_t file) {
  for (const RunPart& part : record.parts) add_part(file, part);
  const Shape shape = read_shape(file);
  CopySummary result{.all_frames = found.committed + found.tail.size(), .all_rows = found.rows};
  FrameCollector frames(file, shape);
  for_each_block(
      found,
      [&](std::size_t first, const FrameBlock& block) {
        for (std::size_t i = 0; i < block.size(); ++i) {
          if (const char* why = block.damage(i)) {
            fail("frame", first + i, why);
          } else if (selection.frame(block.step[i])) {
            frames.add(block, i);
          }
        }
      },
      [&](std::size_t i, const std::string& why) { fail("frame", i, why); });
  frames.finish();
  std::vector<Row> rows;
  for_each_row(
      found,
      [&](const Row& row) {
        if (selection.row(row.step)) rows.push_back(row);
      },
      [&](std::size_t i, const std::string& why) { fail("row", i, why); });
  std::vector<std::int64_t> steps;
  for (const Row& row : rows) steps.push_back(row.step);
  RowSeries series(file);
  series.write(0, rows);
  series.publish(0, steps);
  result.frames = frames.steps().size();
  result.rows = rows.size();
  if (auto state = found.newest_state()) {
    state->at.frames = up_to(frames.steps(), state->snapshot.step);
    state->at.rows = up_to(steps, state->snapshot.step);
    RestartSlots(file, shape).write(state->at, state->snapshot);
    result.state = true;
    // If the last state is lost, the copy is unfinished and can be resumed from the state before it.
    if (complete && found.finished == state->at.sequence) write_finished(file, found.finished);
  }
  write_vtk_view(file, shape, result.frames);
  return result;
}

}  // namespace

CopySummary salvage(const std::filesystem::path& from, const std::filesystem::path& to) {
  return wrap_errors(from, [&] {
    const ReadableFile found(from);
    RunRecord record = read_record(found.file);
    record.initial = read_all_initial(found.file);
    record.expected_rows = found.series.index_chunk();
    CopySummary result;
    const auto everything = [](std::int64_t) { return true; };
    const auto ignore = [](const char*, std::size_t, const std::string&) {};
    try {
      (void)create_file(to, [&](hid_t file) {
        write_schema(file, whole_bodies(found), record, read_options(found.file));
        result = copy(found, record, {everything, everything}, ignore, true, file);
      });
    } catch (const Failure& why) {
      throw Error(to.string() + ": " + why.what());
    }
    return result;
  });
}

void create_longer_run(const std::filesystem::path& from, const std::filesystem::path& to, const sim::Bodies& bodies,
                       const RunRecord& record, const TrajectoryOptions& options, const CopySelection& selection) {
  wrap_errors(from, [&] {
    const ReadableFile found(from);
    if (!found.newest_state()) throw Failure("it has no state to resume from");
    const auto fail = [&](const char* what, std::size_t i, const std::string& why) {
      throw Error(
          fmt::format("{}: {} {}: {}; `orrery repair {}` names all of it", from.string(), what, i, why, quoted(from)));
    };
    wrap_errors(to, [&] {
      (void)create_file(to, [&](hid_t file) {
        write_schema(file, bodies, record, options);
        (void)copy(found, record, selection, fail, false, file);
      });
    });
  });
}

}  // namespace orrery::pipeline
