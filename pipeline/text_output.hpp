// SPDX-License-Identifier: MIT
// Text that goes to a file, which appears whole or not at all, or to standard output.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/new_file.hpp"

namespace orrery::pipeline {

/// Members throw Error with one line that names the file.
class TextOutput {
 public:
  /// An empty name or "-": standard output, where that is a terminal as it can be shown (say.hpp). What is there under the
  /// name already is replaced at the end, if it may be: exit code 2 where it may not, here or then. Into what is no ordinary
  /// file (a pipe, a device, a descriptor by its name in /dev or /proc) is written at once.
  explicit TextOutput(const std::filesystem::path& file, Replacing replacing);
  /// Without finish() nothing is left.
  ~TextOutput();
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;

  template <class... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(fmt::appender(text_), format, std::forward<Values>(values)...);
    if (text_.size() > (std::size_t{1} << 20)) write();
  }
  void add(std::string_view text) { print("{}", text); }
  /// Everything is written and on the disk, and a file has its name.
  void finish();

 private:
  void write();
  [[noreturn]] void refuse(const std::error_code& reason) const;

  std::filesystem::path file_;
  Replacing replacing_;
  std::optional<NewFile> draft_;
  int descriptor_;  ///< of the draft, of what is no ordinary file, or of standard output
  bool on_screen_ = false;
  fmt::memory_buffer text_;
};

/// Makes a file's new name survive a loss of power, where the file system can promise that.
void sync_folder(const std::filesystem::path& file);

/// An argument as it would have to be typed in a shell.
std::string quoted(const std::string& argument);

/// A text as a field of CSV (RFC 4180): between quotes where it has commas, quotes or line breaks.
std::string csv_field(const std::string& text);

/// Whether a text says near its beginning that orrery wrote it: JSON by its "program", an index for ParaView by a comment,
/// the pages of `orrery validate` and `orrery study` by their titles. So does summary.json of a version that did not name the program.
bool written_by_orrery(const std::filesystem::path& file);

/// Throws as TextOutput does, while there is no work yet to be lost. What is no ordinary file is left alone.
void refuse_unwritable(const std::filesystem::path& file, Replacing replacing);

/// All of a file at once.
void write_whole(const std::filesystem::path& file, std::string_view text, Replacing replacing);

}  // namespace orrery::pipeline
