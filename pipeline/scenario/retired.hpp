// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace orrery::pipeline {

/// A key or value of earlier versions. In the archived scenario of a run or picture it is removed or translated, with a note; in a
/// new scenario it is an error.
struct Retired {
  std::string_view table;        ///< "backend", "figure", "figure.part"; "" is the top of the file
  std::string_view key;          ///< "kind" for a renamed plug-in
  std::string_view value{};      ///< as TOML, if only this value is retired; empty: any value
  std::string_view instead{};    ///< the new value as TOML; empty: the key is removed
  std::string_view since{};      ///< version
  bool changed_nothing = false;  ///< no visible effect: removed from archived scenarios without a note
  /// The value was a default written into archived scenarios. It is still valid in a new scenario.
  bool was_default = false;
};

inline std::span<const Retired> retired() {
  // Kernel launch parameters do not change any bit.
  static constexpr Retired all[] = {
      {.table = "backend", .key = "block", .since = "0.1", .changed_nothing = true},
      {.table = "backend", .key = "unroll", .since = "0.1", .changed_nothing = true},
      {.table = "backend",
       .key = "kernel",
       .value = "\"direct\"",
       .instead = "\"auto\"",
       .since = "0.1",
       .changed_nothing = true},
      {.table = "figure", .key = "size", .value = "[1600.0, 1200.0]", .changed_nothing = true, .was_default = true},
  };
  return all;
}

}  // namespace orrery::pipeline
