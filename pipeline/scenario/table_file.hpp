// SPDX-License-Identifier: MIT
// Records of a scenario that are kept in a CSV file beside it.
#pragma once

#include <string>

#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {

/// Where `section` has a key `file` beside records `bodies`, fills the records from that CSV file, which is looked for
/// beside `scenario`. Columns name,mass,x,y,z,vx,vy,vz,charge in any order, named in the first line; name, velocity and
/// charge may be absent. Throws Error with file:line.
void load_table_file(Section& section, const std::string& scenario);

}  // namespace orrery::pipeline
