// SPDX-License-Identifier: MIT
// Facts for people as a table, and for programs as JSON.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/parameter.hpp"

namespace orrery::pipeline {

/// A value as JSON; a number that JSON does not have is null.
std::string to_json(const Value& value);
std::string to_json(const Arguments& values);

class Report {
 public:
  /// `key` is the name in JSON; `text` is how people read the value, the value itself where it is empty.
  void add(std::string key, Value value, std::string text = "");
  /// A fact for programs alone.
  void add_to_json(std::string key, Value value) { facts_.push_back({std::move(key), std::move(value), ""}); }
  /// One line a fact: the key with blanks for underscores, and its text.
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
