// SPDX-License-Identifier: MIT
// A trajectory of another program as a run: with its energies, for figures, tables and comparisons, but without an engine that could
// continue or repeat it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "pipeline/context.hpp"
#include "pipeline/formats/import.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

struct ImportedRun {
  ImportedFrames read{};
  std::string title, source;         ///< "frames/*.csv"
  std::optional<double> interval{};  ///< between frames, in place of their times
  const Scenario* scenario =
      nullptr;  ///< of the same problem: its forces, constants and, if the files have none, masses and names
  std::string command_line{};  ///< for provenance
};

/// Writes a finished run of these frames. Its rows have the energies that the forces give; without velocities they have no kinetic one,
/// which is NaN. The file must not exist. Throws Error. Returns what was assumed, a line each.
std::vector<std::string> write_imported_run(ImportedRun run, const std::filesystem::path& file, Context& context);

/// Throws Error, Fault::request, if the run was imported: "FILE: was imported from …, so it cannot be WHAT".
void refuse_imported(const RunRecord& record, const std::filesystem::path& file, const std::string& what);

}  // namespace orrery::pipeline
