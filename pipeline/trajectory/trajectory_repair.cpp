// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/trajectory_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "pipeline/trajectory/bodies.hpp"
#include "pipeline/trajectory/readable_file.hpp"
#include "pipeline/trajectory/rewind.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "pipeline/trajectory/vtk_view.hpp"

namespace orrery::pipeline {
namespace {

using namespace trajectory;
using hdf5::Failure;

/// Merges consecutive frames or rows with the same damage into one line.
class DamageList {
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

/// Whether the file has a view of this many frames.
bool has_view(const ReadableFile& found, std::size_t frames) {
  if (frames == 0) return true;
  try {
    const hdf5::Handle steps = hdf5::open_group(found.file, "/VTKHDF/Steps");
    return std::cmp_equal(hdf5::read_attribute<std::int64_t>(steps, "NSteps"), frames);
  } catch (const Failure&) {
    return false;
  }
}

}  // namespace

RepairSummary repair(const std::filesystem::path& path) {
  return wrap_errors(path, [&] {
    require_hdf5(path);
    const Lock lock(path);
    lock.sync();  // a killed writer may have left data that are not on the disk
    RepairSummary result;
    if (needs_recovery(path)) {
      hdf5::Handle file = open_exclusive(path);
      close_synced(file);
      result.changed = true;
    }
    std::optional<ReadableFile> found(std::in_place, path, true);
    const Shape shape = found->shape;
    FrameBlock tail = std::move(found->tail);
    const std::size_t committed = found->committed;
    result.finished = found->finished != 0;
    result.frames = committed + tail.size();
    result.rows = found->rows;
    if (const auto state = found->newest_state()) result.step = state->snapshot.step;
    const bool view = has_view(*found, result.frames);
    const bool exact = found->frames.have_length(committed) && found->series.have_length(result.rows);
    const bool point = found->point.has_value();
    found.reset();
    // Unpublished data, and what a power loss left of them.
    if (point && truncate_indexes(path, committed, result.rows)) result.changed = true;
    if (!exact) {
      hdf5::Handle file = open_exclusive(path);
      FrameSeries(file, shape).shrink(committed);
      RowSeries(file).shrink(result.rows);
      close_synced(file);
    }
    if (tail.size() > 0) {
      // In the order of a writer, so that a kill leaves either the tail or the frames.
      hdf5::Handle file = open_swmr(path);
      {
        FrameSeries frames(file, shape);
        frames.write(committed, tail);
        hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL));
        frames.publish(committed, tail.step);
      }
      close_synced(file);
    }
    if (!view) {
      hdf5::Handle file = open_exclusive(path);
      if (drop_vtk_view(file)) {
        file.close();
        file = open_exclusive(path);
      }
      write_vtk_view(file, shape, result.frames);
      close_synced(file);
    }
    result.changed = result.changed || !exact || tail.size() > 0 || !view;
    if (result.changed) lock.sync();
    return result;
  });
}

std::vector<std::string> find_damage(const std::filesystem::path& path) {
  return wrap_errors(path, [&] {
    const ReadableFile found = open_when(
        path, [](const ReadableFile& now) { return now.consistent() && (now.scan.empty() || now.newest_state()); });
    DamageList lines;
    std::vector<std::string> others;
    const auto check = [&](const auto& read) {
      try {
        (void)read(found.file);
      } catch (const Failure& why) {
        if (std::ranges::count(others, why.what()) == 0) others.emplace_back(why.what());
      }
    };
    check(read_bodies);
    check(read_ids);
    check(read_record);
    check(read_all_initial);
    for_each_block(
        found,
        [&](std::size_t first, const FrameBlock& block) {
          for (std::size_t i = 0; i < block.size(); ++i) {
            if (const char* why = block.damage(i)) lines.add("frame", first + i, why);
          }
        },
        [&](std::size_t i, const std::string& why) { lines.add("frame", i, why); });
    for_each_row(
        found, [](const Row&) {},
        [&](std::size_t i, const std::string&) { lines.add("row", i, "it does not match its checksum"); });
    if (found.scan.last_sequence > 0 && !found.newest_state())
      others.emplace_back("there is no state to resume from: every copy of it is damaged");
    auto all = lines.all();
    all.insert(all.end(), others.begin(), others.end());
    return all;
  });
}

std::string damage_in_words(const std::vector<std::string>& damage) {
  return damage.size() < 2
             ? damage.front()
             : fmt::format("{}, and {} more; `orrery repair` lists all", damage.front(), damage.size() - 1);
}

void refuse_damaged(const std::filesystem::path& path) {
  const auto damage = find_damage(path);
  if (!damage.empty()) throw Error(fmt::format("{}: is damaged: {}", path.string(), damage_in_words(damage)));
}

}  // namespace orrery::pipeline
