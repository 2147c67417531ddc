// SPDX-License-Identifier: MIT
// orrery bench --suite short-range: whole runs with forces that end at a cutoff.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "pipeline/bench/rows.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/measure/forces.hpp"
#include "pipeline/measure/short_range.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view legend =
    "\nµs/step: median of up to 7 repetitions, without frames; repulsive: 1000 steps from the initial state;\n"
    "wca: steps after the lattice has melted. spread: (maximum − minimum) / median. s of 1000 steps: from the first\n"
    "to the last step. set-up: seconds until two steps are done. wall: set-up + 1000 steps. of copy rate: bytes per\n"
    "particle-step / time per particle-step / copy rate. The bytes are those of position and velocity, read and\n"
    "written once (repulsive 64 in float64 and 32 in float32, wca 96 and 48). The copy rate counts bytes read and\n"
    "written by copies in memory. Bodies that fit into caches can exceed 100 %.\n";

bool is_of(const Published& published, const ShortRangeRow& row) {
  return published.problem == row.problem && published.bodies == row.bodies;
}

/// Published times of the row's problem: "V100 2.6 s, A100 1.0 s"
std::string elsewhere(const ShortRangeRow& row) {
  std::string text;
  for (const Published& published : published_times()) {
    if (is_of(published, row))
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", published.hardware, published.words);
  }
  return text;
}

std::string in_seconds(double seconds) {
  return seconds < 99.95 ? fmt::format("{:.3g}", seconds) : fmt::format("{:.0f}", seconds);
}

}  // namespace

std::string table(const std::vector<ShortRangeRow>& rows) {
  const auto identify = [](const ShortRangeRow& row) {
    Cells cells = cells_of_run(row);
    cells.emplace(cells.begin(), name_of(row.problem));
    return cells;
  };
  const auto measured = [](const ShortRangeRow& row) -> Cells {
    return {in_microseconds(row.timing.median),
            percent(row.timing.spread()),
            fmt::format("{:.0f}", 1 / row.timing.median),
            in_seconds(row.of_a_run()),
            in_seconds(row.set_up),
            in_seconds(row.set_up + row.of_a_run()),
            fmt::format("{:.3g}", 1e9 * row.of_a_particle_step()),
            row.share_of_copy() > 0 ? percent(row.share_of_copy()) : ""};
  };
  std::vector<Column> columns = columns_of({"problem", "backend", "precision", "kernel"},
                                           {"threads", "bodies", "µs/step", "spread", "steps/s", "s of 1000 steps",
                                            "set-up", "wall", "ns/particle-step", "of copy rate"});
  add_rows(columns, rows, identify, measured);
  Column& published = columns.emplace_back(Column{"elsewhere", true});
  for (const ShortRangeRow& row : rows) published.cells.push_back(elsewhere(row));
  return table_of(rows, std::move(columns));
}

std::vector<Arguments> published_records(const std::vector<ShortRangeRow>& rows) {
  std::vector<Arguments> all;
  for (const Published& published : published_times()) {
    if (std::ranges::none_of(rows, [&](const ShortRangeRow& row) { return is_of(published, row); })) continue;
    all.push_back(Arguments{{"problem", std::string(name_of(published.problem))},
                            {"bodies", static_cast<std::int64_t>(published.bodies)},
                            {"steps_per_second", published.steps_per_second},
                            {"hardware", std::string(published.hardware)},
                            {"source", std::string(published.source)}});
  }
  return all;
}

namespace {

std::vector<Arguments> records(const std::vector<ShortRangeRow>& rows) {
  const auto identify = [](const ShortRangeRow& row) {
    Arguments record = record_of_run(row);
    record.set("problem", std::string(name_of(row.problem)));
    return record;
  };
  return records_of(rows, identify, [](Arguments& record, const ShortRangeRow& row) {
    add_timing(record, row.timing);
    record.set("steps_per_second", 1 / row.timing.median);
    record.set("seconds_of_1000_steps", row.of_a_run());
    record.set("seconds_of_set_up", row.set_up);
    record.set("seconds_per_particle_step", row.of_a_particle_step());
    record.set("least_bytes_per_particle_step", row.min_bytes());
    set_measured(record, "share_of_copy_rate", row.share_of_copy());
  });
}

std::vector<Arguments> records(const std::vector<CopyRate>& rates) {
  std::vector<Arguments> all;
  for (const CopyRate& rate : rates)
    all.emplace_back(record_of_backend(rate)).set("bytes_per_second", rate.bytes_per_second);
  return all;
}

/// "Elsewhere, not measured here: 2.6 s (repulsive with 1000000 bodies, a student report on a V100) …"
std::string sources(const std::vector<ShortRangeRow>& rows) {
  std::vector<std::string> words;
  for (const Published& published : published_times()) {
    const auto same = [&](const ShortRangeRow& row) { return is_of(published, row); };
    std::string text =
        fmt::format("{} with {} bodies, {}", name_of(published.problem), published.bodies, published.source);
    if (std::ranges::any_of(rows, same)) words.push_back(fmt::format("{} ({})", published.words, text));
  }
  return words.empty() ? "" : fmt::format("Elsewhere, not measured here:\n  {}\n", fmt::join(words, "\n  "));
}

std::string to_text(const std::vector<CopyRate>& rates) {
  std::vector<std::string> words;
  for (const CopyRate& rate : rates)
    words.push_back(fmt::format("{}: {}/s", rate.hardware, in_bytes(rate.bytes_per_second)));
  return fmt::format("{}", fmt::join(words, "; "));
}

BenchResult run(const BenchOptions& options, Context& context) {
  const BackendRequest backend = backend_request(options.overrides, "bench");
  std::vector<std::string> absences;
  ShortRangeBench bench{.kinds = kinds_to_measure(backend, absences),
                        .options = options_of(backend, context.resources),
                        .all = options.all,
                        .quick = options.quick};
  bench.sizes = options.sizes;
  std::ranges::sort(bench.sizes);
  Report report = describe_machine(short_range_suite.name, bench.kinds, bench.options);
  ShortRangeResult result;
  const Context::During orderly(context, Context::Phase::orderly);
  {
    Progress progress("bench", context);
    result = bench_short_range(bench, [&](double done, const ShortRangeRow& row) {
      progress.show(done, [&] {
        return fmt::format("{} {} {}, {} bodies", name_of(row.problem), row.backend, name_of(row.precision),
                           row.bodies);
      });
      return context.stopped();
    });
  }
  if (!result.rates.empty()) report.add("copy_rates", records(result.rates), to_text(result.rates));
  add_absences(report, absences);
  BenchResult all = finished(std::move(report), records(result.rows),
                             fmt::format("{}{}\n{}", legend, sources(result.rows), table(result.rows)),
                             std::ranges::all_of(result.rows, has_failed<ShortRangeRow>), context);
  all.report.add_to_json("published", published_records(result.rows));
  return all;
}

}  // namespace

const Suite short_range_suite{
    .name = "short-range",
    .meaning = "runs with short-range forces, compared with memory copies and published times",
    .run = run,
    .has_quick = true};

}  // namespace orrery::pipeline
