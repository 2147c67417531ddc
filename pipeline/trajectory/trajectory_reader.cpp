// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "pipeline/trajectory/bodies.hpp"
#include "pipeline/trajectory/readable_file.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {
namespace {

using namespace trajectory;
using hdf5::Failure;

/// Frame i of a block.
struct FrameReference {
  const FrameBlock& block;
  std::size_t i;
};

}  // namespace

struct TrajectoryReader::Impl {
  std::filesystem::path path;
  ReadableFile open;
  RunRecord record;
  TrajectoryOptions options;
  FrameBlock index;  // steps, times, checksums and stamps of all frames
  std::size_t first = 0;
  mutable std::optional<double> seconds;  // up to the restart state read last
  FrameBlock row;                         // the chunk row read last, from frame `first` on
  bool index_checked = false;
  std::optional<sim::Bodies> bodies;
  std::vector<std::int64_t> ids;

  explicit Impl(const std::filesystem::path& file)
      : path(file),
        open(open_when(file, [](const ReadableFile& found) { return found.consistent(); })),
        record(read_record(open.file)),
        options(read_options(open.file)),
        index(open.frames.read_index(0, open.committed)),
        row(open.shape) {
    const auto extend = [](auto& all, const auto& tail) { all.insert(all.end(), tail.begin(), tail.end()); };
    extend(index.step, open.tail.step);
    extend(index.time, open.tail.time);
    extend(index.checksum, open.tail.checksum);
    extend(index.stamp, open.tail.stamp);
  }

  std::string name_of(std::size_t i) const {
    return "frame " + std::to_string(i) + " (step " + std::to_string(index.step[i]) + ")";
  }

  std::optional<RestartState> newest() const {
    std::optional<RestartState> state = read_newest();
    seconds = state ? state->at.seconds : 0;
    return state;
  }

  std::optional<RestartState> read_newest() const {
    if (open.point && !Lock::held(path)) return open.point->state;
    std::optional<RestartState> state;
    if (open.finished != 0) {  // nobody writes it any more
      state = open.newest_state();
    } else {
      open_when(path, [&](const ReadableFile& now) {
        state = now.newest_state();
        return state || now.scan.empty();
      });
    }
    if (open.finished != 0 && (!state || state->at.sequence != open.finished))
      throw Failure("its last state is damaged");
    return state;
  }

  void check_index() {
    for (std::size_t i = 0; !index_checked && i < index.size(); ++i) {
      if (!index.stamped(i)) throw Failure(name_of(i) + ": its step, time or checksum is damaged");
    }
    index_checked = true;
  }

  void drop_row() { row = FrameBlock(open.shape); }

  FrameReference load(std::size_t i) {
    if (i >= open.committed) return {open.tail, i - open.committed};
    if (i < first || i >= first + row.size()) {
      const std::size_t length = open.shape.chunk_frames;
      const std::size_t base = i - i % length;
      drop_row();
      row = open.frames.read(base, std::min(length, open.committed - base));
      first = base;
    }
    return {row, i - first};
  }

  /// Converts a large frame, which is alone in its chunk row, while it is read: there is no copy of it as stored. Returns
  /// false if it is not one of these, or cannot be read or does not match its checksum, for which there are messages elsewhere.
  bool convert_at_once(std::size_t i, render::Frame& frame) {
    if (open.shape.chunk_frames > 1 || i >= open.committed || !index.stamped(i)) return false;
    const std::size_t count = 3 * open.shape.bodies;
    float* const position = frame.position.overwrite(count).data();
    float* const velocity = frame.velocity.overwrite(open.shape.velocities ? count : 0).data();
    std::int32_t* const image = frame.image.overwrite(open.shape.images ? count : 0).data();
    frame.density = {};
    Hash hash;
    try {
      open.frames.read_pieces(i, [&](Part part, std::size_t body, std::span<const std::byte> bytes) {
        hash.add(bytes);
        part == Part::image
            ? convert(open.shape, part, bytes, image + 3 * body)
            : convert(open.shape, part, bytes, (part == Part::position ? position : velocity) + 3 * body);
      });
    } catch (const Failure&) {
      return false;
    }
    return hash.value() == index.checksum[i];
  }

  FrameReference load_intact(std::size_t i) {
    if (i >= index.size()) {
      throw Failure("there is no frame " + std::to_string(i) + ": it holds " + std::to_string(index.size()));
    }
    try {
      const FrameReference frame = load(i);
      if (const char* why = frame.block.damage(frame.i)) throw Failure(why);
      return frame;
    } catch (const Failure& why) {
      throw Failure(name_of(i) + ": " + why.what());
    }
  }
};

TrajectoryReader::TrajectoryReader(const std::filesystem::path& path)
    : impl_(wrap_errors(path, [&] { return std::make_unique<Impl>(path); })) {}
TrajectoryReader::~TrajectoryReader() = default;
TrajectoryReader::TrajectoryReader(TrajectoryReader&&) noexcept = default;
TrajectoryReader& TrajectoryReader::operator=(TrajectoryReader&&) noexcept = default;

const std::filesystem::path& TrajectoryReader::path() const {
  return impl_->path;
}
std::size_t TrajectoryReader::size() const {
  return impl_->index.size();
}
std::size_t TrajectoryReader::in_place() const {
  return impl_->open.committed;
}
bool TrajectoryReader::finished() const {
  return impl_->open.finished != 0;
}
const RunRecord& TrajectoryReader::record() const {
  return impl_->record;
}
const TrajectoryOptions& TrajectoryReader::options() const {
  return impl_->options;
}

std::size_t TrajectoryReader::initial_rows(std::size_t i) const {
  return wrap_errors(impl_->path, [&] { return trajectory::initial_rows(impl_->open.file, i); });
}

SharedColumns TrajectoryReader::initial(std::size_t i) const {
  return wrap_errors(impl_->path, [&] { return read_initial(impl_->open.file, i); });
}

const sim::Bodies& TrajectoryReader::bodies() const {
  return wrap_errors(impl_->path, [&]() -> const sim::Bodies& {
    if (!impl_->bodies) impl_->bodies = read_bodies(impl_->open.file);
    return *impl_->bodies;
  });
}

const std::vector<std::int64_t>& TrajectoryReader::ids() const {
  return wrap_errors(impl_->path, [&]() -> const std::vector<std::int64_t>& {
    if (impl_->ids.empty()) impl_->ids = read_ids(impl_->open.file);
    return impl_->ids;
  });
}

std::size_t TrajectoryReader::whole() const {
  return impl_->open.shape.total_bodies;
}

const std::vector<double>& TrajectoryReader::times() const {
  wrap_errors(impl_->path, [&] { impl_->check_index(); });
  return impl_->index.time;
}

const std::vector<std::int64_t>& TrajectoryReader::steps() const {
  wrap_errors(impl_->path, [&] { impl_->check_index(); });
  return impl_->index.step;
}

const std::vector<std::uint64_t>& TrajectoryReader::checksums() const {
  wrap_errors(impl_->path, [&] { impl_->check_index(); });
  return impl_->index.checksum;
}

render::Frame TrajectoryReader::frame(std::size_t i, render::Frame reused) const {
  return wrap_errors(impl_->path, [&] {
    if (impl_->convert_at_once(i, reused)) {
      reused.time = impl_->index.time[i];
      return std::move(reused);
    }
    const auto [block, k] = impl_->load_intact(i);
    render::Frame frame{.time = impl_->index.time[i],
                        .position = floats_of(block, k, Part::position),
                        .velocity = floats_of(block, k, Part::velocity),
                        .image = images_of(block, k)};
    if (impl_->row.size() == 1) impl_->drop_row();  // large, and contains no neighbour that could be read next
    return frame;
  });
}

sim::Snapshot TrajectoryReader::snapshot(std::size_t i) const {
  return wrap_errors(impl_->path, [&] {
    const auto [block, k] = impl_->load_intact(i);
    return sim::Snapshot{.step = impl_->index.step[i],
                         .time = impl_->index.time[i],
                         .position = vectors_of(block, k, Part::position),
                         .velocity = vectors_of(block, k, Part::velocity),
                         .columns = {},
                         .image = vectors_of(block, k, Part::image),
                         .clock = {},
                         .observables = {}};
  });
}

History TrajectoryReader::history() const {
  return wrap_errors(impl_->path, [&] {
    const auto state = impl_->open.finished != 0 ? std::nullopt : impl_->newest();
    std::size_t rows = impl_->open.rows;
    if (state) rows = impl_->open.series.count_intact(std::min(rows, static_cast<std::size_t>(state->at.rows)), rows);
    return history_of(impl_->open.series.read(0, rows), impl_->open.series.parts());
  });
}

std::optional<sim::Snapshot> TrajectoryReader::restart() const {
  return wrap_errors(impl_->path, [&]() -> std::optional<sim::Snapshot> {
    auto state = impl_->newest();
    if (!state) return std::nullopt;
    return std::move(state->snapshot);
  });
}

double TrajectoryReader::seconds() const {
  return wrap_errors(impl_->path, [&] {
    if (!impl_->seconds) (void)impl_->newest();
    return impl_->seconds.value_or(0);
  });
}

}  // namespace orrery::pipeline
