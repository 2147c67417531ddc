// SPDX-License-Identifier: MIT
// A format for other people's programs describes itself and writes; the list of all of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "pipeline/messages.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// What is to be written of which file, and where it goes.
struct ExportJob {
  const TrajectoryReader& trajectory;
  std::filesystem::path file;    ///< of the trajectory
  std::filesystem::path folder;  ///< that the output will lie in; empty: where the program runs
  std::size_t begin, end;        ///< frames [begin, end)
  bool all;                      ///< nobody asked for some frames only
  Messages& messages;
  TextOutput& out;

  /// Calls visit(i, frame) for each frame, until a signal comes; shows how far it is.
  void for_each_frame(const std::function<void(std::size_t, const sim::Snapshot&)>& visit) const;
};

struct ExportFormat {
  std::string_view name;
  std::string_view meaning;
  /// Writes everything unless a signal stops it. Throws Error.
  void (*write)(const ExportJob& job);
  Replacing replaces = Replacing::nothing;  ///< `ours` where the text says that orrery wrote it
};

/// Every format.
std::span<const ExportFormat* const> export_formats();

}  // namespace orrery::pipeline
