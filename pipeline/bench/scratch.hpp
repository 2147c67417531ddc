// SPDX-License-Identifier: MIT
// Where a suite puts the files that it measures with.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "common/error.hpp"

namespace orrery::pipeline {

/// A folder that goes with everything in it.
class Scratch {
 public:
  explicit Scratch(const std::filesystem::path& where) : path_(where / fmt::format("orrery-bench-{}", ::getpid())) {
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (error) throw Error(fmt::format("{}: cannot be made: {}", path_.string(), error.message()));
  }
  ~Scratch() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace orrery::pipeline
