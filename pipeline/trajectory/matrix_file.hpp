// SPDX-License-Identifier: MIT
// The file of `orrery matrix`: one dataset chunk by chunk, or what is left of a matrix that was not kept. docs/matrix.md has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/new_file.hpp"

namespace orrery::pipeline {

/// What is told of a matrix, as attributes.
struct MatrixFacts {
  std::map<std::string, std::string> texts;
  std::map<std::string, double> numbers;
  std::map<std::string, std::vector<std::int64_t>> ranges;
};

/// rows × columns numbers in chunks of `edge` rows and columns at most.
struct MatrixShape {
  std::size_t rows = 0, columns = 0, edge = 512;
  bool floats = false;

  [[nodiscard]] std::size_t chunk_rows() const { return rows < edge ? rows : edge; }
  [[nodiscard]] std::size_t chunk_columns() const { return columns < edge ? columns : edge; }
  /// Without the checksum behind it.
  [[nodiscard]] std::size_t chunk_bytes() const { return chunk_rows() * chunk_columns() * (floats ? 4 : 8); }
};

/// Written under another name, and gone with this object unless it is finished. Members throw Error with one line that names the
/// file: exit code 2 where what is there may not be replaced.
class MatrixFile {
 public:
  MatrixFile(const std::filesystem::path& path, const MatrixFacts& facts, Replacing replacing);
  ~MatrixFile();
  MatrixFile(const MatrixFile&) = delete;
  MatrixFile& operator=(const MatrixFile&) = delete;

  /// Makes /matrix; elements of chunks that are never written are 0.
  void begin(const MatrixShape& shape, const MatrixFacts& facts);
  static constexpr std::size_t checksum_bytes = 4;
  /// Puts the checksum of the chunk behind its bytes, where there must be room. From any thread.
  static void seal(std::byte* chunk, std::size_t chunk_bytes);
  /// A sealed one, whose first element is that one.
  void write(std::size_t row, std::size_t column, const std::byte* chunk);
  /// Lets the disk begin with what was written; waits for nothing.
  void begin_sync() const;
  void add(const std::string& name, std::span<const double> values, const std::string& unit);
  void add(const std::string& name, std::span<const std::int64_t> values);
  /// Everything is on the disk, and the file has its name.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::pipeline
