// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "common/file_format.hpp"

namespace orrery::pipeline {

/// Whether the name of a file is that of a trajectory: .h5, .hdf5 or .vtkhdf.
inline bool is_trajectory_name(const std::filesystem::path& file) {
  const std::string extension = extension_of(file);
  return extension == ".h5" || extension == ".hdf5" || extension == ".vtkhdf";
}

}  // namespace orrery::pipeline
