// SPDX-License-Identifier: MIT
// The view: bodies as points with one vertex each, frames as steps, nothing copied that is in the file already.
#include "pipeline/trajectory/vtk_view.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace orrery::pipeline::trajectory {
namespace {

using hdf5::check;
using hdf5::Handle;
using Integers = std::vector<std::int64_t>;

void write_integers(hid_t where, const std::string& name, const Integers& values, hdf5::Extents extents = {}) {
  hdf5::write_flat(where, name, std::span(values), std::move(extents));
}

// The same number everywhere: a fill value of a dataset that is never written takes no room in the file.
void write_constant(hid_t where, const std::string& name, std::int64_t value, const hdf5::Extents& extents) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  check(H5Pset_fill_value(creation, hdf5::type_of<std::int64_t>(), &value));
  const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr));
  const Handle dataset(
      H5Dcreate2(where, name.c_str(), hdf5::type_of<std::int64_t>(), space, H5P_DEFAULT, creation, H5P_DEFAULT));
}

// VTK compares the type with an ASCII text.
void write_type(hid_t view) {
  const std::string name = "PolyData";
  const Handle type(H5Tcopy(H5T_C_S1));
  check(H5Tset_size(type, name.size()));
  check(H5Tset_strpad(type, H5T_STR_NULLPAD));
  hdf5::write_attribute(view, "Type", type, {}, name.data());
}

// [T · N][3] onto [T][N][3] of the same file.
void write_virtual(hid_t where, const std::string& name, const std::string& source, const Shape& shape,
                   std::size_t frames) {
  const std::array<hsize_t, 2> flat{frames * shape.bodies, 3};
  const std::array<hsize_t, 3> stored{frames, shape.bodies, 3};
  const Handle view_space(H5Screate_simple(2, flat.data(), nullptr));
  const Handle source_space(H5Screate_simple(3, stored.data(), nullptr));
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  check(H5Pset_virtual(creation, view_space, ".", source.c_str(), source_space));
  const Handle dataset(H5Dcreate2(where, name.c_str(), shape.type(), view_space, H5P_DEFAULT, creation, H5P_DEFAULT));
}

// One kind of cell; every part of the file has all four of them.
void write_cells(hid_t view, const std::string& kind, std::size_t count) {
  const Handle cells = hdf5::create_group(view, kind);
  Integers offsets(count + 1);
  std::iota(offsets.begin(), offsets.end(), 0);
  write_integers(cells, "NumberOfCells", {static_cast<std::int64_t>(count)});
  write_integers(cells, "NumberOfConnectivityIds", {static_cast<std::int64_t>(count)});
  write_integers(cells, "Offsets", offsets);
  offsets.pop_back();
  write_integers(cells, "Connectivity", offsets, {count});
}

}  // namespace

void write_vtk_view(hid_t file, const Shape& shape, std::size_t frames) {
  if (frames == 0) return;
  const auto steps = static_cast<std::int64_t>(frames), bodies = static_cast<std::int64_t>(shape.bodies);
  const Handle view = hdf5::create_unlinked_group(file);
  const std::array<std::int64_t, 2> version{2, 0};
  hdf5::write_attribute(view, "Version", hdf5::type_of<std::int64_t>(), {2}, version.data());
  write_type(view);
  write_integers(view, "NumberOfPoints", {bodies});
  write_virtual(view, "Points", "/particles/all/position/value", shape, frames);
  write_cells(view, "Vertices", shape.bodies);
  for (const char* kind : {"Lines", "Polygons", "Strips"}) write_cells(view, kind, 0);

  // Every step shows the same part, cells and masses, with points of its own.
  const Handle time = hdf5::create_group(view, "Steps");
  const Handle data = hdf5::create_group(view, "PointData");
  const Handle data_offsets = hdf5::create_group(time, "PointDataOffsets");
  Integers moving(frames);
  for (std::size_t i = 0; i < frames; ++i) moving[i] = static_cast<std::int64_t>(i) * bodies;
  hdf5::write_attribute(time, "NSteps", steps);
  hdf5::soft_link("/particles/all/position/time", time, "Values");
  write_constant(time, "PartOffsets", 0, {frames});
  write_constant(time, "NumberOfParts", 1, {frames});
  write_integers(time, "PointOffsets", moving);
  write_constant(time, "CellOffsets", 0, {frames, 4});
  write_constant(time, "ConnectivityIdOffsets", 0, {frames, 4});
  for (const char* name : {"mass", "id", "species"}) {
    hdf5::soft_link(std::string("/particles/all/") + name, data, name);
    hdf5::hard_link(time, "PartOffsets", data_offsets, name);
  }
  if (shape.velocities) {
    write_virtual(data, "velocity", "/particles/all/velocity/value", shape, frames);
    hdf5::hard_link(time, "PointOffsets", data_offsets, "velocity");
  }
  hdf5::link(view, file, "VTKHDF");
}

bool drop_vtk_view(hid_t file) {
  if (!hdf5::exists(file, "VTKHDF")) return false;
  check(H5Ldelete(file, "VTKHDF", H5P_DEFAULT));
  hdf5::settle(file);  // before others get the room that it had
  return true;
}

}  // namespace orrery::pipeline::trajectory
