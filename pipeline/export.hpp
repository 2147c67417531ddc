// SPDX-License-Identifier: MIT
// Export formats for other programs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/context.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// An export to be written.
struct ExportJob {
  const TrajectoryReader& trajectory;
  std::filesystem::path file;    ///< the trajectory
  std::filesystem::path folder;  ///< of the output; empty: the current folder
  std::size_t begin, end;        ///< frames [begin, end)
  bool all;                      ///< no range of frames was requested
  Context& context;
  TextOutput& out;
  std::string around{};           ///< of formats with orbits: a body by its name or number from 0; empty: the heaviest
  bool single_precision = false;  ///< of formats with a precision: float32 although the frames are float64

  /// Calls visit(i, frame) for each frame until it is stopped; shows progress.
  void for_each_frame(const std::function<void(std::size_t, const sim::Snapshot&)>& visit) const;
};

struct ExportFormat {
  std::string_view name;
  std::string_view meaning;
  /// Writes to job.out until done or stopped, and notes in job.context what the format cannot hold. Throws Error.
  void (*write)(const ExportJob& job);
  bool orbits = false;                      ///< uses `around`
  bool of_state = false;                    ///< also of a single state that no run has
  bool one_frame = false;                   ///< holds one: that of --frames, or the last
  bool binary = false;                      ///< bytes, which no terminal gets; by name: TextOutput::draft
  bool precision = false;                   ///< numbers are float64, or float32 by --precision
  Replacing replaces = Replacing::nothing;  ///< `ours` if the text states that orrery wrote it
};

std::span<const ExportFormat* const> export_formats();

}  // namespace orrery::pipeline
