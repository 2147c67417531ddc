// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace orrery::pipeline {

/// A product of unit symbols and powers: "kpc km-1 s", as in H5MD's units module 1.0.0
/// (https://nongnu.org/h5md/modules/units.html): ASCII, factors separated by a space, each symbol once, its power a
/// nonzero signed integer that may be omitted if it is 1; a number may be the first factor, "10000000000 Msun".
class PhysicalUnit {
 public:
  PhysicalUnit() = default;
  /// Parses an H5MD unit. Any other text, such as a label of an old file, becomes one symbol with the power 1.
  explicit PhysicalUnit(std::string_view h5md);

  /// Returns whether the unit is dimensionless or unknown.
  [[nodiscard]] bool empty() const { return powers_.empty(); }
  [[nodiscard]] const std::map<std::string, int, std::less<>>& powers() const { return powers_; }
  /// The number before the symbols.
  [[nodiscard]] double factor() const { return factor_; }
  /// Returns the unit for files, positive powers first: "Msun km+2 s-2".
  [[nodiscard]] std::string h5md() const;
  /// Returns the unit for display: "M☉ km²/s²", "kpc s/km", "10¹⁰ M☉".
  [[nodiscard]] std::string readable() const;

  /// The product or quotient is unknown if one of the units is.
  friend PhysicalUnit operator*(const PhysicalUnit& a, const PhysicalUnit& b) { return combined(a, b, 1); }
  friend PhysicalUnit operator/(const PhysicalUnit& a, const PhysicalUnit& b) { return combined(a, b, -1); }

 private:
  static PhysicalUnit combined(const PhysicalUnit& a, const PhysicalUnit& b, int sign);
  std::map<std::string, int, std::less<>> powers_;
  double factor_ = 1;
};

/// Returns "0.5 kpc", or only the number if the unit is empty.
std::string with_unit(const std::string& number, const PhysicalUnit& unit);

}  // namespace orrery::pipeline
