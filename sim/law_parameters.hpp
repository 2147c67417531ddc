// SPDX-License-Identifier: MIT
#pragma once

namespace orrery::sim {

/// The numbers of a force law or external field, of fixed count so that kernels take them by value; the law's header
/// says what they are. Unused ones are 0.
struct LawParameters {
  double at[8] = {};

  friend bool operator==(const LawParameters&, const LawParameters&) = default;
};

}  // namespace orrery::sim
