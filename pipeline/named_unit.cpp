// SPDX-License-Identifier: MIT
// Sources: the Julian year of 365.25 days (IAU); au: IAU 2012 resolution B2; the parsec, 648000/π au, and the Sun's
// mass, GM/G: IAU 2015 resolutions B2 and B3 with G of CODATA 2018.
#include "pipeline/named_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "pipeline/physical_unit.hpp"

namespace orrery::pipeline {
namespace {

constexpr double day = 86400, year = 31557600, au = 149597870700, parsec = 3.0856775814913673e16;

constexpr NamedUnit known_units[] = {
    {"ns", "nanosecond", Dimension::time, {1, 1e9}},
    {"us", "microsecond", Dimension::time, {1, 1e6}},
    {"ms", "millisecond", Dimension::time, {1, 1e3}},
    {"s", "second", Dimension::time, {1}},
    {"min", "minute", Dimension::time, {60}},
    {"h", "hour", Dimension::time, {3600}},
    {"d", "day", Dimension::time, {day}},
    {"yr", "year", Dimension::time, {year}},
    {"kyr", "kiloyear", Dimension::time, {1e3 * year}},
    {"Myr", "megayear", Dimension::time, {1e6 * year}},
    {"Gyr", "gigayear", Dimension::time, {1e9 * year}},
    {"m", "metre", Dimension::length, {1}},
    {"km", "kilometre", Dimension::length, {1e3}},
    {"au", "astronomical unit", Dimension::length, {au}},
    {"pc", "parsec", Dimension::length, {parsec}},
    {"kpc", "kiloparsec", Dimension::length, {1e3 * parsec}},
    {"kg", "kilogram", Dimension::mass, {1}},
    {"Msun", "solar mass", Dimension::mass, {1.988409870698051e30}},
};

bool is_whole(double x) {
  return x == std::floor(x) && x >= 1 && x < 0x1p62;
}

/// Returns the quotient in lowest terms if both numbers are integers.
Ratio reduced(double times, double per) {
  if (!is_whole(times) || !is_whole(per)) return {times, per};
  const auto common = static_cast<double>(std::gcd(static_cast<std::int64_t>(times), static_cast<std::int64_t>(per)));
  return {times / common, per / common};
}

/// Returns whether `word` is the plural of a unit's name: "hours", "solar masses".
bool is_plural(std::string_view word, std::string_view name) {
  if (!word.starts_with(name)) return false;
  const std::string_view ending = word.substr(name.size());
  return ending == (name.ends_with('s') ? "es" : "s");
}

}  // namespace

Ratio operator/(const Ratio& a, const Ratio& b) {
  // Reduce each pair first, so that integers stay small.
  const Ratio above = reduced(a.times, b.times), below = reduced(b.per, a.per);
  return {above.times * below.times, above.per * below.per};
}

std::span<const NamedUnit> named_units() {
  return known_units;
}

const NamedUnit* unit_named(std::string_view word, Dimension dimension) {
  for (const NamedUnit& unit : known_units) {
    const bool called = word == unit.symbol || word == unit.name || is_plural(word, unit.name);
    if (called && unit.dimension == dimension) return &unit;
  }
  return nullptr;
}

std::vector<std::string_view> words_for(Dimension dimension) {
  std::vector<std::string_view> words;
  for (const NamedUnit& unit : known_units) {
    if (unit.dimension == dimension) words.insert(words.end(), {unit.symbol, unit.name});
  }
  return words;
}

std::optional<Ratio> in_si(const std::string& h5md) {
  const PhysicalUnit unit(h5md);
  if (unit.empty()) return std::nullopt;
  Ratio product;
  for (const auto& [symbol, power] : unit.powers()) {
    const auto* found = std::ranges::find(known_units, symbol, &NamedUnit::symbol);
    constexpr int max_power = 8;  // files are untrusted
    if (found == std::end(known_units) || std::abs(power) > max_power) return std::nullopt;
    for (int k = 0; k < std::abs(power); ++k) {
      const Ratio& si = found->si;
      product = product / (power > 0 ? Ratio{si.per, si.times} : si);
    }
  }
  return product;
}

std::string_view readable_time_unit(double largest, const std::string& own) {
  const auto unit = in_si(own);
  if (!unit) return "";
  const double seconds = largest * unit->value();
  std::string_view best = "s";
  bool fits = false;
  for (const NamedUnit& named : named_units()) {  // in ascending order
    if (named.dimension != Dimension::time) continue;
    const double number = seconds / named.si.value();
    if (number >= 2 || (number >= 1 && !fits)) best = named.symbol;
    fits = number >= 1 && number < 1000;
  }
  return best;
}

std::string in_readable_unit(double time, const std::string& own) {
  const std::string_view symbol = readable_time_unit(std::abs(time), own);
  if (symbol.empty() || symbol == own || time == 0) return "";
  return fmt::format(" ({:.4g} {})", time / (unit_named(symbol, Dimension::time)->si / *in_si(own)).value(), symbol);
}

}  // namespace orrery::pipeline
