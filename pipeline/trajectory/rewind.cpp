// SPDX-License-Identifier: MIT
// What comes after the newest state is dropped.
#include "pipeline/trajectory/rewind.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "pipeline/trajectory/chunk_index.hpp"
#include "pipeline/trajectory/recovery_point.hpp"

namespace orrery::pipeline::trajectory {
namespace {

using hdf5::Failure;

/// A dataset that grows, and in how many chunks what is to stay of it is.
struct Kept {
  haddr_t object;
  std::size_t chunks;
};

std::vector<Kept> kept_of(const std::filesystem::path& path, std::size_t frames, std::size_t rows) {
  const hdf5::Handle file = open_to_read(path);
  std::vector<Kept> all;
  const auto add = [&](const auto& series, std::size_t entries) {
    for (const auto* dataset : series.datasets())
      all.push_back({address_of(*dataset), hdf5::chunks(*dataset, entries)});
  };
  add(FrameSeries(file, read_shape(file)), frames);
  add(RowSeries(file), rows);
  return all;
}

}  // namespace

bool cut_indexes(const std::filesystem::path& path, std::size_t frames, std::size_t rows) {
  const std::vector<Kept> all = kept_of(path, frames, rows);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) throw hdf5::CallFailure(std::strerror(errno), errno);
  const std::unique_ptr<const int, void (*)(const int*)> closing(&descriptor, [](const int* d) { ::close(*d); });
  bool changed = false;
  for (const auto& [object, chunks] : all) changed = ChunkIndex(descriptor, object).keep(chunks) || changed;
  return changed;
}

WrittenSoFar rewind(std::unique_ptr<WrittenFile>& open, const std::filesystem::path& path, const Lock& lock) {
  if (read_finished(open->file) != 0) throw Failure("the run has come to its end: there is nothing to go on with");
  auto point = recovery_point(open->frames, open->tail, open->rows, open->restart);
  if (!point) throw Failure("it holds no state to go on from");
  const auto frames = static_cast<std::size_t>(point->state.at.frames);

  WrittenSoFar progress(open->shape);
  progress.state_step = point->state.snapshot.step;
  progress.rows = static_cast<std::size_t>(point->state.at.rows);
  progress.frames = frames - frames % open->shape.chunk_frames;
  progress.seconds = point->state.at.seconds;
  progress.unfinished = std::move(point->tail);
  if (point->in_place > progress.frames)
    progress.unfinished = open->frames.read(progress.frames, frames - progress.frames);
  progress.unfinished.resize(frames - progress.frames);
  open->restart.went_on_from(point->state.at.sequence);
  progress.restart_turns = open->restart.turns();
  progress.restart_sequence = open->restart.last_sequence();
  progress.tail_sequence = open->tail.look(progress.frames).last_sequence;
  const auto tail = open->tail.find(progress.frames, progress.unfinished.size());
  open->tail.went_on_from(tail ? tail->sequence : progress.tail_sequence);
  if (!tail || tail->sequence != progress.tail_sequence || tail->frames.size() != progress.unfinished.size()) {
    // Frames of a chunk row that is to go: into a slot with them, and onto the disk, before the row is dropped. And the
    // newest tail is to be the one that is needed; an older one that has the frames is not written over.
    open->tail.write(++progress.tail_sequence, progress.frames, progress.unfinished);
    open->flush();
    lock.sync();
  }
  progress.tail_turns = open->tail.turns();
  open.reset();
  cut_indexes(path, progress.frames, progress.rows);
  open = std::make_unique<WrittenFile>(open_exclusive(path));
  open->frames.shrink(progress.frames);
  open->rows.shrink(progress.rows);
  open->flush();
  if (progress.rows > 0) progress.last_step = open->rows.last_step();
  return progress;
}

}  // namespace orrery::pipeline::trajectory
