// SPDX-License-Identifier: MIT
// What a picture says of the run it shows, so that the run can be made again from the picture alone.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace orrery::render {

/// Carried as metadata by every format: PNG, SVG, PDF, MP4, WebM, GIF. All UTF-8; empty where nothing is known. A chart that
/// is of no run has the version alone.
struct Provenance {
  std::string version{};   ///< of the program, as `orrery --version` says it
  std::string state{};     ///< hash of the final state of the run, whatever part is shown, as `orrery info` says it
  std::string scenario{};  ///< resolved, TOML: `orrery run` on the picture makes the run again
  [[nodiscard]] bool empty() const { return version.empty() && scenario.empty(); }
  [[nodiscard]] bool of_a_run() const { return !scenario.empty(); }
  /// Whether orrery drew it: many programs name themselves where the version stands.
  [[nodiscard]] bool ours() const { return of_a_run() || version.starts_with("orrery "); }
};

// Each reads a file back, whoever it is from. Those that throw throw Error, exit code 2.

/// Of a .png, .svg or .pdf, also one that another program has saved again with its metadata; nothing where it does not name
/// orrery: a chart of no run says the version alone. Throws: it cannot be read, is of another format, cut short or damaged.
std::optional<Provenance> provenance_of_still(const std::filesystem::path& file);
/// Of an .mp4, .webm or .gif, whatever its name. Nothing where it is no film, or says nothing. Throws: it is empty, or says
/// nothing and is cut short.
std::optional<Provenance> provenance_of_film(const std::filesystem::path& film);
/// By the extension (.png, .svg, .pdf, or else a film); of a PNG as far as its first 64 KiB tell, the version and the state at
/// least. Empty where it says nothing, cannot be read or is no regular file.
Provenance quick_provenance(const std::filesystem::path& file);
/// Whether orrery drew it, by what it says of itself.
bool drawn_by_orrery(const std::filesystem::path& file);

}  // namespace orrery::render
