// SPDX-License-Identifier: MIT
#include "pipeline/pictures/charts/other_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <set>
#include <utility>

#include "pipeline/named_unit.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/pictures/run_info.hpp"
#include "pipeline/run/run_labels.hpp"
#include "render/chart/chart_curves.hpp"
#include "render/chart/marks.hpp"

namespace orrery::pipeline {
namespace {

using Columns = std::vector<std::vector<Chart>>;  // of runs

/// How long the unit of one run is in that of another; 1 if either has none.
double unit_ratio(const std::string& of, const std::string& in) {
  const auto a = in_si(of), b = in_si(in);
  return a && b ? (*a / *b).value() : 1;
}

/// The curves of a run with which those of bodies of another one are drawn: by names if both have some, else by numbers.
/// A body that the first run does not have gets a number of its own.
void number_by(const render::RunInfo& own, const render::RunInfo& other, std::vector<Chart>& charts) {
  const bool named = !own.names.empty() && !other.names.empty();
  for (Chart& chart : charts) {
    for (Curve& curve : chart.curves) {
      bool known = !curve.bodies.empty();
      for (std::size_t& body : curve.bodies) {
        const std::size_t none = own.mass.size() + body;  // a number that no other has
        std::size_t same = none;
        if (named)
          same = render::find_body(name_of(other, body), own).value_or(none);
        else if (body < own.mass.size())
          same = body;
        known = known && same != none;
        body = same;
      }
      if (!known || named || curve.name.empty()) continue;
      curve.name = name_of(own, curve.bodies.front());
      if (curve.bodies.size() == 2) curve.name += " – " + name_of(own, curve.bodies.back());
    }
  }
}

/// Numbers in the units in which the axis `own` is drawn.
void convert(ChartAxis& axis, const ChartAxis& own, std::vector<std::vector<double>*> columns) {
  const double factor = own.unit_length / axis.unit_length;
  if (factor == 1) return;
  for (std::vector<double>* values : columns)
    for (double& value : *values) value *= factor;
  if (axis.limits) axis.limits = Interval{axis.limits->low * factor, axis.limits->high * factor};
}

/// The limits of an axis that holds the curves of two.
std::optional<Interval> united(const ChartAxis& a, const std::vector<Curve>& of_a, const ChartAxis& b,
                               const std::vector<Curve>& of_b, std::vector<double> Curve::*values) {
  if (!a.limits && !b.limits) return std::nullopt;
  render::ValueRange range;
  const auto add = [&](const ChartAxis& axis, const std::vector<Curve>& curves) {
    if (axis.limits) return range.add(axis.limits->low), range.add(axis.limits->high);
    for (const Curve& curve : curves) {
      if (a.logarithmic)
        range.add_positive(curve.*values);
      else
        for (const double value : curve.*values) range.add(value);
    }
  };
  add(a, of_a);
  add(b, of_b);
  return range.empty() ? std::nullopt : std::optional(Interval{range.low, range.high});
}

bool all_positive(const std::vector<Curve>& curves) {
  return std::ranges::all_of(curves,
                             [](const Curve& c) { return std::ranges::none_of(c.y, [](double y) { return y <= 0; }); });
}

std::string unit_of(const ChartAxis& axis) {
  return axis.unit.empty() ? "no unit" : axis.unit;
}

/// Adds the curves of another run to a panel. `factor`: for its times.
void add_panel(const Section& keys, Chart& own, Chart other, double factor, const std::string& name) {
  for (const auto& [a, b] : {std::pair{&own.x, &other.x}, std::pair{&own.y, &other.y}}) {
    if (a->unit != b->unit)
      keys.complain("others", fmt::format("{}: {} is in {} there and in {} in this run: give both the same `units`",
                                          name, a->name, unit_of(*b), unit_of(*a)));
  }
  std::vector<std::vector<double>*> x, y;
  for (Curve& curve : other.curves) {
    x.push_back(&curve.x);
    y.insert(y.end(), {&curve.y, &curve.low});
    for (double& time : curve.time) time *= factor;
  }
  convert(other.x, own.x, x);
  convert(other.y, own.y, y);
  // Without a common calendar the axis shows times.
  if (!other.x.dates || (own.x.dates && own.x.dates->epoch != other.x.dates->epoch)) own.x.dates.reset();
  // A scale that follows from the values is logarithmic only if all can be shown on it.
  own.y.logarithmic = own.y.logarithmic == other.y.logarithmic ? own.y.logarithmic
                                                               : all_positive(own.curves) && all_positive(other.curves);
  own.x.limits = united(own.x, own.curves, other.x, other.curves, &Curve::x);
  own.y.limits = united(own.y, own.curves, other.y, other.curves, &Curve::y);
  for (Curve& curve : other.curves)
    if (!is_guide(curve)) own.curves.push_back(std::move(curve));
  // A horizontal guide is as long as the axis.
  for (Curve& curve : own.curves) {
    if (is_guide(curve) && own.x.limits && curve.y.size() == 2 && curve.y[0] == curve.y[1])
      curve.x = {own.x.limits->low, own.x.limits->high};
  }
}

/// The names of the curves of a run over all panels, "" of those without.
std::set<std::string> namesin(const std::vector<Chart>& charts) {
  std::set<std::string> names;
  for (const Chart& chart : charts)
    for (const Curve& curve : chart.curves)
      if (!is_guide(curve)) names.insert(curve.name);
  return names;
}

/// What charts say, after the name of the run unless all say the same.
std::string said(const std::vector<std::string>& words, const std::vector<std::string>& names) {
  if (std::ranges::all_of(words, [&](const std::string& w) { return w == words.front(); })) return words.front();
  std::string all;
  for (std::size_t k = 0; k < words.size(); ++k)
    if (!words[k].empty()) all += fmt::format("{}{}: {}", all.empty() ? "" : "; ", names[k], words[k]);
  return all;
}

/// Makes the curves of run k known as such: by its name if each run has one, else by dashes.
void tell_runs_apart(const Section& keys, Columns& runs, const std::vector<std::string>& names) {
  std::set<std::string> all;
  bool single = true, unnamed = false;
  for (const auto& charts : runs) {
    const std::set<std::string> own = namesin(charts);
    single = single && own.size() <= 1;
    unnamed = unnamed || own.contains("");
    all.insert(own.begin(), own.end());
  }
  if (!single && unnamed)
    keys.complain("others",
                  "the runs have different numbers of curves: choose the same of all, for example by `bodies`");
  if (!single && runs.size() > render::different_runs) {
    keys.complain("others",
                  fmt::format("{} runs of several curves cannot be distinguished: draw at most {}, or choose one "
                              "curve, for example by `bodies`",
                              runs.size(), render::different_runs));
  }
  if (single && all.size() == 1 && !all.contains("")) {
    for (auto& charts : runs)  // what the name of the run replaces
      charts.front().title =
          fmt::format("{}{}{}", *all.begin(), charts.front().title.empty() ? "" : ", ", charts.front().title);
  }
  for (std::size_t k = 0; k < runs.size(); ++k) {
    for (Chart& chart : runs[k]) {
      if (!single) chart.runs = names;
      for (Curve& curve : chart.curves) {
        if (is_guide(curve)) continue;
        curve.run = k;
        if (single) curve.name = names[k];
        // The two colours of a pair of bodies would be dashes, too.
        if (single || curve.bodies.size() == 2) curve.bodies.clear();
      }
    }
  }
}

}  // namespace

OtherRun::OtherRun(const ChartRequest& request, const std::string& file)
    : trajectory(other_run(request.keys, "others", request.trajectory->path().parent_path(), file)),
      subject(subject_of(trajectory)),
      info(run_info_of(trajectory, {0, trajectory.size()})) {
  subject.physics.threads = request.physics.threads;
  info.timescale = subject.timescale;
  info.timescale_name = subject.timescale_name;
  const RunRecord &own = request.trajectory->record(), &record = trajectory.record();
  check_units_of_other(request, subject.stored, trajectory.path().string());
  if (own.time_unit.empty()) return;
  const render::RunInfo& shown = request.info;
  if (shown.dates && record.epoch) info.dates = DateScale{*record.epoch, in_si(record.time_unit)->value()};
  info.time_unit = shown.time_unit;
  info.time_unit_length = shown.time_unit_length * unit_ratio(own.time_unit, record.time_unit);
  const auto as_in = [](const render::ShownUnit& unit, double ratio) {
    return render::ShownUnit{unit.name, unit.length * ratio};
  };
  info.chosen_length = as_in(shown_length(shown), unit_ratio(own.length_unit, record.length_unit));
  info.chosen_mass = as_in(shown_mass(shown), unit_ratio(own.mass_unit, record.mass_unit));
}

AllRuns all_runs(const ChartRequest& request) {
  AllRuns runs;
  std::vector<const TrajectoryReader*> all{request.trajectory};
  runs.names = {"this run"};
  for (const std::string& file : request.keys->texts("others")) {
    runs.names.push_back(file);
    if (request.trajectory == nullptr) continue;
    runs.others.push_back(std::make_unique<OtherRun>(request, file));
    all.push_back(&runs.others.back()->trajectory);
  }
  if (request.trajectory != nullptr) runs.names = run_labels(all);
  return runs;
}

AllRuns labelled_runs(const ChartRequest& request) {
  AllRuns runs = all_runs(request);
  if (!request.keys->has("labels")) return runs;
  const std::vector<std::string>& labels = request.keys->texts("labels");
  if (labels.size() != runs.names.size()) {
    request.keys.complain(
        "labels", fmt::format("are {} for {} runs: {}", labels.size(), runs.names.size(), fmt::join(runs.names, ", ")));
  }
  runs.names = labels;
  return runs;
}

bool shows_other_runs(const Section& keys) {
  return keys->has("others") && !keys->texts("others").empty();
}

void add_other_runs(const ChartKind& kind, const ChartRequest& request, std::vector<Chart>& charts) {
  const AllRuns runs = all_runs(request);
  const std::vector<std::string>& names = runs.names;
  Columns columns{charts};
  std::vector<std::string> titles, remarks;
  for (std::size_t k = 1; k < names.size(); ++k) {
    if (request.trajectory == nullptr) {
      columns.push_back(charts);
      continue;
    }
    OtherRun& run = *runs.others[k - 1];
    const std::string file = run.trajectory.path().string();
    if (kind.velocities && !run.subject.stored.velocities)
      request.keys.complain("others", file + ": stores no velocities, which this figure needs");
    if (kind.forces && run.subject.system) run.subject.physics.system = run.subject.system();
    ChartRequest of_other{request.keys, run.info, run.subject.physics, run.subject.stored, &run.trajectory};
    of_other.max_rows = request.max_rows;
    of_other.stop = request.stop;
    try {
      columns.push_back(kind.make(of_other));
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", file, error.what()), Fault::request);
    }
    number_by(request.info, run.info, columns.back());
  }
  tell_runs_apart(request.keys, columns, names);
  for (const auto& of_run : columns) {
    titles.push_back(of_run.front().title);
    remarks.push_back(of_run.front().remark);
  }
  charts = std::move(columns.front());
  for (std::size_t k = 1; k < columns.size(); ++k) {
    for (std::size_t panel = 0; panel < columns[k].size(); ++panel) {
      Chart& other = columns[k][panel];
      auto same = std::ranges::find(charts, other.y.name, [](const Chart& chart) { return chart.y.name; });
      if (same == charts.end() && columns[k].size() == charts.size())
        same = charts.begin() + static_cast<std::ptrdiff_t>(panel);
      if (same == charts.end())
        request.keys.complain("others", fmt::format("{} has {}, which this run does not have", names[k], other.y.name));
      const double factor =
          request.trajectory == nullptr ? 1 : request.info.time_unit_length / runs.others[k - 1]->info.time_unit_length;
      add_panel(request.keys, *same, std::move(other), factor, names[k]);
    }
  }
  charts.front().title = said(titles, names);
  charts.front().remark = said(remarks, names);
}

void check_units_of_other(const ChartRequest& request, const StoredData& other, const std::string& file) {
  const auto words = [](const std::string& unit) {
    return unit.empty() ? "has no units" : "counts time in " + PhysicalUnit(unit).readable();
  };
  const std::string &own = request.stored.time_unit, &its = other.time_unit;
  if (own.empty() != its.empty())
    request.keys.complain("others",
                          fmt::format("{} {}, this run {}: they cannot share an axis", file, words(its), words(own)));
}

}  // namespace orrery::pipeline
