// SPDX-License-Identifier: MIT
// A checksum for everything that is written once: the data of a dataset in one piece, and the attributes of any object.
#pragma once

#include <hdf5.h>

#include <string>

namespace orrery::pipeline::trajectory {

// The library has checksums for its own structures, where small attributes lie too; it has none for the data of plain
// datasets, nor for long attributes. So every object that is read has an attribute `xxh3`: the XXH3 of its data, if it is
// a dataset, then of name and value of each of its other attributes in the order of their names.

inline constexpr const char* checksum_name = "xxh3";

/// Adds the checksum to an object that is complete.
void add_checksum(hid_t where, const std::string& name);
/// Refuses an object by name where it is not what its checksum was made of.
void verify_checksum(hid_t where, const std::string& name);

}  // namespace orrery::pipeline::trajectory
