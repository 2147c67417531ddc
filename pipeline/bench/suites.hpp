// SPDX-License-Identifier: MIT
// The suites of `orrery bench` and what they share.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "pipeline/context.hpp"
#include "pipeline/measure/timing.hpp"
#include "pipeline/report.hpp"
#include "pipeline/scenario/backend_request.hpp"
#include "pipeline/scenario/section.hpp"
#include "sim/backend.hpp"

namespace orrery::pipeline {

struct BenchOptions {
  std::vector<std::size_t> sizes{};               ///< numbers of bodies; empty: default of the suite
  std::vector<std::string> overrides{};           ///< keys of [backend]
  int neighbours = 0;                             ///< threads that keep cores busy during measurements
  bool all = false;                               ///< every kernel, and slow rows
  bool quick = false;                             ///< few rows, takes seconds
  std::optional<std::filesystem::path> folder{};  ///< for temporary files
};

struct BenchResult {
  Report report;        ///< the machine, and all rows as JSON
  std::string table;    ///< all rows as text, with a legend
  bool failed = false;  ///< all rows failed; in some suites, any row
  bool stopped = false;
};

struct Suite {
  std::string_view name, meaning;
  /// Throws Error.
  BenchResult (*run)(const BenchOptions& options, Context& context);
  bool has_quick = false;  ///< supports --quick
};

/// The backend of [backend], or else all available ones but the reference. Adds the reasons why others are missing to
/// `absences`. Throws Error, Fault::request, if there is none.
std::vector<const sim::BackendKind*> kinds_to_measure(const BackendRequest& request,
                                                      std::vector<std::string>& absences);

/// Program, suite and processor.
Report begin_report(std::string_view suite);
void add_load(Report& report);
/// These, clocks and devices. Call it before the measurement, since it also reports the load average.
Report describe_machine(std::string_view suite, const std::vector<const sim::BackendKind*>& kinds,
                        const sim::BackendOptions& options);
void add_absences(Report& report, const std::vector<std::string>& absences);
void add_timing(Arguments& record, const Timing& timing);

/// Adds the rows to the report, and whether the measurement was stopped.
BenchResult finished(Report report, std::vector<Arguments> rows, std::string table, bool failed,
                     const Context& context);

struct BenchRow;
struct ShortRangeRow;
/// Rows as text in aligned columns; a failed row has the reason.
std::string table(const std::vector<BenchRow>& rows);
std::string table(const std::vector<ShortRangeRow>& rows);
/// Published times for the problems and numbers of bodies among `rows`, for JSON.
std::vector<Arguments> published_records(const std::vector<ShortRangeRow>& rows);

extern const Suite forces_suite, short_range_suite, tree_suite, scaling_suite, trajectory_suite, render_suite;

/// All suites; the first is the default.
std::span<const Suite* const> suites();

}  // namespace orrery::pipeline
