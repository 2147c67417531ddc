// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "common/error.hpp"

namespace orrery::pipeline {

/// A temporary folder in `where`, removed with its content. Throws Error if it cannot be made.
class Scratch {
 public:
  explicit Scratch(const std::filesystem::path& where) {
    std::error_code error;
    std::filesystem::create_directories(where, error);
    std::string name = where / "orrery-bench-XXXXXX";
    if (error || ::mkdtemp(name.data()) == nullptr)
      throw Error(fmt::format("{}: cannot make a folder there: {}", where.string(),
                              error ? error.message() : std::strerror(errno)));
    path_ = name;
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
