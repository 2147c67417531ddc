// SPDX-License-Identifier: MIT
// What differs between tables of text: separators, decimal marks, names of columns.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::pipeline {

/// A line that cannot be taken apart or a number that cannot be read; the text goes on after "FILE:LINE: ".
class LineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The separator of a line outside quotes: a semicolon, comma or tab, whichever it has first of these, else ' ', which is any blanks.
char separator_of(std::string_view line);

/// Takes lines apart into fields without blanks and quotes around them; "" within quotes is a quote.
class Fields {
 public:
  explicit Fields(char separator = ',') : separator_(separator) {}
  void begin(std::string_view line);
  /// Sets `field`, valid until the next call; false if none is left. Throws LineError.
  bool next(std::string_view& field);

 private:
  std::string_view quoted();

  char separator_;
  std::string_view line_;  ///< its unread rest
  bool ended_ = true;      ///< the last field was read
  std::string unquoted_;
};

/// All fields of a line.
std::vector<std::string> fields_of(std::string_view line, char separator);

/// Reads numbers, in which exponents may have D for E and decimal marks may be commas, but not both commas and points in one file.
class Decimals {
 public:
  /// Nullopt for anything else. Throws LineError for the other decimal mark than before.
  std::optional<double> read(std::string_view field);
  [[nodiscard]] bool commas() const { return mark_ == ','; }

 private:
  void note(char mark);

  char mark_ = '\0';  ///< of the numbers so far
  std::string plain_;
};

/// A name of a column without its unit, "x [kpc]" or "x (kpc)", and that unit.
struct ColumnName {
  std::string name, unit;
};
ColumnName column_name(std::string_view field);

/// The name that orrery has for a column: "mass" for "m", "Mass" or "masses", "vx" for "v_x", "VX" or "vel_x"; the text itself if it has no
/// other.
std::string usual_name(std::string_view name);

/// Whether such a column is known and says nothing of where bodies are: accelerations, potentials and the like.
bool is_left_out(std::string_view name);

}  // namespace orrery::pipeline
