// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/context.hpp"
#include "pipeline/study/result.hpp"

namespace orrery::pipeline {

struct StudyOptions {
  std::vector<std::string> names;
  bool all = false;                      ///< every study that this machine can run
  bool quick = false;                    ///< few sizes, takes seconds
  std::vector<std::size_t> sizes{};      ///< numbers of bodies; empty: the default of each study
  std::vector<std::string> overrides{};  ///< keys of [backend]
  std::filesystem::path scratch{};       ///< for temporary files; empty: that of the system
};

/// Runs the studies on this machine, fewer after a signal. Throws Error, Fault::request, for an unknown study, or one that
/// needs a GPU if there is none.
std::vector<StudyResult> measure(const StudyOptions& options, Context& context);

}  // namespace orrery::pipeline
