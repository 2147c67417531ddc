// SPDX-License-Identifier: MIT
#include "pipeline/page/phrases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "pipeline/named_unit.hpp"
#include "pipeline/number_text.hpp"
#include "pipeline/printable.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {
namespace {

std::string value_in_words(const Value& value, const PhysicalUnit& unit) {
  if (const auto one = number_in(value)) return quantity(*one, unit);
  if (const auto* text = std::get_if<std::string>(&value)) return in_quotes(*text);
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
    std::vector<std::string> entries;
    for (const double each : *numbers) entries.push_back(number(each));
    return with_unit(fmt::format("({})", fmt::join(entries, ", ")), unit);
  }
  return printable(brief_toml(value));
}

}  // namespace

// A file may have any text as a unit.
RunUnits::RunUnits(const RunRecord& record)
    : length(printable(record.length_unit)), time(printable(record.time_unit)), mass(printable(record.mass_unit)) {}

PhysicalUnit RunUnits::of(std::string_view dimension) const {
  if (dimension == "length") return length;
  if (dimension == "time") return time;
  if (dimension == "mass") return mass;
  if (dimension == "length/time") return speed();
  if (dimension == "energy") return energy();
  return {};
}

std::string number(double value, int digits) {
  if (std::isnan(value)) return "unknown";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  return typeset(fmt::format("{:.{}g}", value, digits));
}

std::string small(double value) {
  const double size = std::abs(value);
  const bool plain = size == 0 || !std::isfinite(value) || (size >= 0.1 && size < 1000);
  return plain ? number(value, 3) : typeset(fmt::format("{:.2e}", value));
}

std::string quantity(double value, const PhysicalUnit& unit, int digits) {
  return with_unit(number(value, digits), unit);
}

std::string with_commas(std::int64_t count) {
  std::string digits = std::to_string(count);
  if (std::abs(count) < 10'000) return digits;
  const auto first = static_cast<std::ptrdiff_t>(digits.starts_with('-') ? 1 : 0);
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > first; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string counted(std::int64_t count, std::string_view singular, std::string_view plural) {
  const std::string many = plural.empty() ? fmt::format("{}s", singular) : std::string(plural);
  return fmt::format("{} {}", with_commas(count), count == 1 ? std::string(singular) : many);
}

std::string counted_in_words(std::int64_t count, std::string_view singular, std::string_view plural) {
  static constexpr std::array<std::string_view, 13> words{"no",    "one",   "two",  "three", "four",   "five",  "six",
                                                          "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  if (count < 0 || count >= std::ssize(words)) return counted(count, singular, plural);
  return fmt::format("{} {}", words[static_cast<std::size_t>(count)], count == 1 ? singular : plural);
}

std::string ordinal(int n) {
  static constexpr std::array<std::string_view, 9> words{"",      "first", "second",  "third", "fourth",
                                                         "fifth", "sixth", "seventh", "eighth"};
  if (n > 0 && n < std::ssize(words)) return std::string(words[static_cast<std::size_t>(n)]);
  const bool teen = n / 10 % 10 == 1;
  const char* ending = teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return fmt::format("{}{}", n, ending);
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
  if (words.empty()) return "";
  const std::vector<std::string> before(words.begin(), words.end() - 1);
  if (before.empty()) return words.back();
  return fmt::format("{} {} {}", fmt::join(before, ", "), last, words.back());
}

std::string listed_briefly(std::vector<std::string> words, std::size_t most) {
  if (words.size() > most) {
    const std::size_t others = words.size() - (most - 1);
    words.resize(most - 1);
    words.push_back(counted(static_cast<std::int64_t>(others), "other"));
  }
  return listed(words);
}

std::string at_start(std::string words) {
  if (words.starts_with("body ") && words.size() > 5 && words[5] >= '0' && words[5] <= '9') words[0] = 'B';
  return words;
}

std::string after_comma(std::string_view text) {
  return text.empty() ? "" : ", " + printable(text);
}

std::string in_quotes(std::string_view text) {
  return fmt::format("“{}”", printable(text));
}

std::string key_in_words(const Parameter& key, const Value& value, const RunUnits& units) {
  if (std::holds_alternative<SharedColumns>(value) || std::holds_alternative<std::vector<Arguments>>(value)) return "";
  if (key.name == "softening" && number_in(value) == 0.0) return "no softening";
  return fmt::format("{} = {}", key.name, value_in_words(value, units.of(key.unit)));
}

std::string readable_time(double time, const RunRecord& record) {
  std::string readable = in_readable_unit(time, record.time_unit);
  if (const std::size_t minus = readable.find("(-"); minus != std::string::npos) readable.replace(minus + 1, 1, "−");
  return quantity(time, RunUnits(record).time) + readable;
}

std::string time_in_words(double time, const RunRecord& record) {
  return "t = " + readable_time(time, record);
}

std::string in_timescales(double time, const InitialFacts& facts) {
  if (!(facts.timescale > 0) || facts.timescale_name.empty()) return "";
  const std::string count = number(std::abs(time) / facts.timescale, 4);
  return fmt::format("{} {}{}", count, printable(facts.timescale_name), count == "1" ? "" : "s");
}

}  // namespace orrery::pipeline
