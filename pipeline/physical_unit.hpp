// SPDX-License-Identifier: MIT
// Units as products of powers, written as H5MD wants them and as people read them.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace orrery::pipeline {

/// A product of unit symbols, each with its power: "kpc km-1 s". H5MD's units module 1.0.0
/// (https://nongnu.org/h5md/modules/units.html): ASCII, factors parted by a space, each symbol once, its power a signed
/// integer that is not 0 and may be left out where it is 1.
class PhysicalUnit {
 public:
  PhysicalUnit() = default;
  /// Reads an H5MD unit string. What is none (a label of an old file, say) is one symbol with the power 1.
  explicit PhysicalUnit(std::string_view h5md);

  /// A pure number, or not known.
  [[nodiscard]] bool empty() const { return powers_.empty(); }
  /// The symbols and their powers.
  [[nodiscard]] const std::map<std::string, int, std::less<>>& powers() const { return powers_; }
  /// "Msun km+2 s-2": positive powers first.
  [[nodiscard]] std::string h5md() const;
  /// For people: "M☉ (km/s)²" is "M☉ km²/s²" here, "kpc s/km", "km/s".
  [[nodiscard]] std::string readable() const;

  /// A product or quotient with what is not known is not known.
  friend PhysicalUnit operator*(const PhysicalUnit& a, const PhysicalUnit& b) { return combined(a, b, 1); }
  friend PhysicalUnit operator/(const PhysicalUnit& a, const PhysicalUnit& b) { return combined(a, b, -1); }

 private:
  static PhysicalUnit combined(const PhysicalUnit& a, const PhysicalUnit& b, int sign);
  std::map<std::string, int, std::less<>> powers_;
};

/// "0.5 kpc"; the number alone where there is no unit.
std::string with_unit(const std::string& number, const PhysicalUnit& unit);

/// A unit as files of format 2 have it ("M☉", "kpc s/km") in H5MD's words; any other stays as it is.
std::string as_h5md(const std::string& unit);

}  // namespace orrery::pipeline
