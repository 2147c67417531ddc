// SPDX-License-Identifier: MIT
// Figure "convergence": errors of many runs against a number in which they differ, with power laws.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/charts/exact_orbit.hpp"
#include "pipeline/pictures/charts/run_errors.hpp"
#include "pipeline/power_fit.hpp"
#include "pipeline/run/run_labels.hpp"
#include "pipeline/run/run_outline.hpp"
#include "pipeline/run/runs_in_folder.hpp"
#include "pipeline/run/sweep.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "render/chart/chart_curves.hpp"
#include "render/chart/ticks.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 2> measures{"energy", "state"};
constexpr std::array<std::string_view, 2> references{"finest", "exact"};

constexpr std::array parameters{
    render::optional_key(
        "against", Kind::text, "\"integrator.dt\"",
        "key on the horizontal axis, as in --set; default: the swept key of the integrator, otherwise the first one"),
    render::choice_key(
        "error", "\"energy\"", measures,
        "energy: maximum |ΔE|/|E₀| of a run; state: RMS distance of its final positions from `reference`"),
    Parameter{.name = "reference",
              .kind = Kind::text,
              .example = "\"finest\"",
              .meaning = "reference of `state`; default: exact (the closed form) for two-body, otherwise the finest "
                         "run of each curve",
              .choices = references,
              .optional = true},
    render::bands_key("fill the band from 16 to 84 % of several seeds; false: only medians"),
    render::optional_key(
        "others", Kind::texts, "[\"other.h5\"]",
        "trajectories of the other runs, relative to the folder of this one; default: all of the sweep"),
};

/// One run. What is measured is 0 before it is there. Files are not held open, since there may be thousands.
struct Run {
  RunOutline outline;
  Keys values;                          ///< overrides and physics(), with normalised keys
  double x = 0;                         ///< abscissa
  double roundoff = 0;                  ///< of the pair forces
  double energy_error = 0;              ///< or
  sim::Vectors position{};              ///< of all bodies at the end, and
  std::optional<sim::Vectors> exact{};  ///< on the Kepler orbit about the centre of mass, if that is the solution
  std::int64_t steps = 0;
  const Run* finest = nullptr;  ///< of its curve with its seeds

  explicit Run(RunOutline of) : outline(std::move(of)), values(values_of(outline.overrides)) {
    for (const auto& [key, value] : outline.physics) values[plain_key(key)] = value;
  }
};

/// A run that is there, with its final state if `states`, else with its energy error. Throws Error if it is not finished or has no
/// energy.
Run read(const ChartRequest& request, const TrajectoryReader& trajectory, bool states) {
  const auto state = trajectory.restart();
  if (!trajectory.finished() || !state) {
    throw Error(fmt::format("{}: is not finished: `orrery resume` goes on with it", trajectory.path().string()),
                Fault::request);
  }
  Run run(outline_of(trajectory));
  run.roundoff = provenance_of(trajectory.record(), "precision") == "float64" ? 0x1p-53 : 0x1p-24;
  run.steps = state->clock.steps > 0 ? state->clock.steps : state->step;
  if (states) {
    run.position = state->position;
    if (run.outline.keplerian) run.exact = ExactOrbit::of(trajectory).value().positions(*state);
  } else {
    run.energy_error = greatest_energy_error(request, trajectory);
  }
  return run;
}

void check_unit(const ChartRequest& request, const std::string& unit) {
  if (unit == request.stored.time_unit) return;
  const auto words = [](const std::string& of) { return of.empty() ? "none" : PhysicalUnit(of).readable(); };
  request.keys.complain("others", fmt::format("the runs have different units of time ({} and {}): they cannot share an "
                                              "axis",
                                              words(request.stored.time_unit), words(unit)));
}

void check_other(const ChartRequest& request, const RunOutline& other) {
  if (!other.finished)
    throw Error(fmt::format("{}: is not finished: `orrery resume` goes on with it", other.file.string()),
                Fault::request);
  check_unit(request, other.stored.time_unit);
}

/// Groups runs with the same scenario and the same overrides except swept keys. If nothing is swept, each run is a group.
std::vector<std::vector<const Run*>> sweeps_of(const std::vector<Run>& runs, const std::vector<std::string>& swept) {
  std::map<std::string, std::vector<const Run*>> sweeps;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    std::string same = swept.empty() ? fmt::format("{}", k) : runs[k].outline.scenario;
    for (const auto& [key, value] : values_of(runs[k].outline.overrides)) {
      if (std::ranges::find(swept, key) == swept.end()) same += fmt::format("\n{} = {}", key, to_toml(value));
    }
    sweeps[same].push_back(&runs[k]);
  }
  std::vector<std::vector<const Run*>> all;
  for (auto& [same, members] : sweeps) all.push_back(std::move(members));
  return all;
}

/// Whether it is the key of a random seed.
bool is_seed(const std::string& key) {
  return key == "seed" || key.ends_with(".seed");
}

/// The value of a key if it is a finite number.
std::optional<double> number(const Keys& values, const std::string& key) {
  const auto found = values.find(key);
  if (found == values.end()) return std::nullopt;
  const auto value = number_in(found->second);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// The run of a figure and its `others`; before they are there, what is known of them. Throws Error if one does not fit.
std::vector<Run> all_runs(const ChartRequest& request, bool states) {
  std::vector<Run> runs;
  if (request.trajectory == nullptr) {
    for (const RunOutline& outline : request.runs) {
      check_unit(request, outline.stored.time_unit);
      if (!states && !outline.has_energy) refuse_without_energy(request, outline.file);
      runs.emplace_back(outline);
    }
    return runs;
  }
  runs.push_back(read(request, *request.trajectory, states));
  if (!request.keys->has("others")) return runs;
  for (const std::string& file : request.keys->texts("others")) {
    const TrajectoryReader other = other_run(request.keys, "others", request.trajectory->path().parent_path(), file);
    runs.push_back(read(request, other, states));
    check_other(request, runs.back().outline);
  }
  return runs;
}

/// The swept keys, and those that differ between sweeps but not within one. Does not include numbers that follow from swept
/// keys, such as dt from the period.
std::vector<std::string> keys_of(const std::vector<Run>& runs) {
  std::vector<std::vector<std::string>> overrides;
  for (const Run& run : runs) overrides.push_back(run.outline.overrides);
  std::vector<std::string> keys = swept_keys(runs.front().outline.scenario, overrides);
  const auto sweeps = sweeps_of(runs, keys);
  std::set<std::string> differing;
  for (const auto& sweep : sweeps) {
    for (const KeyDifference& key : differences(runs.front().values, sweep.front()->values)) differing.insert(key.key);
  }
  for (const auto& sweep : sweeps) {
    for (const Run* run : sweep) {
      for (const KeyDifference& key : differences(sweep.front()->values, run->values)) differing.erase(key.key);
    }
  }
  if (differing.contains("integrator.dt")) differing.erase("integrator.steps");
  for (const std::string& key : differing) {
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
  // What is stored of a run does not change its errors.
  std::erase_if(
      keys, [](const std::string& key) { return key.starts_with("trajectory.") || key.starts_with("observables."); });
  return keys;
}

/// Throws Error, Fault::request, if two runs differ in the number of bodies or the final time.
void check_ends(const ChartRequest& request, const RunOutline& a, const RunOutline& b) {
  const auto complain = [&](const std::string& a_has, const std::string& b_has, const char* want) {
    request.keys.complain("error",
                          fmt::format("{} {}, {} {}: final states can be compared only {}; use error = \"energy\"",
                                      a.file.string(), a_has, b.file.string(), b_has, want));
  };
  if (a.stored.bodies != b.stored.bodies) {
    complain(fmt::format("has {} bodies", a.stored.bodies), fmt::format("{}", b.stored.bodies),
             "of runs of the same bodies");
  }
  if (std::abs(a.end - b.end) > 1e-9 * std::max(std::abs(a.end), std::abs(b.end)))
    complain(fmt::format("ends at t = {:.9g}", a.end), fmt::format("at {:.9g}", b.end), "at one time");
}

constexpr const char* step_keys[] = {"integrator.dt", "integrator.steps"};

bool is_numeric(const std::vector<Run>& runs, const std::string& key) {
  return std::ranges::all_of(runs, [&](const Run& run) { return number(run.values, key).value_or(0) > 0; });
}

/// The key of the abscissa: key `against`, or the first numeric key in which the runs differ, preferably of the integrator.
std::string against(const ChartRequest& request, const std::vector<Run>& runs, const std::vector<std::string>& keys) {
  const std::string list = fmt::format("{}", fmt::join(keys, ", "));
  if (request.keys->has("against")) {
    std::string key = plain_key(request.keys->text("against"));
    if (is_numeric(runs, key)) return key;
    const std::vector<std::string_view> names(keys.begin(), keys.end());
    request.keys.complain("against", fmt::format("`{}` is not a positive number in every run{} (they differ in {})",
                                                 key, suggestion(key, names), keys.empty() ? "nothing" : list));
  }
  std::vector<std::string> numbers;
  std::ranges::copy_if(keys, std::back_inserter(numbers),
                       [&](const std::string& key) { return !is_seed(key) && is_numeric(runs, key); });
  if (numbers.empty()) {
    request.keys.complain("kind",
                          fmt::format("there is no positive number as abscissa: the runs differ in {}; sweep a number, "
                                      "such as \"integrator.dt\", or choose a key, against = \"…\"",
                                      keys.empty() ? "nothing" : list));
  }
  const auto of_integrator = [](const std::string& key) { return key.starts_with("integrator."); };
  std::stable_partition(numbers.begin(), numbers.end(), of_integrator);
  return numbers.front();
}

/// The axis label "dt [yr]": the last part of a key with its unit.
std::string axis_of(const ChartRequest& request, const std::string& key) {
  const std::size_t dot = key.rfind('.');
  const std::string table = dot == std::string::npos ? "" : key.substr(0, std::min(dot, key.find('['))),
                    name = key.substr(dot == std::string::npos ? 0 : dot + 1);
  const auto unit_in = [&](std::span<const Parameter> of) -> std::string {
    const auto found = std::ranges::find(of, name, &Parameter::name);
    if (found == of.end()) return "";
    // In the units of the run, as the values of the key.
    const RunRecord& record = request.trajectory->record();
    const PhysicalUnit length(record.length_unit), time(record.time_unit), mass(record.mass_unit);
    return found->unit == "time"          ? time.readable()
           : found->unit == "length"      ? length.readable()
           : found->unit == "mass"        ? mass.readable()
           : found->unit == "length/time" ? (length / time).readable()
                                          : "";
  };
  std::string unit = unit_in(section_keys(table));
  try {
    unit = unit_in(keys_in(scenario_of(*request.trajectory, request.trajectory->path()), table));
  } catch (const Error&) {  // not valid in this version
  }
  return render::axis_label(name, unit, 0);
}

/// The quantile with linear interpolation; `share` is in [0, 1].
double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at), above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

/// Runs that differ only in the abscissa and in seeds: one curve.
struct Group {
  std::string name;
  std::vector<Run*> runs;
};

std::vector<Group> groups_of(std::vector<Run>& runs, std::vector<std::string> keys, const std::string& over) {
  const bool steps = std::ranges::find(step_keys, over) != std::end(step_keys);
  std::erase_if(keys, [&](const std::string& key) {
    return key == over || is_seed(key) || (steps && std::ranges::find(step_keys, key) != std::end(step_keys));
  });
  std::stable_partition(keys.begin(), keys.end(), [](const std::string& key) { return key.ends_with("kind"); });
  std::vector<Group> groups;
  for (Run& run : runs) {
    std::string name;
    for (const std::string& key : keys) {
      const auto found = run.values.find(key);
      if (found != run.values.end()) name += (name.empty() ? "" : ", ") + to_text(key, found->second);
    }
    if (name.empty()) name = to_text("kind", run.values.at("integrator.kind"));
    auto group = std::ranges::find(groups, name, &Group::name);
    if (group == groups.end()) group = groups.insert(groups.end(), {.name = name, .runs = {}});
    group->runs.push_back(&run);
  }
  return groups;
}

/// The seeds of a run.
std::string seeds_of(const Run& run) {
  std::string all;
  for (const auto& [key, value] : run.values) all += is_seed(key) ? to_toml(value) + " " : "";
  return all;
}

/// Sets Run::finest in a curve over `over`. Throws Error, Fault::request, if two runs do not differ.
void find_finest(const ChartRequest& request, Group& group, const std::string& over) {
  const bool more = over == "integrator.steps";  // steps make a run finer, other numbers coarser
  std::map<std::string, const Run*> finest;
  std::set<std::pair<double, std::string>> there;
  for (const Run* run : group.runs) {
    if (!there.emplace(run->x, seeds_of(*run)).second) {
      request.keys.complain("kind", fmt::format("two of the runs have {} = {} and the same seeds, and do not differ "
                                                "otherwise: remove one of them",
                                                over, to_toml(run->values.at(over))));
    }
    const Run*& best = finest[seeds_of(*run)];
    if (best == nullptr || (more ? run->x > best->x : run->x < best->x)) best = run;
  }
  for (Run* run : group.runs) run->finest = finest.at(seeds_of(*run));
}

/// Errors of one curve.
struct Errors {
  std::map<double, std::vector<double>> at;  ///< for each abscissa, those of all seeds
  std::map<double, double> rounding;         ///< estimated rounding errors, a random walk of the steps
  double most = 0.1;                         ///< maximum error for the fit of a power law
  std::optional<double> reference;           ///< abscissa of the finest run, which is the reference
};

/// The figure as its keys and its runs have it, which is known before the runs are there.
struct Compared {
  std::string over;  ///< the key of the abscissa
  bool states;       ///< errors are those of the final states, else of the energy
  bool exact;        ///< the reference of states is the closed form, else the finest run
  std::vector<Group> groups;
};

/// Throws Error, Fault::request, if the runs cannot be compared.
Compared comparison_of(const ChartRequest& request, std::vector<Run>& runs, bool states) {
  const std::vector<std::string> keys = keys_of(runs);
  Compared comparison{.over = against(request, runs, keys), .states = states, .exact = false, .groups = {}};
  const std::string& over = comparison.over;
  for (Run& run : runs) run.x = *number(run.values, over);
  const bool known = std::ranges::all_of(runs, [](const Run& run) { return run.outline.keplerian; });
  comparison.exact = known;
  if (states && request.keys->has("reference")) {
    comparison.exact = request.keys->text("reference") == "exact";
    if (comparison.exact && !known) {
      request.keys.complain("reference",
                            "an exact solution is known only for `two-body` under gravity without softening, "
                            "fields or perturbations: use \"finest\"");
    }
  }
  const bool finest = states && !comparison.exact;
  if (finest && !over.starts_with("integrator.") && !over.ends_with(".softening")) {
    request.keys.complain("error",
                          fmt::format("\"state\" compares with the finest run, but {} changes the problem, not the "
                                      "accuracy: sweep integrator.dt, or use error = \"energy\"",
                                      over));
  }
  comparison.groups = groups_of(runs, keys, over);
  for (Group& group : comparison.groups) {
    find_finest(request, group, over);
    for (const Run* run : group.runs) {
      if (finest) check_ends(request, run->outline, run->finest->outline);
    }
  }
  return comparison;
}

Errors errors_of(const Group& group, const Compared& by) {
  Errors errors;
  double size = 1;
  for (const Run* run : group.runs) {
    double error = run->energy_error;
    if (by.states) {
      size = std::max(rms_distance(run->position, sim::Vectors(run->position.size())), 1e-300);
      if (!by.exact && run->finest == run) {
        errors.reference = run->x;
        continue;
      }
      error = rms_distance(run->position, by.exact ? *run->exact : run->finest->position);
      errors.most = 0.1 * size;
    }
    errors.at[run->x].push_back(error);
    double& rounding = errors.rounding[run->x];
    rounding = std::max(rounding, size * run->roundoff * std::sqrt(static_cast<double>(run->steps)));
  }
  return errors;
}

/// ", slope 4.02 ± 0.05", whose uncertainty has one digit.
std::string slope_of(const PowerFit& fit) {
  if (!std::isfinite(fit.slope)) return "";
  if (!std::isfinite(fit.uncertainty)) return ", slope " + render::number_text(fit.slope, 2);  // two points
  const int decimals =
      fit.uncertainty > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(fit.uncertainty))), 1, 2) : 2;
  return ", slope " + render::number_text(fit.slope, decimals) + " ± " +
         render::number_text(std::max(std::pow(10.0, -decimals), fit.uncertainty), decimals);
}

/// The medians of a group as marks, the band of its seeds if there are several and `banded`, and the fit.
std::vector<Curve> curves_of(const std::string& name, const Errors& errors, bool banded) {
  using enum Curve::Stroke;
  constexpr double one_sigma = 0.16;
  Curve medians{.name = name, .stroke = marks}, seeds{.name = name, .stroke = band}, law{.stroke = dashed};
  std::vector<ErrorAt> points;
  bool several = false;
  for (const auto& [x, all] : errors.at) {
    const double median = quantile(all, 0.5), none = std::nan("");
    medians.x.push_back(x);
    medians.y.push_back(median);
    seeds.low.push_back(all.size() > 1 ? quantile(all, one_sigma) : none);
    seeds.y.push_back(all.size() > 1 ? quantile(all, 1 - one_sigma) : none);
    several = several || std::isfinite(seeds.low.back());
    law.y.push_back(none);
    points.push_back({x, median, errors.rounding.at(x), errors.most});
  }
  seeds.x = law.x = medians.x;
  const auto fit = power_fit(points, errors.reference);
  if (fit) {
    for (std::size_t k = 0; k < fit->points.size(); ++k) law.y[fit->points[k]] = fit->errors[k];
    medians.remark = seeds.remark = slope_of(*fit);
  }
  std::vector<Curve> curves{std::move(medians)};
  if (banded && several) curves.push_back(std::move(seeds));
  if (fit) curves.push_back(std::move(law));
  return curves;
}

/// Limits, with a margin, that hold all medians and bands.
Interval limits_of(const std::vector<Curve>& curves) {
  render::ValueRange range;
  for (const Curve& curve : curves) {
    if (curve.stroke == Curve::Stroke::dashed) continue;
    range.add_positive(curve.y);
    range.add_positive(curve.low);
  }
  const double air = std::pow(range.high / range.low, 0.06);
  return {range.low / air, range.high * air};
}

std::vector<Chart> make(const ChartRequest& request) {
  const bool states = request.keys->text("error") == "state", before = request.trajectory == nullptr;
  const bool banded = request.keys->boolean("bands");
  Chart chart{.x = {.logarithmic = true},
              .y = {.name = states ? "root mean square |Δr| at the end" : "greatest |ΔE|/|E₀|",
                    .unit = states ? shown_length(request.info).name : "",
                    .logarithmic = true,
                    .unit_length = states ? shown_length(request.info).length : 1}};
  chart.empty = before && request.runs.empty() ? "no runs to compare" : "every error is 0";
  if (before && request.runs.empty()) return {chart};
  std::vector<Run> runs = all_runs(request, states);
  const Compared comparison = comparison_of(request, runs, states);
  if (!before) chart.x.name = axis_of(request, comparison.over);
  for (const Group& group : comparison.groups)
    std::ranges::move(curves_of(group.name, before ? Errors{} : errors_of(group, comparison), banded),
                      std::back_inserter(chart.curves));
  if (std::ranges::any_of(chart.curves, render::is_band)) chart.y.limits = limits_of(chart.curves);
  return {chart};
}

}  // namespace

extern const ChartKind convergence_chart{
    .figure = render::chart_figure(
        "convergence", "errors of the runs of a sweep over the swept key, with fitted power laws", parameters),
    .make = make,
    .of_runs = true,
    .of_sweep = true,
    .check_other = check_other};

}  // namespace orrery::pipeline
