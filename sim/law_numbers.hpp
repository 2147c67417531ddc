// SPDX-License-Identifier: MIT
// The numbers that a force law or an external field computes with.
#pragma once

namespace orrery::sim {

/// Few numbers of fixed count, so that a kernel takes them by value. Which of them a law uses, and for what, its header says;
/// the others are 0.
struct LawNumbers {
  double at[8] = {};

  friend bool operator==(const LawNumbers&, const LawNumbers&) = default;
};

}  // namespace orrery::sim
