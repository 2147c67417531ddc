// SPDX-License-Identifier: MIT
// /parameters/initial: bodies that a scenario lists, as columns.
#pragma once

#include <cstddef>
#include <map>

#include "common/parameter.hpp"
#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::trajectory {

/// Writes /parameters/initial/{i}/{mass, position, velocity, charge, name} for each table i of the scenario's [[initial]] that
/// lists bodies; each dataset has a checksum. Numbers of three a row are [N][3].
void write_initial(hid_t parameters, const std::map<std::size_t, SharedColumns>& tables);

/// How many bodies table i lists; 0 where the file has none.
std::size_t initial_rows(hid_t file, std::size_t i);
/// Those bodies, null where the file has none; what is damaged is named.
SharedColumns read_initial(hid_t file, std::size_t i);
std::map<std::size_t, SharedColumns> read_all_initial(hid_t file);

}  // namespace orrery::pipeline::trajectory
