// SPDX-License-Identifier: MIT
// Figure "convergence": errors of many runs against a number in which they differ, with power laws.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "pipeline/physical_unit.hpp"
#include "pipeline/pictures/series/convergence_runs.hpp"
#include "pipeline/power_fit.hpp"
#include "pipeline/run/run_labels.hpp"
#include "pipeline/run/sweep.hpp"
#include "render/chart/ticks.hpp"

namespace orrery::pipeline {
namespace {

using namespace convergence;

constexpr const char* step_keys[] = {"integrator.dt", "integrator.steps"};

bool is_numeric(const std::vector<Run>& runs, const std::string& key) {
  return std::ranges::all_of(runs, [&](const Run& run) { return number(run.values, key).value_or(0) > 0; });
}

/// The key of the abscissa: key `against`, or the first numeric key in which the runs differ, preferably of the integrator.
std::string against(const SeriesRequest& request, const std::vector<Run>& runs, const std::vector<std::string>& keys) {
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
std::string axis_of(const SeriesRequest& request, const std::string& key) {
  const std::size_t dot = key.rfind('.');
  const std::string table = dot == std::string::npos ? "" : key.substr(0, std::min(dot, key.find('['))),
                    name = key.substr(dot == std::string::npos ? 0 : dot + 1);
  const auto unit_in = [&](std::span<const Parameter> parameters) -> std::string {
    const auto found = std::ranges::find(parameters, name, &Parameter::name);
    if (found == parameters.end()) return "";
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
    const Scenario scenario = scenario_of(*request.trajectory, request.trajectory->path());
    for (const auto& choice : scenario.initial) {
      if (unit.empty() && table == "initial") unit = unit_in(choice.plugin->parameters);
    }
    for (const auto& choice : scenario.forces) {
      if (unit.empty() && table == "force") unit = unit_in(choice.plugin->parameters);
    }
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
  std::vector<const Run*> runs;
};

std::vector<Group> groups_of(const std::vector<Run>& runs, std::vector<std::string> keys, const std::string& over) {
  const bool steps = std::ranges::find(step_keys, over) != std::end(step_keys);
  std::erase_if(keys, [&](const std::string& key) {
    return key == over || is_seed(key) || (steps && std::ranges::find(step_keys, key) != std::end(step_keys));
  });
  std::stable_partition(keys.begin(), keys.end(), [](const std::string& key) { return key.ends_with("kind"); });
  std::vector<Group> groups;
  for (const Run& run : runs) {
    std::string name;
    for (const std::string& key : keys) {
      const auto found = run.values.find(key);
      if (found != run.values.end()) name += (name.empty() ? "" : ", ") + in_words(key, found->second);
    }
    if (name.empty()) name = in_words("kind", run.values.at("integrator.kind"));
    auto group = std::ranges::find(groups, name, &Group::name);
    if (group == groups.end()) group = groups.insert(groups.end(), {name, {}});
    group->runs.push_back(&run);
  }
  return groups;
}

/// Errors of one curve.
struct Errors {
  std::map<double, std::vector<double>> at;  ///< for each abscissa, those of all seeds
  std::map<double, double> rounding;         ///< estimated rounding errors, a random walk of the steps
  double most = 0.1;                         ///< maximum error for the fit of a power law
  std::optional<double> reference;           ///< abscissa of the finest run, which is the reference
};

/// The unit roundoff of the pair forces.
double precision_of(const Run& run) {
  return provenance_of(run.record, "precision") == "float64" ? 0x1p-53 : 0x1p-24;
}

Errors errors_of(const SeriesRequest& request, const Group& group, const std::string& over, bool states, bool exact) {
  Errors errors;
  double size = 1;
  std::map<std::string, const Run*> finest;  // by the seeds
  std::set<std::pair<double, std::string>> there;
  const auto seeds = [](const Run& run) {
    std::string all;
    for (const auto& [key, value] : run.values) all += is_seed(key) ? value + " " : "";
    return all;
  };
  for (const Run* run : group.runs) {
    if (there.emplace(run->x, seeds(*run)).second) continue;
    request.keys.complain("kind", fmt::format("two of the runs have {} = {} and the same seeds, and do not differ "
                                              "otherwise: remove one of them",
                                              over, run->values.at(over)));
  }
  if (states && !exact) {
    const bool more = over == "integrator.steps";  // steps make a run finer, other numbers coarser
    for (const Run* run : group.runs) {
      const Run*& best = finest[seeds(*run)];
      if (best == nullptr || (more ? run->x > best->x : run->x < best->x)) best = run;
    }
  }
  for (const Run* run : group.runs) {
    double error = run->energy_error;
    if (states) {
      size = std::max(size_of(run->end), 1e-300);
      const Run* reference = exact ? nullptr : finest.at(seeds(*run));
      if (reference == run) {
        errors.reference = run->x;
        continue;
      }
      error = exact ? distance(run->end, *run->end.exact) : distance_of_ends(request, run->end, reference->end);
      errors.most = 0.1 * size;
    }
    errors.at[run->x].push_back(error);
    double& rounding = errors.rounding[run->x];
    rounding = std::max(rounding, size * precision_of(*run) * std::sqrt(static_cast<double>(run->steps)));
  }
  return errors;
}

render::Series series_of(const std::string& name, const std::string& axis, const Errors& errors) {
  constexpr double one_sigma = 0.16;
  render::Series series{.name = name, .time = {}, .values = std::vector<std::vector<double>>(4), .about = axis};
  std::vector<ErrorAt> points;
  for (const auto& [x, all] : errors.at) {
    const double median = quantile(all, 0.5), none = std::nan("");
    series.time.push_back(x);
    series.values[0].push_back(median);
    series.values[1].push_back(all.size() > 1 ? quantile(all, one_sigma) : none);
    series.values[2].push_back(all.size() > 1 ? quantile(all, 1 - one_sigma) : none);
    series.values[3].push_back(none);
    points.push_back({x, median, errors.rounding.at(x), errors.most});
  }
  if (const auto fit = power_fit(points, errors.reference)) {
    for (std::size_t k = 0; k < fit->points.size(); ++k) series.values[3][fit->points[k]] = fit->errors[k];
    series.name += ", slope " + render::number_text(fit->slope, 2);
  }
  return series;
}

std::vector<render::Series> make(const SeriesRequest& request) {
  const bool states = request.keys->text("error") == "state";
  if (request.trajectory == nullptr) return {};
  std::vector<Run> runs = all_runs(request, states);
  const std::vector<std::string> keys = keys_of(runs);
  const std::string over = against(request, runs, keys);
  for (Run& run : runs) run.x = *number(run.values, over);
  bool exact = std::ranges::all_of(runs, [](const Run& run) { return run.end.exact.has_value(); });
  if (states && request.keys->has("reference")) {
    const bool wanted = request.keys->text("reference") == "exact";
    if (wanted && !exact) {
      request.keys.complain("reference",
                            "an exact solution is known only for `two-body` under gravity without softening, "
                            "fields or perturbations: use \"finest\"");
    }
    exact = wanted;
  }
  if (states && !exact && !over.starts_with("integrator.") && !over.ends_with(".softening")) {
    request.keys.complain("error",
                          fmt::format("\"state\" compares with the finest run, but {} changes the problem, not the "
                                      "accuracy: sweep integrator.dt, or use error = \"energy\"",
                                      over));
  }
  const std::string axis = axis_of(request, over);
  std::vector<render::Series> all;
  for (const Group& group : groups_of(runs, keys, over))
    all.push_back(series_of(group.name, axis, errors_of(request, group, over, states, exact)));
  return all;
}

}  // namespace

extern const SeriesKind convergence_series{.figure = "convergence", .make = make, .of_sweep = true};

}  // namespace orrery::pipeline
