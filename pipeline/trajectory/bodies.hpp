// SPDX-License-Identifier: MIT
// The bodies in a file: those that frames store, and those that the scenario lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/parameter.hpp"
#include "pipeline/trajectory/hdf5.hpp"
#include "sim/bodies.hpp"

namespace orrery::pipeline::trajectory {

/// Throws Failure if an array of `bodies` has the wrong length or `kept` is not ascending.
void check_bodies(const sim::Bodies& bodies, const std::vector<std::int64_t>& kept);

/// Writes /particles/all/{mass, id, species, charge, radius, names}. `stored`: the bodies in frames; `kept`: their indices in the run
/// (empty: all).
void write_bodies(hid_t particles, const sim::Bodies& stored, std::vector<std::int64_t> kept,
                  const std::vector<std::string>& components);
/// Adds the checksums of these datasets. No attribute may be added to them afterwards.
void add_checksums_of_bodies(hid_t particles);

/// The stored bodies, with empty positions and velocities. Throws Failure naming the dataset that is damaged.
sim::Bodies read_bodies(hid_t file);
/// The indices of the stored bodies in the run.
std::vector<std::int64_t> read_ids(hid_t file);
std::vector<std::string> read_components(hid_t file);

/// Writes /parameters/initial/{i}/{mass, position, velocity, charge, radius, name, component}, with checksums, for each [[initial]] table
/// i that lists bodies. Columns with three numbers per row are [N][3].
void write_initial(hid_t parameters, const std::map<std::size_t, SharedColumns>& tables);

/// Number of bodies that table i lists; 0 if the file has none.
std::size_t initial_rows(hid_t file, std::size_t i);
/// The bodies that table i lists; null if the file has none. Throws Failure naming the dataset that is damaged.
SharedColumns read_initial(hid_t file, std::size_t i);
std::map<std::size_t, SharedColumns> read_all_initial(hid_t file);

}  // namespace orrery::pipeline::trajectory
