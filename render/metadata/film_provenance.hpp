// SPDX-License-Identifier: MIT
// What a film says of its run, read back from the file.
#pragma once

#include <filesystem>
#include <optional>

#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// Of an .mp4, .webm or .gif, to the last byte as it was written; whatever its name. Nothing where the file is no film,
/// or says nothing. Throws Error, exit code 2, where it is empty, or says nothing and is cut short.
std::optional<Provenance> provenance_of_film(const std::filesystem::path& film);

}  // namespace orrery::render
