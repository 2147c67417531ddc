// SPDX-License-Identifier: MIT
// The machine that a study was measured on.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/backend.hpp"

namespace orrery::pipeline {

struct MachineFacts {
  std::string name;  ///< short, of file names: "nvidia-h200", "amd-epyc-2"
  bool has_gpu = false;
  std::vector<std::pair<std::string, std::string>> facts;  ///< "processor", "AMD EPYC, 2 threads", …
};

/// Asks the system and, if `gpu` is one of CUDA, its driver.
MachineFacts machine_facts(const sim::BackendKind* gpu, const sim::BackendOptions& options);

}  // namespace orrery::pipeline
