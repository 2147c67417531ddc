// SPDX-License-Identifier: MIT
// Checksums of everything that is written once.
#pragma once

#include <hdf5.h>

#include <string>

namespace orrery::pipeline::trajectory {

// HDF5 has checksums for its metadata, which include small attributes, but not for contiguous datasets and long attributes. So
// each object has an attribute `xxh3`: XXH3 of its data, if it is a dataset, then of name and value of each other attribute in the
// order of names.

inline constexpr const char* checksum_name = "xxh3";

/// Adds the checksum to a complete object.
void add_checksum(hid_t where, const std::string& name);
/// Throws Failure naming the object if it does not match its checksum.
void verify_checksum(hid_t where, const std::string& name);

}  // namespace orrery::pipeline::trajectory
