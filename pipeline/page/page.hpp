// SPDX-License-Identifier: MIT
// A page of one or several runs: one file in HTML, to be handed on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/context.hpp"

namespace orrery::pipeline {

/// Sizes of a page that can be asked for, in MB.
inline constexpr double smallest_page = 0.5, largest_page = 500;

struct PageOptions {
  std::vector<std::filesystem::path> runs;        ///< trajectories, or folders of runs; at least one
  std::optional<std::filesystem::path> output{};  ///< default: page.html beside the first run
  double size = 5;                                ///< of the file, in MB, at most
  Replacing replacing = Replacing::ours;
};

/// Writes it, and returns its name; "" if it was stopped. Throws Error, Fault::request for what cannot be shown.
std::filesystem::path write_page(const PageOptions& options, Context& context);

}  // namespace orrery::pipeline
