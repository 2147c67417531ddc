// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/compare/diff.hpp"
#include "pipeline/context.hpp"

namespace orrery::pipeline {

struct VerifyOptions {
  std::filesystem::path file;
  std::string frames;                  ///< "a:b", "a:", ":b"; empty: all of them
  std::vector<std::string> overrides;  ///< of keys in [backend]
  std::string command_line;            ///< for provenance
};

/// Runs the scenario in the file again and compares all bits of frames and rows. With `frames`, starts from the stored frame before
/// them if it contains the whole state. Throws Error if the run cannot be repeated.
Verdict verify(const VerifyOptions& options, Context& context);

}  // namespace orrery::pipeline
