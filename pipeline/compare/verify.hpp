// SPDX-License-Identifier: MIT
// The run in a trajectory made again and compared with what is stored.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/compare/diff.hpp"
#include "pipeline/messages.hpp"

namespace orrery::pipeline {

struct VerifyOptions {
  std::filesystem::path file;
  std::string frames;                  ///< "a:b", "a:", ":b"; empty: all of them
  std::vector<std::string> overrides;  ///< of [backend]: what computes
  std::string command_line;            ///< for provenance
};

/// Steps the scenario that the file holds and compares every bit of frames and rows. Of some frames alone it starts from the
/// stored frame before them, where that is a whole state. Throws Error where the run cannot be made again.
Verdict verify(const VerifyOptions& options, Messages& messages);

}  // namespace orrery::pipeline
