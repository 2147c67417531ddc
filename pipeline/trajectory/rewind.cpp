// SPDX-License-Identifier: MIT
// What comes after the newest state is dropped.
#include "pipeline/trajectory/rewind.hpp"

#include <string>

namespace orrery::pipeline::trajectory {
namespace {

using hdf5::Failure;

/// The frames [base, base + count), which may be in a tail or in a chunk row.
FrameBlock unfinished_row(const WrittenFile& open, std::size_t base, std::size_t count) {
  if (count == 0) return FrameBlock(open.shape);
  auto tail = open.tail.find(base, count);
  FrameBlock block = tail ? std::move(tail->frames) : open.frames.read(base, count);
  block.resize(count);
  std::string why;
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (!block.intact(i, why)) throw Failure("frame " + std::to_string(base + i) + ": " + why);
  }
  return block;
}

}  // namespace

WrittenSoFar rewind(WrittenFile& open, const Lock& lock) {
  if (read_finished(open.file) != 0) throw Failure("the run has come to its end: there is nothing to go on with");
  std::size_t committed = open.frames.committed();
  const TailLook tail = open.tail.look(committed);
  if (tail.fitting) committed = tail.fitting->base;
  const std::size_t in_tail = tail.fitting ? tail.fitting->frames.size() : 0;
  const auto state = open.restart.newest(committed + in_tail, open.rows.committed());
  if (!state) throw Failure("it holds no state to go on from");
  const auto frames = static_cast<std::size_t>(state->at.frames);

  WrittenSoFar progress(open.shape);
  progress.state_step = state->snapshot.step;
  progress.rows = static_cast<std::size_t>(state->at.rows);
  progress.frames = frames - frames % open.shape.chunk_frames;
  progress.seconds = state->at.seconds;
  progress.unfinished = unfinished_row(open, progress.frames, frames - progress.frames);
  open.restart.went_on_from(state->at.sequence);
  progress.restart_turns = open.restart.turns();
  progress.restart_sequence = open.restart.last_sequence();
  open.tail.went_on_from(tail.last_sequence);
  progress.tail_sequence = tail.last_sequence;
  const bool newest = tail.fitting && tail.fitting->sequence == tail.last_sequence;
  if (progress.frames != committed || !newest) {
    // Frames of a chunk row that is to go: into a slot with them, and onto the disk, before the row is dropped. And the
    // newest tail is to be the one that is needed.
    open.tail.write(++progress.tail_sequence, progress.frames, progress.unfinished);
    open.flush();
    lock.sync();
  }
  progress.tail_turns = open.tail.turns();
  open.frames.shrink(progress.frames);
  open.rows.shrink(progress.rows);
  open.flush();
  if (progress.rows > 0) progress.last_step = open.rows.last_step();
  return progress;
}

}  // namespace orrery::pipeline::trajectory
