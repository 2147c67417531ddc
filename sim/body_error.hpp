// SPDX-License-Identifier: MIT
// Errors that are about certain bodies, so that a caller can say where these are written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "common/parameter.hpp"

namespace orrery::sim {

/// A value of one body that a force does not allow.
class BodyArgumentError : public ArgumentError {
 public:
  BodyArgumentError(std::string_view name, std::size_t body, const std::string& what)
      : ArgumentError(name, what), body_(body) {}
  [[nodiscard]] std::size_t body() const { return body_; }

 private:
  std::size_t body_;
};

/// A state that bodies left the range of numbers in.
class BodyError : public Error {
 public:
  BodyError(std::vector<std::size_t> bodies, const std::string& what) : Error(what), bodies_(std::move(bodies)) {}
  [[nodiscard]] const std::vector<std::size_t>& bodies() const { return bodies_; }

 private:
  std::vector<std::size_t> bodies_;
};

}  // namespace orrery::sim
