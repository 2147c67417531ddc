// SPDX-License-Identifier: MIT
// Writes a trajectory: frames, rows, and the commit that makes them survive.
#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "pipeline/trajectory.hpp"
#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/opening.hpp"
#include "pipeline/trajectory/record.hpp"
#include "pipeline/trajectory/rows.hpp"
#include "pipeline/trajectory/slots.hpp"
#include "pipeline/trajectory/vtk_view.hpp"

namespace orrery::pipeline {
namespace {

using namespace trajectory;
using hdf5::Failure;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kRowsAtOnce = 1024;

bool passed(Clock::time_point since, double seconds) {
  return std::chrono::duration<double>(Clock::now() - since).count() >= seconds;
}

/// The open file and its parts; the parts close before the file does.
struct OpenFile {
  hdf5::Handle file;
  Shape shape;
  FrameSeries frames;
  RowSeries rows;
  RestartSlots restart;
  TailSlots tail;

  explicit OpenFile(hdf5::Handle opened)
      : file(std::move(opened)),
        shape(read_shape(file)),
        frames(file, shape),
        rows(file),
        restart(file, shape),
        tail(file, shape) {}
  void flush() const { hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL)); }
};

/// Where a file stands: what comes next goes behind this.
struct Progress {
  std::size_t frames = 0, rows = 0;  ///< written; frames: in whole chunk rows
  std::uint64_t restart_sequence = 0, tail_sequence = 0;
  double seconds = 0;  ///< that earlier writers had the file open
  std::int64_t last_step = std::numeric_limits<std::int64_t>::min();
  FrameBlock unfinished;  ///< the frames of the chunk row that is not full yet

  explicit Progress(const Shape& shape) : unfinished(shape) {}
};

/// The frames [base, count) of a file of which `committed` are in chunk rows and others may be in its tail.
FrameBlock unfinished_row(const OpenFile& open, std::size_t committed, std::size_t base, std::size_t count,
                          std::optional<Tail> tail) {
  const bool stored = committed >= count || !tail;
  FrameBlock block = stored ? open.frames.read(base, count - base) : std::move(tail->frames);
  block.resize(count - base);
  std::string why;
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (!block.intact(i, why)) throw Failure("frame " + std::to_string(base + i) + ": " + why);
  }
  return block;
}

/// Takes a file back to its newest restart state.
Progress rewind(OpenFile& open) {
  if (read_finished(open.file)) throw Failure("the run has come to its end: there is nothing to go on with");
  const std::size_t committed = open.frames.committed();
  TailLook tail = open.tail.look(committed);
  const std::size_t in_tail = tail.fitting ? tail.fitting->frames.size() : 0;
  const auto state = open.restart.newest(committed + in_tail, open.rows.committed());
  if (!state) throw Failure("it holds no state to go on from");
  const auto frames = static_cast<std::size_t>(state->at.frames);

  Progress progress(open.shape);
  progress.rows = static_cast<std::size_t>(state->at.rows);
  progress.frames = frames - frames % open.shape.chunk_frames();
  progress.restart_sequence = state->at.sequence;
  progress.seconds = state->at.seconds;
  progress.tail_sequence = tail.fitting ? tail.fitting->sequence : tail.last_sequence;
  progress.unfinished = unfinished_row(open, committed, progress.frames, frames, std::move(tail.fitting));
  if (progress.frames != committed) {
    // Frames of a chunk row that is to go: into a slot with them before the row is dropped.
    progress.tail_sequence = tail.last_sequence + 1;
    open.tail.write(progress.tail_sequence, progress.frames, progress.unfinished);
    open.flush();
  }
  open.frames.shrink(progress.frames);
  open.rows.shrink(progress.rows);
  open.flush();
  if (progress.rows > 0) progress.last_step = open.rows.last_step();
  return progress;
}

}  // namespace

struct TrajectoryWriter::Impl {
  std::filesystem::path path;
  TrajectoryOptions options;
  Lock lock;
  std::optional<OpenFile> open;
  std::vector<std::int64_t> kept;  // bodies of a frame; empty: all
  Progress at;
  std::vector<Row> rows;                             // not written yet
  std::vector<std::int64_t> frame_steps, row_steps;  // written, not published yet
  Clock::time_point opened = Clock::now(), committed = opened, synced = opened;

  Impl(std::filesystem::path file_path, const TrajectoryOptions& what, Lock&& held, Progress&& progress)
      : path(std::move(file_path)),
        options(what),
        lock(std::move(held)),
        open(open_swmr(path)),
        kept(read_options(open->file).bodies),
        at(std::move(progress)) {}

  void add_frame(const sim::Snapshot& snapshot) {
    at.unfinished.add(snapshot, kept);
    if (at.unfinished.size() == open->shape.chunk_frames()) write_frames();
  }

  // A chunk row, whole or at the end of the run: once.
  void write_frames() {
    open->frames.write(at.frames, at.unfinished);
    at.frames += at.unfinished.size();
    frame_steps.insert(frame_steps.end(), at.unfinished.step.begin(), at.unfinished.step.end());
    at.unfinished.resize(0);
  }

  void publish_frames() {
    if (frame_steps.empty()) return;
    open->frames.publish(at.frames - frame_steps.size(), frame_steps);
    frame_steps.clear();
    open->flush();
  }

  void add_row(const sim::Snapshot& snapshot) {
    rows.push_back(row_of(snapshot));
    if (rows.size() == kRowsAtOnce) write_rows();
  }

  void write_rows() {
    open->rows.write(at.rows, rows);
    at.rows += rows.size();
    for (const Row& row : rows) row_steps.push_back(row.step);
    rows.clear();
  }

  void publish_rows() {
    if (row_steps.empty()) return;
    open->rows.publish(at.rows - row_steps.size(), row_steps);
    row_steps.clear();
    open->flush();
  }

  // Data, then the record that they exist; rows before frames, so that a state never asks for rows that are not there.
  void commit(const sim::Snapshot& state) {
    write_rows();
    open->flush();
    publish_rows();
    open->tail.write(++at.tail_sequence, at.frames, at.unfinished);
    open->restart.write({.sequence = ++at.restart_sequence,
                         .frames = static_cast<std::int64_t>(at.frames + at.unfinished.size()),
                         .rows = static_cast<std::int64_t>(at.rows),
                         .seconds = at.seconds + std::chrono::duration<double>(Clock::now() - opened).count()},
                        state);
    open->flush();
    publish_frames();
    committed = Clock::now();
    if (passed(synced, options.sync)) sync();
  }

  void sync() {
    lock.sync();
    synced = Clock::now();
  }

  // "Finished" is said last: whoever is killed before that is unfinished, goes on from the last state, and finishes.
  void finish(const sim::Snapshot& state) {
    commit(state);
    if (at.unfinished.size() > 0) {
      write_frames();
      open->flush();
      publish_frames();
    }
    sync();
    const Shape shape = open->shape;
    open.reset();
    hdf5::Handle file = open_exclusive(path);
    if (drop_vtk_view(file)) {
      file.close();
      file = open_exclusive(path);
    }
    write_vtk_view(file, shape, at.frames);
    hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL));
    write_finished(file);
    file.close();
    sync();
  }
};

TrajectoryWriter::TrajectoryWriter(const std::filesystem::path& path, const sim::Bodies& bodies,
                                   const RunRecord& record, const TrajectoryOptions& options)
    : impl_(told(path, [&] {
        Lock lock = create_file(path, [&](hid_t file) { write_schema(file, bodies, record, options); });
        return std::make_unique<Impl>(path, options, std::move(lock), Progress(shape_of(bodies, record, options)));
      })) {}

TrajectoryWriter::TrajectoryWriter(const std::filesystem::path& path, const TrajectoryOptions& options)
    : impl_(told(path, [&] {
        require_hdf5(path);
        Lock lock(path, false);
        OpenFile open(open_exclusive(path));
        Progress progress = rewind(open);
        { const OpenFile closing(std::move(open)); }
        return std::make_unique<Impl>(path, options, std::move(lock), std::move(progress));
      })) {}

TrajectoryWriter::~TrajectoryWriter() = default;
TrajectoryWriter::TrajectoryWriter(TrajectoryWriter&&) noexcept = default;
TrajectoryWriter& TrajectoryWriter::operator=(TrajectoryWriter&&) noexcept = default;

void TrajectoryWriter::append(const sim::Snapshot& snapshot, bool is_frame) {
  told(impl_->path, [&] {
    if (!impl_->open) throw Failure("the run has come to its end: nothing can be added");
    if (snapshot.step <= impl_->at.last_step) throw Failure("steps must increase");
    if (is_frame) impl_->add_frame(snapshot);
    impl_->add_row(snapshot);
    impl_->at.last_step = snapshot.step;
  });
}

bool TrajectoryWriter::commit_due() const {
  return passed(impl_->committed, impl_->options.commit);
}

void TrajectoryWriter::commit(const sim::Snapshot& state) {
  told(impl_->path, [&] {
    if (!impl_->open) throw Failure("the run has come to its end: nothing can be added");
    if (state.step < impl_->at.last_step) throw Failure("the state to go on from is older than the last row");
    impl_->commit(state);
  });
}

void TrajectoryWriter::finish(const sim::Snapshot& state) {
  told(impl_->path, [&] {
    if (!impl_->open) throw Failure("the run has come to its end already");
    if (state.step < impl_->at.last_step) throw Failure("the last state is older than the last row");
    impl_->finish(state);
  });
}

bool being_written(const std::filesystem::path& path) {
  return Lock::held(path);
}

const std::string& TrajectoryWriter::warning() const {
  return impl_->lock.warning();
}

}  // namespace orrery::pipeline
