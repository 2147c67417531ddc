// SPDX-License-Identifier: MIT
// A matrix of all pairs in a GPU's memory, by blocks of different sizes.
#pragma once

#include <memory>

#include "sim/bodies.hpp"
#include "sim/study/setting.hpp"
#include "sim/study/work.hpp"

namespace orrery::sim::study {

/// Operations of an element m_i m_j (r² + ε²)^(−1/2) as they are usually counted: 3 differences, 3 fused sums, a root, 2 products.
inline constexpr double flops_of_an_element = 12;

/// Fills n × n floats with −m_i m_j / r, softened: a block of so many threads takes as many columns and 32 rows. The compiler knows
/// the block size or does not. Null for a size that is not compiled, and without CUDA. Throws Error where memory is short.
std::unique_ptr<Work> make_matrix_tiles(unsigned block, bool compile_time, const Bodies& bodies,
                                        const Setting& setting);

}  // namespace orrery::sim::study
