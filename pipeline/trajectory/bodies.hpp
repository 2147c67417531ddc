// SPDX-License-Identifier: MIT
// What the stored bodies are: mass, number, species, and charge and name where they have one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/trajectory/hdf5.hpp"
#include "sim/bodies.hpp"

namespace orrery::pipeline::trajectory {

/// Refuses bodies that lack an entry, and numbers `kept` of some of them that do not ascend.
void check_bodies(const sim::Bodies& bodies, const std::vector<std::int64_t>& kept);

/// `stored` are those that frames keep, `kept` their numbers in the run (empty: they are all of it).
void write_bodies(hid_t particles, const sim::Bodies& stored, std::vector<std::int64_t> kept,
                  const std::vector<std::string>& components);
/// Says that they are complete: after this no attribute comes to them.
void add_checksums_of_bodies(hid_t particles);

/// The stored bodies, without places and velocities; what is damaged is named.
sim::Bodies read_bodies(hid_t file);
/// Which bodies of the run they are.
std::vector<std::int64_t> read_ids(hid_t file);
std::vector<std::string> read_components(hid_t file);

}  // namespace orrery::pipeline::trajectory
