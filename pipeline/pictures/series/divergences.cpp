// SPDX-License-Identifier: MIT
// Figure "divergence": distances between the bodies of two runs at common times.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/interrupt.hpp"
#include "pipeline/pictures/series.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "render/chart/marks.hpp"

namespace orrery::pipeline {
namespace {

/// Indices of frames with the same time, up to rounding, in two runs.
struct Shared {
  std::vector<std::size_t> mine, theirs;
};

Shared shared_frames(const std::vector<double>& mine, const std::vector<double>& theirs) {
  Shared shared;
  const bool falls = !mine.empty() && mine.back() < mine.front();
  for (std::size_t i = 0, k = 0; i < mine.size() && k < theirs.size();) {
    const double slack = 1e-9 * std::max(std::abs(mine[i]), std::abs(theirs[k]));
    if (std::abs(mine[i] - theirs[k]) <= slack) {
      shared.mine.push_back(i++);
      shared.theirs.push_back(k++);
    } else {
      (mine[i] < theirs[k]) == falls ? ++k : ++i;
    }
  }
  return shared;
}

void check_other(const SeriesRequest& request, const RunOutline& other) {
  if (other.stored.ids() != frame_bodies(request))
    request.keys.complain("other", fmt::format("{} has other bodies than this run", other.file.string()));
  if (shared_frames(frame_times(request), other.stored.times()).mine.empty()) {
    request.keys.complain("other", fmt::format("{} has no frame at a time of this run: give both the same `frames`",
                                               other.file.string()));
  }
}

std::vector<render::Series> make(const SeriesRequest& request) {
  if (!request.keys->has("other"))
    request.keys.complain("other", "a divergence compares two runs: give `other`, the trajectory of the second");
  const std::vector<std::size_t> bodies = selected_bodies(request, request.info.mass.size());
  const std::size_t count = bodies.size();
  const bool many = count > render::different_marks;
  std::vector<render::Series> all =
      many ? empty_series({"largest", "median"}, 1) : series_of_bodies(request.info, bodies, 1);
  if (request.trajectory == nullptr) return all;

  const TrajectoryReader& run = *request.trajectory;
  const TrajectoryReader other =
      other_run(request.keys, "other", run.path().parent_path(), request.keys->text("other"));
  check_other(request, outline_of(other));
  const Shared frames = shared_frames(run.times(), other.times());
  for (const std::size_t k : sampled(frames.mine.size(), request.most_rows)) {
    if (Interrupt::signal() != 0) break;
    const sim::Snapshot a = run.snapshot(frames.mine[k]), b = other.snapshot(frames.theirs[k]);
    std::vector<double> apart(count);
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t i = bodies[n];
      apart[n] = std::hypot(a.position.x[i] - b.position.x[i], a.position.y[i] - b.position.y[i],
                            a.position.z[i] - b.position.z[i]);
    }
    if (many) {
      std::ranges::sort(apart);
      apart = {apart.back(), apart[count / 2]};
    }
    for (std::size_t i = 0; i < all.size(); ++i) add_row(all[i], a.time, {apart[i]});
  }
  return all;
}

}  // namespace

extern const SeriesKind divergence_series{.figure = "divergence", .make = make, .check_other = check_other};

}  // namespace orrery::pipeline
