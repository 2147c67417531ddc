// SPDX-License-Identifier: MIT
// The near pairs of the tree on the processor, compiled once per SIMD target; the bits are the same for all.
#pragma once

#include <cstddef>

#include "sim/backends/simd/targets.hpp"
#include "sim/law_parameters.hpp"

namespace orrery::sim::simd {

/// Sources of one segment, padded to whole lanes by sources of weight 0 in the far distance.
struct NearSegment {
  const double *x, *y, *z, *w;
  std::size_t count;  ///< with padding
  double softening2;
  LawParameters parameters;
};

/// Bodies of a leaf as targets; numbers of a segment's source that is the body itself, or none: −1.
struct NearTargets {
  const double *x, *y, *z;
  const double* self;
  std::size_t count;
};

/// Far coordinate of padding: r² from any body is in the range of every law.
inline constexpr double padding_place = 0x1p339;

struct NearLoops {
  /// out[q][i] ← out[q][i] + the folded sums over a segment; [law][potential], laws in the order of sim/forces/list.hpp.
  using Meet = void (*)(const NearSegment& segment, const NearTargets& targets, double* const* out);
  const Meet (*laws)[2];
};

const NearLoops& near_loops(Target target);
const NearLoops& near_loops(target::avx512);
const NearLoops& near_loops(target::avx2);
const NearLoops& near_loops(target::neon);
const NearLoops& near_loops(target::generic);

}  // namespace orrery::sim::simd
