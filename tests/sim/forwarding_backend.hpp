// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "sim/backend.hpp"

namespace orrery::sim::testing {

/// Passes every operation on to another backend. Tests derive from it, and override what is different in theirs.
class ForwardingBackend : public Backend {
 public:
  /// Of bodies in open space.
  explicit ForwardingBackend(std::unique_ptr<Backend> inner)
      : Backend(inner->download(Column::position).size()), inner_(std::move(inner)) {}

  [[nodiscard]] Vectors download(Column column) const override { return inner_->download(column); }
  void greatest(std::span<const Column> columns, std::span<Greatest> found) const override {
    inner_->greatest(columns, found);
  }
  void half_extents(std::span<const Column> columns, std::span<double> found) const override {
    inner_->half_extents(columns, found);
  }
  [[nodiscard]] double min_r2() const override { return inner_->min_r2(); }
  [[nodiscard]] std::string hardware() const override { return inner_->hardware(); }
  [[nodiscard]] std::string kernel() const override { return inner_->kernel(); }

 protected:
  [[nodiscard]] Backend& inner() { return *inner_; }

  void carry_out(const Operation& one) override { inner_->execute(one); }
  Observables measure() override { return inner_->observe(); }
  void store(Column column, const Vectors& values) override { inner_->upload(column, values); }

 private:
  std::unique_ptr<Backend> inner_;
};

}  // namespace orrery::sim::testing
