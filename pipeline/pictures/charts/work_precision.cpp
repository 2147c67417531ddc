// SPDX-License-Identifier: MIT
// Figure "work-precision": errors of the runs of a sweep over what they cost.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/charts/exact_orbit.hpp"
#include "pipeline/pictures/charts/other_runs.hpp"
#include "pipeline/pictures/charts/run_errors.hpp"
#include "pipeline/run/run_labels.hpp"
#include "pipeline/run/run_outline.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 2> costs{"evaluations", "wall-time"}, errors_of{"state", "energy"},
    references_of{"exact", "ias15"};

constexpr std::array parameters{
    render::choice_key("against", "\"evaluations\"", costs,
                       "horizontal axis: evaluations of the forces, or the "
                       "measured time of the steps"),
    render::choice_key("error", "\"state\"", errors_of,
                       "state: RMS distance of the final positions from those "
                       "of `reference`; energy: maximum |ΔE|/|E₀| of a run"),
    Parameter{.name = "reference",
              .kind = Kind::text,
              .example = "\"ias15\"",
              .meaning = "reference of `state`; ias15: a run with this integrator at "
                         "its default accuracy, which is made for "
                         "the figure; default: exact (the closed form) for two-body, "
                         "otherwise ias15",
              .choices = references_of,
              .optional = true},
    render::optional_key("others", Kind::texts, "[\"other.h5\"]",
                         "trajectories of the other runs, relative to the "
                         "folder of this one; default: all of the sweep"),
};

constexpr std::size_t most_bodies_of_reference = 1000;  // with more, ias15 takes minutes

/// One run: a point.
struct WorkPoint {
  RunOutline outline;
  double evaluations = 0;  ///< of the forces, which order the points of a curve also over measured times
  double work = 0, error = 0;
};

/// Final states of runs with ias15, by what they are of.
class References {
 public:
  References(const ChartRequest& request) : request_(request) {}

  const sim::Vectors& of(const TrajectoryReader& run, const RunOutline& outline) {
    std::string problem = fmt::format("{}", outline.end);
    for (const auto& [key, value] : outline.physics)
      if (!key.starts_with("integrator.")) problem += fmt::format("\n{} = {}", key, to_toml(value));
    const auto known = ends_.find(problem);
    return known != ends_.end() ? known->second : ends_.emplace(problem, computed(run)).first->second;
  }

 private:
  /// Of the same bodies and forces in float64.
  [[nodiscard]] sim::Vectors computed(const TrajectoryReader& run) const {
    sim::Model model = set_up(scenario_of(run, run.path())).model;
    if (model.integrator->bath || model.bodies.size() > most_bodies_of_reference) {
      request_.keys.complain("error", fmt::format("{}: a reference is computed of at most {} bodies without a heat "
                                                  "bath: draw error = \"energy\"",
                                                  run.path().string(), most_bodies_of_reference));
    }
    model.integrator = *std::ranges::find(sim::integrators(), std::string_view("ias15"), &sim::Integrator::name);
    const auto& keys = model.integrator->parameters;
    model.keys = model.integrator->keys(section_of({}, "integrator", {keys.begin(), keys.end()}).values());
    model.precision = sim::Precision::float64;
    try {
      const auto backend = sim::cpu_backend.make(sim::system_of(model), {.threads = request_.physics.threads});
      sim::Simulation simulation(*backend, model);
      simulation.stop_when(request_.stop);
      simulation.advance(model.steps);
      return simulation.was_stopped() ? run.restart()->position : simulation.state().position;
    } catch (const Error& error) {
      throw Error(fmt::format("{}: the reference by ias15 cannot be computed: "
                              "{}; draw error = \"energy\"",
                              run.path().string(), error.what()),
                  Fault::request);
    }
  }

  const ChartRequest& request_;
  std::map<std::string, sim::Vectors> ends_;
};

bool by_state(const ChartRequest& request) {
  return request.keys->text("error") == "state";
}

void check_other(const ChartRequest& request, const RunOutline& other) {
  if (!other.finished)
    throw Error(fmt::format("{}: is not finished: `orrery resume` goes on with it", other.file.string()),
                Fault::request);
  if (by_state(request)) check_units_of_other(request, other.stored, other.file.string());
}

/// Whether final states are compared with closed forms.
bool is_exact(const ChartRequest& request, const std::vector<WorkPoint>& points) {
  const bool known = std::ranges::all_of(points, [](const WorkPoint& point) { return point.outline.keplerian; });
  if (!request.keys->has("reference")) return known;
  if (request.keys->text("reference") == "exact" && !known) {
    request.keys.complain("reference",
                          "an exact solution is known only for `two-body` "
                          "under gravity without softening, "
                          "fields or perturbations: use \"ias15\"");
  }
  return request.keys->text("reference") == "exact";
}

/// Whether it is a key of how accurate a run is, rather than of its method or
/// problem.
bool is_accuracy(const std::string& key, const Value& value) {
  return key.starts_with("integrator.") && (number_in(value) || !key.ends_with("kind"));
}

/// The name of the curve of each run: what it differs in from others besides
/// its accuracy.
std::vector<std::string> names_of(const std::vector<WorkPoint>& points) {
  std::set<std::string> differing;
  for (const WorkPoint& point : points) {
    for (const KeyDifference& key : differences(points.front().outline.physics, point.outline.physics))
      differing.insert(key.key);
  }
  std::vector<std::string> keys(differing.begin(), differing.end()), names;
  std::erase_if(
      keys, [](const std::string& key) { return key.starts_with("trajectory.") || key.starts_with("observables."); });
  std::stable_partition(keys.begin(), keys.end(), [](const std::string& key) { return key.ends_with("kind"); });
  for (const WorkPoint& point : points) {
    const Keys& values = point.outline.physics;
    std::string name;
    for (const std::string& key : keys) {
      const auto found = values.find(key);
      if (found != values.end() && !is_accuracy(key, found->second))
        name += (name.empty() ? "" : ", ") + to_text(key, found->second);
    }
    names.push_back(name.empty() ? to_text("kind", values.at("integrator.kind")) : name);
  }
  return names;
}

void measure(const ChartRequest& request, const TrajectoryReader& run, bool exact, References& references,
             WorkPoint& point) {
  const auto state = run.restart();
  if (!run.finished() || !state)
    throw Error(fmt::format("{}: is not finished: `orrery resume` goes on with it", run.path().string()),
                Fault::request);
  const auto steps = static_cast<double>(state->step);
  point.evaluations = steps * evaluations_a_step(run);
  point.work = request.keys->text("against") == "evaluations" ? point.evaluations : steps * seconds_a_step(run);
  point.error = !by_state(request) ? greatest_energy_error(request, run)
                : exact            ? rms_distance(state->position, ExactOrbit::of(run).value().positions(*state))
                                   : rms_distance(state->position, references.of(run, point.outline));
}

/// All runs of the figure, without trajectories only by their outlines.
std::vector<WorkPoint> points_of(const ChartRequest& request) {
  std::vector<WorkPoint> points;
  if (request.trajectory == nullptr) {
    for (const RunOutline& outline : request.runs) points.push_back({outline});
    return points;
  }
  points.push_back({outline_of(*request.trajectory)});
  std::vector<std::string> files;
  if (request.keys->has("others")) files = request.keys->texts("others");
  const auto open = [&](const std::string& file) {
    return other_run(request.keys, "others", request.trajectory->path().parent_path(), file);
  };
  for (const std::string& file : files) {
    points.push_back({outline_of(open(file))});
    check_other(request, points.back().outline);
  }
  const bool exact = by_state(request) && is_exact(request, points);
  References references(request);
  measure(request, *request.trajectory, exact, references, points.front());
  // Files are not held open, since there may be thousands.
  for (std::size_t k = 0; k < files.size() && !request.stopped(); ++k)
    measure(request, open(files[k]), exact, references, points[k + 1]);
  return points;
}

std::vector<Chart> make(const ChartRequest& request) {
  const bool states = by_state(request), before = request.trajectory == nullptr;
  const render::ShownUnit length = shown_length(request.info);
  Chart chart{.x = {.name = request.keys->text("against") == "evaluations" ? "force evaluations" : "time of the steps",
                    .unit = request.keys->text("against") == "evaluations" ? "" : "s",
                    .logarithmic = true},
              .y = {.name = states ? "root mean square |Δr| at the end" : "greatest |ΔE|/|E₀|",
                    .unit = states ? length.name : "",
                    .logarithmic = true,
                    .unit_length = states ? length.length : 1}};
  chart.empty = before && request.runs.empty() ? "no runs to compare" : "every error is 0";
  const std::vector<WorkPoint> points = points_of(request);
  if (points.empty()) return {chart};
  const bool exact = states && is_exact(request, points);
  if (states) chart.title = exact ? "from the exact orbit" : "from ias15";
  const std::vector<std::string> names = names_of(points);
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return points[k].evaluations; });
  for (const std::string& name : names) {
    if (std::ranges::find(chart.curves, name, &Curve::name) != chart.curves.end()) continue;
    Curve& curve = chart.curves.emplace_back(Curve{.name = name, .stroke = Curve::Stroke::both});
    for (const std::size_t k : order) {
      if (before || names[k] != name) continue;
      curve.x.push_back(points[k].work);
      curve.y.push_back(points[k].error);
    }
  }
  return {chart};
}

}  // namespace

extern const ChartKind work_precision_chart{
    .figure = render::chart_figure("work-precision",
                                   "errors of the runs of a sweep over evaluations "
                                   "of the forces or measured time, a "
                                   "curve for each integrator",
                                   parameters),
    .make = make,
    .of_runs = true,
    .of_sweep = true,
    .check_other = check_other};

}  // namespace orrery::pipeline
