// SPDX-License-Identifier: MIT
// Tables of text, whatever their columns are for: lines, fields, and how their columns are called.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/formats/csv_dialect.hpp"
#include "pipeline/input_file.hpp"

namespace orrery::pipeline {

/// Reads a table row by row. Members throw Error, Fault::request, with FILE:LINE.
class TextTable {
 public:
  /// Says whether a column of this name is known, so that a comment may name the columns.
  using Knows = std::function<bool(std::string_view)>;

  explicit TextTable(const std::filesystem::path& path) : path_(path), in_(path) {}

  /// Reads up to the first row. Returns the names of its columns: `given`, unless it is empty, else those of the first line, or of the
  /// comment before it if all of them are known. Empty: they have none, and columns() is their number. Throws if there is no line;
  /// `names` are those of a typical file, for that message.
  std::vector<std::string> begin(const std::vector<std::string>& given, const Knows& knows, std::string_view names);
  [[nodiscard]] std::size_t columns() const { return columns_; }
  /// Reads the next row; false at the end.
  bool next_row();
  /// Whether a blank line was between this row and the one before.
  [[nodiscard]] bool after_blank() const { return blank_; }
  /// The fields of the row, the next time as well.
  bool next_field(std::string_view& field);
  /// A number; nullopt for anything else.
  [[nodiscard]] std::optional<double> number(std::string_view field);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const { return in_.size(); }
  [[nodiscard]] std::uint64_t bytes_read() const { return in_.bytes_read(); }
  [[nodiscard]] std::uint32_t line_number() const { return in_.line_number(); }
  /// What was guessed, a line each.
  [[nodiscard]] std::vector<std::string> remarks() const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  /// Reads the next line that is neither blank nor a comment into `line_`.
  bool next_line();
  [[nodiscard]] std::vector<std::string> names_in_comment(const Knows& knows) const;

  std::filesystem::path path_;
  InputFile in_;
  std::string_view line_;
  std::string comment_;  ///< before the first line
  Fields fields_;
  Decimals decimals_;
  std::size_t columns_ = 0;
  bool begun_ = false, again_ = false, blank_ = false;  ///< again: the line is a row that was not taken yet
  std::vector<std::string> remarks_;
};

}  // namespace orrery::pipeline
