// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <toml++/toml.h>
#include <xxhash.h>

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

std::string toml_line(std::string_view key, const Value& value) {
  return fmt::format("{} = {}\n", key, to_toml(value));
}

std::string brief_toml(const Value& value) {
  constexpr std::size_t longest = 200, few = 4;  // characters, bodies
  const auto* bodies = std::get_if<SharedColumns>(&value);
  const std::string text = bodies != nullptr && (*bodies)->rows > few ? "" : to_toml(value);
  if (!text.empty() && text.size() <= longest) return text;
  if (bodies != nullptr) return fmt::format("({} bodies, XXH3 {})", (*bodies)->rows, hash_text(**bodies));
  return fmt::format("({} characters, XXH3 {:016x})", text.size(), XXH3_64bits(text.data(), text.size()));
}

Value value_of(const toml::node& node) {
  if (const auto* yes = node.as_boolean()) return yes->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  const toml::array* list = node.as_array();
  if (list == nullptr) return std::vector<Arguments>();
  std::vector<double> numbers;
  std::vector<std::string> texts;
  bool all_numbers = true;
  for (const toml::node& entry : *list) {
    const Value value = value_of(entry);
    const auto* several = std::get_if<std::vector<double>>(&value);
    const auto number = number_in(value);
    all_numbers = all_numbers && (several != nullptr || number);
    if (several != nullptr) numbers.insert(numbers.end(), several->begin(), several->end());
    if (number) numbers.push_back(*number);
    texts.push_back(entry.is_string() ? entry.as_string()->get() : to_toml(entry));
  }
  if (all_numbers) return numbers;
  return texts;
}

std::optional<double> number_in(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  const auto* number = std::get_if<double>(&value);
  return number == nullptr ? std::nullopt : std::optional(*number);
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
