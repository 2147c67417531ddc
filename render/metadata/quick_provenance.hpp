// SPDX-License-Identifier: MIT
// Whose a picture is, told quickly, of whatever file it may be.
#pragma once

#include <filesystem>

#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// What a picture says of itself, by its extension (.png, .svg, .pdf, or else a film); of a PNG as far as its first 64 KiB tell,
/// the version and the state at least. Empty where it says nothing, cannot be read or is no regular file.
Provenance quick_provenance(const std::filesystem::path& file);

/// Whether orrery drew it, by what it says of itself.
bool drawn_by_orrery(const std::filesystem::path& file);

}  // namespace orrery::render
