// SPDX-License-Identifier: MIT
// What can be measured of this machine's speed: the list of suites, and what each of them returns.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/messages.hpp"
#include "pipeline/report.hpp"

namespace orrery::pipeline {

struct BenchOptions {
  std::vector<std::size_t> sizes{};               ///< numbers of bodies; empty: those of the suite
  std::vector<std::string> overrides{};           ///< of [backend]
  int neighbours = 0;                             ///< threads that spin while steps are measured
  bool all = false;                               ///< every kernel, and what takes long
  bool quick = false;                             ///< what takes a few seconds
  std::optional<std::filesystem::path> folder{};  ///< for files that are measured
};

struct BenchResult {
  Report report;        ///< the machine, and all rows for programs
  std::string table;    ///< the rows for people, and what they mean
  bool failed = false;  ///< no row, or of some suites not every row, could be measured
  int signal = 0;       ///< that came before all was measured
};

struct Suite {
  std::string_view name, meaning;
  /// Throws Error.
  BenchResult (*run)(const BenchOptions& options, Messages& messages);
  bool has_quick = false;  ///< it knows what to leave out
};

struct BenchRow;
/// Rows of the suite `forces`: aligned columns under their names; a row that has no numbers says why.
std::string table(const std::vector<BenchRow>& rows);

extern const Suite forces_suite, short_range_suite, trajectory_suite, render_suite;

/// Every suite; the first is the usual one.
std::span<const Suite* const> suites();

}  // namespace orrery::pipeline
