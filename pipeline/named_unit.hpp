// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::pipeline {

enum class Dimension { time, length, mass, charge, angle, energy, force, power };

/// A number as a quotient, which keeps ratios exact: an hour is 1/24 of a day.
struct Ratio {
  double times = 1, per = 1;

  [[nodiscard]] double value() const { return times / per; }
};

/// Returns a in units of b; in lowest terms if all numbers are integers.
Ratio operator/(const Ratio& a, const Ratio& b);

struct NamedUnit {
  std::string_view symbol;  ///< "yr", in H5MD and on axes
  std::string_view name;    ///< "year", in the singular
  Dimension dimension;
  Ratio si;           ///< in seconds, metres, kilograms, coulombs, radians, or what SI makes of them
  bool shown = true;  ///< pictures choose it by themselves
};

/// Powers of unit symbols: {{"km", 1}, {"s", -1}}.
using Powers = std::map<std::string, int, std::less<>>;

/// Returns all named units; those of one dimension in ascending order.
std::span<const NamedUnit> named_units();

/// Returns the unit with that symbol, name or plural; null if there is none.
const NamedUnit* unit_named(std::string_view word, Dimension dimension);
/// The same of any dimension.
const NamedUnit* unit_named(std::string_view word);
/// Returns the symbols and names that `unit_named` accepts, without plurals.
std::vector<std::string_view> words_for(Dimension dimension);

/// Converts an H5MD unit, "kpc s km-1", to SI; nullopt if it is empty or has an unknown symbol.
std::optional<Ratio> in_si(const std::string& h5md);
/// The same for a product of symbols; 1 if there are none.
std::optional<Ratio> in_si(const Powers& powers);

/// Returns the symbol of the unit in which the time `largest`, given in the H5MD unit `own`, is a number from 1 to
/// 1000; if two units qualify, the one in which it is at least 2. "s" below a nanosecond, "Gyr" above 1000 Gyr, "" if
/// `own` is unknown.
std::string_view readable_time_unit(double largest, const std::string& own);

/// Returns a time in its readable unit, " (365 d)"; "" if that is `own` or unknown.
std::string in_readable_unit(double time, const std::string& own);

}  // namespace orrery::pipeline
