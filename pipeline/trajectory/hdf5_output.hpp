// SPDX-License-Identifier: MIT
// HDF5 files for other programs, without HDF5's types. Readers of any version of HDF5 since 1.8 open them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace orrery::pipeline {

/// A new HDF5 file. Members throw Error with the file.
class Hdf5Output {
 public:
  enum class Number { float32, float64, int32, int64, uint32, uint64 };
  using Extents = std::vector<std::uint64_t>;

  /// Writes into an existing, empty file.
  explicit Hdf5Output(const std::filesystem::path& path);
  ~Hdf5Output();
  Hdf5Output(const Hdf5Output&) = delete;
  Hdf5Output& operator=(const Hdf5Output&) = delete;

  /// The root group is "/"; groups above must exist.
  void group(const std::string& path);
  void link(const std::string& object, const std::string& as);
  void attribute(const std::string& object, const std::string& name, const std::string& text);
  void attribute(const std::string& object, const std::string& name, const std::vector<std::string>& texts);
  void attribute(const std::string& object, const std::string& name, double number);
  void attribute(const std::string& object, const std::string& name, Number type, std::span<const double> numbers);
  void attribute(const std::string& object, const std::string& name, Number type,
                 std::span<const std::int64_t> numbers);
  /// A dataset that will be filled by `write`.
  void dataset(const std::string& path, Number type, const Extents& extents);
  /// Writes a block of a dataset, converted to its type. Without a block: all of it.
  void write(const std::string& dataset, std::span<const double> numbers, const Extents& offset = {},
             const Extents& count = {});
  void write(const std::string& dataset, std::span<const std::int64_t> numbers, const Extents& offset = {},
             const Extents& count = {});
  /// Closes the file; without this call its contents are undefined.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::pipeline
