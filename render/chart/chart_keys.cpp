// SPDX-License-Identifier: MIT
#include "render/chart/chart_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "render/chart/chart_curves.hpp"
#include "render/figure.hpp"
#include "render/style/sizes.hpp"

namespace orrery::render {
namespace {

constexpr std::array keys{
    optional_key(
        "labels", Kind::texts, "[\"a\", \"b\"]",
        "names in the legend, in its order: of the runs if there are several, otherwise of the curves; default: what "
        "distinguishes them"),
    optional_key("data", Kind::texts, "[\"energy.csv\"]",
                 "tables of text, relative to the folder of the run, of which two columns each are shown, too"),
    optional_key(
        "columns", Kind::texts, "[\"t,dE\"]",
        "the two columns of each file of `data`, or of all, by names or numbers from 1; default: the first two"),
    interval_key("x_limits", "[0.1, 10.0]",
                 "[from, to] of the horizontal axis of all panels, in its unit; default: the range of the curves"),
    interval_key(
        "y_limits", "[0.1, 1.0]",
        "[from, to] of the vertical axis of the uppermost panel, in its unit; default: the range of the curves"),
    line_width_parameter,
    marker_size_parameter,
};

/// Returns whether curves of that name are numbers of a file.
bool is_of_file(const std::vector<Chart>& charts, const std::string& name) {
  return std::ranges::any_of(charts, [&](const Chart& chart) {
    return std::ranges::any_of(chart.curves, [&](const Curve& curve) { return curve.of_file && curve.name == name; });
  });
}

}  // namespace

std::span<const Parameter> chart_keys() {
  return keys;
}

std::optional<Interval> interval_of(const Arguments& arguments, std::string_view key) {
  if (!arguments.has(key)) return std::nullopt;
  const auto& given = arguments.numbers(key);
  if (!(given[0] < given[1])) throw ArgumentError(key, "the lower limit must be below the upper one");
  return Interval{given[0], given[1]};
}

void set_limits(ChartAxis& axis, std::string_view key, const Arguments& arguments) {
  const Interval given = *interval_of(arguments, key);
  if (axis.logarithmic && !(given.low > 0)) {
    const bool scaled = arguments.has("scale");
    if (!scaled || arguments.text("scale") != "auto") {
      throw ArgumentError(key, std::string("a logarithmic axis begins above 0: raise the lower limit") +
                                   (scaled ? ", or write `scale = \"linear\"`" : ""));
    }
    axis.logarithmic = false;
  }
  axis.limits = Interval{given.low * axis.unit_length, given.high * axis.unit_length};
}

void label(std::vector<Chart>& charts, const Arguments& arguments) {
  std::vector<std::string> names;
  std::vector<Curve*> unnamed;
  for (Chart& chart : charts) {
    for (Curve& curve : chart.curves) {
      const bool is_new = std::ranges::find(names, curve.name) == names.end();
      if (!curve.name.empty() && is_new) names.push_back(curve.name);
      if (curve.name.empty() && !is_guide(curve)) unnamed.push_back(&curve);
    }
  }
  const bool of_runs = !charts.empty() && !charts.front().runs.empty();
  if (of_runs) {
    std::erase_if(names, [&](const std::string& name) { return !is_of_file(charts, name); });
    names.insert(names.begin(), charts.front().runs.begin(), charts.front().runs.end());
  }
  if (arguments.has("labels")) {
    const std::vector<std::string>& labels = arguments.texts("labels");
    for (auto label = labels.begin(); label != labels.end(); ++label) {
      if (label->empty()) throw ArgumentError("labels", "a label is empty");
      if (std::find(labels.begin(), label, *label) != label)
        throw ArgumentError("labels", "two labels are \"" + *label + "\"");
    }
    const bool single = names.empty() && labels.size() == 1;  // a curve that needs no name may have one
    if (!single && labels.size() != names.size()) {
      throw ArgumentError(
          "labels", fmt::format("are {} for {}", labels.size(),
                                names.empty() ? "one curve"
                                              : fmt::format("{} {}: {}", names.size(), of_runs ? "runs" : "curves",
                                                            fmt::join(names, ", "))));
    }
    const std::size_t runs = charts.empty() ? 0 : charts.front().runs.size();
    for (Chart& chart : charts) {
      if (of_runs) std::copy_n(labels.begin(), runs, chart.runs.begin());
    }
    for (Curve* curve : unnamed) {
      if (single) curve->name = labels.front();
    }
    for (Chart& chart : charts) {
      for (Curve& curve : chart.curves) {
        if (of_runs && !curve.of_file) continue;
        const auto from = names.begin() + static_cast<std::ptrdiff_t>(of_runs ? runs : 0);
        const auto k = static_cast<std::size_t>(std::find(from, names.end(), curve.name) - names.begin());
        if (k < names.size()) curve.name = labels[k];
      }
    }
  }
  for (Chart& chart : charts) {
    for (Curve& curve : chart.curves) curve.name += curve.remark;
  }
}

void limit(std::vector<Chart>& charts, const Arguments& arguments) {
  const Chart* above = nullptr;
  for (Chart& chart : charts) {
    const bool uppermost = above == nullptr || chart.moment != above->moment;
    const bool x = arguments.has("x_limits"), y = arguments.has("y_limits") && uppermost;
    if (x) set_limits(chart.x, "x_limits", arguments);
    if (y) set_limits(chart.y, "y_limits", arguments);
    chart.cut = chart.cut || x || y;
    above = &chart;
  }
}

}  // namespace orrery::render
