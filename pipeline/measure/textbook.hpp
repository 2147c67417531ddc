// SPDX-License-Identifier: MIT
// The force loop as textbooks have it: what other loops are compared with.
#pragma once

#include <cstddef>

#include "sim/bodies.hpp"

namespace orrery::pipeline {

/// a_i = Σ_j m_j (x_j − x_i) / r³, r² = |x_j − x_i|² + ε², for the bodies begin … end, ε² = `softening2` > 0. One body
/// after the other, each pair from both sides, in scalar double; compiled with -O2 in every build.
void textbook_accelerations(const sim::Bodies& bodies, double softening2, std::size_t begin, std::size_t end,
                            sim::Vectors& accelerations);

}  // namespace orrery::pipeline
