// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace orrery::pipeline {

/// Keys of which a table may have only one. One that is set by --set replaces those of the file.
struct ExclusiveKeys {
  std::string_view table;                ///< "trajectory"; [[film]] and [[figure.part]] are a "figure" too
  std::string_view kind{};               ///< only of tables with this kind; empty: of all
  std::array<std::string_view, 3> keys;  ///< the last may be empty
  std::string_view only_with{};          ///< the second excludes the first with this text alone
};

inline constexpr ExclusiveKeys exclusive_keys[] = {
    {.table = "integrator", .keys = {"time", "steps"}},
    {.table = "trajectory", .keys = {"frames", "every", "times"}},
    {.table = "observables", .keys = {"rows", "every", "times"}},
    {.table = "initial", .kind = "table", .keys = {"bodies", "file"}},
    {.table = "initial", .kind = "lattice", .keys = {"n", "radius"}},
    {.table = "backend", .keys = {"device", "devices"}},
    {.table = "figure", .keys = {"times", "count"}},
    {.table = "figure", .keys = {"limits", "frame_limits"}, .only_with = "follow"},
    {.table = "figure", .kind = "phase", .keys = {"body", "bodies"}},
    {.table = "key", .keys = {"time", "at"}},  // of a camera
};

}  // namespace orrery::pipeline
