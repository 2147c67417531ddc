// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "pipeline/page/known_run.hpp"

namespace orrery::pipeline {

Methods methods(const KnownRun& /*run*/) {
  return {};
}

}  // namespace orrery::pipeline
