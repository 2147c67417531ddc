// SPDX-License-Identifier: MIT
#include "tests/generator/values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>

namespace orrery::generator {
namespace {

constexpr std::array edge_numbers{
    "0",   "-0.0", "1",      "-1",         "0.5",   "5e-324", "1e-320", "1e-300", "-1e-9", "1e-9",
    "1e9", "1e15", "1e150",  "-1e150",     "1e308", "-1e308", "nan",    "inf",    "-inf",  "1.7976931348623157e308",
    "0.1", "2",    "1e-160", "4294967296", "1e1000"};
constexpr std::array edge_integers{"0",  "1",  "2",  "3",     "-1",         "7",
                                   "33", "64", "65", "65536", "2147483648", "9223372036854775807"};
constexpr std::array edge_texts{
    "\"\"",     "\"a\"",          "\"auto\"",        "\"0\"",   "\"0:9\"",        "\"…\"",
    "\"\\n\"",  "\"\\u0000\"",    "\"\\u001b[31m\"", "\"a.b\"", "\"1/0 period\"", "\"1e300 periods\"",
    "\"none\"", "\"1/7 period\"", "\"3 hours\"",     "\"-1\"",  "\"../a\"",       "\"é ü 木\""};
constexpr std::array other_types{"true",   "[]",    "{}",         "\"a\"", "0",      "0.5",
                                 "[1, 2]", "[[1]]", "1979-05-27", "[{}]",  "[\"a\"]"};

bool is_counted(const Parameter& key) {
  return key.kind == Kind::integer;
}

/// Numbers of bodies that are around the sizes of blocks, and others.
std::string count_text(Random& random, std::size_t many) {
  constexpr std::array sizes{1, 2, 3, 4, 5, 7, 8, 17, 31, 32, 33, 64, 65, 100, 128, 129, 257};
  std::size_t size = 0;
  do size = static_cast<std::size_t>(any(sizes, random));
  while (size > many);
  return fmt::format("{}", size);
}

/// Scales every decimal number that is not in quotes, and keeps it in the range.
std::string scaled_numbers(const std::string& text, const Range& range, Random& random) {
  static const std::regex number(R"("[^"]*"|[-+]?\d+(\.\d+)?([eE][-+]?\d+)?)");
  std::string result;
  std::size_t end = 0;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), number); it != std::sregex_iterator(); ++it) {
    result += text.substr(end, static_cast<std::size_t>(it->position()) - end);
    const std::string word = it->str();
    end = static_cast<std::size_t>(it->position()) + word.size();
    if (word.starts_with('"')) {
      result += word;
      continue;
    }
    double value = std::stod(word);
    value = value == 0 ? (chance(random, 0.5) ? 0 : uniform(random, -0.4, 0.6)) : scaled(random, value, 1.5);
    if (!range.contains(value)) value = std::stod(word);
    result += text_of(value);
  }
  return result + text.substr(end);
}

/// As scaled_numbers, within the quotes of a duration: "10 periods".
std::string scaled_duration(const std::string& text, Random& random) {
  static const std::regex fraction(R"("1/(\d+) (.*))"), multiple(R"("([\d.]+) (.*))");
  std::smatch found;
  if (std::regex_match(text, found, fraction))
    return fmt::format("\"1/{} {}", std::max(1L, std::lround(scaled(random, std::stod(found[1]), 1.5))),
                       found[2].str());
  if (std::regex_match(text, found, multiple))
    return fmt::format("\"{} {}", text_of(scaled(random, std::stod(found[1]), 1.5)), found[2].str());
  return text;
}

std::string as_text(std::string_view text) {
  return fmt::format("\"{}\"", text);
}

std::string_view model_of(const Parameter& key) {
  return key.fallback.empty() ? key.example : key.fallback;
}

}  // namespace

bool chance(Random& random, double probability) {
  return uniform(random, 0, 1) < probability;
}

double uniform(Random& random, double low, double high) {
  return low + (high - low) * std::ldexp(static_cast<double>(random() >> 11), -53);
}

double scaled(Random& random, double value, double octaves) {
  return value * std::exp2(uniform(random, -octaves, octaves));
}

std::string text_of(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";  // TOML distinguishes integers
  return text;
}

std::string generic_value(const Parameter& key, Random& random, std::size_t many) {
  const std::string model(model_of(key));
  if (key.kind == Kind::boolean) return chance(random, 0.5) ? "true" : "false";
  if (!key.choices.empty() && key.kind != Kind::texts) return as_text(any(key.choices, random));
  if (is_counted(key)) {
    if (key.name == "n") return count_text(random, many);
    const double near = model.empty() ? 3 : std::min(std::stod(model), 12.0);
    return fmt::format("{}", std::lround(std::clamp(scaled(random, std::max(near, 1.0), 1.5),
                                                    std::max(key.range.low, 0.0), std::min(key.range.high, 1e6))));
  }
  if (key.kind == Kind::number && model.empty())
    return text_of(std::clamp(scaled(random, 1, 2), std::max(key.range.low, 1e-3), std::min(key.range.high, 1e3)));
  if (key.kind == Kind::numbers && model.empty()) {
    std::vector<std::string> list(std::max<std::size_t>(key.count, 1));
    for (std::string& entry : list) entry = text_of(uniform(random, std::max(key.range.low, -1.0), 1));
    return fmt::format("[{}]", fmt::join(list, ", "));
  }
  if (key.kind == Kind::text && model.empty()) return "\"a\"";
  if (key.kind == Kind::number_or_text && model.starts_with('"')) return scaled_duration(model, random);
  if (key.kind == Kind::text || key.kind == Kind::texts || key.kind == Kind::text_or_texts) return model;
  return scaled_numbers(model, key.range, random);
}

std::string edge_value(const Parameter& key, Random& random, std::size_t many) {
  if (chance(random, 0.08)) return any(other_types, random);
  const auto ends = [&](const std::string& otherwise) {
    if (!chance(random, 0.4)) return otherwise;
    const double end = chance(random, 0.5) ? key.range.low : key.range.high;
    if (!std::isfinite(end)) return otherwise;
    const double beside = std::nextafter(end, chance(random, 0.5) ? -1e308 : 1e308);
    return is_counted(key) ? fmt::format("{:.0f}", end + static_cast<double>(below(random, 3)) - 1)
                           : text_of(chance(random, 0.5) ? end : beside);
  };
  switch (key.kind) {
    case Kind::boolean:
      return generic_value(key, random, many);
    case Kind::integer: {
      const std::string text = ends(any(edge_integers, random));
      // What takes long and much memory for a good reason is not an edge.
      const bool large = text.size() > 4 && text.size() < 13;
      return large && key.name == "n" ? count_text(random, many) : text;
    }
    case Kind::number:
      return ends(any(edge_numbers, random));
    case Kind::text:
    case Kind::number_or_text:
      if (key.kind == Kind::number_or_text && chance(random, 0.5)) return ends(any(edge_numbers, random));
      if (chance(random, 0.1)) return as_text(std::string(400, 'x'));
      return any(edge_texts, random);
    default: {  // a list
      const std::size_t usual = key.count > 0 ? key.count : below(random, 5);
      std::vector<std::string_view> list(chance(random, 0.8) ? usual : below(random, 5));
      const bool texts = key.kind == Kind::texts || key.kind == Kind::text_or_texts;
      for (std::string_view& entry : list) {
        const bool text = texts || (key.kind == Kind::numbers_or_texts && chance(random, 0.5));
        entry = text ? any(edge_texts, random) : any(edge_numbers, random);
      }
      if (key.kind == Kind::records || key.kind == Kind::columns) return chance(random, 0.5) ? "[]" : "[{}]";
      return fmt::format("[{}]", fmt::join(list, ", "));
    }
  }
}

std::string lines_of(const std::vector<Parameter>& keys, Random& random, double given, double edges, std::size_t many,
                     const std::vector<std::string_view>& without) {
  std::string lines;
  for (const Parameter& key : keys) {
    if (std::ranges::find(without, key.name) != without.end()) continue;
    const bool needed = key.fallback.empty() && !key.optional;
    // Numbers of bodies are always given, since defaults are of the size that users want.
    if (!needed && key.name != "n" && !chance(random, given)) continue;
    const std::string value = chance(random, edges) ? edge_value(key, random, many) : generic_value(key, random, many);
    if (!value.empty()) lines += fmt::format("{} = {}\n", key.name, value);
  }
  return lines;
}

}  // namespace orrery::generator
