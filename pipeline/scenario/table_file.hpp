// SPDX-License-Identifier: MIT
// Bodies from a CSV file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "common/parameter.hpp"
#include "sim/units.hpp"

namespace orrery::pipeline {

/// The bodies of a CSV file and the line number of each.
struct TableFile {
  /// mass, position and velocity (3 numbers per row); charge, radius, name and component if the file has them; elements of orbits,
  /// around and plane likewise: then numbers are NaN where they are not given, and there are no positions if none is given
  SharedColumns bodies;
  std::vector<std::uint32_t> lines;
};

/// Reads bodies from a CSV file. The first line names the columns name,mass,x,y,z,vx,vy,vz,charge,radius,component in any order; only
/// mass, x, y and z are required. If there is a column `frame`, as `orrery export` writes it, only the bodies of `frame` are
/// read (default: the last; negative: counted from the end, among the frames in the file, which is then read twice); columns
/// step, time, id and ix, iy, iz are ignored. Fields may be quoted, with "" for a quote (RFC 4180, but without line breaks). In
/// a `plane` z is not required and 0 by default. Columns around, plane and those of orbital elements, by their names or symbols, describe
/// orbits in place of positions; fields may then be empty, and times of pericentre count from the zero of a column time. Numbers may have
/// units, "1.37 Mearth", and become those of `units`. Blank lines and lines that begin with # are ignored. Throws Error, Fault::request, with
/// file:line, also for files that are not regular, lines above 64 KiB, and more bodies than fit into memory.
TableFile read_table_file(const std::filesystem::path& file, std::optional<std::int64_t> frame = {}, bool plane = false,
                          const sim::Units& units = sim::all_units().front());

}  // namespace orrery::pipeline
