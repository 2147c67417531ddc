// SPDX-License-Identifier: MIT
#include "pipeline/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/named_unit.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/text_encoding.hpp"

namespace orrery::pipeline {
namespace {

/// Powers of length, mass, time, charge and angle.
using Dimensions = std::array<int, 5>;

struct Measure {
  std::string_view name;  ///< in Parameter::unit
  Dimensions powers;
  std::string_view what, example;
};
constexpr Measure measures[] = {
    {"length", {1}, "a length", "149.6e6 km"},
    {"mass", {0, 1}, "a mass", "1.37 Mearth"},
    {"time", {0, 0, 1}, "a time", "3 yr"},
    {"charge", {0, 0, 0, 1}, "a charge", "1.6e-19 C"},
    {"angle", {0, 0, 0, 0, 1}, "an angle", "30 deg"},
    {"energy", {2, 1, -2}, "an energy", "1e-21 J"},
    {"length/time", {1, 0, -1}, "a velocity", "29.78 km/s"},
    {"1/time", {0, 0, -1}, "a rate", "0.1 Myr^-1"},
    {"length²", {2}, "an area", "1 km^2"},
    {"length/time²", {1, 0, -2}, "an acceleration", "9.8 m/s^2"},
    {"mass/length³", {-3, 1}, "a density", "0.1 Msun/pc^3"},
    {"1/length³", {-3}, "a number density", "0.1 pc^-3"},
    {"1/length²", {-2}, "a number density in a plane", "0.1 pc^-2"},
    {"mass·length²/time²", {2, 1, -2}, "an energy", "1e-21 J"},
    {"force", {1, 1, -2}, "a force", "1 N"},
    {"power", {2, 1, -3}, "a power", "1 W"},
};

Dimensions dimensions_of(Dimension dimension) {
  static constexpr std::pair<Dimension, std::string_view> names[] = {
      {Dimension::time, "time"},     {Dimension::length, "length"}, {Dimension::mass, "mass"},
      {Dimension::charge, "charge"}, {Dimension::angle, "angle"},   {Dimension::energy, "energy"},
      {Dimension::force, "force"},   {Dimension::power, "power"}};
  const auto* name = std::ranges::find(names, dimension, &std::pair<Dimension, std::string_view>::first);
  return std::ranges::find(measures, name->second, &Measure::name)->powers;
}

/// A product of symbols, and its dimension.
struct Product {
  Powers powers;
  Dimensions dimensions{};

  void multiply(const NamedUnit& unit, int power) {
    int& sum = powers[std::string(unit.symbol)];
    sum += power;
    if (sum == 0) powers.erase(std::string(unit.symbol));
    const Dimensions own = dimensions_of(unit.dimension);
    for (std::size_t k = 0; k < own.size(); ++k) dimensions[k] += power * own[k];
  }
  void multiply(const PhysicalUnit& unit, int power) {
    for (const auto& [symbol, its] : unit.powers()) {
      if (const NamedUnit* known = unit_named(symbol)) multiply(*known, its * power);
    }
  }
};

/// What a key may be given in: the unit of a plain number as far as it consists of symbols, and a number before them.
struct KeyUnit {
  Product product;
  double factor = 1;
};

struct OtherSymbol {
  std::string_view other, ours;
};
constexpr OtherSymbol other_symbols[] = {{"M☉", "Msun"},   {"M⊙", "Msun"},       {"R☉", "Rsun"}, {"R⊙", "Rsun"},
                                         {"M⊕", "Mearth"}, {"R⊕", "Rearth"},     {"M♃", "Mjup"}, {"AU", "au"},
                                         {"µs", "us"},     {"µm", "um"},         {"°", "deg"},   {"sec", "s"},
                                         {"hr", "h"},      {"Julian year", "yr"}};

const NamedUnit* known_unit(std::string_view word) {
  const auto* other = std::ranges::find(other_symbols, word, &OtherSymbol::other);
  return unit_named(other == std::end(other_symbols) ? word : other->ours);
}

/// A number and what follows it; no number if there is none.
std::pair<std::optional<double>, std::string_view> number_and_rest(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return {std::nullopt, text};
  return {value, trimmed(text.substr(static_cast<std::size_t>(end - text.data())))};
}

[[noreturn]] void refuse_symbol(std::string_view word) {
  std::vector<std::string_view> words;
  for (const NamedUnit& unit : named_units()) words.insert(words.end(), {unit.symbol, unit.name});
  throw std::invalid_argument(fmt::format("has an unknown unit, `{}`{}; `orrery list unit` has all", word.substr(0, 40),
                                          suggestion(word.substr(0, 40), words)));
}

/// Takes a power, "^-3", "-1", "+2" or "³", from the front of `rest`; 1 if there is none, 0 if it is none.
int take_power(std::string_view& rest) {
  static constexpr std::pair<std::string_view, int> raised[] = {{"²", 2}, {"³", 3}, {"⁻¹", -1}, {"⁻²", -2}, {"⁻³", -3}};
  for (const auto& [sign, power] : raised) {
    if (!rest.starts_with(sign)) continue;
    rest.remove_prefix(sign.size());
    return power;
  }
  const bool written = rest.starts_with("^") || rest.starts_with("**");
  if (written) rest.remove_prefix(rest.starts_with("^") ? 1 : 2);
  std::string_view digits = rest;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int power = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), power);
  if (error != std::errc()) return written ? 0 : 1;
  rest = digits.substr(static_cast<std::size_t>(end - digits.data()));
  return std::abs(power) <= 8 ? power : 0;
}

Product parse_product(std::string_view text) {
  Product product;
  if (const NamedUnit* whole = known_unit(text)) {  // names have blanks
    product.multiply(*whole, 1);
    return product;
  }
  int sign = 1;
  bool first = true;
  while (!text.empty()) {
    if (text.starts_with("1/") && first) text.remove_prefix(1);
    if (text.starts_with('/') || text.starts_with("per ")) {
      sign = -1;
      text.remove_prefix(text.starts_with('/') ? 1 : 4);
    } else if (!first && (text.starts_with('*') || text.starts_with("·"))) {
      text.remove_prefix(text.starts_with('*') ? 1 : 2);
    }
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_of(" */^+-0123456789"), text.size());
    std::size_t letters = end;
    for (const std::string_view stop : {"·", "²", "³", "⁻"}) letters = std::min(letters, text.find(stop));
    const std::string_view word = text.substr(0, letters);
    const NamedUnit* unit = known_unit(word);
    if (unit == nullptr) refuse_symbol(word.empty() ? text : word);
    text.remove_prefix(letters);
    const int power = take_power(text);
    if (power == 0) throw std::invalid_argument(fmt::format("has a power of {} that is none from -8 to 8", word));
    product.multiply(*unit, sign * power);
    text = trimmed(text);
    sign = 1;
    first = false;
  }
  return product;
}

/// The dimensions of a product of words, "mass·length²/time²"; nullopt if it has other words.
std::optional<Dimensions> dimensions_named(std::string_view name) {
  const auto* found = std::ranges::find(measures, name, &Measure::name);
  return found == std::end(measures) ? std::nullopt : std::optional(found->powers);
}

/// The alternatives of Parameter::unit: "1/length³, or 1/length²" has two.
std::vector<std::string_view> alternatives(std::string_view unit) {
  static constexpr std::string_view between = ", or ";
  const std::size_t at = unit.find(between);
  if (at == std::string_view::npos) return {unit};
  return {unit.substr(0, at), unit.substr(at + between.size())};
}

/// The unit that a plain number of a key has in `system`; nullopt if it has no dimension.
std::optional<KeyUnit> key_unit(std::string_view unit, const sim::Units& system) {
  if (unit == "angle") unit = "degrees";
  const auto dimensions = dimensions_named(unit);
  if (!dimensions) {
    const NamedUnit* fixed = unit_named(unit);  // "s" and "degrees", in every system
    if (unit.empty() || fixed == nullptr) return std::nullopt;
    KeyUnit own;
    own.product.multiply(*fixed, 1);
    return own;
  }
  KeyUnit own;
  const std::string_view bases[] = {system.length, system.mass, system.time, system.charge};
  for (std::size_t k = 0; k < std::size(bases); ++k) {
    const PhysicalUnit base(bases[k]);
    own.product.multiply(base, (*dimensions)[k]);
    for (int i = 0; i < std::abs((*dimensions)[k]); ++i)
      own.factor = (*dimensions)[k] > 0 ? own.factor * base.factor() : own.factor / base.factor();
  }
  own.product.dimensions = *dimensions;
  return own;
}

/// A measure in words: "a length", or "a quantity in mass·length/time".
std::string in_words(const Dimensions& dimensions) {
  const auto* found = std::ranges::find(measures, dimensions, &Measure::powers);
  if (found != std::end(measures)) return std::string(found->what);
  if (dimensions == Dimensions{}) return "a number";
  static constexpr std::string_view names[] = {"length", "mass", "time", "charge", "angle"};
  std::string words;
  for (std::size_t k = 0; k < dimensions.size(); ++k) {
    if (dimensions[k] != 0)
      words += fmt::format("{}{}{}", words.empty() ? "" : " ", names[k],
                           dimensions[k] == 1 ? "" : fmt::format("^{}", dimensions[k]));
  }
  return "a quantity in " + words;
}

/// A decimal number as a quotient of whole numbers, "29.78" as 2978/100, if both are doubles; else as the nearest double.
Ratio decimal_ratio(std::string_view text, double value) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.+-"), text.size());
  std::string digits;
  int exponent = 0;
  for (const char c : text.substr(0, end)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  if (const std::size_t point = text.substr(0, end).find('.'); point != std::string_view::npos)
    exponent -= static_cast<int>(end - point - 1);
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::string_view power = text.substr(end + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    int more = 0;
    if (std::from_chars(power.data(), power.data() + power.size(), more).ec == std::errc()) exponent += more;
  }
  constexpr std::size_t exact_digits = 15;
  constexpr int exact_power = 22;  // of ten
  if (digits.empty() || digits.size() > exact_digits || exponent > 0 || exponent < -exact_power) return {value, 1};
  double power = 1;
  for (int k = 0; k < -exponent; ++k) power *= 10;
  const double whole = std::stod(digits);
  return {value < 0 ? -whole : whole, power};
}

/// number × unit, rounded once if the numbers of both are exact, after what they share is cancelled: an fma gives what a product loses.
double product_of(const Ratio& number, const Ratio& unit) {
  const double sign = number.times < 0 ? -1 : 1;
  const Ratio across = Ratio{sign * number.times} / Ratio{unit.per}, back = Ratio{unit.times} / Ratio{number.per};
  const double above = across.times * back.times, lost_above = std::fma(across.times, back.times, -above);
  const double below = across.per * back.per, lost_below = std::fma(across.per, back.per, -below);
  const double quotient = above / below;
  const double rest = std::fma(-quotient, below, above) + (lost_above - quotient * lost_below);
  const double corrected = quotient + rest / below;
  return sign * (std::isfinite(corrected) ? corrected : quotient);
}

}  // namespace

bool has_dimension(std::string_view unit) {
  return key_unit(alternatives(unit).front(), sim::all_units().front()).has_value();
}

bool looks_like_quantity(std::string_view text) {
  const auto [number, rest] = number_and_rest(text);
  const unsigned char next = rest.empty() ? '0' : static_cast<unsigned char>(rest.front());
  return number && (std::isalpha(next) != 0 || next == '/' || next >= 0x80);
}

double quantity_in(std::string_view text, std::string_view unit, const sim::Units& system) {
  const auto [number, rest] = number_and_rest(text);
  const auto ways = alternatives(unit);
  if (!number)
    throw std::invalid_argument(fmt::format("must be a number, or one with a unit: \"{}\"", example_of(unit)));
  if (rest.empty()) return *number;
  Product given;
  try {
    given = parse_product(rest);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("= \"{}\" {}", text.substr(0, 60), error.what()));
  }
  const auto wanted = key_unit(ways.front(), system);
  if (system.length.empty() && wanted->product.powers.empty()) {
    throw std::invalid_argument(
        fmt::format("= \"{}\" has a unit, but units = \"{}\" has none: set `units` at the top of the file, before the "
                    "first table, for "
                    "example `units = \"si\"`, or write a number",
                    text.substr(0, 60), system.name));
  }
  for (const std::string_view way : ways) {
    const auto own = key_unit(way, system);
    if (!own || own->product.dimensions != given.dimensions) continue;
    // Symbols that both have fall away before any number is rounded.
    Powers quotient = given.powers;
    for (const auto& [symbol, power] : own->product.powers) {
      int& sum = quotient[symbol];
      sum -= power;
      if (sum == 0) quotient.erase(symbol);
    }
    if (given.dimensions[3] != 0 && system.charge.empty())
      throw std::invalid_argument(
          fmt::format("= \"{}\" has a unit of charge, which units = \"{}\" has not: write a number", text.substr(0, 60),
                      system.name));
    const auto ratio = in_si(quotient);
    if (!ratio) throw std::invalid_argument(fmt::format("= \"{}\" has a power beyond 8", text.substr(0, 60)));
    return product_of(decimal_ratio(trimmed(text), *number), *ratio / Ratio{own->factor});
  }
  throw std::invalid_argument(fmt::format("= \"{}\" is {}: write {}, as \"{}\"", text.substr(0, 60),
                                          in_words(given.dimensions), in_words(wanted->product.dimensions),
                                          example_of(unit)));
}

std::string unit_in(std::string_view unit, const sim::Units& system) {
  const auto own = key_unit(alternatives(unit).front(), system);
  if (!own) return "";
  std::string text;
  for (const auto& [symbol, power] : own->product.powers)
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", symbol, power == 1 ? "" : fmt::format("{:+}", power));
  return text;
}

std::string example_of(std::string_view unit) {
  const auto own = key_unit(alternatives(unit).front(), sim::all_units().front());
  if (!own) return "";
  const auto* found = std::ranges::find(measures, own->product.dimensions, &Measure::powers);
  return std::string(found == std::end(measures) ? "" : found->example);
}

}  // namespace orrery::pipeline
