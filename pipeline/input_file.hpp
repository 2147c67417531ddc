// SPDX-License-Identifier: MIT
// Files that are read: regular ones and nothing else, line by line or as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace orrery::pipeline {

class Messages;

/// A regular file, open for reading. A folder, a device, a socket or a pipe is refused without being read or waited for.
/// Members throw Error, exit code 2, that begins with the file's name.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// In bytes, when it was opened.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The next line without its end; false behind the last. Valid until the next call.
  bool next_line(std::string_view& line);
  /// Up to the end of that line.
  [[nodiscard]] std::uint64_t bytes_read() const { return before_ + at_; }
  /// Counted from 1; 0 before the first.
  [[nodiscard]] std::uint32_t line_number() const { return number_; }

 private:
  bool refill();
  [[noreturn]] void refuse(const std::string& why) const;

  std::filesystem::path path_;
  int descriptor_;
  std::uint64_t size_ = 0;
  std::string buffer_;
  std::size_t at_ = 0;        ///< what of the buffer is read
  std::uint64_t before_ = 0;  ///< bytes of the file before the buffer
  std::uint32_t number_ = 0;
};

/// A scenario's text, from a regular file, or from what the user pointed to on the command line: "-" (standard input), a
/// pipe, a terminal. A pipe that nobody opens for writing is given up after some seconds. At most 64 MiB. Throws Error, exit
/// code 2.
std::string read_text(const std::filesystem::path& path, Messages& messages);

}  // namespace orrery::pipeline
