// SPDX-License-Identifier: MIT
// A backend that carries out every operation, with one coefficient slightly wrong.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/integrator.hpp"
#include "tests/sim/forwarding_backend.hpp"

namespace orrery::pipeline::testing {

/// Selects the coefficient: in the nth combination into `target` of each step, counted from 0, or in every one, that of
/// the last term whose factor is not ±1, or of an earlier such term.
struct Site {
  sim::Column target = sim::Column::position;
  std::optional<std::int64_t> nth;
  std::int64_t before_last = 0;  ///< of those terms
  double factor = 1 + 1e-4;
};

class DisturbedBackend final : public sim::testing::ForwardingBackend {
 public:
  DisturbedBackend(std::unique_ptr<sim::Backend> inner, const Site& site)
      : ForwardingBackend(std::move(inner)), site_(site) {}

  /// Combinations into the target in the last step.
  [[nodiscard]] std::int64_t combinations() const { return count_; }
  /// Number of terms with a factor other than ±1 in the last disturbed combination.
  [[nodiscard]] std::int64_t terms() const { return terms_; }

  void repeat(const sim::Integrator& integrator, const sim::Step& first, std::int64_t times,
              bool /*tracked*/) override {
    for (std::int64_t k = 0; k < times; ++k) {
      count_ = 0;
      integrator.step(*this, first.later(k));
    }
  }

 private:
  void carry_out(const sim::Operation& one) override {
    if (one.is_evaluation()) return ForwardingBackend::carry_out(one);
    as_combination(one,
                   [&](sim::Column target, std::span<const sim::Term> terms) { combine_disturbed(target, terms); });
  }
  void combine_disturbed(sim::Column target, std::span<const sim::Term> terms) {
    std::vector<sim::Term> said(terms.begin(), terms.end());
    if (target == site_.target && (!site_.nth || *site_.nth == count_)) {
      terms_ = 0;
      for (std::size_t k = said.size(); k-- > 0;) {
        const double size = std::abs(said[k].factor);
        if (size == 1 || size < 1e-16) continue;  // a sign, or a coefficient that cancels in theory
        if (terms_++ == site_.before_last) said[k].factor *= site_.factor;
      }
    }
    count_ += static_cast<std::int64_t>(target == site_.target);
    inner().combine(target, said);
  }

  Site site_;
  std::int64_t count_ = 0, terms_ = 0;
};

}  // namespace orrery::pipeline::testing
