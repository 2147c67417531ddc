// SPDX-License-Identifier: MIT
// HDF5 files of other programs, without HDF5's types: nothing in them is trusted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::pipeline {

/// The first bytes of every HDF5 file.
inline constexpr std::string_view hdf5_signature = "\211HDF\r\n\032\n";

/// An HDF5 file, open for reading, which does not change it. Links to other files are not followed. Members throw Error, Fault::request,
/// with the file and the object.
class Hdf5Input {
 public:
  explicit Hdf5Input(const std::filesystem::path& path);
  ~Hdf5Input();
  Hdf5Input(Hdf5Input&&) noexcept;
  Hdf5Input& operator=(Hdf5Input&&) noexcept;

  /// Whether there is an object of that path.
  [[nodiscard]] bool contains(const std::string& object) const;
  [[nodiscard]] bool is_dataset(const std::string& object) const;
  /// The names in a group, at most 1000, sorted.
  [[nodiscard]] std::vector<std::string> members(const std::string& group) const;
  /// The numbers of an attribute of an object, at most 1000; empty without it.
  [[nodiscard]] std::vector<double> numbers(const std::string& object, const std::string& attribute) const;
  /// The first of them; nullopt without the attribute.
  [[nodiscard]] std::optional<double> number(const std::string& object, const std::string& attribute) const;
  /// The texts of an attribute, each at most 4096 bytes; empty without it, or if it is not of texts.
  [[nodiscard]] std::vector<std::string> texts(const std::string& object, const std::string& attribute) const;
  [[nodiscard]] std::string text(const std::string& object, const std::string& attribute) const;

  /// The extents of a dataset of numbers, which the size of the file and the memory admit.
  [[nodiscard]] std::vector<std::uint64_t> shape(const std::string& dataset) const;
  /// Reads a whole dataset, whose shape has as many numbers.
  void read(const std::string& dataset, std::span<double> numbers) const;
  /// Reads a row of the first axis.
  void read_row(const std::string& dataset, std::uint64_t row, std::span<double> numbers) const;

  /// Throws Error, Fault::request: "FILE: OBJECT: what".
  [[noreturn]] void fail(const std::string& object, const std::string& what) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::pipeline
