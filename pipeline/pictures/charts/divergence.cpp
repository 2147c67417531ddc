// SPDX-License-Identifier: MIT
// Figure "divergence": distances between the bodies of two runs at common times, or from the exact orbit of two bodies.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "common/power_of_ten.hpp"
#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/charts/exact_orbit.hpp"
#include "pipeline/pictures/charts/other_runs.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "render/chart/marks.hpp"
#include "render/chart/ticks.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 2> origins{"run", "exact"};

constexpr std::array parameters{
    render::choice_key("from", "\"run\"", origins,
                       "what distances are from: the bodies of the run `other`, or the exact orbit of two bodies that "
                       "gravity alone moves"),
    render::optional_key("other", Kind::text, "\"run.h5\"",
                         "trajectory of the second run, relative to the folder of this one"),
    render::bodies_key(
        "bodies whose distances are shown, by name, number from 0 or range, \"0:9\"; default: all, or the "
        "maximum and the "
        "median of more "
        "than 13"),
    Parameter{.name = "guide",
              .kind = Kind::boolean,
              .fallback = "false",
              .meaning = "show a fitted exponential growth with its factor per period"},
    render::optional_key("others", Kind::texts, "[\"other.h5\"]",
                         "trajectories of runs whose distances from their exact orbits are shown, too; with `from = "
                         "\"exact\"`"),
};

bool from_exact(const ChartRequest& request) {
  return request.keys->text("from") == "exact";
}

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

void check_other(const ChartRequest& request, const RunOutline& other) {
  if (from_exact(request)) return check_units_of_other(request, other.stored, other.file.string());
  if (other.stored.ids() != frame_bodies(request))
    request.keys.complain("other", fmt::format("{} has other bodies than this run", other.file.string()));
  if (shared_frames(frame_times(request), other.stored.times()).mine.empty()) {
    request.keys.complain("other", fmt::format("{} has no frame at a time of this run: give both the same `frames`",
                                               other.file.string()));
  }
}

/// log10 d = start + rate·t.
struct Growth {
  double start, rate;
};

/// Fits the exponential growth by least squares in logarithms. The fit ends at 1 % of the maximum, above which the runs are
/// unrelated, and starts at a third of the way up from the first positive distance (in logarithms), since growing and
/// decaying modes mix before. Returns nullopt for fewer than eight points.
std::optional<Growth> growth_of(const std::vector<double>& time, const std::vector<double>& d) {
  const auto first = std::ranges::find_if(d, [](double v) { return v > 0; });
  if (first == d.end()) return std::nullopt;
  const double high = 0.01 * *std::ranges::max_element(d), low = std::pow(*first, 2.0 / 3) * std::pow(high, 1.0 / 3);
  double n = 0, t = 0, l = 0, tt = 0, tl = 0;
  for (std::size_t i = 0; i < d.size() && d[i] <= high; ++i) {
    if (d[i] < low) continue;
    const double log = std::log10(d[i]);
    n += 1;
    t += time[i];
    l += log;
    tt += time[i] * time[i];
    tl += time[i] * log;
  }
  const double spread = n * tt - t * t;
  if (n < 8 || !(spread > 0)) return std::nullopt;
  const double rate = (n * tl - t * l) / spread;
  return Growth{(l - rate * t) / n, rate};
}

/// Returns "×85 a period".
std::string growth_text(const Growth& growth, const render::RunInfo& info) {
  const bool known = info.timescale > 0;
  const double factor = std::pow(10.0, growth.rate * (known ? info.timescale : info.time_unit_length));
  const std::string unit = info.time_unit.empty() ? "unit of time" : info.time_unit;
  const int exponent = static_cast<int>(std::floor(std::log10(factor)));
  const bool plain = exponent >= -2 && exponent <= 4;
  const std::string times =
      plain ? render::number_text(factor, std::max(0, 2 - exponent))
            : render::number_text(factor / std::pow(10.0, exponent), 1) + "·" + power_of_ten(exponent);
  return fmt::format("×{} a {}", times, known ? info.timescale_name : unit);
}

/// Adds the distances at common times to the curves of bodies, or of the maximum and the median. Returns the maximum of all.
std::vector<double> add_distances(const ChartRequest& request, const std::vector<std::size_t>& bodies,
                                  std::vector<Curve>& curves) {
  std::vector<double> largest;
  const TrajectoryReader& run = *request.trajectory;
  const auto add = [&](const sim::Snapshot& at, const sim::Vectors& there) {
    std::vector<double> apart;
    for (const std::size_t i : bodies)
      apart.push_back(
          std::hypot(at.position.x[i] - there.x[i], at.position.y[i] - there.y[i], at.position.z[i] - there.z[i]));
    largest.push_back(std::ranges::max(apart));
    if (curves.size() < bodies.size()) {
      std::ranges::sort(apart);
      apart = {apart.back(), apart[bodies.size() / 2]};
    }
    for (std::size_t i = 0; i < curves.size(); ++i) add_point(curves[i], at.time, apart[i]);
  };
  if (from_exact(request)) {
    const auto exact = ExactOrbit::of(run);
    if (!exact) {
      request.keys.complain("from",
                            fmt::format("{}: an exact orbit is known only of two bodies with velocities that gravity "
                                        "alone moves, without softening, fields or boundaries: compare with another "
                                        "run, other = \"finer/run.h5\"",
                                        run.path().string()));
    }
    each_snapshot(
        request, [&](const sim::Snapshot& at) { add(at, exact->positions(at)); }, request.max_rows);
    return largest;
  }
  const TrajectoryReader other =
      other_run(request.keys, "other", run.path().parent_path(), request.keys->text("other"));
  check_other(request, outline_of(other));
  const Shared frames = shared_frames(run.times(), other.times());
  for (const std::size_t k : sampled(frames.mine.size(), request.max_rows)) {
    if (request.stopped()) break;
    add(run.snapshot(frames.mine[k]), other.snapshot(frames.theirs[k]).position);
  }
  return largest;
}

std::vector<Chart> make(const ChartRequest& request) {
  const bool exact = from_exact(request);
  if (exact && request.keys->has("other"))
    request.keys.complain("other",
                          "distances are from the exact orbit: remove `other`, or write several runs as `others`");
  if (!exact && request.keys->has("others"))
    request.keys.complain("others", "only distances from exact orbits are shown of several runs: add from = \"exact\"");
  if (!exact && !request.keys->has("other")) {
    request.keys.complain("other",
                          "a divergence compares two runs: give `other`, the trajectory of the second, or "
                          "from = \"exact\" for the distance from the exact orbit of two bodies");
  }
  const std::vector<std::size_t> bodies = selected_bodies(request, request.info.mass.size());
  std::vector<Curve> curves = bodies.size() > render::different_marks
                                  ? std::vector<Curve>{{.name = "largest"}, {.name = "median"}}
                                  : curves_of_bodies(request.info, bodies);
  const std::vector<double> largest =
      request.trajectory != nullptr ? add_distances(request, bodies, curves) : std::vector<double>{};
  Chart chart = chart_over_time(request.info,
                                {.name = exact ? "|Δr| from the exact orbit" : "|Δr|",
                                 .unit = shown_length(request.info).name,
                                 .logarithmic = true,
                                 .unit_length = shown_length(request.info).length},
                                std::move(curves),
                                exact                ? "exactly zero throughout"
                                : largest.size() > 1 ? "the same to the last bit"
                                                     : "no moment after the start that both runs have kept");
  const std::vector<double>& time = chart.curves.front().time;
  cover(chart.x, time);
  if (!request.keys->boolean("guide") || !chart.x.limits) return {chart};
  if (const auto growth = growth_of(time, largest)) {
    Curve guide{.stroke = Curve::Stroke::dashed, .note = growth_text(*growth, request.info)};
    for (const double t : {chart.x.limits->low, chart.x.limits->high}) {
      guide.x.push_back(t);
      guide.y.push_back(std::pow(10.0, growth->start + growth->rate * t));
    }
    chart.curves.push_back(guide);
  }
  return {chart};
}

}  // namespace

extern const ChartKind divergence_chart{
    .figure = render::chart_figure(
        "divergence", "distance of each body between two runs, or from the exact orbit of two bodies, over time",
        parameters),
    .make = make,
    .check_other = check_other};

}  // namespace orrery::pipeline
