// SPDX-License-Identifier: MIT
// Copies of a file: of what is intact in it, and of what a longer run begins with.
#include "pipeline/trajectory/trajectory_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/bodies.hpp"
#include "pipeline/trajectory/found.hpp"
#include "pipeline/trajectory/initial.hpp"
#include "pipeline/trajectory/vtk_view.hpp"

namespace orrery::pipeline {
namespace {

using namespace trajectory;
using hdf5::Failure;

/// The bodies of the whole run, of which those that frames do not keep are unknown.
sim::Bodies whole_bodies(const FoundFile& found) {
  const sim::Bodies stored = read_bodies(found.file);
  if (found.shape.bodies == found.shape.whole) return stored;
  const std::vector<std::int64_t> ids = read_ids(found.file);
  const auto spread = [&](const auto& some) {
    std::decay_t<decltype(some)> all(some.empty() ? 0 : found.shape.whole);
    for (std::size_t k = 0; k < some.size(); ++k) all[static_cast<std::size_t>(ids[k])] = some[k];
    return all;
  };
  return {.mass = spread(stored.mass),
          .charge = spread(stored.charge),
          .position = {},
          .velocity = {},
          .species = spread(stored.species),
          .names = spread(stored.names)};
}

/// Writes frames that come one by one as whole chunk rows.
class FrameSink {
 public:
  FrameSink(hid_t file, const Shape& shape) : series_(file, shape), block_(shape) {}
  void add(const FrameBlock& from, std::size_t i) {
    block_.add(from, i);
    if (block_.size() == block_.shape().chunk_frames) write();
  }
  /// Says which frames there are; none come after.
  void end() {
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

/// How many of ascending steps are not behind `step`.
std::int64_t up_to(const std::vector<std::int64_t>& steps, std::int64_t step) {
  return std::ranges::upper_bound(steps, step) - steps.begin();
}

/// Fills a file that has its schema with what is wanted of another one; `fail(what, i, why)` hears of what is not intact. The
/// copy of a finished file is finished too if it goes `to_the_end`.
template <class Fail>
Salvaged copy(const FoundFile& found, const RunRecord& record, const CopySelection& selection, const Fail& fail,
              bool to_the_end, hid_t file) {
  for (const RunPart& part : record.parts) add_part(file, part);
  const Shape shape = read_shape(file);
  Salvaged result{.all_frames = found.committed + found.tail.size(), .all_rows = found.rows};
  FrameSink sink(file, shape);
  for_each_block(
      found,
      [&](std::size_t first, const FrameBlock& block) {
        std::string why;
        for (std::size_t i = 0; i < block.size(); ++i) {
          if (!block.intact(i, why)) {
            fail("frame", first + i, why);
          } else if (selection.frame(block.step[i])) {
            sink.add(block, i);
          }
        }
      },
      [&](std::size_t i, const std::string& why) { fail("frame", i, why); });
  sink.end();
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
  result.frames = sink.steps().size();
  result.rows = rows.size();
  if (auto state = found.newest_state()) {
    state->at.frames = up_to(sink.steps(), state->snapshot.step);
    state->at.rows = up_to(steps, state->snapshot.step);
    RestartSlots(file, shape).write(state->at, state->snapshot);
    result.state = true;
    // Where the last state is lost the copy is unfinished, and can be gone on with from the one before.
    if (to_the_end && found.finished == state->at.sequence) write_finished(file, found.finished);
  }
  write_vtk_view(file, shape, result.frames);
  return result;
}

}  // namespace

Salvaged salvage(const std::filesystem::path& from, const std::filesystem::path& to) {
  return told(from, [&] {
    const FoundFile found(from);
    RunRecord record = read_record(found.file);
    record.initial = read_all_initial(found.file);
    record.expected_frames = std::max(found.shape.chunk_frames, found.frames.index_chunk());
    record.expected_rows = found.series.index_chunk();
    Salvaged result;
    const auto everything = [](std::int64_t) { return true; };
    const auto pass_over = [](const char*, std::size_t, const std::string&) {};
    try {
      (void)create_file(to, [&](hid_t file) {
        write_schema(file, whole_bodies(found), record, read_options(found.file));
        result = copy(found, record, {everything, everything}, pass_over, true, file);
      });
    } catch (const Failure& why) {
      throw Error(to.string() + ": " + why.what());
    }
    return result;
  });
}

void begin_with(const std::filesystem::path& from, const std::filesystem::path& to, const sim::Bodies& bodies,
                const RunRecord& record, const TrajectoryOptions& options, const CopySelection& selection) {
  told(from, [&] {
    const FoundFile found(from);
    if (!found.newest_state()) throw Failure("it holds no state to go on from");
    const auto fail = [&](const char* what, std::size_t i, const std::string& why) {
      throw Error(
          fmt::format("{}: {} {}: {}; `orrery repair {}` names all of it", from.string(), what, i, why, quoted(from)));
    };
    told(to, [&] {
      (void)create_file(to, [&](hid_t file) {
        write_schema(file, bodies, record, options);
        (void)copy(found, record, selection, fail, false, file);
      });
    });
  });
}

}  // namespace orrery::pipeline
