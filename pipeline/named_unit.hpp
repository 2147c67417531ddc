// SPDX-License-Identifier: MIT
// Units that have a name, what they measure, and how large they are in SI.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::pipeline {

enum class Dimension { time, length, mass };

/// A number as a quotient, so that what is exact stays exact: an hour is 1/24 of a day.
struct Ratio {
  double times = 1, per = 1;

  [[nodiscard]] double value() const { return times / per; }
};

/// a in units of b. Where all numbers are whole the quotient is in lowest terms.
Ratio operator/(const Ratio& a, const Ratio& b);

struct NamedUnit {
  std::string_view symbol;  ///< "yr", as H5MD and axes have it
  std::string_view name;    ///< "year"; its plural has an s
  Dimension dimension;
  Ratio si;  ///< in seconds, metres or kilograms
};

/// Every unit that has a name; those of one dimension from the smallest to the largest.
std::span<const NamedUnit> named_units();

/// The unit of that dimension which a symbol, a name or its plural means; null where none does.
const NamedUnit* unit_named(std::string_view word, Dimension dimension);
/// The symbols and names that `unit_named` takes for that dimension, without plurals.
std::vector<std::string_view> words_for(Dimension dimension);

/// A unit as H5MD writes it, "kpc s km-1", in SI; nothing where it is empty or has a symbol that is not known.
std::optional<Ratio> in_si(const std::string& h5md);

}  // namespace orrery::pipeline
