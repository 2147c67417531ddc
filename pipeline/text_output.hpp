// SPDX-License-Identifier: MIT
// Text that goes to a file, which appears whole or not at all, or to standard output.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace orrery::pipeline {

/// Members throw Error with one line that names the file.
class TextOutput {
 public:
  /// An empty name or "-": standard output, where that is a terminal as it can be shown (say.hpp). What is there under the
  /// name already is replaced at the end; into what is no ordinary file (a pipe, a device) is written at once.
  explicit TextOutput(const std::filesystem::path& file);
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
  [[noreturn]] void refuse(int reason) const;

  std::filesystem::path file_, part_;
  int descriptor_;
  bool on_screen_ = false;
  fmt::memory_buffer text_;
};

/// Makes a file's new name survive a loss of power, where the file system can promise that.
void sync_folder(const std::filesystem::path& file);

/// An argument as it would have to be typed in a shell.
std::string quoted(const std::string& argument);

/// A text as a field of CSV (RFC 4180): between quotes where it has commas, quotes or line breaks.
std::string csv_field(const std::string& text);

/// Throws as TextOutput does, while there is no work yet to be lost. What is no ordinary file is left alone.
void refuse_unwritable(const std::filesystem::path& file);

/// All of a file at once.
void write_whole(const std::filesystem::path& file, std::string_view text);

}  // namespace orrery::pipeline
