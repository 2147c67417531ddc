// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/hdf5.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "pipeline/trajectory/chunk_index.hpp"

namespace orrery::pipeline::hdf5 {
namespace {

// A crafted file must not open other files nor load filter plug-ins. This is asked of each access and not of the whole library,
// which belongs to the program: it may use HDF5 itself.

/// Called before a link to another file is followed.
herr_t refuse_link(const char* /*from*/, const char* /*place*/, const char* /*file*/, const char* /*object*/,
                   unsigned* /*flags*/, hid_t /*access*/, void* /*data*/) {
  return -1;
}

hid_t access_within_file(hid_t of) {
  const hid_t access = check(H5Pcreate(of));
  check(H5Pset_elink_cb(access, refuse_link, nullptr));
  return access;
}

/// Whether the filters of a dataset are HDF5's own, whose numbers are the lowest. Others would be loaded.
bool has_own_filters(hid_t creation) {
  for (int k = 0, count = check(H5Pget_nfilters(creation)); k < count; ++k) {
    unsigned flags = 0;
    std::size_t none = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation, static_cast<unsigned>(k), &flags, &none, nullptr, 0, nullptr, nullptr);
    if (filter < 0 || filter >= H5Z_FILTER_RESERVED) return false;
  }
  return true;
}

struct RowSelection {
  Handle file, memory;

  RowSelection(hid_t dataset, std::size_t first, std::size_t count) : file(H5Dget_space(dataset)) {
    Extents shape = extents(dataset);
    Extents offset(shape.size(), 0);
    offset.at(0) = first;
    shape.at(0) = count;
    select(offset, shape);
  }
  /// Items of the second axis of one row.
  RowSelection(hid_t dataset, std::size_t row, std::size_t first, std::size_t count) : file(H5Dget_space(dataset)) {
    Extents shape = extents(dataset);
    Extents offset(shape.size(), 0);
    offset.at(0) = row, offset.at(1) = first;
    shape.at(0) = 1, shape.at(1) = count;
    select(offset, shape);
  }

 private:
  void select(const Extents& offset, const Extents& shape) {
    check(H5Sselect_hyperslab(file, H5S_SELECT_SET, offset.data(), nullptr, shape.data(), nullptr));
    memory = space_of(shape);
  }
};

herr_t read(hid_t dataset, hid_t type, const RowSelection& rows, void* data) {
  const Handle transfer(H5Pcreate(H5P_DATASET_XFER));
  check(H5Pset_edc_check(transfer, H5Z_DISABLE_EDC));
  return H5Dread(dataset, type, rows.memory, rows.file, transfer, data);
}

}  // namespace

Handle space_of(const Extents& extents) {
  if (extents.empty()) return Handle(H5Screate(H5S_SCALAR));
  return Handle(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr));
}

hid_t within_file() {
  static const hid_t once = access_within_file(H5P_LINK_ACCESS);
  return once;
}
hid_t dataset_within_file() {
  static const hid_t once = access_within_file(H5P_DATASET_ACCESS);
  return once;
}
hid_t group_within_file() {
  static const hid_t once = access_within_file(H5P_GROUP_ACCESS);
  return once;
}

Handle open_group(hid_t where, const std::string& name) {
  return Handle(H5Gopen2(where, name.c_str(), group_within_file()));
}

Handle create_group(hid_t where, const std::string& name, unsigned links) {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE));
  if (links > 0) reserve_links(creation, links);
  return Handle(H5Gcreate2(where, name.c_str(), H5P_DEFAULT, creation, group_within_file()));
}

void reserve_links(hid_t creation, unsigned links) {
  check(H5Pset_link_phase_change(creation, links, links / 2));
  check(H5Pset_est_link_info(creation, links, 12));
}

Handle create_unlinked_group(hid_t file) {
  return Handle(H5Gcreate_anon(file, H5P_DEFAULT, H5P_DEFAULT));
}

void sync(int descriptor) {
  if (::fdatasync(descriptor) != 0) throw CallFailure("fdatasync: " + std::string(std::strerror(errno)), errno);
}

void flush_and_sync(hid_t object) {
  check(H5Fflush(object, H5F_SCOPE_LOCAL));
  sync(descriptor_of(object));
}

void link(hid_t object, hid_t where, const std::string& name) {
  flush_and_sync(object);
  check(H5Olink(object, where, name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  check(H5Fflush(object, H5F_SCOPE_LOCAL));
}

void require_internal_storage(hid_t object) {
  if (H5Iget_type(object) != H5I_DATASET) return;
  const Handle creation(H5Dget_create_plist(object));
  if (check(H5Pget_external_count(creation)) > 0 || check(H5Pget_layout(creation)) == H5D_VIRTUAL)
    throw Failure(path_of(object) + " is stored in another file");
  if (!has_own_filters(creation)) throw Failure(path_of(object) + " is stored by a filter that is not one of HDF5");
}

Handle open_dataset(hid_t where, const std::string& name) {
  Handle dataset(H5Dopen2(where, name.c_str(), dataset_within_file()));
  require_internal_storage(dataset);
  return dataset;
}

Handle open_uncached(hid_t where, const std::string& name) {
  const Handle access(H5Pcopy(dataset_within_file()));
  check(H5Pset_chunk_cache(access, 1, 0, 1.0));
  Handle dataset(H5Dopen2(where, name.c_str(), access));
  require_internal_storage(dataset);
  return dataset;
}

Handle create_fixed(hid_t where, const std::string& name, hid_t type, const Extents& extents) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  check(H5Pset_layout(creation, H5D_CONTIGUOUS));
  check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY));
  const Handle space = space_of(extents);
  return Handle(H5Dcreate2(where, name.c_str(), type, space, H5P_DEFAULT, creation, dataset_within_file()));
}

Handle create_growing(hid_t where, const std::string& name, hid_t type, Extents extents, const Extents& chunk,
                      bool fletcher32) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  check(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()));
  if (fletcher32) check(H5Pset_fletcher32(creation));
  Extents most = extents;
  extents.at(0) = 0;
  most.at(0) = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), most.data()));
  return Handle(H5Dcreate2(where, name.c_str(), type, space, H5P_DEFAULT, creation, dataset_within_file()));
}

bool exists(hid_t where, const std::string& name) {
  return check(H5Lexists(where, name.c_str(), within_file())) > 0;
}

void hard_link(hid_t from, const std::string& name, hid_t to, const std::string& link) {
  check(H5Lcreate_hard(from, name.c_str(), to, link.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

void soft_link(const std::string& path, hid_t to, const std::string& link) {
  check(H5Lcreate_soft(path.c_str(), to, link.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

Extents extents(hid_t dataset) {
  const Handle space(H5Dget_space(dataset));
  Extents result(static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space))));
  check(H5Sget_simple_extent_dims(space, result.data(), nullptr));
  return result;
}

std::size_t length(hid_t dataset) {
  const Extents shape = extents(dataset);
  if (shape.empty()) throw Failure(path_of(dataset) + " should be a list");
  return shape[0];
}

void resize(hid_t dataset, std::size_t rows) {
  Extents shape = extents(dataset);
  if (shape.at(0) == rows) return;
  shape[0] = rows;
  check(H5Dset_extent(dataset, shape.data()));
}

void write_rows(hid_t dataset, hid_t type, std::size_t first, std::size_t count, const void* data) {
  if (count == 0) return;
  if (length(dataset) < first + count) resize(dataset, first + count);
  const RowSelection rows(dataset, first, count);
  check(H5Dwrite(dataset, type, rows.memory, rows.file, H5P_DEFAULT, data));
}

void write_chunk(hid_t dataset, const Extents& corner, std::span<const std::byte> bytes) {
  constexpr std::uint32_t no_filter_left_out = 0;
  check(H5Dwrite_chunk(dataset, H5P_DEFAULT, no_filter_left_out, corner.data(), bytes.size(), bytes.data()));
}

void read_rows(hid_t dataset, hid_t type, std::size_t first, std::size_t count, void* data) {
  if (count == 0) return;
  if (read(dataset, type, RowSelection(dataset, first, count), data) >= 0) return;
  try {
    fail();
  } catch (const CallFailure&) {
    if (!trajectory::read_chunks_directly(dataset, type, first, count, data)) throw;
  }
}

void read_items(hid_t dataset, hid_t type, std::size_t row, std::size_t first, std::size_t count, void* data) {
  check(read(dataset, type, RowSelection(dataset, row, first, count), data));
}

void write_all(hid_t dataset, hid_t type, const void* data) {
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
}

void read_all(hid_t dataset, hid_t type, void* data) {
  check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
}

}  // namespace orrery::pipeline::hdf5
