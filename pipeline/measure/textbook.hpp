// SPDX-License-Identifier: MIT
// The textbook force loop: the baseline of comparisons.
#pragma once

#include <cstddef>

#include "sim/bodies.hpp"

namespace orrery::pipeline {

/// a_i = Σ_j m_j (x_j − x_i) / r³, r² = |x_j − x_i|² + ε², for i in [begin, end), ε² = `softening2` > 0. Each pair from
/// both sides, with a root and a division, in scalar double; compiled with -O2 in every build. O(n) per body.
void textbook_accelerations(const sim::Bodies& bodies, double softening2, std::size_t begin, std::size_t end,
                            sim::Vectors& accelerations);

}  // namespace orrery::pipeline
