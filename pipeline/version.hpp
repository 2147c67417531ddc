// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace orrery::pipeline {

std::string version();
std::string commit();  ///< git's abbreviated hash, with "-dirty" if files were changed; "unknown" outside git
std::string compiler();
/// "orrery 0.1.0 (abc1234, GNU 12.2.0)"
std::string version_line();

}  // namespace orrery::pipeline
