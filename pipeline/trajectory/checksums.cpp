// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/checksums.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/trajectory/hash.hpp"
#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::trajectory {
namespace {

using hdf5::check;
using hdf5::Handle;

std::vector<std::byte> buffer_for(hid_t object, hid_t type, hid_t space) {
  const auto points = static_cast<hsize_t>(check(H5Sget_simple_extent_npoints(space)));
  const std::size_t size = H5Tget_size(type);
  return std::vector<std::byte>(size * hdf5::elements(object, {points}, size));
}

std::vector<std::byte> data_of(hid_t dataset) {
  const Handle type(H5Dget_type(dataset)), space(H5Dget_space(dataset));
  auto bytes = buffer_for(dataset, type, space);
  hdf5::read_all(dataset, type, bytes.data());
  return bytes;
}

std::vector<std::byte> value_of(hid_t object, const std::string& name) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  const Handle type(H5Aget_type(attribute)), space(H5Aget_space(attribute));
  auto bytes = buffer_for(object, type, space);
  check(H5Aread(attribute, type, bytes.data()));
  return bytes;
}

std::uint64_t checksum_of(hid_t object) {
  Hash hash;
  const auto add = [&](const std::vector<std::byte>& bytes) { hash.add(std::span<const std::byte>(bytes)); };
  if (H5Iget_type(object) == H5I_DATASET) add(data_of(object));
  for (const std::string& name : hdf5::attribute_names(object)) {
    if (name == checksum_name) continue;
    hash.add(std::span<const char>(name));
    add(value_of(object, name));
  }
  return hash.value();
}

Handle open(hid_t where, const std::string& name) {
  Handle object(H5Oopen(where, name.c_str(), hdf5::within_file()));
  hdf5::require_internal_storage(object);
  return object;
}

}  // namespace

void add_checksum(hid_t where, const std::string& name) {
  const Handle object = open(where, name);
  check(H5Fflush(object, H5F_SCOPE_LOCAL));  // otherwise the file may still be shorter than the data
  hdf5::write_attribute(object, checksum_name, checksum_of(object));
}

void verify_checksum(hid_t where, const std::string& name) {
  const Handle object = open(where, name);
  if (hdf5::read_attribute<std::uint64_t>(object, checksum_name) == checksum_of(object)) return;
  throw hdf5::Failure(hdf5::path_of(object) + " does not match its checksum");
}

}  // namespace orrery::pipeline::trajectory
