// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "common/error.hpp"

namespace orrery::pipeline {

/// A refusal of a key or its value, "PLACE: what", which also says which key it is.
class KeyError : public Error {
 public:
  KeyError(const std::string& place, std::string_view key, const std::string& what)
      : Error(place + ": " + what, Fault::request), place_(place), key_(key) {}

  /// Where the key stands: "file:line:column".
  [[nodiscard]] const std::string& place() const { return place_; }
  /// The key; "" for a whole table.
  [[nodiscard]] const std::string& key() const { return key_; }

 private:
  std::string place_, key_;
};

}  // namespace orrery::pipeline
