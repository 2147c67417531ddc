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

namespace orrery::pipeline::testing {

/// Selects the coefficient: in the nth combination into `target` of each step, counted from 0, or in every one, that of
/// the last term whose factor is not ±1, or of an earlier such term.
struct Site {
  sim::Column target = sim::Column::position;
  std::optional<std::int64_t> nth;
  std::int64_t before_last = 0;  ///< of those terms
  double factor = 1 + 1e-4;
};

class DisturbedBackend final : public sim::Backend {
 public:
  DisturbedBackend(std::unique_ptr<sim::Backend> inner, const Site& site)
      : Backend(inner->download(sim::Column::position).size()), inner_(std::move(inner)), site_(site) {}

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
  [[nodiscard]] sim::Vectors download(sim::Column column) const override { return inner_->download(column); }
  [[nodiscard]] double least_r2() const override { return inner_->least_r2(); }
  [[nodiscard]] std::string hardware() const override { return inner_->hardware(); }
  [[nodiscard]] std::string kernel() const override { return inner_->kernel(); }

 private:
  void compute_acceleration(bool with_potential) override {
    inner_->expect_observation(with_potential);
    inner_->accelerate();
  }
  void compute_acceleration_and_jerk(sim::Column jerk) override { inner_->accelerate_with_jerk(jerk); }
  sim::Observables measure() override { return inner_->observe(); }
  void store(sim::Column column, const sim::Vectors& values) override { inner_->upload(column, values); }
  void compute_combination(sim::Column target, std::span<const sim::Term> terms) override {
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
    inner_->combine(target, said);
  }

  std::unique_ptr<sim::Backend> inner_;
  Site site_;
  std::int64_t count_ = 0, terms_ = 0;
};

}  // namespace orrery::pipeline::testing
