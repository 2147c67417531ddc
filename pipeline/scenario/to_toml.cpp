// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <toml++/toml.h>

#include <array>
#include <charconv>
#include <sstream>

#include "pipeline/scenario/columns.hpp"
#include "pipeline/scenario/section_reader.hpp"

namespace orrery::pipeline {
namespace {

struct Writer {
  std::string operator()(bool x) const { return x ? "true" : "false"; }
  std::string operator()(std::int64_t x) const { return fmt::format("{}", x); }
  std::string operator()(double x) const {
    const std::string digits = fmt::format("{}", x);  // the shortest that reads back the same
    return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
  }
  std::string operator()(const std::string& x) const {
    const toml::value<std::string> quoted(x);
    std::ostringstream out;
    out << toml::toml_formatter(quoted, toml::format_flags::allow_unicode_strings);  // one line, in double quotes
    return out.str();
  }
  template <class T>
  std::string operator()(const std::vector<T>& entries) const {
    std::string all = "[";
    for (const T& entry : entries) all += (all.size() > 1 ? ", " : "") + (*this)(entry);
    return all + "]";
  }
  std::string operator()(const Arguments& record) const {
    std::string all = "{ ";
    for (const auto& [name, field] : record)
      all += (all.size() > 2 ? ", " : "") + name + " = " + std::visit(*this, field);
    return all + " }";
  }
  std::string operator()(const SharedColumns& table) const {
    std::string all = "[";
    for (std::size_t row = 0; row < table->rows; ++row) all += (row > 0 ? ", " : "") + (*this)(row_of(*table, row));
    return all + "]";
  }
};

}  // namespace

std::string to_toml(const Value& value) {
  return std::visit(Writer(), value);
}

std::string to_toml(const toml::node& node) {
  std::string all;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& entry : *array) all += (all.empty() ? "" : ", ") + to_toml(entry);
    return "[" + all + "]";
  }
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, entry] : *table)
      all += fmt::format("{}{} = {}", all.empty() ? "" : ", ", Writer()(std::string(key.str())), to_toml(entry));
    return "{ " + all + " }";
  }
  if (const auto* number = node.as_floating_point()) return Writer()(number->get());
  std::ostringstream out;
  out << toml::toml_formatter(node, toml::format_flags::none);
  return out.str();
}

std::string shortest_text(double value) {
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string digits(buffer.data(), end);
  std::erase(digits, '+');
  if (const auto zero = digits.find("e0"); zero != std::string::npos) digits.erase(zero + 1, 1);
  return digits;
}

}  // namespace orrery::pipeline
