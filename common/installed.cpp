// SPDX-License-Identifier: MIT
#include "common/installed.hpp"

#include <dlfcn.h>

#include <system_error>

namespace orrery {

std::optional<std::filesystem::path> folder_of_library() {
  Dl_info here{};
  if (::dladdr(reinterpret_cast<const void*>(&folder_of_library), &here) == 0) return std::nullopt;
  std::error_code none;
  const std::filesystem::path self = std::filesystem::canonical(here.dli_fname, none);
  if (none) return std::nullopt;
  return self.parent_path();
}

std::optional<std::filesystem::path> installed_module(std::string_view name) {
  const auto self = folder_of_library();
  if (!self) return std::nullopt;
  for (const char* folder : {".", "../lib", "../" ORRERY_LIBRARY_FOLDER}) {
    std::filesystem::path candidate = *self / folder / name;
    std::error_code none;
    if (std::filesystem::exists(candidate, none)) return candidate;
  }
  return std::nullopt;
}

}  // namespace orrery
