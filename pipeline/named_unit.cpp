// SPDX-License-Identifier: MIT
// Sources: the Julian year of 365.25 days and its century (IAU); a month is a twelfth of it. au: IAU 2012 resolution B2; the parsec,
// 648000/π au: IAU 2015 resolution B2; the light year: of a Julian year, with c of SI. Nominal radii (equatorial of planets) and GM of the
// Sun, the Earth and Jupiter: IAU 2015 resolution B3; GM of the Moon: DE440 (Park et al. 2021, AJ 161, 105); masses are GM/G with G of CODATA 2018.
// Lunar distance: the semi-major axis of the Moon (Murphy 2013, Rep. Prog. Phys. 76, 076901). e: exact in SI since 2019; statC: with k of
// sim/units.cpp, 10⁻⁹ of it smaller or greater than CODATA's.
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

constexpr double day = 86400, year = 31557600, au = 149597870700, parsec = 3.0856775814913673e16, newton = 6.67430e-11,
                 pi = 3.14159265358979323846;

constexpr NamedUnit known_units[] = {
    {"ns", "nanosecond", Dimension::time, {1, 1e9}},
    {"us", "microsecond", Dimension::time, {1, 1e6}},
    {"ms", "millisecond", Dimension::time, {1, 1e3}},
    {"s", "second", Dimension::time, {1}},
    {"min", "minute", Dimension::time, {60}},
    {"h", "hour", Dimension::time, {3600}},
    {"d", "day", Dimension::time, {day}},
    {"week", "week", Dimension::time, {7 * day}, false},
    {"month", "month", Dimension::time, {year / 12}, false},
    {"yr", "year", Dimension::time, {year}},
    {"century", "century", Dimension::time, {1e2 * year}, false},
    {"kyr", "kiloyear", Dimension::time, {1e3 * year}},
    {"Myr", "megayear", Dimension::time, {1e6 * year}},
    {"Gyr", "gigayear", Dimension::time, {1e9 * year}},
    {"nm", "nanometre", Dimension::length, {1, 1e9}},
    {"um", "micrometre", Dimension::length, {1, 1e6}},
    {"mm", "millimetre", Dimension::length, {1, 1e3}},
    {"cm", "centimetre", Dimension::length, {1, 1e2}},
    {"m", "metre", Dimension::length, {1}},
    {"km", "kilometre", Dimension::length, {1e3}},
    {"Rearth", "Earth radius", Dimension::length, {6.3781e6}},
    {"Rjup", "Jupiter radius", Dimension::length, {7.1492e7}},
    {"LD", "lunar distance", Dimension::length, {3.84399e8}},
    {"Rsun", "solar radius", Dimension::length, {6.957e8}},
    {"au", "astronomical unit", Dimension::length, {au}},
    {"ly", "light year", Dimension::length, {9460730472580800}},
    {"pc", "parsec", Dimension::length, {parsec}},
    {"kpc", "kiloparsec", Dimension::length, {1e3 * parsec}},
    {"Mpc", "megaparsec", Dimension::length, {1e6 * parsec}},
    {"g", "gram", Dimension::mass, {1, 1e3}},
    {"kg", "kilogram", Dimension::mass, {1}},
    {"t", "tonne", Dimension::mass, {1e3}},
    {"Mmoon", "lunar mass", Dimension::mass, {4.902800118e12, newton}},
    {"Mearth", "Earth mass", Dimension::mass, {3.986004e14, newton}},
    {"Mjup", "Jupiter mass", Dimension::mass, {1.2668653e17, newton}},
    {"Msun", "solar mass", Dimension::mass, {1.3271244e20, newton}},
    {"e", "elementary charge", Dimension::charge, {1.602176634e-19}},
    {"statC", "statcoulomb", Dimension::charge, {1, 2997924580}},
    {"C", "coulomb", Dimension::charge, {1}},
    {"mas", "milliarcsecond", Dimension::angle, {pi, 648e6}},
    {"arcsec", "arcsecond", Dimension::angle, {pi, 648e3}},
    {"arcmin", "arcminute", Dimension::angle, {pi, 10800}},
    {"deg", "degree", Dimension::angle, {pi, 180}},
    {"rad", "radian", Dimension::angle, {1}},
    {"eV", "electronvolt", Dimension::energy, {1.602176634e-19}},
    {"erg", "erg", Dimension::energy, {1, 1e7}},
    {"J", "joule", Dimension::energy, {1}},
    {"dyn", "dyne", Dimension::force, {1, 1e5}},
    {"N", "newton", Dimension::force, {1}},
    {"W", "watt", Dimension::power, {1}},
};

bool is_whole(double x) {
  return x == std::floor(x) && x >= 1 && x < 0x1p62;
}

/// Returns the quotient in lowest terms if both numbers are integers.
Ratio reduced(double times, double per) {
  if (times == per) return {};
  if (!is_whole(times) || !is_whole(per)) return {times, per};
  const auto common = static_cast<double>(std::gcd(static_cast<std::int64_t>(times), static_cast<std::int64_t>(per)));
  return {times / common, per / common};
}

/// Returns whether `word` is the plural of a unit's name: "hours", "solar masses", "centuries", "Earth radii".
bool is_plural(std::string_view word, std::string_view name) {
  const auto with_ending = [&](std::string_view singular, std::string_view plural) {
    return name.ends_with(singular) && word.ends_with(plural) &&
           word.substr(0, word.size() - plural.size()) == name.substr(0, name.size() - singular.size());
  };
  if (with_ending("ury", "uries") || with_ending("radius", "radii")) return true;
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

namespace {

bool is_called(const NamedUnit& unit, std::string_view word) {
  return word == unit.symbol || word == unit.name || is_plural(word, unit.name);
}

}  // namespace

const NamedUnit* unit_named(std::string_view word, Dimension dimension) {
  const auto* found = std::ranges::find_if(
      known_units, [&](const NamedUnit& unit) { return unit.dimension == dimension && is_called(unit, word); });
  return found == std::end(known_units) ? nullptr : found;
}

const NamedUnit* unit_named(std::string_view word) {
  const auto* found = std::ranges::find_if(known_units, [&](const NamedUnit& unit) { return is_called(unit, word); });
  return found == std::end(known_units) ? nullptr : found;
}

std::vector<std::string_view> words_for(Dimension dimension) {
  std::vector<std::string_view> words;
  for (const NamedUnit& unit : known_units) {
    if (unit.dimension != dimension) continue;
    words.push_back(unit.symbol);
    if (unit.name != unit.symbol) words.push_back(unit.name);
  }
  return words;
}

std::optional<Ratio> in_si(const Powers& powers) {
  Ratio product;
  for (const auto& [symbol, power] : powers) {
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

std::optional<Ratio> in_si(const std::string& h5md) {
  const PhysicalUnit unit(h5md);
  if (unit.empty()) return std::nullopt;
  const auto product = in_si(unit.powers());
  return product && unit.factor() != 1 ? *product / Ratio{1, unit.factor()} : product;
}

std::string_view readable_time_unit(double largest, const std::string& own) {
  const auto unit = in_si(own);
  if (!unit) return "";
  const double seconds = largest * unit->value();
  std::string_view best = "s";
  bool fits = false;
  for (const NamedUnit& named : named_units()) {  // in ascending order
    if (named.dimension != Dimension::time || !named.shown) continue;
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
