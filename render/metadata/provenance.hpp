// SPDX-License-Identifier: MIT
// What a picture says of the run it shows, so that the run can be made again from the picture alone.
#pragma once

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

}  // namespace orrery::render
