// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/text_encoding.hpp"

namespace orrery::pipeline {

class Messages;

/// A regular file, read line by line. UTF-16 is read as UTF-8. Folders, devices, sockets and pipes are refused without reading or waiting.
/// Members throw Error, Fault::request, with the name of the file.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Returns the size in bytes when the file was opened; of UTF-16, once it has been read from, half of that.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Returns the first bytes, at most `count`, before anything else is read.
  [[nodiscard]] std::string_view beginning(std::size_t count);
  /// Reads the next line, at most 64 KiB, without its end; valid until the next call. Returns false at the file's end.
  bool next_line(std::string_view& line);
  /// Returns the number of bytes up to the end of that line.
  [[nodiscard]] std::uint64_t bytes_read() const { return before_ + at_; }
  /// Returns the number of that line, counted from 1.
  [[nodiscard]] std::uint32_t line_number() const { return number_; }
  /// Reads bytes from a place in the file, whatever was read before.
  void read_at(std::uint64_t place, std::span<std::byte> bytes) const;

 private:
  bool refill();
  [[noreturn]] void refuse(const std::string& why) const;

  std::filesystem::path path_;
  int descriptor_;
  std::uint64_t size_ = 0;
  std::optional<Utf16> order_;  ///< once the beginning is known
  std::string raw_;             ///< the unfinished letter of UTF-16 after the buffer
  std::string buffer_;
  std::size_t at_ = 0;        ///< position in the buffer
  std::uint64_t before_ = 0;  ///< position of the buffer in the file
  std::uint32_t number_ = 0;
};

/// Reads a text of at most 64 MiB from a regular file, a pipe, a terminal, or "-" (standard input). Gives up after 5 s
/// on a named pipe without a writer. Throws Error, Fault::request.
std::string read_text(const std::filesystem::path& path, Messages& messages);

/// All bytes of a picture or film that orrery has made. Throws Error.
std::string read_whole(const std::filesystem::path& file);

}  // namespace orrery::pipeline
