// SPDX-License-Identifier: MIT
// Metadata of pictures, from which the run can be repeated.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/export.hpp"

namespace orrery::render {

/// The metadata of PNG, SVG, PDF, JSON, MP4, WebM and GIF, in UTF-8; empty if unknown. A chart without a run has only the version.
struct Provenance {
  std::string version{};   ///< as in `orrery --version`
  std::string state{};     ///< hash of the final state of the run, as in `orrery info`
  std::string scenario{};  ///< resolved, as TOML; `orrery run` on the picture repeats the run
  std::string piece{};     ///< of a piece of an MP4 or WebM: tag_of() in render/module/av.hpp
  [[nodiscard]] bool empty() const { return version.empty() && scenario.empty(); }
  [[nodiscard]] bool of_a_run() const { return !scenario.empty(); }
  /// Returns whether orrery drew it; other programs may have written the version.
  [[nodiscard]] bool ours() const { return of_a_run() || version.starts_with("orrery "); }
};

/// Reads a .png, .svg, .pdf, .json or .csv, also if another program has saved it again with its metadata; nullopt if it does not name
/// orrery. Throws Error (Fault::request) if it cannot be read, has another format, or is cut short or damaged.
std::optional<Provenance> provenance_of_still(const std::filesystem::path& file);
/// Reads an .mp4, .webm or .gif, by contents; nullopt if it is no film or has no metadata. Throws Error (Fault::request) if it
/// is empty, or cut short without metadata.
std::optional<Provenance> provenance_of_film(const std::filesystem::path& film);
/// Reads a file by its extension (a still, otherwise a film). Empty without metadata, or if the file cannot be read or
/// is not regular.
Provenance quick_provenance(const std::filesystem::path& file);
/// Returns whether orrery drew a file, by its metadata.
ORRERY_EXPORT bool drawn_by_orrery(const std::filesystem::path& file);

}  // namespace orrery::render
