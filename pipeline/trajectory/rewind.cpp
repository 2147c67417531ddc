// SPDX-License-Identifier: MIT
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

/// A growing dataset and the number of chunks to keep.
struct GrowingDataset {
  haddr_t object;
  std::size_t chunks;
};

std::vector<GrowingDataset> growing_datasets(const std::filesystem::path& path, std::size_t frames, std::size_t rows) {
  const hdf5::Handle file = open_to_read(path);
  std::vector<GrowingDataset> all;
  const auto add = [&](const auto& series, std::size_t entries) {
    for (const auto* dataset : series.datasets())
      all.push_back({address_of(*dataset), hdf5::chunks(*dataset, entries)});
  };
  add(FrameSeries(file, read_shape(file)), frames);
  add(RowSeries(file), rows);
  return all;
}

}  // namespace

bool truncate_indexes(const std::filesystem::path& path, std::size_t frames, std::size_t rows) {
  const std::vector<GrowingDataset> all = growing_datasets(path, frames, rows);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) throw hdf5::CallFailure(std::strerror(errno), errno);
  const std::unique_ptr<const int, void (*)(const int*)> closing(&descriptor, [](const int* d) { ::close(*d); });
  bool changed = false;
  for (const auto& [object, chunks] : all) changed = ChunkIndex(descriptor, object).truncate(chunks) || changed;
  return changed;
}

WriteProgress rewind(std::unique_ptr<WritableFile>& open, const std::filesystem::path& path, const Lock& lock) {
  if (read_finished(open->file) != 0) throw Failure("the run is finished: nothing is left to resume");
  auto point = recovery_point(open->frames, open->tail, open->rows, open->restart);
  if (!point) throw Failure("it has no state to resume from");
  const auto frames = static_cast<std::size_t>(point->state.at.frames);

  WriteProgress progress(open->shape);
  progress.state_step = point->state.snapshot.step;
  progress.rows = static_cast<std::size_t>(point->state.at.rows);
  progress.frames = frames - frames % open->shape.chunk_frames;
  progress.seconds = point->state.at.seconds;
  progress.unfinished = std::move(point->tail);
  if (point->in_place > progress.frames)
    progress.unfinished = open->frames.read(progress.frames, frames - progress.frames);
  progress.unfinished.resize(frames - progress.frames);
  open->restart.resume_from(point->state.at.sequence);
  progress.restart_rotation = open->restart.rotation();
  progress.restart_sequence = open->restart.last_sequence();
  progress.tail_sequence = open->tail.scan(progress.frames).last_sequence;
  const auto tail = open->tail.find(progress.frames, progress.unfinished.size());
  open->tail.resume_from(tail ? tail->sequence : progress.tail_sequence);
  if (!tail || tail->sequence != progress.tail_sequence || tail->frames.size() != progress.unfinished.size()) {
    // Before the partial chunk row is dropped, its frames must be on the disk in a slot. And the newest tail must be the one that is
    // needed; an older one with these frames is not overwritten.
    open->tail.write(++progress.tail_sequence, progress.frames, progress.unfinished);
    open->flush();
    lock.sync();
  }
  progress.tail_rotation = open->tail.rotation();
  open.reset();
  truncate_indexes(path, progress.frames, progress.rows);
  open = std::make_unique<WritableFile>(open_exclusive(path));
  open->frames.shrink(progress.frames);
  open->rows.shrink(progress.rows);
  open->flush();
  if (progress.rows > 0) progress.last_step = open->rows.last_step();
  return progress;
}

}  // namespace orrery::pipeline::trajectory
