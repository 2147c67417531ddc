// SPDX-License-Identifier: MIT
// Bodies from a CSV file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "common/parameter.hpp"

namespace orrery::pipeline {

/// The bodies of a CSV file, and the line that each of them stands on.
struct TableFile {
  SharedColumns
      bodies;  ///< mass, position and velocity (three a row); charge, name and component where the file has them
  std::vector<std::uint32_t> lines;
};

/// Reads bodies from a CSV file: columns name,mass,x,y,z,vx,vy,vz,charge,component in any order, named in the first line; all
/// but mass and place may be absent. Where there is a column `frame`, as `orrery export` writes it, bodies are those of that
/// `frame`, or of the one with the greatest number; columns step, time and id count for nothing. Fields may stand between quotes, and "" within them is a quote (RFC 4180, but a field ends with its
/// line). Blank lines and those that begin with # are passed over. Throws Error, exit code 2, with file:line: for what is no
/// regular file, lines above 64 KiB, and more bodies than memory has room for.
TableFile read_table_file(const std::filesystem::path& file, std::optional<std::int64_t> frame = {});

}  // namespace orrery::pipeline
