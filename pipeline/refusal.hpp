// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "common/error.hpp"

namespace orrery::pipeline {

/// Throws Error, exit code 2, with the message "FILE: why".
[[noreturn]] inline void refuse(const std::filesystem::path& file, const std::string& why) {
  throw Error(file.string() + ": " + why, 2);
}

}  // namespace orrery::pipeline
