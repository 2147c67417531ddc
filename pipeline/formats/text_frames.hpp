// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "pipeline/formats/foreign_frames.hpp"

namespace orrery::pipeline {

/// The frames of a table of text; one, if nothing tells several apart. Nullopt if it has orbits, or columns without names. Throws
/// Error, Fault::request, with FILE:LINE.
std::optional<ForeignFrames> read_text_frames(const std::filesystem::path& file, const BodyFileOptions& options);

}  // namespace orrery::pipeline
