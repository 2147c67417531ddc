// SPDX-License-Identifier: MIT
// orrery bench --suite scaling: whole steps on one rank and on several, a model fitted to them, and what it predicts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "pipeline/bench/rows.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/measure/models.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "sim/forces/gravity.hpp"
#include "sim/forces/repulsive.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/pair_order.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view legend =
    "\nWhole leapfrog steps of Plummer spheres; cells: of repulsive bodies in a plane box. times: the time of one "
    "rank\n"
    "divided by that of all. weak: the time of one rank divided by that of all for √ranks times as many bodies (all\n"
    "pairs), or ranks times as many (tree, cells): 100 % would be perfect. model: (time of one) · (serial +\n"
    "(1 − serial) / ranks) + latency + bytes / bandwidth, fitted to the rows; serial: the part that every rank does,\n"
    "and waits; bytes: what the busiest rank sends a step.\n";

struct ScalingRow {
  const sim::ForceSolver* method = nullptr;
  std::size_t bodies = 0;
  int ranks = 0;
  double one = 0, all = 0, weak = 0;  ///< seconds; weak: of a larger number of bodies on all ranks
  std::size_t weak_bodies = 0;
  double bytes = 0;
  std::string failure{};
};

/// The parameters of the model (Amdahl's law, and messages), none below 0.
struct Fit {
  double serial = 0, latency = 0, seconds_per_byte = 0;

  /// What ranks save if nothing is serial.
  static double divisible(double one, double ranks) { return one * (1 - 1 / ranks); }

  [[nodiscard]] double seconds(double one, double ranks, double bytes) const {
    return ranks > 1 ? one / ranks + serial * divisible(one, ranks) + latency + seconds_per_byte * bytes : one;
  }
};

/// Coordinate descent on the squares of relative deviations: three numbers, few rows.
Fit fitted(const std::vector<ScalingRow>& rows) {
  Fit fit;
  std::array<double*, 3> parameters{&fit.serial, &fit.latency, &fit.seconds_per_byte};
  for (int round = 0; round < 2000; ++round) {
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      double above = 0, below = 0;
      for (const ScalingRow& row : rows) {
        const double ranks = row.ranks;
        const std::array slopes{Fit::divisible(row.one, ranks), 1.0, row.bytes};
        const double slope = slopes[p] / row.all;
        const double rest = 1 - (fit.seconds(row.one, ranks, row.bytes) / row.all - *parameters[p] * slope);
        above += rest * slope, below += slope * slope;
      }
      if (below > 0) *parameters[p] = std::max(0.0, above / below);
    }
  }
  return fit;
}

double seconds_of_step(const sim::BackendKind& kind, const sim::ForceSolver& method, std::size_t bodies,
                       sim::BackendOptions options, bool all) {
  const bool cutoff = &method == &sim::default_solver(*sim::force_laws().back());
  sim::Model model = cutoff ? model_of(sim::short_range_box, bodies, {}, sim::Repulsive::law, {},
                                       walled_plane(std::sqrt(0.0005 * static_cast<double>(bodies))))
                            : model_of(sim::plummer, bodies, {}, sim::Gravity::law, {{"softening", 0.01}});
  model.solver = &method;
  model.dt = 1e-4;
  model.steps = 1'000'000;
  if (!all) options.helpers.clear(), options.ranks.reset();
  const auto backend = sim::make_backend(kind, sim::system_of(model), options);
  return time_a_step(model, *backend, 1.0).seconds;
}

/// The measured rows of a method, and their fit.
struct Fitted {
  const sim::ForceSolver* method;
  std::vector<ScalingRow> rows;
  Fit fit;
};
Fitted fitted(const std::vector<ScalingRow>& rows, const sim::ForceSolver* method) {
  Fitted of_method{.method = method, .rows = {}, .fit = {}};
  std::ranges::copy_if(rows, std::back_inserter(of_method.rows),
                       [&](const ScalingRow& row) { return row.failure.empty() && row.method == method; });
  of_method.fit = fitted(of_method.rows);
  return of_method;
}

std::string text_of(const std::vector<ScalingRow>& rows, const std::vector<Fitted>& all) {
  const auto identify = [](const ScalingRow& row) -> Cells {
    return {std::string(row.method->name), fmt::format("{}", row.bodies), fmt::format("{}", row.ranks)};
  };
  const auto measured = [&](const ScalingRow& row) -> Cells {
    const Fit& fit = std::ranges::find(all, row.method, &Fitted::method)->fit;
    return {fmt::format("{:.4g}", 1e3 * row.one),
            fmt::format("{:.4g}", 1e3 * row.all),
            fmt::format("{:.3g}", row.one / row.all),
            fmt::format("{:.0f} %", 100 * row.one / row.all / row.ranks),
            fmt::format("{:.4g}", 1e3 * fit.seconds(row.one, row.ranks, row.bytes)),
            fmt::format("{}", row.weak_bodies),
            fmt::format("{:.0f} %", 100 * row.one / row.weak)};
  };
  return table_of(rows,
                  columns_of({"method"}, {"bodies", "ranks", "one, ms", "all, ms", "times", "of", "model, ms",
                                          "weak bodies", "weak"}),
                  identify, measured);
}

std::vector<Arguments> records(const std::vector<ScalingRow>& rows) {
  const auto identify = [](const ScalingRow& row) {
    return Arguments{{"method", std::string(row.method->name)},
                     {"bodies", static_cast<std::int64_t>(row.bodies)},
                     {"ranks", std::int64_t{row.ranks}}};
  };
  return records_of(rows, identify, [](Arguments& record, const ScalingRow& row) {
    record.set("seconds_of_one", row.one);
    record.set("seconds_of_all", row.all);
    record.set("bytes", row.bytes);
    record.set("weak_bodies", static_cast<std::int64_t>(row.weak_bodies));
    record.set("weak_seconds", row.weak);
  });
}

/// The fit of a method, and what it predicts for other numbers of ranks.
std::string prediction_of(const Fitted& measured, bool gpu) {
  const auto& [method, rows, fit] = measured;
  if (rows.size() < 2) return "";
  std::string text =
      fmt::format("\n{}: serial part {:.1f} %, latency {:.3g} µs, bandwidth {}\npredicted, times one rank:\n",
                  method->name, 100 * fit.serial, 1e6 * fit.latency,
                  fit.seconds_per_byte > 1e-15 ? with_prefix(1 / fit.seconds_per_byte) + "B/s" : "not noticed");
  std::vector<Column> columns{{"bodies", false}};
  const std::array<int, 6> counts{2, 4, 8, 16, 32, 64};
  for (const int ranks : counts) columns.push_back({fmt::format("{}", ranks), false});
  columns.push_back({"ends at", false});
  for (const ScalingRow& row : rows) {
    const auto gain = [&, &fit = fit, &method = method](double ranks) {
      return row.one / fit.seconds(row.one, ranks, method->bytes_sent(static_cast<double>(row.bodies), ranks, gpu));
    };
    Cells cells{fmt::format("{}", row.bodies)};
    for (const int ranks : counts) cells.push_back(fmt::format("{:.3g}", gain(ranks)));
    const auto most = static_cast<int>(method->linear ? 256 : sim::chunk_count(row.bodies));
    int end = 2;
    while (end < most && gain(end) / end > 0.5) ++end;
    cells.push_back(fmt::format("{}", end));
    add_row(columns, std::move(cells));
  }
  return text + aligned(std::move(columns), std::vector<std::string>(rows.size())) +
         "ends at: the number of ranks with which half of each would be lost, at most one for each row of chunks\n";
}

BenchResult run(const BenchOptions& options, Context& context) {
  const BackendRequest request = backend_request(options.overrides, "bench");
  const sim::BackendOptions backend = options_of(request, context.resources);
  std::vector<std::string> absences;
  const auto kinds = kinds_to_measure(request, absences);
  const sim::BackendKind& kind = *kinds.back();
  const int ranks = sim::ranks_of(backend);
  if (ranks == 1)
    throw Error("bench --suite scaling compares several ranks with one: start it by mpirun -n N, or with --device all",
                Fault::request);
  Report report = describe_machine(scaling_suite.name, {&kind}, backend);
  report.add("ranks", std::int64_t{ranks});
  std::vector<std::size_t> sizes = options.sizes;
  const bool gpu = kind.device != nullptr;
  if (sizes.empty())
    sizes =
        gpu ? std::vector<std::size_t>{16'384, 65'536, 131'072, 262'144} : std::vector<std::size_t>{4096, 8192, 16'384};
  std::vector<ScalingRow> rows;
  for (const sim::ForceSolver* method : sim::force_solvers()) {
    if (method->bytes_sent == nullptr) continue;
    for (const std::size_t n : sizes) {
      const std::size_t bodies = method->linear ? n * (gpu ? 16 : 8) : n;
      rows.push_back({.method = method, .bodies = bodies, .ranks = ranks});
    }
  }
  const auto name = [](const ScalingRow& row) { return fmt::format("{}, {} bodies", row.method->name, row.bodies); };
  measure_rows(rows, context, name, [&](ScalingRow& row, const auto&) {
    const double more = row.method->linear ? ranks : std::sqrt(static_cast<double>(ranks));
    row.weak_bodies = static_cast<std::size_t>(std::lround(static_cast<double>(row.bodies) * more));
    row.bytes = row.method->bytes_sent(static_cast<double>(row.bodies), ranks, gpu);
    row.one = seconds_of_step(kind, *row.method, row.bodies, backend, false);
    row.all = seconds_of_step(kind, *row.method, row.bodies, backend, true);
    row.weak = seconds_of_step(kind, *row.method, row.weak_bodies, backend, true);
  });
  std::vector<Fitted> all;
  for (const sim::ForceSolver* method : sim::force_solvers()) {
    if (method->bytes_sent != nullptr) all.push_back(fitted(rows, method));
  }
  std::string text = fmt::format("{}\n{}", legend, text_of(rows, all));
  for (const Fitted& of_method : all) text += prediction_of(of_method, gpu);
  return finished(std::move(report), records(rows), text, std::ranges::all_of(rows, has_failed<ScalingRow>), context);
}

}  // namespace

const Suite scaling_suite{.name = "scaling", .meaning = "steps on several GPUs or processes, beside one", .run = run};

}  // namespace orrery::pipeline
