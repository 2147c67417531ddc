// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/parameter.hpp"

namespace orrery::pipeline {

/// Returns a value as JSON; infinities and NaN become null.
std::string to_json(const Value& value);
std::string to_json(const Arguments& values);

/// Facts, printed as a table or as JSON.
class Report {
 public:
  /// `key` is the name in JSON; `text` is the value in the table, by default `value` as TOML.
  void add(std::string key, Value value, std::string text = "");
  /// Adds a fact that the table leaves out.
  void add_to_json(std::string key, Value value) { facts_.push_back({std::move(key), std::move(value), ""}); }
  /// Returns one line per fact: the key, with blanks for underscores, and the text.
  [[nodiscard]] std::string table() const;
  [[nodiscard]] std::string json() const;

 private:
  struct Fact {
    std::string key;
    Value value;
    std::string text;
  };
  std::vector<Fact> facts_;
};

}  // namespace orrery::pipeline
