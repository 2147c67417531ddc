// SPDX-License-Identifier: MIT
// Reads a trajectory, and believes nothing that its checksums do not confirm.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "pipeline/trajectory/bodies.hpp"
#include "pipeline/trajectory/found.hpp"
#include "pipeline/trajectory/initial.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {
namespace {

using namespace trajectory;
using hdf5::Failure;

/// One frame of a block in memory.
struct Place {
  const FrameBlock& block;
  std::size_t i;
  std::vector<float> floats(Part part) const { return floats_of(block.shape(), part, block, i); }
  sim::Vectors vectors(Part part) const { return vectors_of(block.shape(), part, block, i); }
};

}  // namespace

struct TrajectoryReader::Impl {
  std::filesystem::path path;
  FoundFile open;
  RunRecord record;
  TrajectoryOptions options;
  FrameBlock index;  // steps, times, checksums and stamps of all frames
  std::size_t first = 0;
  FrameBlock row;  // the chunk row read last, from frame `first` on
  bool index_checked = false;
  std::optional<sim::Bodies> bodies;
  std::vector<std::int64_t> ids;

  explicit Impl(const std::filesystem::path& file)
      : path(file),
        open(find_when(file, [](const FoundFile& found) { return found.at_rest(); })),
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
    if (open.point && !Lock::held(path)) return open.point->state;
    std::optional<RestartState> state;
    find_when(path, [&](const FoundFile& now) {
      state = now.newest_state();
      return state || now.look.last_sequence == 0;
    });
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

  void forget_row() { row = FrameBlock(open.shape); }

  Place in_memory(std::size_t i) {
    if (i >= open.committed) return {open.tail, i - open.committed};
    if (i < first || i >= first + row.size()) {
      const std::size_t length = open.shape.chunk_frames;
      const std::size_t base = i - i % length;
      forget_row();
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
  return told(impl_->path, [&] { return trajectory::initial_rows(impl_->open.file, i); });
}

SharedColumns TrajectoryReader::initial(std::size_t i) const {
  return told(impl_->path, [&] { return read_initial(impl_->open.file, i); });
}

const sim::Bodies& TrajectoryReader::bodies() const {
  return told(impl_->path, [&]() -> const sim::Bodies& {
    if (!impl_->bodies) impl_->bodies = read_bodies(impl_->open.file);
    return *impl_->bodies;
  });
}

const std::vector<std::int64_t>& TrajectoryReader::ids() const {
  return told(impl_->path, [&]() -> const std::vector<std::int64_t>& {
    if (impl_->ids.empty()) impl_->ids = read_ids(impl_->open.file);
    return impl_->ids;
  });
}

std::size_t TrajectoryReader::whole() const {
  return impl_->open.shape.whole;
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
    render::Frame made{.time = impl_->index.time[i],
                       .position = frame.floats(Part::position),
                       .velocity = frame.floats(Part::velocity),
                       .image = images_of(frame.block, frame.i)};
    if (impl_->row.size() == 1) impl_->forget_row();  // it is large, and brings no neighbour with it
    return made;
  });
}

sim::Snapshot TrajectoryReader::snapshot(std::size_t i) const {
  return told(impl_->path, [&] {
    const Place frame = impl_->checked(i);
    return sim::Snapshot{.step = impl_->index.step[i],
                         .time = impl_->index.time[i],
                         .position = frame.vectors(Part::position),
                         .velocity = frame.vectors(Part::velocity),
                         .columns = {},
                         .image = frame.vectors(Part::image),
                         .clock = {},
                         .observables = {}};
  });
}

History TrajectoryReader::history() const {
  return told(impl_->path, [&] {
    const auto state = impl_->open.finished != 0 ? std::nullopt : impl_->newest();
    std::size_t rows = impl_->open.rows;
    if (state) rows = impl_->open.series.whole(std::min(rows, static_cast<std::size_t>(state->at.rows)), rows);
    return history_of(impl_->open.series.read(0, rows), impl_->open.series.parts());
  });
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

}  // namespace orrery::pipeline
