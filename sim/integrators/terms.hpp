// SPDX-License-Identifier: MIT
// Builds the terms of Backend::combine for sums that are too long to write out.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sim/backend.hpp"

namespace orrery::sim {

/// The work vectors first, first + 1, …
struct Columns {
  int first;

  [[nodiscard]] constexpr Column operator[](std::size_t k) const { return own_column(first + static_cast<int>(k)); }
};

/// At most `most_terms` terms. The smallest are added first to reduce rounding.
class Terms {
 public:
  Terms& add(double factor, Column source) {
    terms_[count_++] = {factor, source};
    return *this;
  }
  /// Adds unit · factors[k] · columns[k], the last one first, without those of factor 0, whose columns may be
  /// undefined.
  template <std::size_t n>
  Terms& add(const std::array<double, n>& factors, Columns columns, double unit = 1) {
    for (std::size_t k = n; k-- > 0;) {
      if (factors[k] != 0) add(unit * factors[k], columns[k]);
    }
    return *this;
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  operator std::span<const Term>() const { return {terms_.data(), count_}; }

 private:
  std::array<Term, most_terms> terms_;
  std::size_t count_ = 0;
};

}  // namespace orrery::sim
