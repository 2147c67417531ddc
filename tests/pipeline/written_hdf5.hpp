// SPDX-License-Identifier: MIT
// HDF5 files as other programs write them, by plain calls of the library.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace orrery::pipeline::testing {

/// A new file, closed at the end. Objects are created with the groups above them.
class WrittenHdf5 {
 public:
  explicit WrittenHdf5(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)), links_(H5Pcreate(H5P_LINK_CREATE)) {
    H5Pset_create_intermediate_group(links_, 1);
  }
  ~WrittenHdf5() {
    H5Pclose(links_);
    EXPECT_GE(H5Fclose(file_), 0);
  }
  WrittenHdf5(const WrittenHdf5&) = delete;
  WrittenHdf5& operator=(const WrittenHdf5&) = delete;

  [[nodiscard]] hid_t file() const { return file_; }

  void group(const std::string& path) { H5Gclose(H5Gcreate2(file_, path.c_str(), links_, H5P_DEFAULT, H5P_DEFAULT)); }

  /// A dataset of numbers, stored as `type`, for example H5T_IEEE_F32BE; `compressed`: in chunks of at most 100 rows, by deflate.
  template <class Number>
  void dataset(const std::string& path, hid_t type, const std::vector<hsize_t>& extents,
               const std::vector<Number>& numbers, bool compressed = false) {
    const hid_t space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (compressed) {
      std::vector<hsize_t> chunk = extents;
      chunk[0] = std::min<hsize_t>(chunk[0], 100);
      H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
      H5Pset_shuffle(creation);
      H5Pset_deflate(creation, 4);
    }
    const hid_t made = H5Dcreate2(file_, path.c_str(), type, space, links_, creation, H5P_DEFAULT);
    EXPECT_GE(made, 0) << path;
    if (!numbers.empty()) {
      EXPECT_GE(H5Dwrite(made, native<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
    }
    H5Dclose(made), H5Pclose(creation), H5Sclose(space);
  }

  template <class Number>
  void attribute(const std::string& object, const char* name, hid_t type, const std::vector<Number>& numbers) {
    const hsize_t count = numbers.size();
    const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr);
    const hid_t opened = H5Oopen(file_, object.c_str(), H5P_DEFAULT);
    const hid_t made = H5Acreate2(opened, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(made, native<Number>(), numbers.data()), 0) << object << " " << name;
    H5Aclose(made), H5Oclose(opened), H5Sclose(space);
  }
  void number(const std::string& object, const char* name, double value) {
    attribute<double>(object, name, H5T_IEEE_F64LE, {value});
  }
  void text(const std::string& object, const char* name, const std::string& value, bool variable = false) {
    texts(object, name, {value}, variable);
  }
  void texts(const std::string& object, const char* name, const std::vector<std::string>& values,
             bool variable = false) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    std::size_t width = 1;
    for (const auto& value : values) width = std::max(width, value.size() + 1);
    H5Tset_size(type, variable ? H5T_VARIABLE : width);
    std::string packed;
    std::vector<const char*> pointers;
    for (const auto& value : values) {
      packed += value + std::string(width - value.size(), '\0');
      pointers.push_back(value.c_str());
    }
    const hsize_t count = values.size();
    const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr);
    const hid_t opened = H5Oopen(file_, object.c_str(), H5P_DEFAULT);
    const hid_t made = H5Acreate2(opened, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(made, type, variable ? static_cast<const void*>(pointers.data()) : packed.data()), 0);
    H5Aclose(made), H5Oclose(opened), H5Sclose(space), H5Tclose(type);
  }

 private:
  template <class Number>
  static hid_t native() {
    if constexpr (std::is_same_v<Number, double>) return H5T_NATIVE_DOUBLE;
    return H5T_NATIVE_INT;
  }
  hid_t file_, links_;
};

}  // namespace orrery::pipeline::testing
