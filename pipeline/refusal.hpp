// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "common/error.hpp"

namespace orrery::pipeline {

/// Throws Error, Fault::request, with the message "FILE: why".
[[noreturn]] inline void refuse(const std::filesystem::path& file, const std::string& why) {
  throw Error(file.string() + ": " + why, Fault::request);
}

}  // namespace orrery::pipeline
