// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/new_file.hpp"

namespace orrery::pipeline {

/// Writes text or bytes to standard output or to a file, which appears complete or not at all. Members throw Error.
class TextOutput {
 public:
  /// An empty name or "-" is standard output; on a terminal, text is made printable. An existing file is replaced in
  /// finish(). Throws Error, Fault::request, here or there, if it may not be. Pipes, devices and descriptors in /dev or
  /// /proc are written directly.
  explicit TextOutput(const std::filesystem::path& file, Replacing replacing);
  /// Discards the file unless finish() was called.
  ~TextOutput();
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;

  template <class... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(fmt::appender(text_), format, std::forward<Values>(values)...);
    if (text_.size() > (std::size_t{1} << 20)) write();
  }
  void add(std::string_view text) { print("{}", text); }
  /// Whether it is a terminal.
  [[nodiscard]] bool on_screen() const { return on_screen_; }
  /// The file under its temporary name, for libraries that write a file by themselves. Throws Error, Fault::request, if it is none.
  [[nodiscard]] const std::filesystem::path& draft() const;
  /// Writes everything, syncs it to disk, and gives the file its name.
  void finish();

 private:
  void write();
  [[noreturn]] void refuse(const std::error_code& reason) const;

  std::filesystem::path file_;
  Replacing replacing_;
  std::optional<NewFile> draft_;
  int descriptor_;  ///< of the draft, of a pipe or device, or of standard output
  bool on_screen_ = false;
  fmt::memory_buffer text_;
};

/// Syncs the folder of a file, so that its new name survives a power failure. Ignores failures.
void sync_folder(const std::filesystem::path& file);

/// Returns an argument quoted for a shell.
std::string quoted(const std::string& argument);

/// Returns whether orrery wrote a text file, judged by its first MiB: JSON has a "program", an index for ParaView a comment,
/// the page of `orrery study` its title, a page of runs its generator.
bool written_by_orrery(const std::filesystem::path& file);

/// Throws Error, as TextOutput does, if a file cannot be written; for use before long work. Ignores pipes and devices.
void refuse_unwritable(const std::filesystem::path& file, Replacing replacing);

/// Writes a whole file.
void write_whole(const std::filesystem::path& file, std::string_view text, Replacing replacing);

}  // namespace orrery::pipeline
