// SPDX-License-Identifier: MIT
// A new kind of series needs a declaration and an entry in the list.
#include "pipeline/pictures/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "pipeline/interrupt.hpp"
#include "pipeline/run/energy_record.hpp"
#include "render/chosen.hpp"

namespace orrery::pipeline {

extern const SeriesKind energy_series;         // series/energies.cpp
extern const SeriesKind energies_series;       // series/energies.cpp
extern const SeriesKind separation_series;     // series/separations.cpp
extern const SeriesKind phase_series;          // series/phases.cpp
extern const SeriesKind element_series;        // series/elements.cpp
extern const SeriesKind divergence_series;     // series/divergences.cpp
extern const SeriesKind conserved_series;      // series/conserved.cpp
extern const SeriesKind virial_series;         // series/virial.cpp
extern const SeriesKind lagrangian_series;     // series/lagrangian.cpp
extern const SeriesKind profile_series;        // series/profiles.cpp
extern const SeriesKind rotation_series;       // series/rotation.cpp
extern const SeriesKind convergence_series;    // series/convergence.cpp
extern const SeriesKind pair_series;           // series/pair_correlation.cpp
extern const SeriesKind displacement_series;   // series/displacements.cpp
extern const SeriesKind thermodynamic_series;  // series/thermodynamics.cpp

namespace {

const SeriesKind* kind_of(std::string_view figure) {
  static constexpr std::array kinds{&energies_series,   &energy_series,       &separation_series,   &phase_series,
                                    &element_series,    &divergence_series,   &conserved_series,    &virial_series,
                                    &lagrangian_series, &profile_series,      &rotation_series,     &convergence_series,
                                    &pair_series,       &displacement_series, &thermodynamic_series};
  const auto found = std::ranges::find(kinds, figure, &SeriesKind::figure);
  return found == kinds.end() ? nullptr : *found;
}

}  // namespace

std::vector<render::Series> series_of(std::string_view figure, const SeriesRequest& request) {
  const SeriesKind* kind = kind_of(figure);
  if (kind == nullptr) return {};
  if (kind->velocities && !request.stored.velocities) {
    request.keys.complain("kind", fmt::format("velocities are not stored: \"{}\" needs a run with `velocities = true` "
                                              "in [trajectory]",
                                              figure));
  }
  return kind->make(request);
}

bool shows_a_sweep(std::string_view figure, const Section& keys) {
  const SeriesKind* kind = kind_of(figure);
  return kind != nullptr && kind->of_sweep && !keys->has("others");
}

bool needs_runs(std::string_view figure) {
  const SeriesKind* kind = kind_of(figure);
  return kind != nullptr && kind->of_runs;
}

bool joins_frames(std::string_view figure) {
  const SeriesKind* kind = kind_of(figure);
  return kind != nullptr && kind->joined;
}

bool needs_forces(std::string_view figure) {
  const SeriesKind* kind = kind_of(figure);
  return kind != nullptr && kind->forces;
}

std::vector<render::Series> empty_series(const std::vector<std::string>& names, std::size_t values) {
  std::vector<render::Series> all;
  for (const std::string& name : names) all.push_back({name, {}, std::vector<std::vector<double>>(values)});
  return all;
}

void fill(render::Series& series, const SeriesRequest& request, const std::vector<double>& time,
          const std::vector<double>& values) {
  if (values.size() != time.size()) return;
  series.time = time;
  series.values[0] = values;
  series = thinned(series, request.most_rows);
}

void add_row(render::Series& series, double time, const std::vector<double>& row) {
  const std::size_t columns = std::max(series.values.size(), row.size());
  series.values.resize(columns, std::vector<double>(series.time.size(), std::nan("")));
  for (std::size_t k = 0; k < columns; ++k) series.values[k].push_back(k < row.size() ? row[k] : std::nan(""));
  series.time.push_back(time);
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

void separate(render::Series& series, const render::Way& way, const render::Bounds& bounds, double share) {
  const std::vector<double> errors = render::errors_between(way, bounds);
  const double tolerated = render::tolerated_error(way);
  render::Series apart = series;
  apart.time.clear();
  for (auto& values : apart.values) values.clear();
  std::size_t row = 0;
  const auto copy_until = [&](auto reached) {
    for (; row < series.time.size() && !reached(series.time[row]); ++row) {
      apart.time.push_back(series.time[row]);
      for (std::size_t k = 0; k < series.values.size(); ++k) apart.values[k].push_back(series.values[k][row]);
    }
  };
  const bool falls = way.time.size() > 1 && way.time.back() < way.time.front();
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double near = share * std::min(render::length(way.place[i]), render::length(way.place[i + 1]));
    if (errors[i] <= std::min(tolerated, near)) continue;
    const double from = way.time[i], to = way.time[i + 1];
    copy_until([&](double t) { return falls ? t < from : t > from; });
    while (row < series.time.size() && (falls ? series.time[row] > to : series.time[row] < to)) ++row;
    add_row(apart, from + (to - from) / 2, {});
    apart.unseen = too_few(way.time.size(), "frames");
  }
  copy_until([](double) { return false; });
  if (!apart.unseen.empty()) series = std::move(apart);
}

void each_snapshot(const TrajectoryReader& trajectory, const std::function<void(const sim::Snapshot&)>& use,
                   std::size_t most) {
  for (const std::size_t i : sampled(trajectory.size(), most)) {
    if (Interrupt::signal() != 0) return;
    use(trajectory.snapshot(i));
  }
}

render::Series thinned(const render::Series& series, std::size_t most) {
  const std::size_t rows = series.time.size(), each = 2 * series.values.size() + 1;
  if (rows <= most) return series;
  const std::size_t stretches = std::max<std::size_t>(1, most / each);
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t first = k * rows / stretches, last = (k + 1) * rows / stretches;
    kept.push_back(first);
    for (const std::vector<double>& values : series.values) {
      const auto at = [&](std::size_t i) { return values.begin() + static_cast<std::ptrdiff_t>(i); };
      // Ignores NaN.
      const auto less = [](double a, double b) { return !std::isnan(a) && (std::isnan(b) || a < b); };
      const auto more = [](double a, double b) { return !std::isnan(a) && (std::isnan(b) || a > b); };
      for (const auto found :
           {std::min_element(at(first), at(last), less), std::min_element(at(first), at(last), more)})
        kept.push_back(static_cast<std::size_t>(found - values.begin()));
    }
  }
  kept.push_back(rows - 1);
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  const auto of = [&](const std::vector<double>& all) {
    std::vector<double> some;
    for (const std::size_t i : kept) some.push_back(all[i]);
    return some;
  };
  render::Series thin = series;
  thin.time = of(series.time);
  for (std::vector<double>& values : thin.values) values = of(values);
  return thin;
}

std::size_t max_sorted_frames(const SeriesRequest& request) {
  return std::clamp<std::size_t>(20'000'000 / std::max<std::size_t>(1, request.info.mass.size()), 60, 20'000);
}

void each_moment(const SeriesRequest& request, const std::function<void(const sim::Snapshot&)>& use) {
  const TrajectoryReader& run = *request.trajectory;
  const FrameRange part = request.part.value_or(FrameRange{0, run.size()});
  for (const std::size_t i : sampled(part, request.moving ? max_sorted_frames(request) : 1)) {
    if (Interrupt::signal() != 0) return;
    use(run.snapshot(i));
  }
}

sim::Vec3 center_of(const SeriesRequest& request, const sim::Snapshot& at) {
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

std::size_t body_named(const SeriesRequest& request, std::string_view key, const std::string& name) {
  if (const auto body = render::find_body(name, request.info)) return *body;
  const std::vector<std::string_view> names(request.info.names.begin(), request.info.names.end());
  request.keys.complain(key, fmt::format("no body is named \"{}\"{}; give a name, or an index from \"0\" to \"{}\"",
                                         name, suggestion(name, names), request.info.mass.size() - 1));
}

std::vector<std::size_t> selected_bodies(const SeriesRequest& request, std::size_t most) {
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

std::vector<render::Series> series_of_bodies(const render::RunInfo& info, const std::vector<std::size_t>& bodies,
                                             std::size_t values) {
  std::vector<render::Series> all;
  for (const std::size_t body : bodies)
    all.push_back({.name = name_of(info, body), .values = std::vector<std::vector<double>>(values), .bodies = {body}});
  return all;
}

Part::Part(const SeriesRequest& request, const sim::Snapshot& at, const std::vector<std::size_t>& bodies) {
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

std::string common_title(const SeriesRequest& request) {
  const std::string& title = request.info.title;
  if (request.trajectory == nullptr) return title;
  const auto is_same = [&](std::string_view key, const std::string& file) {
    return other_run(request.keys, key, request.trajectory->path().parent_path(), file).record().title == title;
  };
  if (request.keys->has("other") && !is_same("other", request.keys->text("other"))) return "";
  if (!request.keys->has("others")) return title;
  const bool all = std::ranges::all_of(request.keys->texts("others"),
                                       [&](const std::string& file) { return is_same("others", file); });
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

std::vector<double> frame_times(const SeriesRequest& request) {
  return request.trajectory != nullptr ? request.trajectory->times() : request.stored.times();
}

std::vector<std::int64_t> frame_bodies(const SeriesRequest& request) {
  return request.trajectory != nullptr ? request.trajectory->ids() : request.stored.ids();
}

void check_other_runs(std::string_view figure, const SeriesRequest& request, const std::filesystem::path& trajectory,
                      const RunsToCome& to_come) {
  const Section& keys = request.keys;
  const SeriesKind* kind = kind_of(figure);
  const std::filesystem::path folder = trajectory.parent_path(), own = trajectory.lexically_normal();
  const auto check = [&](std::string_view key, const std::string& file) {
    const std::filesystem::path path = (folder / file).lexically_normal();
    if (path == own) return;
    const auto coming = to_come.find(path);
    if (coming == to_come.end()) (void)other_run(keys, key, folder, file);
    if (kind == nullptr || kind->check_other == nullptr) return;
    kind->check_other(request,
                      coming != to_come.end() ? coming->second() : outline_of(other_run(keys, key, folder, file)));
  };
  if (keys->has("other")) check("other", keys->text("other"));
  if (!keys->has("others")) return;
  for (const std::string& file : keys->texts("others")) check("others", file);
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
