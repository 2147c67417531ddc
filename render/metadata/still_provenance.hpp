// SPDX-License-Identifier: MIT
// What a still says of its run, read back.
#pragma once

#include <filesystem>
#include <optional>

#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// Of a .png, .svg or .pdf, also one that another program has saved again with its metadata; nothing where it does not name
/// orrery: a chart of no run says the version alone.
/// Throws Error, exit code 2: it cannot be read, is of another format, cut short or damaged.
std::optional<Provenance> provenance_of_still(const std::filesystem::path& file);

}  // namespace orrery::render
