// SPDX-License-Identifier: MIT
// Reads a trajectory, and believes nothing that its checksums do not confirm.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "pipeline/trajectory.hpp"
#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/opening.hpp"
#include "pipeline/trajectory/record.hpp"
#include "pipeline/trajectory/rows.hpp"
#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline {
namespace {

using namespace trajectory;
using hdf5::Failure;

template <class Stored>
std::vector<float> floats_of(std::span<const std::byte> bytes) {
  const auto* values = reinterpret_cast<const Stored*>(bytes.data());
  const std::size_t count = bytes.size() / sizeof(Stored);
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<float>(values[i]);
  return result;
}

template <class Stored>
sim::Vectors vectors_of(std::span<const std::byte> bytes) {
  const auto* values = reinterpret_cast<const Stored*>(bytes.data());
  sim::Vectors result(bytes.size() / (3 * sizeof(Stored)));
  for (std::size_t n = 0; n < result.size(); ++n) {
    result.x[n] = values[3 * n];
    result.y[n] = values[3 * n + 1];
    result.z[n] = values[3 * n + 2];
  }
  return result;
}

std::vector<float> floats_of(const Shape& shape, std::span<const std::byte> bytes) {
  return shape.single_precision ? floats_of<float>(bytes) : floats_of<double>(bytes);
}

sim::Vectors vectors_of(const Shape& shape, std::span<const std::byte> bytes) {
  return shape.single_precision ? vectors_of<float>(bytes) : vectors_of<double>(bytes);
}

/// The open file as it was found; `rows` and `committed` stay what they were while a writer goes on. The
/// order of the members is the order of reading: what is finished has all its frames, and every frame has its row.
struct OpenFile {
  hdf5::Handle file;
  Shape shape;
  bool finished;
  FrameSeries frames;
  std::size_t committed;
  TailLook look;
  FrameBlock tail;
  RowSeries series;
  std::size_t rows;
  RestartSlots restart;

  explicit OpenFile(const std::filesystem::path& path)
      : file(open_to_read(path)),
        shape(read_shape(file)),
        finished(read_finished(file)),
        frames(file, shape),
        committed(frames.committed()),
        look(TailSlots(file, shape).look(committed)),
        tail(look.fitting ? std::move(look.fitting->frames) : FrameBlock(shape)),
        series(file),
        rows(series.committed()),
        restart(file, shape) {}

  /// No commit came between our looks at the parts.
  [[nodiscard]] bool at_rest() const {
    if (finished || look.last_sequence == 0) return true;
    return !look.torn && look.fitting && look.fitting->sequence == look.last_sequence;
  }
};

/// Looks until `good` is content, for a while, and only if there is a live writer that may be in the middle
/// of a commit.
template <class Good>
OpenFile open_when(const std::filesystem::path& path, Good good) {
  for (int patience = 50;; --patience) {
    OpenFile open(path);
    if (good(open) || patience == 0 || !Lock::held(path)) return open;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// One frame of a block in memory.
struct Place {
  const FrameBlock& block;
  std::size_t i;
  std::span<const std::byte> positions() const { return block.positions(i); }
  std::span<const std::byte> velocities() const { return block.velocities(i); }
};

}  // namespace

struct TrajectoryReader::Impl {
  std::filesystem::path path;
  OpenFile open;
  RunRecord record;
  TrajectoryOptions options;
  FrameBlock index;  // steps, times, checksums and stamps of all frames
  std::size_t first = 0;
  FrameBlock row;  // the chunk row read last, from frame `first` on
  bool index_checked = false;
  std::optional<sim::Bodies> bodies;

  explicit Impl(const std::filesystem::path& file)
      : path(file),
        open(open_when(file, [](const OpenFile& found) { return found.at_rest(); })),
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
    std::optional<RestartState> state;
    open_when(path, [&](const OpenFile& now) {
      state = now.restart.newest(now.committed + now.tail.size(), now.rows);
      return state || now.look.last_sequence == 0;
    });
    return state;
  }

  void check_index() {
    for (std::size_t i = 0; !index_checked && i < index.size(); ++i) {
      if (!index.stamped(i)) throw Failure(name_of(i) + ": its step, time or checksum is damaged");
    }
    index_checked = true;
  }

  Place in_memory(std::size_t i) {
    if (i >= open.committed) return {open.tail, i - open.committed};
    if (i < first || i >= first + row.size()) {
      const std::size_t length = open.shape.chunk_frames();
      const std::size_t base = i - i % length;
      row.resize(0);
      row = open.frames.read(base, std::min(length, open.committed - base));
      first = base;
    }
    return {row, i - first};
  }

  Place checked(std::size_t i) {
    if (i >= index.size()) {
      throw Failure("there is no frame " + std::to_string(i) + ": it holds " + std::to_string(index.size()));
    }
    try {
      const Place place = in_memory(i);
      std::string why;
      if (!place.block.intact(place.i, why)) throw Failure(why);
      return place;
    } catch (const Failure& why) {
      throw Failure(name_of(i) + ": " + why.what());
    }
  }
};

TrajectoryReader::TrajectoryReader(const std::filesystem::path& path)
    : impl_(told(path, [&] { return std::make_unique<Impl>(path); })) {}
TrajectoryReader::~TrajectoryReader() = default;
TrajectoryReader::TrajectoryReader(TrajectoryReader&&) noexcept = default;
TrajectoryReader& TrajectoryReader::operator=(TrajectoryReader&&) noexcept = default;

std::size_t TrajectoryReader::size() const {
  return impl_->index.size();
}
std::size_t TrajectoryReader::in_place() const {
  return impl_->open.committed;
}
bool TrajectoryReader::finished() const {
  return impl_->open.finished;
}
const RunRecord& TrajectoryReader::record() const {
  return impl_->record;
}
const TrajectoryOptions& TrajectoryReader::options() const {
  return impl_->options;
}

const sim::Bodies& TrajectoryReader::bodies() const {
  return told(impl_->path, [&]() -> const sim::Bodies& {
    if (!impl_->bodies) impl_->bodies = read_bodies(impl_->open.file);
    return *impl_->bodies;
  });
}

const std::vector<double>& TrajectoryReader::times() const {
  told(impl_->path, [&] { impl_->check_index(); });
  return impl_->index.time;
}

const std::vector<std::int64_t>& TrajectoryReader::steps() const {
  told(impl_->path, [&] { impl_->check_index(); });
  return impl_->index.step;
}

render::Frame TrajectoryReader::frame(std::size_t i) const {
  return told(impl_->path, [&] {
    const Place frame = impl_->checked(i);
    const Shape& shape = impl_->open.shape;
    return render::Frame{.time = impl_->index.time[i],
                         .position = floats_of(shape, frame.positions()),
                         .velocity = floats_of(shape, frame.velocities())};
  });
}

sim::Snapshot TrajectoryReader::snapshot(std::size_t i) const {
  return told(impl_->path, [&] {
    const Place frame = impl_->checked(i);
    const Shape& shape = impl_->open.shape;
    return sim::Snapshot{.step = impl_->index.step[i],
                         .time = impl_->index.time[i],
                         .position = vectors_of(shape, frame.positions()),
                         .velocity = vectors_of(shape, frame.velocities()),
                         .columns = {},
                         .observables = {}};
  });
}

render::History TrajectoryReader::history() const {
  return told(impl_->path, [&] { return history_of(impl_->open.series.read(0, impl_->open.rows)); });
}

std::optional<sim::Snapshot> TrajectoryReader::restart() const {
  return told(impl_->path, [&]() -> std::optional<sim::Snapshot> {
    auto state = impl_->newest();
    if (!state) return std::nullopt;
    return std::move(state->snapshot);
  });
}

double TrajectoryReader::seconds() const {
  return told(impl_->path, [&] {
    const auto state = impl_->newest();
    return state ? state->at.seconds : 0;
  });
}

std::uint64_t TrajectoryReader::checksum(std::size_t i) const {
  return told(impl_->path, [&] {
    impl_->check_index();
    return impl_->index.checksum.at(i);
  });
}

std::uint64_t frame_checksum(const sim::Snapshot& snapshot, const TrajectoryOptions& options) {
  FrameBlock block(
      {.bodies = snapshot.size(), .single_precision = options.single_precision, .velocities = options.velocities});
  block.add(snapshot);
  return block.checksum.front();
}

}  // namespace orrery::pipeline
