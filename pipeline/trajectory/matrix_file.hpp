// SPDX-License-Identifier: MIT
// The file of `orrery matrix`, described in docs/matrix.md: a matrix written chunk by chunk, or reductions of one.
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

/// Attributes of a matrix file.
struct MatrixFacts {
  std::map<std::string, std::string> texts;
  std::map<std::string, double> numbers;
  std::map<std::string, std::vector<std::int64_t>> ranges;
};

/// rows × columns numbers in chunks of at most `edge` rows and columns.
struct MatrixShape {
  std::size_t rows = 0, columns = 0, edge = 512;
  bool floats = false;

  [[nodiscard]] std::size_t chunk_rows() const { return rows < edge ? rows : edge; }
  [[nodiscard]] std::size_t chunk_columns() const { return columns < edge ? columns : edge; }
  /// Without the checksum that follows the data.
  [[nodiscard]] std::size_t chunk_bytes() const { return chunk_rows() * chunk_columns() * (floats ? 4 : 8); }
};

/// Written under a temporary name and removed by the destructor unless finish() was called. Members throw Error with one line that
/// names the file; Fault::request if an existing file may not be replaced.
class MatrixFile {
 public:
  MatrixFile(const std::filesystem::path& path, const MatrixFacts& facts, Replacing replacing);
  ~MatrixFile();
  MatrixFile(const MatrixFile&) = delete;
  MatrixFile& operator=(const MatrixFile&) = delete;

  /// Creates /matrix. Chunks that are never written read as 0.
  void begin(const MatrixShape& shape, const MatrixFacts& facts);
  static constexpr std::size_t checksum_bytes = 4;
  /// Appends the checksum of a chunk to its bytes: the buffer must have room for it. Thread-safe.
  static void seal(std::byte* chunk, std::size_t chunk_bytes);
  /// Writes a sealed chunk whose first element is (row, column).
  void write(std::size_t row, std::size_t column, const std::byte* chunk);
  /// Starts writing back dirty pages without waiting.
  void begin_sync() const;
  void add(const std::string& name, std::span<const double> values, const std::string& unit);
  void add(const std::string& name, std::span<const std::int64_t> values);
  /// Syncs the file and renames it.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::pipeline
