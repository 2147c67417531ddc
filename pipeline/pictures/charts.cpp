// SPDX-License-Identifier: MIT
// A new chart needs a declaration and an entry in the list.
#include "pipeline/pictures/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "pipeline/pictures/charts/data_curves.hpp"
#include "pipeline/pictures/charts/other_runs.hpp"
#include "pipeline/run/energy_record.hpp"

namespace orrery::pipeline {

extern const ChartKind energy_chart;            // charts/energy.cpp
extern const ChartKind energy_error_chart;      // charts/energy_error.cpp
extern const ChartKind separation_chart;        // charts/separation.cpp
extern const ChartKind phase_chart;             // charts/phase.cpp
extern const ChartKind elements_chart;          // charts/elements.cpp
extern const ChartKind radial_velocity_chart;   // charts/radial_velocity.cpp
extern const ChartKind angle_chart;             // charts/angle.cpp
extern const ChartKind sky_chart;               // charts/sky.cpp
extern const ChartKind transit_chart;           // charts/transit.cpp
extern const ChartKind divergence_chart;        // charts/divergence.cpp
extern const ChartKind conserved_chart;         // charts/conserved.cpp
extern const ChartKind virial_chart;            // charts/virial.cpp
extern const ChartKind lagrangian_radii_chart;  // charts/lagrangian_radii.cpp
extern const ChartKind radial_profile_chart;    // charts/radial_profile.cpp
extern const ChartKind rotation_curve_chart;    // charts/rotation_curve.cpp
extern const ChartKind dispersion_chart;        // charts/dispersion.cpp
extern const ChartKind anisotropy_chart;        // charts/dispersion.cpp
extern const ChartKind segregation_chart;       // charts/mass_segregation.cpp
extern const ChartKind escapers_chart;          // charts/escapers.cpp
extern const ChartKind convergence_chart;       // charts/convergence.cpp
extern const ChartKind pair_correlation_chart;  // charts/pair_correlation.cpp
extern const ChartKind displacement_chart;      // charts/mean_square_displacement.cpp
extern const ChartKind thermodynamics_chart;    // charts/thermodynamics.cpp
extern const ChartKind work_precision_chart;    // charts/work_precision.cpp

std::span<const ChartKind* const> chart_kinds() {
  static constexpr std::array kinds{
      &energy_chart,           &energy_error_chart,    &separation_chart,     &phase_chart,
      &elements_chart,         &radial_velocity_chart, &angle_chart,          &sky_chart,
      &transit_chart,          &divergence_chart,      &conserved_chart,      &virial_chart,
      &lagrangian_radii_chart, &radial_profile_chart,  &rotation_curve_chart, &dispersion_chart,
      &anisotropy_chart,       &segregation_chart,     &escapers_chart,       &convergence_chart,
      &pair_correlation_chart, &displacement_chart,    &thermodynamics_chart, &work_precision_chart,
  };
  return kinds;
}

std::vector<const render::FigureKind*> figure_kinds() {
  std::vector<const render::FigureKind*> all(render::figure_kinds().begin(), render::figure_kinds().end());
  for (const ChartKind* chart : chart_kinds()) all.push_back(&chart->figure);
  return all;
}

const ChartKind& chart_of(const render::FigureKind& figure) {
  static constexpr ChartKind none{};
  const auto found =
      std::ranges::find_if(chart_kinds(), [&](const ChartKind* kind) { return kind->figure.name == figure.name; });
  return found == chart_kinds().end() ? none : **found;
}

namespace {

/// Whether charts_of() adds the curves of other runs.
bool adds_other_runs(const ChartKind& kind, const Section& keys) {
  return !kind.of_runs && shows_other_runs(keys);
}

}  // namespace

std::vector<Chart> charts_of(const render::FigureKind& figure, const ChartRequest& request) {
  const ChartKind& kind = chart_of(figure);
  if (kind.make == nullptr) return {};
  if (kind.velocities && !request.stored.velocities) {
    request.keys.complain("kind", fmt::format("velocities are not stored: \"{}\" needs a run with `velocities = true` "
                                              "in [trajectory]",
                                              figure.name));
  }
  try {
    std::vector<Chart> charts = kind.make(request);
    if (adds_other_runs(kind, request.keys)) add_other_runs(kind, request, charts);
    const bool named = request.trajectory != nullptr || !kind.of_runs || !request.runs.empty();
    if (named) add_data(request, charts);
    if (named) label(charts, request.keys.values());
    limit(charts, request.keys.values());
    return charts;
  } catch (const ArgumentError& error) {
    request.keys.complain(error.name(), error.what());
  }
}

Chart chart_over_time(const render::RunInfo& info, ChartAxis y, std::vector<Curve> curves, std::string empty) {
  for (Curve& curve : curves) curve.x = curve.time;
  return {.x = time_axis(info), .y = std::move(y), .curves = std::move(curves), .empty = std::move(empty)};
}

void cover(ChartAxis& axis, const std::vector<double>& times) {
  render::ValueRange range;
  for (const double time : times) range.add(time);
  if (!range.empty()) axis.limits = Interval{range.low, range.high};
}

std::vector<Curve> curves_of_bodies(const render::RunInfo& info, const std::vector<std::size_t>& bodies) {
  std::vector<Curve> all;
  for (const std::size_t body : bodies) all.push_back({.name = name_of(info, body), .bodies = {body}});
  return all;
}

std::vector<BodyPair> pairs_of(const std::vector<std::size_t>& bodies) {
  std::vector<BodyPair> pairs;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = i + 1; j < bodies.size(); ++j) pairs.emplace_back(bodies[i], bodies[j]);
  return pairs;
}

std::vector<Curve> curves_of_pairs(const render::RunInfo& info, const std::vector<BodyPair>& pairs) {
  std::vector<Curve> curves;
  for (const auto& [i, j] : pairs)
    curves.push_back({.name = fmt::format("{} – {}", name_of(info, i), name_of(info, j)), .bodies = {i, j}});
  return curves;
}

Curve curve_of_rows(const ChartRequest& request, std::string name, const std::vector<double>& time,
                    const std::vector<double>& values) {
  const std::vector<double>* column = &values;
  const std::vector<std::size_t> rows = telling_rows({&column, 1}, request.max_rows);
  return {.name = std::move(name), .y = render::picked(values, rows), .time = render::picked(time, rows)};
}

void add_moment(render::Way& way, const render::Bounds& bounds, double time, render::Place place,
                const render::Place* velocity) {
  for (std::size_t k = 0; k < 3 && !way.place.empty(); ++k) {
    const double last = way.place.back()[k];
    place[k] = last + render::nearest(place[k] - last, bounds.period(k));
  }
  way.time.push_back(time);
  way.place.push_back(place);
  if (velocity != nullptr) way.velocity.push_back(*velocity);
}

namespace {

/// Returns whether there are gaps.
bool separate(Curve& curve, const render::Way& way, const render::Bounds& bounds, double share) {
  const std::vector<double> errors = render::errors_between(way, bounds);
  const double tolerated = render::tolerated_error(way);
  std::vector<double> x, y, time;
  std::size_t point = 0;
  const auto add = [&](double at_time, double at_x, double at_y) {
    time.push_back(at_time);
    y.push_back(at_y);
    if (!curve.x.empty()) x.push_back(at_x);
  };
  const auto copy_until = [&](auto reached) {
    for (; point < curve.time.size() && !reached(curve.time[point]); ++point)
      add(curve.time[point], curve.x.empty() ? 0 : curve.x[point], curve.y[point]);
  };
  const bool falls = way.time.size() > 1 && way.time.back() < way.time.front();
  bool gaps = false;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double near = share * std::min(render::length(way.place[i]), render::length(way.place[i + 1]));
    if (errors[i] <= std::min(tolerated, near)) continue;
    const double from = way.time[i], to = way.time[i + 1];
    copy_until([&](double t) { return falls ? t < from : t > from; });
    while (point < curve.time.size() && (falls ? curve.time[point] > to : curve.time[point] < to)) ++point;
    add(from + (to - from) / 2, std::nan(""), std::nan(""));
    gaps = true;
  }
  if (!gaps) return false;
  copy_until([](double) { return false; });
  curve.x = std::move(x), curve.y = std::move(y), curve.time = std::move(time);
  return true;
}

}  // namespace

std::string separate(std::vector<Curve>& curves, const std::vector<render::Way>& ways, const render::Bounds& bounds,
                     double share) {
  bool gaps = false;
  for (std::size_t k = 0; k < ways.size(); ++k) gaps = separate(curves[k], ways[k], bounds, share) || gaps;
  return gaps ? too_few(ways.front().time.size(), "frames") : "";
}

void each_snapshot(const ChartRequest& request, const std::function<void(const sim::Snapshot&)>& use,
                   std::size_t most) {
  const TrajectoryReader& run = *request.trajectory;
  for (const std::size_t i : sampled(run.size(), most)) {
    if (request.stopped()) return;
    use(run.snapshot(i));
  }
}

std::vector<std::size_t> telling_rows(std::span<const std::vector<double>* const> columns, std::size_t most) {
  const std::size_t rows = columns.front()->size(), each = 2 * columns.size() + 1;
  std::vector<std::size_t> kept(rows <= most ? rows : 0);
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  if (rows <= most) return kept;
  const std::size_t stretches = std::max<std::size_t>(1, most / each);
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t first = k * rows / stretches, last = (k + 1) * rows / stretches;
    kept.push_back(first);
    for (const std::vector<double>* values : columns) {
      const auto at = [&](std::size_t i) { return values->begin() + static_cast<std::ptrdiff_t>(i); };
      // Ignores NaN.
      const auto less = [](double a, double b) { return !std::isnan(a) && (std::isnan(b) || a < b); };
      const auto more = [](double a, double b) { return !std::isnan(a) && (std::isnan(b) || a > b); };
      for (const auto found :
           {std::min_element(at(first), at(last), less), std::min_element(at(first), at(last), more)})
        kept.push_back(static_cast<std::size_t>(found - values->begin()));
    }
  }
  kept.push_back(rows - 1);
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

std::size_t max_sorted_frames(const ChartRequest& request) {
  return std::clamp<std::size_t>(20'000'000 / std::max<std::size_t>(1, request.info.mass.size()), 60, 20'000);
}

void each_moment(const ChartRequest& request, const std::function<void(const sim::Snapshot&)>& use) {
  const TrajectoryReader& run = *request.trajectory;
  const FrameRange part = request.part.value_or(FrameRange{0, run.size()});
  for (const std::size_t i : sampled(part, request.moving ? max_sorted_frames(request) : 1)) {
    if (request.stopped()) return;
    use(run.snapshot(i));
  }
}

sim::Vec3 center_of(const ChartRequest& request, const sim::Snapshot& at) {
  const sim::ParticleState state{request.info.mass, at.position, at.velocity};
  const std::string& about = request.keys->text("about");
  return about == "density" ? sim::center_of_density(state)
         : about == "mass"  ? sim::center_of_mass(state)
                            : sim::Vec3{};
}

std::string text_of(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : fmt::format("{}", std::get<double>(value));
}

std::size_t body_named(const ChartRequest& request, std::string_view key, const std::string& name) {
  if (const auto body = render::find_body(name, request.info)) return *body;
  const std::vector<std::string_view> names(request.info.names.begin(), request.info.names.end());
  request.keys.complain(key, fmt::format("no body is named \"{}\"{}; give a name, or an index from \"0\" to \"{}\"",
                                         name, suggestion(name, names), request.info.mass.size() - 1));
}

std::vector<std::size_t> selected_bodies(const ChartRequest& request, std::size_t most) {
  constexpr std::string_view key = "bodies";
  std::vector<std::size_t> bodies(request.info.mass.size());
  std::iota(bodies.begin(), bodies.end(), std::size_t{0});
  try {
    if (render::chooses_bodies(request.keys.values()))
      bodies = render::chosen_bodies(request.keys.values(), request.info);
  } catch (const ArgumentError& error) {
    request.keys.complain(error.name(), error.what());
  }
  if (bodies.size() > most) {
    request.keys.complain(
        key, fmt::format("{} bodies are too many to distinguish: choose at most {}, {} = [\"{}\", \"{}\"]",
                         bodies.size(), most, key, key_of_body(request.info, 0), key_of_body(request.info, 1)));
  }
  return bodies;
}

SomeBodies::SomeBodies(const ChartRequest& request, const sim::Snapshot& at, const std::vector<std::size_t>& bodies) {
  const sim::Vectors &p = at.position, &v = at.velocity;
  for (const std::size_t i : bodies) {
    mass.push_back(request.info.mass[i]);
    position.push_back(p.x[i], p.y[i], p.z[i]);
    if (i < v.x.size()) velocity.push_back(v.x[i], v.y[i], v.z[i]);
  }
}

std::string key_of_body(const render::RunInfo& info, std::size_t body) {
  const std::string name = render::name_of(info, body);
  return render::find_body(name, info) == body ? name : fmt::format("{}", body);
}

namespace {

/// The files in keys `other` and `others`, each with its key.
std::vector<std::pair<const char*, std::string>> other_files(const Section& keys) {
  std::vector<std::pair<const char*, std::string>> files;
  if (keys->has("other")) files.emplace_back("other", keys->text("other"));
  if (!keys->has("others")) return files;
  for (const std::string& file : keys->texts("others")) files.emplace_back("others", file);
  return files;
}

}  // namespace

std::string common_title(const ChartRequest& request) {
  const std::string& title = request.info.title;
  if (request.trajectory == nullptr) return title;
  const std::filesystem::path folder = request.trajectory->path().parent_path();
  const bool all = std::ranges::all_of(other_files(request.keys), [&](const auto& other) {
    return other_run(request.keys, other.first, folder, other.second).record().title == title;
  });
  return all ? title : "";
}

TrajectoryReader other_run(const Section& keys, std::string_view key, const std::filesystem::path& folder,
                           const std::string& file) {
  try {
    return TrajectoryReader((folder / file).lexically_normal());
  } catch (const Error& error) {
    keys.complain(
        key, fmt::format("{}; `{}` is relative to the folder of this run, {}, and must exist before the run starts",
                         error.what(), key, folder.empty() ? "." : folder.string()));
  }
}

std::vector<double> frame_times(const ChartRequest& request) {
  return request.trajectory != nullptr ? request.trajectory->times() : request.stored.times();
}

std::vector<std::int64_t> frame_bodies(const ChartRequest& request) {
  return request.trajectory != nullptr ? request.trajectory->ids() : request.stored.ids();
}

void check_other_runs(const ChartKind& kind, const ChartRequest& request, const std::filesystem::path& trajectory,
                      const RunsToCome& to_come) {
  const Section& keys = request.keys;
  const std::filesystem::path folder = trajectory.parent_path(), own = trajectory.lexically_normal();
  if (kind.make != nullptr) check_data(keys, folder);
  for (const auto& [key, file] : other_files(keys)) {
    const std::filesystem::path path = (folder / file).lexically_normal();
    if (path == own) continue;
    const auto coming = to_come.find(path);
    if (coming == to_come.end()) (void)other_run(keys, key, folder, file);
    if (kind.check_other == nullptr && !adds_other_runs(kind, keys)) continue;
    const RunOutline other =
        coming != to_come.end() ? coming->second() : outline_of(other_run(keys, key, folder, file));
    kind.check_other != nullptr ? kind.check_other(request, other)
                                : check_units_of_other(request, other.stored, other.file.string());
  }
}

std::vector<RunOutline> outlines_of(const Section& keys, const RunOutline& own, const RunsToCome& to_come) {
  std::vector<RunOutline> all{own};
  if (!keys->has("others")) return all;
  const std::filesystem::path folder = own.file.parent_path(), itself = own.file.lexically_normal();
  for (const std::string& file : keys->texts("others")) {
    const std::filesystem::path path = (folder / file).lexically_normal();
    const auto coming = to_come.find(path);
    all.push_back(path == itself            ? own
                  : coming != to_come.end() ? coming->second()
                                            : outline_of(other_run(keys, "others", folder, file)));
  }
  return all;
}

}  // namespace orrery::pipeline
