// SPDX-License-Identifier: MIT
// Keys and values that scenarios had in earlier versions.
#pragma once

#include <span>
#include <string_view>

namespace orrery::pipeline {

/// What a scenario can no longer say. Where it stands in a run or a picture made by an earlier version it is left out, or said
/// as it is said now, with one line; in a scenario that somebody writes today it is refused with the same words.
struct Retired {
  std::string_view table;        ///< "backend", "figure", "figure.part"; "" is the top of the file
  std::string_view key;          ///< "kind" for a plug-in that was renamed
  std::string_view value{};      ///< as TOML: only this value is retired; empty: the key is, whatever it says
  std::string_view instead{};    ///< as TOML: the value that means the same today; empty: the key is left out
  std::string_view since{};      ///< version
  bool changed_nothing = false;  ///< that anybody sees: left out of old files without a word
  /// The value was written out where nothing was asked for, and may be asked for today: left out of runs and pictures alone.
  bool was_default = false;
};

/// All of them.
inline std::span<const Retired> retired() {
  // How kernels are launched changes no bit; what is left of these is studied apart from runs.
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
