// SPDX-License-Identifier: MIT
// Files that are installed with this code and found from where it is, so that an installed folder may be moved.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace orrery {

/// The folder of the library, or of the program, that has this code in it; nullopt if it cannot be known.
std::optional<std::filesystem::path> folder_of_library();

/// The module of this file name: beside the library, or in the folder of libraries beside that of the program. nullopt if
/// there is none.
std::optional<std::filesystem::path> installed_module(std::string_view name);

}  // namespace orrery
