// SPDX-License-Identifier: MIT
// Terms of a combination of columns, collected by methods whose sums are too long to write out.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sim/backend.hpp"

namespace orrery::sim {

/// The columns first, first + 1, …
struct Columns {
  int first;

  [[nodiscard]] constexpr Column operator[](std::size_t k) const { return own_column(first + static_cast<int>(k)); }
};

/// At most 32 terms. What counts least comes first, so that rounding sees it.
class Terms {
 public:
  Terms& add(double factor, Column source) {
    terms_[count_++] = {factor, source};
    return *this;
  }
  /// factors[k] · columns[k], the last one first, but for those with factor 0, which may hold anything.
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
  std::array<Term, 32> terms_;
  std::size_t count_ = 0;
};

}  // namespace orrery::sim
