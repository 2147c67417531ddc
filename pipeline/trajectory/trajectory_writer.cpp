// SPDX-License-Identifier: MIT
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/work_queue.hpp"
#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/opening.hpp"
#include "pipeline/trajectory/record.hpp"
#include "pipeline/trajectory/rewind.hpp"
#include "pipeline/trajectory/rows.hpp"
#include "pipeline/trajectory/slots.hpp"
#include "pipeline/trajectory/trajectory.hpp"
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

}  // namespace

struct TrajectoryWriter::Impl {
  std::filesystem::path path;
  TrajectoryOptions options;
  Lock lock;
  std::unique_ptr<WritableFile> open;
  hdf5::Handle closing;            // the file during finish(), open exclusively
  std::vector<std::int64_t> kept;  // bodies of a frame; empty: all
  sim::Ensemble ensemble;
  WriteProgress at;
  FrameBlock waiting;  // a complete chunk row to be written
  std::int64_t synced_step;
  std::string failure;                               // after which nothing is written
  std::vector<Row> rows;                             // not written yet
  std::vector<std::int64_t> frame_steps, row_steps;  // written, not published yet
  Clock::time_point opened = Clock::now(), committed = opened, synced = opened;
  WorkQueue packing{2};  // packs a frame while another is written

  Impl(std::filesystem::path file_path, const TrajectoryOptions& opts, Lock&& file_lock, WriteProgress&& progress)
      : path(std::move(file_path)),
        options(opts),
        lock(std::move(file_lock)),
        open(std::make_unique<WritableFile>(open_swmr(path))),
        kept(read_options(open->file).bodies),
        ensemble(read_ensemble(open->file)),
        at(std::move(progress)),
        waiting(at.unfinished.shape()),
        synced_step(at.state_step) {
    open->restart.set_rotation(at.restart_rotation);
    open->tail.set_rotation(at.tail_rotation);
  }

  /// Does `work`. After a failure of the disk nothing more is written and nothing is closed: the library would flush its buffers
  /// in an order that breaks commits.
  template <class Work>
  void write(Work work) {
    wrap_errors(path, [&] {
      if (!failure.empty()) throw Failure(failure);
      if (!open) throw Failure("the run is finished: nothing can be appended");
      try {
        work();
      } catch (const hdf5::CallFailure& reason) {
        (void)open.release();
        closing.abandon();
        failure = hdf5::failure_message(reason, path, at.state_step);
        throw Failure(failure);
      }
    });
  }

  // A large frame, which is a whole chunk row, is packed while the previous one is written.
  void add_frame(const sim::Snapshot& snapshot) {
    if (waiting.size() > 0) {
      packing.add([&] { at.unfinished.add(snapshot, kept); });
      try {
        write_frames(waiting);
        lock.begin_sync();
      } catch (...) {
        packing.wait();  // it uses `snapshot`
        throw;
      }
      packing.wait();
    } else {
      at.unfinished.add(snapshot, kept);
    }
    if (at.unfinished.size() < open->shape.chunk_frames) return;
    if (open->shape.chunk_frames == 1) {
      std::swap(waiting, at.unfinished);
    } else {
      write_frames(at.unfinished);
    }
  }

  // Writes a chunk row: complete, or at the end of the run.
  void write_frames(FrameBlock& row) {
    if (row.size() == 0) return;
    open->frames.write(at.frames, row);
    at.frames += row.size();
    frame_steps.insert(frame_steps.end(), row.step.begin(), row.step.end());
    row.resize(0);
  }

  /// Publishes the last of so many frames or rows, which have been flushed.
  void publish(auto& series, std::size_t written, std::vector<std::int64_t>& steps) {
    if (steps.empty()) return;
    series.publish(written - steps.size(), steps);
    steps.clear();
    open->flush();
  }

  void add_row(const sim::Snapshot& snapshot) {
    rows.push_back(row_of(snapshot, ensemble));
    if (rows.size() == kRowsAtOnce) write_rows();
  }

  void write_rows() {
    open->rows.write(at.rows, rows);
    at.rows += rows.size();
    for (const Row& row : rows) row_steps.push_back(row.step);
    rows.clear();
  }

  // Data first, then the steps that publish them. Rows before frames, so that a state never refers to missing rows.
  void commit(const sim::Snapshot& state) {
    if (!lock.is_same_file(path)) {
      throw Failure(
          "it was removed, moved or replaced while it was being written; wherever it is, it holds everything up to "
          "step " +
          std::to_string(at.state_step));
    }
    write_frames(waiting);
    write_rows();
    open->flush();
    publish(open->rows, at.rows, row_steps);
    open->tail.write(++at.tail_sequence, at.frames, at.unfinished);
    open->restart.write({.sequence = ++at.restart_sequence,
                         .frames = static_cast<std::int64_t>(at.frames + at.unfinished.size()),
                         .rows = static_cast<std::int64_t>(at.rows),
                         .seconds = at.seconds + std::chrono::duration<double>(Clock::now() - opened).count()},
                        state);
    open->flush();
    publish(open->frames, at.frames, frame_steps);
    at.state_step = state.step;
    committed = Clock::now();
    if (passed(synced, options.sync)) sync();
  }

  void sync() {
    try {
      lock.sync();
    } catch (const hdf5::CallFailure&) {
      at.state_step = synced_step;  // later data may be lost
      throw;
    }
    synced = Clock::now();
    synced_step = at.state_step;
    if (!open) return;
    open->restart.synced();
    open->tail.synced();
  }

  // The mark "finished" is written last: a run killed before that is resumed from its last state.
  void finish(const sim::Snapshot& state) {
    commit(state);
    if (at.unfinished.size() > 0) {
      write_frames(at.unfinished);
      open->flush();
      publish(open->frames, at.frames, frame_steps);
    }
    sync();
    const Shape shape = open->shape;
    open.reset();
    closing = open_exclusive(path);
    if (drop_vtk_view(closing)) {
      closing.close();
      closing = open_exclusive(path);
    }
    write_vtk_view(closing, shape, at.frames);
    hdf5::flush_and_sync(closing);
    write_finished(closing, at.restart_sequence);
    closing.close();
    sync();
  }
};

void close_nothing_at_exit() {
  static_cast<void>(H5dont_atexit());
}

TrajectoryWriter::TrajectoryWriter(const std::filesystem::path& path, const sim::Bodies& bodies,
                                   const RunRecord& record, const TrajectoryOptions& options)
    : impl_(wrap_errors(path, [&] {
        try {
          Lock lock = create_file(path, [&](hid_t file) { write_schema(file, bodies, record, options); });
          return std::make_unique<Impl>(path, options, std::move(lock),
                                        WriteProgress(shape_of(bodies, record, options)));
        } catch (const hdf5::CallFailure& failure) {
          throw Failure(hdf5::failure_message(failure, path, -1));
        }
      })) {}

TrajectoryWriter::TrajectoryWriter(const std::filesystem::path& path, const TrajectoryOptions& options,
                                   const std::map<std::string, std::string>& provenance)
    : impl_(wrap_errors(path, [&] {
        std::unique_ptr<WritableFile> open;
        std::int64_t step = -1;
        try {
          require_hdf5(path);
          Lock lock(path);
          lock.sync();  // a killed writer may have left data that are not on the disk
          open = std::make_unique<WritableFile>(open_exclusive(path));
          WriteProgress so_far = rewind(open, path, lock);
          step = so_far.state_step;
          add_part(open->file, {step, provenance});
          hdf5::flush_and_sync(open->file);  // its length, before the flags are cleared
          open.reset();
          auto impl = std::make_unique<Impl>(path, options, std::move(lock), std::move(so_far));
          impl->sync();
          return impl;
        } catch (const hdf5::CallFailure& failure) {
          (void)open.release();
          if (failure.code() == 0) throw;
          throw Failure(hdf5::failure_message(failure, path, step));
        }
      })) {}

TrajectoryWriter::~TrajectoryWriter() = default;
TrajectoryWriter::TrajectoryWriter(TrajectoryWriter&&) noexcept = default;
TrajectoryWriter& TrajectoryWriter::operator=(TrajectoryWriter&&) noexcept = default;

void TrajectoryWriter::append(const sim::Snapshot& snapshot, bool is_frame) {
  impl_->write([&] {
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
  impl_->write([&] {
    if (state.step < impl_->at.last_step) throw Failure("the restart state is older than the last row");
    impl_->commit(state);
  });
}

void TrajectoryWriter::finish(const sim::Snapshot& state) {
  impl_->write([&] {
    if (state.step < impl_->at.last_step) throw Failure("the last state is older than the last row");
    impl_->finish(state);
  });
}

bool being_written(const std::filesystem::path& path) {
  return Lock::held(path);
}

void remove_trajectory(const std::filesystem::path& path, bool forced) {
  wrap_errors(path, [&] {
    if (!std::filesystem::exists(path)) {
      if (std::filesystem::is_symlink(symlink_status(path))) std::filesystem::remove(path);
      return;
    }
    const Lock lock(path);
    if (!lock.is_same_file(path) || (!forced && TrajectoryReader(path).restart()))
      throw Busy("another orrery made it just now: give the same command again");
    std::filesystem::remove(path);
  });
}

const std::string& TrajectoryWriter::warning() const {
  return impl_->lock.warning();
}

}  // namespace orrery::pipeline
