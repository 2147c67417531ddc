// SPDX-License-Identifier: MIT
// Sizes of chunks, and checks of the sizes in a file before memory is allocated for them.
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "pipeline/memory.hpp"
#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::hdf5 {
namespace {

/// Bytes that are never compared with the size of the file: a new file is smaller than the attributes it will hold.
constexpr double always_allowed = 65536;
/// Bytes below which the available memory, which is slow to query, is not checked.
constexpr double check_threshold = 1 << 26;

double bytes_of_file(hid_t object) {
  struct stat now {};
  if (::fstat(descriptor_of(object), &now) != 0) throw Failure(std::strerror(errno));
  return static_cast<double>(now.st_size);
}

}  // namespace

int descriptor_of(hid_t object) {
  const Handle file(H5Iget_file_id(object));
  void* descriptor = nullptr;
  check(H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor));
  return *static_cast<int*>(descriptor);
}

std::string path_of(hid_t object) {
  std::string path(static_cast<std::size_t>(std::max<ssize_t>(check(H5Iget_name(object, nullptr, 0)), 0)), '\0');
  H5Iget_name(object, path.data(), path.size() + 1);
  return path;
}

void require_memory(hid_t object, double bytes) {
  if (bytes > check_threshold && 2 * bytes > static_cast<double>(usable_memory()))
    throw Failure(path_of(object) + " needs more memory than this machine has for it");
}

std::size_t elements(hid_t object, const Extents& extents, std::size_t size) {
  auto bytes = static_cast<double>(size);
  std::size_t count = 1;
  for (const hsize_t n : extents) {
    bytes *= static_cast<double>(n);
    count *= n;
  }
  if (bytes > always_allowed && bytes > bytes_of_file(object))
    throw Failure(path_of(object) + " claims to be larger than the file");
  require_memory(object, bytes);  // a sparse file may be of any size
  return count;
}

std::size_t elements(hid_t dataset, std::size_t size) {
  return elements(dataset, extents(dataset), size);
}

void require_rows(hid_t dataset, const Extents& row) {
  const Extents shape = extents(dataset);
  if (shape.empty() || !std::equal(shape.begin() + 1, shape.end(), row.begin(), row.end()))
    throw Failure(path_of(dataset) + " has the wrong shape");
  const Handle type(H5Dget_type(dataset));
  elements(dataset, shape, H5Tget_size(type));
}

void require_scalar(hid_t dataset) {
  if (!extents(dataset).empty()) throw Failure(path_of(dataset) + " should be a single value");
}

void require_type(hid_t dataset, hid_t type) {
  const Handle stored(H5Dget_type(dataset));
  if (check(H5Tequal(stored, type)) == 0) throw Failure(path_of(dataset) + " has the wrong number type");
}

std::size_t chunk_for(std::size_t expected, std::size_t most) {
  return expected == 0 ? most : std::bit_ceil(std::min(expected, most));
}

Extents chunk_of(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset));
  Extents chunk(H5S_MAX_RANK);
  chunk.resize(static_cast<std::size_t>(check(H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()))));
  return chunk;
}

std::size_t chunk_rows(hid_t dataset) {
  return chunk_of(dataset).front();
}

std::size_t chunks(hid_t dataset, std::size_t rows) {
  Extents shape = extents(dataset);
  const Extents chunk = chunk_of(dataset);
  shape.at(0) = rows;
  std::size_t count = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) count *= (shape[axis] + chunk.at(axis) - 1) / chunk[axis];
  return count;
}

}  // namespace orrery::pipeline::hdf5
