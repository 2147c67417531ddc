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

/// Returns the folder for temporary files: TMPDIR, or /tmp if that is not set or empty. Throws Error if it is not a folder.
inline std::filesystem::path folder_of_temporary_files() {
  const char* set = std::getenv("TMPDIR");
  if (set == nullptr || *set == '\0') return "/tmp";
  std::error_code error;
  if (!std::filesystem::is_directory(set, error))
    throw Error(fmt::format("TMPDIR={}: is not a folder: set it to one for temporary files, or give -o DIR", set),
                Fault::request);
  return set;
}

/// A temporary folder in `where`, or in the one for temporary files if that is empty; removed with its content. Throws Error
/// if it cannot be made.
class Scratch {
 public:
  explicit Scratch(std::filesystem::path where) {
    if (where.empty()) where = folder_of_temporary_files();
    std::error_code error;
    std::filesystem::create_directories(where, error);
    std::string name = where / "orrery-XXXXXX";
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
