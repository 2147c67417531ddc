// SPDX-License-Identifier: MIT
// Changes to a scenario by flags, as they are stored with a run: "dotted.key=value" of --set, "dotted.key" of --unset.
#pragma once

#include <string>
#include <string_view>

namespace orrery::pipeline {

inline bool is_unset(std::string_view override) {
  return override.find('=') == std::string_view::npos;
}

/// The flag that an override comes from, "--set" or "--unset".
inline std::string flag_of(std::string_view override) {
  return is_unset(override) ? "--unset" : "--set";
}

/// Where a value or message from an override is said to stand: "--set integrator.dt=0.1".
inline std::string place_of(const std::string& override) {
  return flag_of(override) + " " + override;
}

/// Whether a place is that of a flag rather than of the file.
inline bool is_override(std::string_view place) {
  return place.starts_with("--");
}

/// The key as it is written, "integrator.dt".
inline std::string key_of(const std::string& override) {
  return override.substr(0, override.find('='));
}

}  // namespace orrery::pipeline
