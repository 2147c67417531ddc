// SPDX-License-Identifier: MIT
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
    choice_key("scale", "\"both\"", scales, "scale of the error; both: a linear panel above a logarithmic one"),
    bands_key("fill bands between extremes; false: their edges as lines, and in the logarithmic panel only the "
              "greatest errors"),
    optional_key("others", Kind::texts, "[\"other.h5\"]",
                 "trajectories of other runs to compare with, relative to the folder of this one"),
    choice_key("against", "\"time\"", clocks,
               "horizontal axis; force evaluations of adaptive steps and wall time are spread evenly over the run"),
};

/// The errors of one run at all rows with finite energies. `low` and `high` are the extremes since the previous row, or empty.
struct Errors {
  std::string name, remark;
  std::vector<double> time, x, error, low, high;
};

/// Computes errors from a series with the lists x (position on the horizontal axis), energy and, optionally, the minimum and
/// maximum energy since the previous row. They are relative to its scale.
Errors errors_of(const Series& series, const std::string& remark) {
  Errors errors{.name = series.name, .remark = remark, .time = {}, .x = {}, .error = {}, .low = {}, .high = {}};
  const std::vector<double>&x = series.values[0], &energy = series.values[1];
  const std::size_t rows = std::min(energy.size(), series.time.size());
  if (rows == 0) return errors;
  const double first = energy.front();
  const auto error_of = [&](double e) { return series.scale > 0 ? (e - first) / series.scale : e - first; };
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

/// Returns `about` of several series if all of them, or all that have a band, have the same; otherwise "".
std::string common_remark(const RunInfo& info) {
  if (info.series.size() < 2) return "";
  std::string remark;
  bool all = true, of_bands = true;
  for (const Series& s : info.series) {
    all = all && !s.about.empty();
    if (s.about.empty()) continue;
    if (!remark.empty() && s.about != remark) return "";
    remark = s.about;
    of_bands = of_bands && s.values.size() >= 4;
  }
  return all || of_bands ? remark : "";
}

/// Returns the errors of all runs, or one without rows. A remark that is not common to all runs follows its name.
std::vector<Errors> all_errors(const RunInfo& info) {
  std::vector<Errors> all;
  const bool common = !common_remark(info).empty();
  for (const Series& s : info.series) {
    const std::string join = s.name.empty() || s.about.empty() ? "" : ": ";
    all.push_back(errors_of(s, common ? "" : join + s.about));
  }
  if (all.empty()) all.emplace_back();
  return all;
}

/// Returns whether a line through the rows follows the error: the extremes between two rows are little more than their
/// difference. Otherwise the line would be an artefact of sampling. The ratio of both is at most 1.1 for
/// three rows in a period of a sine, and above 1.2 if rows miss more than 30 % of the heights of spikes.
bool is_resolved(const Errors& errors) {
  double between = 0, along = 0;
  for (std::size_t i = 1; i < errors.low.size(); ++i) {
    between += errors.high[i] - errors.low[i];
    along += std::abs(errors.error[i] - errors.error[i - 1]);
  }
  return between <= 1.2 * along;
}

/// Returns the extremes of each interval between two rows as a step function.
Curve band_of(const Errors& errors, bool magnitudes) {
  Curve band{.name = errors.name, .remark = errors.remark, .stroke = Curve::Stroke::band};
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
  return {.name = errors.name, .remark = errors.remark, .x = errors.x, .y = errors.error, .time = errors.time};
}

/// Returns the magnitudes without zeros, which a logarithmic axis cannot show.
Curve magnitude(const Errors& errors) {
  Curve curve{.name = errors.name, .remark = errors.remark};
  for (std::size_t i = 0; i < errors.time.size(); ++i) {
    if (errors.error[i] == 0) continue;
    curve.x.push_back(errors.x[i]);
    curve.y.push_back(std::abs(errors.error[i]));
    curve.time.push_back(errors.time[i]);
  }
  return curve;
}

/// Adds a line, and a band if there is one: filled, or as its edges where the line is an artefact.
void add(Chart& chart, const Errors& errors, Curve line, Curve band, bool filled) {
  const bool is_line = band.x.empty() || is_resolved(errors);
  if (is_line) chart.curves.push_back(std::move(line));
  if (band.x.empty() || (!filled && is_line)) return;
  if (!filled) {
    band.stroke = Curve::Stroke::line;
    if (!chart.y.logarithmic) {  // the lower edge of magnitudes is 0 wherever the error changes its sign
      Curve low = band;
      low.y = low.low;
      chart.curves.push_back(std::move(low));
    }
  }
  chart.curves.push_back(std::move(band));
}

ChartAxis axis_of(const std::string& against, const std::vector<Errors>& all, const RunInfo& info) {
  ChartAxis axis = time_axis(info);
  if (against == "evaluations") axis = {.name = "force evaluations"};
  if (against == "wall-time") axis = {.name = "wall time, spread evenly", .unit = "s"};
  ValueRange range;
  for (const Errors& errors : all) {  // including rows without a visible error
    for (const double x : errors.x) range.add(x);
  }
  if (!range.empty()) axis.limits = Interval{range.low, range.high};
  return axis;
}

/// Returns what the errors are, "ΔE/|E₀|", or several of that, "ΔE/|E₀|, ΔE"; their magnitudes are "|ΔE|/|E₀|".
std::string quantities_of(const RunInfo& info, bool magnitudes) {
  std::vector<std::string> names;
  for (const Series& s : info.series) {
    std::string name = s.quantity.empty() ? "ΔE" : s.quantity;
    if (magnitudes) {
      const std::size_t end = std::min(name.find('/'), name.size());
      name.insert(end, 1, '|').insert(0, 1, '|');
    }
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

/// Returns what is written in place of curves without a point. Zero is said of what was measured only.
std::string words_if_zero(const RunInfo& info) {
  for (const Series& s : info.series) {
    if (s.time.empty() && !s.about.empty()) return "exactly zero; " + s.name + ": " + s.about;
    if (!s.about.empty()) return "exactly zero: " + s.about;
  }
  return "exactly zero throughout";
}

std::vector<Chart> charts_of(const RunInfo& info, const Arguments& arguments) {
  const std::vector<Errors> all = all_errors(info);
  const std::string& scale = arguments.text("scale");
  const bool filled = arguments.boolean("bands");
  bool none = true, zero = true;
  for (const Errors& errors : all) {
    none = none && errors.error.empty();
    zero = zero && errors.low.empty() && std::ranges::all_of(errors.error, [](double e) { return e == 0; });
  }
  std::vector<Chart> charts;
  if (scale != "log") {
    Chart& chart = charts.emplace_back();
    chart.y.name = quantities_of(info, false);
    if (zero) chart.y.limits = Interval{-1.25e-16, 1.25e-16};
    for (const Errors& errors : all) add(chart, errors, signed_curve(errors), band_of(errors, false), filled);
  }
  if (scale != "linear") {
    Chart& chart = charts.emplace_back();
    chart.y = {.name = quantities_of(info, true), .logarithmic = true};
    if (zero) chart.y.limits = Interval{1e-17, 1e-15};
    for (const Errors& errors : all) add(chart, errors, magnitude(errors), band_of(errors, true), filled);
  }
  charts.front().title = common_remark(info);
  for (Chart& chart : charts) {
    chart.x = axis_of(arguments.text("against"), all, info);
    chart.empty = none ? "no observables were kept" : words_if_zero(info);
  }
  return charts;
}

}  // namespace

extern const FigureKind energy_error = plot_kind<charts_of>(
    "energy-error",
    "relative error of the total energy over time, of one or several runs, and of the bodies without mass", parameters);

}  // namespace orrery::render
