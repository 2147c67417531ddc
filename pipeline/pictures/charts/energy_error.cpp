// SPDX-License-Identifier: MIT
// Figure "energy-error": of one or several runs, and of bodies without mass.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <iterator>
#include <utility>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/charts/run_errors.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/massless_record.hpp"
#include "pipeline/run/run_labels.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 3> scales{"both", "linear", "log"};
constexpr std::array<std::string_view, 3> clocks{"time", "evaluations", "wall-time"};

constexpr std::array parameters{
    render::choice_key("scale", "\"both\"", scales, "scale of the error; both: a linear panel above a logarithmic one"),
    render::bands_key("fill bands between extremes; false: their edges as lines, and in the logarithmic panel only the "
                      "greatest errors"),
    others_parameter,
    render::choice_key(
        "against", "\"time\"", clocks,
        "horizontal axis; force evaluations of adaptive steps and wall time are spread evenly over the run"),
};

/// What a step is on the horizontal axis `against`, which is not the time.
double length_of_a_step(const TrajectoryReader& run, const std::string& against) {
  return against == "evaluations" ? evaluations_a_step(run) : seconds_a_step(run);
}

/// One curve: errors at rows, and the extremes since the previous row, which make it a band, or none.
struct Errors {
  std::string name{}, remark{};
  std::string quantity = "ΔE";  ///< what they are, "ΔE/|E₀|"
  std::vector<double> time{}, x{}, error{}, low{}, high{};

  void say(std::string_view words) { remark.append(remark.empty() ? "" : "; ").append(words); }
  /// Makes energies to errors relative to `scale`, unless that is 0, of the finite rows that a picture shows.
  void finish(double scale, std::size_t most) {
    std::vector<const std::vector<double>*> columns{&x, &error};
    if (!low.empty()) columns.insert(columns.end(), {&low, &high});
    std::vector<std::size_t> rows = telling_rows(columns, most);
    const double first = error.empty() ? 0 : error.front();
    for (auto* energies : {&error, &low, &high}) {
      for (double& e : *energies) e = scale > 0 ? (e - first) / scale : e - first;
    }
    std::erase_if(rows, [&](std::size_t i) { return !std::isfinite(error[i]) || !std::isfinite(x[i]); });
    for (auto* values : {&time, &x, &error, &low, &high}) *values = render::picked(*values, rows);
  }
};

Errors energy_of(const TrajectoryReader& run, const History& rows, const std::string& name, const std::string& against,
                 std::size_t most) {
  const sim::InitialEnergy start = initial_energy(rows);
  Errors errors{.name = name,
                .quantity = std::string(start.error_name()),
                .time = rows.time,
                .x = rows.time,
                .error = rows.total_energy};
  if (shows_between_rows(rows)) {
    const auto state = run.restart();
    errors.remark = extremes_in_words(rows, state ? state->clock.steps : 0);
    for (const auto& [low, high] : rows.energy_range) errors.low.push_back(low), errors.high.push_back(high);
  } else if (rows.energy_range.empty()) {
    errors.remark = too_few_rows(rows.time, rows.total_energy, run.record().initial_facts.timescale);
  }
  if (has_bath(run.record())) errors.say(exchanged);
  if (against != "time") {
    const double a_step = length_of_a_step(run, against);
    std::ranges::transform(rows.step, errors.x.begin(),
                           [&](std::int64_t step) { return a_step * static_cast<double>(step); });
  }
  errors.finish(start.scale(), most);
  return errors;
}

void check_other(const ChartRequest& request, const RunOutline& other) {
  if (request.keys->text("against") != "time" || other.stored.time_unit == request.stored.time_unit) return;
  const auto counts = [](const std::string& unit) {
    return unit.empty() ? "has no units" : "counts time in " + PhysicalUnit(unit).readable();
  };
  request.keys.complain("others", fmt::format("{} {}, this run {}: they cannot share an axis", other.file.string(),
                                              counts(other.stored.time_unit), counts(request.stored.time_unit)));
}

/// The name of the errors of some bodies of a run, which is "" if it is alone.
std::string name_of(const std::string& run, const std::string& bodies) {
  return (run.empty() ? "" : run + ": ") + bodies;
}

/// Adds the errors of the bodies without mass, or that they were not measured. Of masses without energy they take the place:
/// see RunOutline::massless_apart().
void add_massless(std::vector<Errors>& all, const TrajectoryReader& run, double start, const std::string& name,
                  const std::string& against, std::size_t most) {
  const auto massless = massless_record(run);
  if (!massless) return;
  Errors& massive = all.back();
  const bool has_energy = massive.quantity.find('/') != std::string::npos;
  const bool apart = has_energy || std::ranges::count_if(run.bodies().mass, [](double m) { return m > 0; }) > 1;
  if (!massless->not_measured.empty() && !apart) return massive.say("bodies without mass were not measured");
  Errors errors{.name = name_of(name, "without mass")};
  if (!massless->not_measured.empty()) {
    errors.remark = "not measured";
    errors.quantity = massive.quantity;
  } else {
    errors.name += ", " + massless->looked_at;
    errors.quantity = massless->name;
    errors.time = massless->time;
    errors.error = massless->error;
    // The first row is the start, to which the errors refer.
    if (errors.time.empty() || errors.time.front() != start) {
      errors.time.insert(errors.time.begin(), start);
      errors.error.insert(errors.error.begin(), 0);
    }
    errors.x = errors.time;
    const double clock = against == "time" ? 1 : length_of_a_step(run, against) / run.record().dt;
    for (double& x : errors.x) x *= clock;
    errors.finish(1, most);
  }
  if (apart) {
    massive.name = name_of(name, "with mass");
    all.push_back(std::move(errors));
  } else {
    massive = std::move(errors);
  }
}

/// The curves of runs to come, without values.
std::vector<Errors> errors_to_come(const std::vector<RunOutline>& runs) {
  std::vector<Errors> all;
  for (const RunOutline& run : runs) {
    const std::string of = runs.size() > 1 ? run.file.lexically_normal().string() : "";
    if (run.massless_apart()) all.push_back({.name = name_of(of, "with mass")});
    all.push_back({.name = run.has_massless ? name_of(of, "without mass") : of});
  }
  return all;
}

std::vector<Errors> errors_of(const ChartRequest& request) {
  const std::string& against = request.keys->text("against");
  const bool alone = !request.keys->has("others") || request.keys->texts("others").empty();
  if (against == "wall-time" && request.stored.steps == 0)
    request.keys.complain("against", "the run has no steps, and takes no time: use \"time\"");
  if (request.trajectory == nullptr) return errors_to_come(request.runs);
  std::deque<TrajectoryReader> others;
  std::vector<const TrajectoryReader*> runs{request.trajectory};
  if (!alone) {
    for (const std::string& file : request.keys->texts("others"))
      runs.push_back(
          &others.emplace_back(other_run(request.keys, "others", request.trajectory->path().parent_path(), file)));
  }
  for (const TrajectoryReader& other : others) check_other(request, outline_of(other));
  const std::vector<std::string> labels = alone ? std::vector<std::string>{""} : run_labels(runs);
  std::vector<Errors> all;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const History rows = runs[k]->history();
    if (rows.time.empty())
      throw Error(fmt::format("{}: has no rows of observables: there is no energy to draw", runs[k]->path().string()),
                  Fault::request);
    all.push_back(energy_of(*runs[k], rows, labels[k], against, request.max_rows));
    add_massless(all, *runs[k], rows.time.front(), labels[k], against, request.max_rows);
  }
  return all;
}

/// The remark of several curves if all of them, or all that have a band, have the same; otherwise "".
std::string common_remark(const std::vector<Errors>& curves) {
  if (curves.size() < 2) return "";
  std::string remark;
  bool all = true, of_bands = true;
  for (const Errors& curve : curves) {
    all = all && !curve.remark.empty();
    if (curve.remark.empty()) continue;
    if (!remark.empty() && curve.remark != remark) return "";
    remark = curve.remark;
    of_bands = of_bands && !curve.low.empty();
  }
  return all || of_bands ? remark : "";
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

/// Returns the errors or their magnitudes, without zeros, which a logarithmic axis cannot show.
Curve line_of(const Errors& errors, bool magnitudes) {
  Curve curve{.name = errors.name, .remark = errors.remark};
  for (std::size_t i = 0; i < errors.time.size(); ++i) {
    if (magnitudes && errors.error[i] == 0) continue;
    curve.x.push_back(errors.x[i]);
    curve.y.push_back(magnitudes ? std::abs(errors.error[i]) : errors.error[i]);
    curve.time.push_back(errors.time[i]);
  }
  return curve;
}

/// Adds a line, and a band if there is one: filled, or as its edges where the line is an artefact.
void add(Chart& chart, const Errors& errors, bool filled) {
  const bool magnitudes = chart.y.logarithmic;
  Curve band = band_of(errors, magnitudes);
  const bool is_line = band.x.empty() || is_resolved(errors);
  if (is_line) chart.curves.push_back(line_of(errors, magnitudes));
  if (band.x.empty() || (!filled && is_line)) return;
  if (!filled) {
    band.stroke = Curve::Stroke::line;
    if (!magnitudes) {  // whose lower edge is 0 wherever the error changes its sign
      Curve low = band;
      low.y = low.low;
      chart.curves.push_back(std::move(low));
    }
  }
  chart.curves.push_back(std::move(band));
}

/// Returns what the errors are, "ΔE/|E₀|", or several of that, "ΔE/|E₀|, ΔE"; their magnitudes are "|ΔE|/|E₀|".
std::string quantities_of(const std::vector<Errors>& curves, bool magnitudes) {
  std::vector<std::string> names;
  for (const Errors& curve : curves) {
    std::string name = curve.quantity;
    if (magnitudes) {
      const std::size_t end = std::min(name.find('/'), name.size());
      name.insert(end, 1, '|').insert(0, 1, '|');
    }
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Returns what is written in place of curves without a point. Zero is said of what was measured only.
std::string words_if_zero(const std::vector<Errors>& curves) {
  for (const Errors& curve : curves) {
    if (curve.time.empty() && !curve.remark.empty()) return "exactly zero; " + curve.name + ": " + curve.remark;
    if (!curve.remark.empty()) return "exactly zero: " + curve.remark;
  }
  return "exactly zero throughout";
}

std::vector<Chart> make(const ChartRequest& request) {
  std::vector<Errors> all = errors_of(request);
  const std::string& against = request.keys->text("against");
  ChartAxis x = time_axis(request.info);
  if (against == "evaluations") x = {.name = "force evaluations"};
  if (against == "wall-time") x = {.name = "wall time, spread evenly", .unit = "s"};
  std::vector<double> rows;  // including those without a visible error
  bool zero = true;
  for (const Errors& errors : all) {
    std::ranges::copy(errors.x, std::back_inserter(rows));
    zero = zero && errors.low.empty() && std::ranges::all_of(errors.error, [](double e) { return e == 0; });
  }
  cover(x, rows);
  const std::string empty = rows.empty() ? "no observables were kept" : words_if_zero(all), common = common_remark(all);
  // A remark that is not common to all curves follows their name.
  for (Errors& errors : all) {
    if (!errors.name.empty() && !errors.remark.empty()) errors.remark.insert(0, ": ");
    if (!common.empty()) errors.remark.clear();
  }
  std::vector<Chart> charts;
  for (const bool magnitudes : {false, true}) {
    if (request.keys->text("scale") == (magnitudes ? "linear" : "log")) continue;
    Chart& chart = charts.emplace_back(
        Chart{.x = x, .y = {.name = quantities_of(all, magnitudes), .logarithmic = magnitudes}, .empty = empty});
    if (zero) chart.y.limits = magnitudes ? Interval{1e-17, 1e-15} : Interval{-1.25e-16, 1.25e-16};
    for (const Errors& errors : all) add(chart, errors, request.keys->boolean("bands"));
  }
  charts.front().title = common;
  return charts;
}

}  // namespace

extern const ChartKind energy_error_chart{
    .figure = render::chart_figure(
        "energy-error",
        "relative error of the total energy over time, of one or several runs, and of the bodies without mass",
        parameters),
    .make = make,
    .of_runs = true,
    .check_other = check_other};

}  // namespace orrery::pipeline
