// SPDX-License-Identifier: MIT
// Which bodies the frames of a trajectory keep.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/scenario/section.hpp"
#include "sim/bodies.hpp"

namespace orrery::pipeline {

/// What `bodies`, `bodies_every` and `components` of [trajectory] come to: ascending numbers, none where all are kept.
/// The first two are found among `bodies`, whose species are numbers in `components`. Throws Error, exit code 2.
std::vector<std::int64_t> kept_bodies(const Section& trajectory, const sim::Bodies& bodies,
                                      const std::vector<std::string>& components);

}  // namespace orrery::pipeline
