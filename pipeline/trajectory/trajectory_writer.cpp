// SPDX-License-Identifier: MIT
// Writes a trajectory: frames, rows, and the commit that makes them survive.
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
  std::unique_ptr<WrittenFile> open;
  hdf5::Handle closing;            // the file at its end, when nobody else may have it open
  std::vector<std::int64_t> kept;  // bodies of a frame; empty: all
  sim::Ensemble ensemble;
  WrittenSoFar at;
  FrameBlock waiting;  // a chunk row that is to be written
  std::int64_t synced_step;
  std::string trouble;                               // that ended the writing
  std::vector<Row> rows;                             // not written yet
  std::vector<std::int64_t> frame_steps, row_steps;  // written, not published yet
  Clock::time_point opened = Clock::now(), committed = opened, synced = opened;
  WorkQueue packing{1};  // of a frame while another is written

  Impl(std::filesystem::path file_path, const TrajectoryOptions& what, Lock&& held, WrittenSoFar&& progress)
      : path(std::move(file_path)),
        options(what),
        lock(std::move(held)),
        open(std::make_unique<WrittenFile>(open_swmr(path))),
        kept(read_options(open->file).bodies),
        ensemble(read_ensemble(open->file)),
        at(std::move(progress)),
        waiting(at.unfinished.shape()),
        synced_step(at.state_step) {
    open->restart.take_turns(at.restart_turns);
    open->tail.take_turns(at.tail_turns);
  }

  /// Does `work`. A failure of the disk is the end of the writing: the file stays as it is, for the library would go on
  /// writing what it has in memory, in an order that no commit has thought of.
  template <class Work>
  void write(Work work) {
    told(path, [&] {
      if (!trouble.empty()) throw Failure(trouble);
      if (!open) throw Failure("the run has come to its end: nothing can be added");
      try {
        work();
      } catch (const hdf5::CallFailure& failure) {
        (void)open.release();
        closing.abandon();
        trouble = hdf5::told_what_to_do(failure, path, at.state_step);
        throw Failure(trouble);
      }
    });
  }

  // A large frame, which is a chunk row of its own, is packed while the one before it is being written.
  void add_frame(const sim::Snapshot& snapshot) {
    if (waiting.size() > 0) {
      packing.add([&] { at.unfinished.add(snapshot, kept); });
      try {
        write_frames(waiting);
        lock.begin_sync();
      } catch (...) {
        packing.wait();  // it has our snapshot in hand
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

  // A chunk row, whole or at the end of the run: once.
  void write_frames(FrameBlock& row) {
    if (row.size() == 0) return;
    open->frames.write(at.frames, row);
    at.frames += row.size();
    frame_steps.insert(frame_steps.end(), row.step.begin(), row.step.end());
    row.resize(0);
  }

  void publish_frames() {
    if (frame_steps.empty()) return;
    open->frames.publish(at.frames - frame_steps.size(), frame_steps);
    frame_steps.clear();
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

  void publish_rows() {
    if (row_steps.empty()) return;
    open->rows.publish(at.rows - row_steps.size(), row_steps);
    row_steps.clear();
    open->flush();
  }

  // Data, then the record that they exist; rows before frames, so that a state never asks for rows that are not there.
  void commit(const sim::Snapshot& state) {
    if (!lock.is_of(path)) {
      throw Failure(
          "it was removed, moved or replaced while it was being written; wherever it is, it holds everything up to "
          "step " +
          std::to_string(at.state_step));
    }
    write_frames(waiting);
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
    at.state_step = state.step;
    committed = Clock::now();
    if (passed(synced, options.sync)) sync();
  }

  void sync() {
    try {
      lock.sync();
    } catch (const hdf5::CallFailure&) {
      at.state_step = synced_step;  // what became of the rest nobody knows
      throw;
    }
    synced = Clock::now();
    synced_step = at.state_step;
    if (!open) return;
    open->restart.synced();
    open->tail.synced();
  }

  // "Finished" is said last: whoever is killed before that is unfinished, goes on from the last state, and finishes.
  void finish(const sim::Snapshot& state) {
    commit(state);
    if (at.unfinished.size() > 0) {
      write_frames(at.unfinished);
      open->flush();
      publish_frames();
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
    hdf5::settle(closing);
    write_finished(closing, at.restart_sequence);
    closing.close();
    sync();
  }
};

TrajectoryWriter::TrajectoryWriter(const std::filesystem::path& path, const sim::Bodies& bodies,
                                   const RunRecord& record, const TrajectoryOptions& options)
    : impl_(told(path, [&] {
        try {
          Lock lock = create_file(path, [&](hid_t file) { write_schema(file, bodies, record, options); });
          return std::make_unique<Impl>(path, options, std::move(lock),
                                        WrittenSoFar(shape_of(bodies, record, options)));
        } catch (const hdf5::CallFailure& failure) {
          throw Failure(hdf5::told_what_to_do(failure, path, -1));
        }
      })) {}

TrajectoryWriter::TrajectoryWriter(const std::filesystem::path& path, const TrajectoryOptions& options,
                                   const std::map<std::string, std::string>& provenance)
    : impl_(told(path, [&] {
        std::unique_ptr<WrittenFile> open;
        std::int64_t step = -1;
        try {
          require_hdf5(path);
          Lock lock(path);
          lock.sync();  // what a writer that was killed left is known to the system, but perhaps not on the disk
          open = std::make_unique<WrittenFile>(open_exclusive(path));
          WrittenSoFar so_far = rewind(open, path, lock);
          step = so_far.state_step;
          add_part(open->file, {step, provenance});
          open->flush();
          open.reset();
          auto impl = std::make_unique<Impl>(path, options, std::move(lock), std::move(so_far));
          impl->sync();
          return impl;
        } catch (const hdf5::CallFailure& failure) {
          (void)open.release();
          if (failure.code() == 0) throw;
          throw Failure(hdf5::told_what_to_do(failure, path, step));
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
    if (state.step < impl_->at.last_step) throw Failure("the state to go on from is older than the last row");
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
  told(path, [&] {
    if (!std::filesystem::exists(path)) {
      if (std::filesystem::is_symlink(symlink_status(path))) std::filesystem::remove(path);
      return;
    }
    const Lock lock(path);
    if (!lock.is_of(path) || (!forced && TrajectoryReader(path).restart()))
      throw Busy("another orrery made it just now: give the same command again");
    std::filesystem::remove(path);
  });
}

const std::string& TrajectoryWriter::warning() const {
  return impl_->lock.warning();
}

}  // namespace orrery::pipeline
