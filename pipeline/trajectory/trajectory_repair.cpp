// SPDX-License-Identifier: MIT
// Repair: what a killed writer left is put in order, what is damaged is named, what is intact is copied.
#include "pipeline/trajectory/trajectory_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/bodies.hpp"
#include "pipeline/trajectory/found.hpp"
#include "pipeline/trajectory/initial.hpp"
#include "pipeline/trajectory/rewind.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "pipeline/trajectory/vtk_view.hpp"

namespace orrery::pipeline {
namespace {

using namespace trajectory;
using hdf5::Failure;

/// The frames of a file, chunk row after chunk row, then those of the tail; `visit(first, block)` gets as many as can be
/// read together, `fail(i, why)` hears of each that cannot be read.
template <class Visit, class Fail>
void for_each_block(const FoundFile& found, Visit visit, Fail fail) {
  const std::size_t length = found.shape.chunk_frames;
  for (std::size_t base = 0; base < found.committed; base += length) {
    const std::size_t count = std::min(length, found.committed - base);
    try {
      visit(base, found.frames.read(base, count));
    } catch (const Failure& why) {
      for (std::size_t i = base; i < base + count; ++i) fail(i, why.what());
    }
  }
  if (found.tail.size() > 0) visit(found.committed, found.tail);
}

/// Rows likewise: `visit(row)` each that is intact.
template <class Visit, class Fail>
void for_each_row(const FoundFile& found, Visit visit, Fail fail) {
  constexpr std::size_t at_once = 1024;
  for (std::size_t base = 0; base < found.rows; base += at_once) {
    const std::size_t count = std::min(at_once, found.rows - base);
    try {
      for (const Row& row : found.series.read(base, count)) visit(row);
    } catch (const Failure&) {
      for (std::size_t i = base; i < base + count; ++i) {
        try {
          visit(found.series.read(i, 1).front());
        } catch (const Failure& why) {
          fail(i, why.what());
        }
      }
    }
  }
}

/// Neighbours with the same fate as one line.
class Lines {
 public:
  void add(const std::string& kind, std::size_t i, const std::string& why) {
    if (kind == kind_ && why == why_ && i == last_ + 1) {
      last_ = i;
      return;
    }
    end();
    kind_ = kind, why_ = why, first_ = last_ = i;
  }
  std::vector<std::string> all() {
    end();
    return std::move(lines_);
  }

 private:
  void end() {
    if (!kind_.empty()) {
      lines_.push_back(first_ == last_ ? fmt::format("{} {}: {}", kind_, first_, why_)
                                       : fmt::format("{}s {} to {}: {}", kind_, first_, last_, why_));
    }
    kind_.clear();
  }

  std::vector<std::string> lines_;
  std::string kind_, why_;
  std::size_t first_ = 0, last_ = 0;
};

/// Whether a view of so many frames is there.
bool has_view(const FoundFile& found, std::size_t frames) {
  if (frames == 0) return true;
  try {
    const hdf5::Handle steps = hdf5::open_group(found.file, "/VTKHDF/Steps");
    return std::cmp_equal(hdf5::read_attribute<std::int64_t>(steps, "NSteps"), frames);
  } catch (const Failure&) {
    return false;
  }
}

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
Salvaged copy(const FoundFile& found, const RunRecord& record, const Wanted& wanted, const Fail& fail, bool to_the_end,
              hid_t file) {
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
          } else if (wanted.frame(block.step[i])) {
            sink.add(block, i);
          }
        }
      },
      [&](std::size_t i, const std::string& why) { fail("frame", i, why); });
  sink.end();
  std::vector<Row> rows;
  sim::Extremes met;  // in rows that were left out since the last one, the last of them at this step
  std::int64_t met_at = 0;
  for_each_row(
      found,
      [&](Row row) {
        met.meet(row.extremes());
        met_at = row.step;
        if (!wanted.row(row.step)) return;
        row.set(std::exchange(met, {}));
        rows.push_back(row);
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
    if (met_at > state->snapshot.step) met = {};
    met.meet(state->snapshot.extremes);
    RestartSlots(file, shape).write(state->at, state->snapshot, met);
    result.state = true;
    // Where the last state is lost the copy is unfinished, and can be gone on with from the one before.
    if (to_the_end && found.finished == state->at.sequence) write_finished(file, found.finished);
  }
  write_vtk_view(file, shape, result.frames);
  return result;
}

}  // namespace

Repaired repair(const std::filesystem::path& path) {
  return told(path, [&] {
    require_hdf5(path);
    const Lock lock(path);
    lock.sync();  // as where a run is gone on with
    Repaired result;
    if (needs_recovery(path)) {
      open_exclusive(path).close();
      result.changed = true;
    }
    std::optional<FoundFile> found(std::in_place, path, true);
    const Shape shape = found->shape;
    FrameBlock tail = std::move(found->tail);
    const std::size_t committed = found->committed;
    result.finished = found->finished != 0;
    result.frames = committed + tail.size();
    result.rows = found->rows;
    if (const auto state = found->newest_state()) result.step = state->snapshot.step;
    const bool view = has_view(*found, result.frames);
    const bool as_it_should = found->frames.are(committed) && found->series.are(result.rows);
    const bool point = found->point.has_value();
    found.reset();
    // What was written and never published, and what a loss of power left of it.
    if (point && cut_indexes(path, committed, result.rows)) result.changed = true;
    if (!as_it_should) {
      const hdf5::Handle file = open_exclusive(path);
      FrameSeries(file, shape).shrink(committed);
      RowSeries(file).shrink(result.rows);
    }
    if (tail.size() > 0) {
      // As a writer does it, so that a kill leaves either the tail or the frames.
      const hdf5::Handle file = open_swmr(path);
      FrameSeries frames(file, shape);
      frames.write(committed, tail);
      hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL));
      frames.publish(committed, tail.step);
      hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL));
    }
    if (!view) {
      hdf5::Handle file = open_exclusive(path);
      if (drop_vtk_view(file)) {
        file.close();
        file = open_exclusive(path);
      }
      write_vtk_view(file, shape, result.frames);
      file.close();
    }
    result.changed = result.changed || !as_it_should || tail.size() > 0 || !view;
    if (result.changed) lock.sync();
    return result;
  });
}

std::vector<std::string> damage_in(const std::filesystem::path& path) {
  return told(path, [&] {
    const FoundFile found(path);
    Lines lines;
    std::vector<std::string> others;
    const auto look_at = [&](const auto& part) {
      try {
        (void)part(found.file);
      } catch (const Failure& why) {
        if (std::ranges::count(others, why.what()) == 0) others.emplace_back(why.what());
      }
    };
    look_at(read_bodies), look_at(read_ids), look_at(read_record), look_at(read_all_initial);
    for_each_block(
        found,
        [&](std::size_t first, const FrameBlock& block) {
          std::string why;
          for (std::size_t i = 0; i < block.size(); ++i) {
            if (!block.intact(i, why)) lines.add("frame", first + i, why);
          }
        },
        [&](std::size_t i, const std::string& why) { lines.add("frame", i, why); });
    for_each_row(
        found, [](const Row&) {},
        [&](std::size_t i, const std::string&) { lines.add("row", i, "it does not match its checksum"); });
    const bool begun = found.look.last_sequence > 0;
    if (begun && !found.newest_state())
      others.emplace_back("there is no state to go on from: every copy of it is damaged");
    auto all = lines.all();
    all.insert(all.end(), others.begin(), others.end());
    return all;
  });
}

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
                const RunRecord& record, const TrajectoryOptions& options, const Wanted& wanted) {
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
        (void)copy(found, record, wanted, fail, false, file);
      });
    });
  });
}

}  // namespace orrery::pipeline
