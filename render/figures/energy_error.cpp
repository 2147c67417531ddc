// SPDX-License-Identifier: MIT
// The figure "energy-error": how far the total energy has drifted from its first value, of one run or several.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "render/figures/plot.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 3> scales{"both", "linear", "log"};
constexpr std::array<std::string_view, 3> clocks{"time", "evaluations", "wall-time"};

constexpr std::array parameters{
    Parameter{.name = "scale",
              .kind = Kind::text,
              .fallback = "\"both\"",
              .meaning = "of the error: both | linear | log",
              .choices = scales},
    Parameter{.name = "others",
              .kind = Kind::texts,
              .example = "[\"other.h5\"]",
              .meaning = "trajectories of other runs to draw besides, as seen from the folder of this one",
              .optional = true},
    Parameter{.name = "against",
              .kind = Kind::text,
              .fallback = "\"time\"",
              .meaning = "what the error is drawn over; evaluations of adaptive steps and wall time are spread evenly",
              .choices = clocks},
};

/// The error of one run; rows that are not numbers are left out. `low` and `high`: the least and the greatest since the row
/// before, or empty.
struct Errors {
  std::string name;
  std::vector<double> time, x, error, low, high;
  bool relative = true;
};

/// Of a series of x, energy and, if it has them, the least and the greatest energy since the row before; x is where each row
/// stands on the axis below.
Errors errors_of(const Series& series, const std::string& name) {
  Errors errors{.name = name, .time = {}, .x = {}, .error = {}, .low = {}, .high = {}};
  const std::vector<double>&x = series.values[0], &energy = series.values[1];
  const std::size_t rows = std::min(energy.size(), series.time.size());
  if (rows == 0) return errors;
  // ΔE/E₀ = (E − E₀)/|E₀|; where E₀ is nought only ΔE has a meaning.
  const double first = energy.front();
  errors.relative = std::isfinite(first) && first != 0;
  const auto error_of = [&](double e) { return (e - first) / (errors.relative ? std::abs(first) : 1); };
  for (std::size_t i = 0; i < rows; ++i) {
    const double error = error_of(energy[i]);
    if (!std::isfinite(error) || !std::isfinite(x[i])) continue;
    errors.time.push_back(series.time[i]);
    errors.x.push_back(x[i]);
    errors.error.push_back(error);
    if (series.values.size() < 4) continue;
    errors.low.push_back(error_of(series.values[2][i]));
    errors.high.push_back(error_of(series.values[3][i]));
  }
  return errors;
}

/// What each of several runs says of itself, or each that has a band of its band; empty where they say different things.
std::string said_of_all(const RunInfo& info) {
  if (info.series.size() < 2) return "";
  std::string said;
  bool all = true, of_bands = true;
  for (const Series& s : info.series) {
    all = all && !s.about.empty();
    if (s.about.empty()) continue;
    if (!said.empty() && s.about != said) return "";
    said = s.about;
    of_bands = of_bands && s.values.size() >= 4;
  }
  return all || of_bands ? said : "";
}

/// Of every run; one without a row where there is none. What is to be said of one alone stands in the legend.
std::vector<Errors> all_errors(const RunInfo& info) {
  std::vector<Errors> all;
  const bool said = !said_of_all(info).empty();
  for (const Series& s : info.series) {
    const std::string join = s.name.empty() || s.about.empty() ? "" : ": ";
    all.push_back(errors_of(s, said ? s.name : s.name + join + s.about));
  }
  if (all.empty()) all.emplace_back();
  return all;
}

/// Whether a line through the rows shows how the error went: what lies between two of them is then little more than the way
/// from one to the other. Else the line would be a curve that does not exist.
bool is_resolved(const Errors& errors) {
  double between = 0, along = 0;
  for (std::size_t i = 1; i < errors.low.size(); ++i) {
    between += errors.high[i] - errors.low[i];
    along += std::abs(errors.error[i] - errors.error[i - 1]);
  }
  return between <= 1.5 * along;
}

/// The least and the greatest of each stretch between two rows, as steps.
Curve band_of(const Errors& errors, bool magnitudes) {
  Curve band{.name = errors.name, .stroke = Curve::Stroke::band};
  for (std::size_t i = 1; i < errors.low.size(); ++i) {
    double low = errors.low[i], high = errors.high[i];
    if (magnitudes) {
      const bool crosses = low <= 0 && high >= 0;
      const double least = crosses ? 0 : std::min(std::abs(low), std::abs(high));
      high = std::max(std::abs(low), std::abs(high));
      low = least;
    }
    for (const std::size_t end : {i - 1, i}) {
      band.x.push_back(errors.x[end]);
      band.y.push_back(high);
      band.low.push_back(low);
      band.time.push_back(errors.time[i]);
    }
  }
  return band;
}

Curve signed_curve(const Errors& errors) {
  return {.name = errors.name, .x = errors.x, .y = errors.error, .time = errors.time};
}

/// The logarithm leaves out what is nought, and joins what is left.
Curve magnitude(const Errors& errors) {
  Curve curve{.name = errors.name};
  for (std::size_t i = 0; i < errors.time.size(); ++i) {
    if (errors.error[i] == 0) continue;
    curve.x.push_back(errors.x[i]);
    curve.y.push_back(std::abs(errors.error[i]));
    curve.time.push_back(errors.time[i]);
  }
  return curve;
}

void add(Chart& chart, const Errors& errors, Curve line, Curve band) {
  if (band.x.empty() || is_resolved(errors)) chart.curves.push_back(std::move(line));
  if (!band.x.empty()) chart.curves.push_back(std::move(band));
}

ChartAxis axis_of(const std::string& against, const std::vector<Errors>& all, const RunInfo& info) {
  ChartAxis axis = time_axis(info);
  if (against == "evaluations") axis = {.name = "force evaluations"};
  if (against == "wall-time") axis = {.name = "wall time, spread evenly", .unit = "s"};
  Interval limits{0, 0};
  bool any = false;
  for (const Errors& errors : all) {  // rows without an error count too
    for (const double x : errors.x) {
      limits = any ? Interval{std::min(limits.low, x), std::max(limits.high, x)} : Interval{x, x};
      any = true;
    }
  }
  if (any) axis.limits = limits;
  return axis;
}

std::vector<Chart> charts_of(const RunInfo& info, const Arguments& arguments) {
  const std::vector<Errors> all = all_errors(info);
  const std::string& scale = arguments.text("scale");
  const std::string name = std::ranges::all_of(all, &Errors::relative) ? "ΔE/E₀" : "ΔE";
  bool none = true, zero = true;
  for (const Errors& errors : all) {
    none = none && errors.error.empty();
    zero = zero && errors.low.empty() && std::ranges::all_of(errors.error, [](double e) { return e == 0; });
  }
  std::vector<Chart> charts;
  if (scale != "log") {
    Chart& chart = charts.emplace_back();
    chart.y.name = name;
    if (zero) chart.y.limits = Interval{-1.25e-16, 1.25e-16};
    for (const Errors& errors : all) add(chart, errors, signed_curve(errors), band_of(errors, false));
  }
  if (scale != "linear") {
    Chart& chart = charts.emplace_back();
    chart.y = {.name = "|" + name + "|", .logarithmic = true};
    if (zero) chart.y.limits = Interval{1e-17, 1e-15};
    for (const Errors& errors : all) add(chart, errors, magnitude(errors), band_of(errors, true));
  }
  charts.front().title = said_of_all(info);
  for (Chart& chart : charts) {
    chart.x = axis_of(arguments.text("against"), all, info);
    chart.empty = none ? "no observables were kept" : "exactly zero throughout";
  }
  return charts;
}

}  // namespace

extern const FigureKind energy_error{
    .name = "energy-error",
    .meaning = "the relative error of the total energy over time, of one run or several",
    .parameters = parameters,
    .needs_frames = false,
    .make = make_plot<charts_of>};

}  // namespace orrery::render
