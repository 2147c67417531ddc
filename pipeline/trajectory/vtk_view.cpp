// SPDX-License-Identifier: MIT
// Bodies are points with one vertex each, frames are steps. Positions and velocities are virtual datasets.
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

// A constant dataset: the fill value of a dataset that is never written, which takes no space in the file.
void write_constant(hid_t where, const std::string& name, std::int64_t value, const hdf5::Extents& extents) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  check(H5Pset_fill_value(creation, hdf5::type_of<std::int64_t>(), &value));
  const Handle space = hdf5::space_of(extents);
  const Handle dataset(H5Dcreate2(where, name.c_str(), hdf5::type_of<std::int64_t>(), space, H5P_DEFAULT, creation,
                                  hdf5::dataset_within_file()));
}

// Maps [T · N][3] to the dataset [T][N][3] `source` of the same file.
void write_virtual(hid_t where, const std::string& name, const std::string& source, const Shape& shape,
                   std::size_t frames) {
  const Handle view_space = hdf5::space_of({frames * shape.bodies, 3});
  const Handle source_space = hdf5::space_of({frames, shape.bodies, 3});
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  check(H5Pset_virtual(creation, view_space, ".", source.c_str(), source_space));
  const Handle dataset(
      H5Dcreate2(where, name.c_str(), shape.type(), view_space, H5P_DEFAULT, creation, hdf5::dataset_within_file()));
}

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
  hdf5::write_text_attribute(view, "Type", "PolyData", H5T_CSET_ASCII);  // VTK requires ASCII
  write_integers(view, "NumberOfPoints", {bodies});
  write_virtual(view, "Points", "/particles/all/position/value", shape, frames);
  write_cells(view, "Vertices", shape.bodies);
  for (const char* kind : {"Lines", "Polygons", "Strips"}) write_cells(view, kind, 0);

  // All steps share part, cells and masses; each has its own points.
  const Handle time = hdf5::create_group(view, "Steps");
  const Handle data = hdf5::create_group(view, "PointData");
  const Handle data_offsets = hdf5::create_group(time, "PointDataOffsets");
  Integers point_offsets(frames);
  for (std::size_t i = 0; i < frames; ++i) point_offsets[i] = static_cast<std::int64_t>(i) * bodies;
  hdf5::write_attribute(time, "NSteps", steps);
  hdf5::soft_link("/particles/all/position/time", time, "Values");
  write_constant(time, "PartOffsets", 0, {frames});
  write_constant(time, "NumberOfParts", 1, {frames});
  write_integers(time, "PointOffsets", point_offsets);
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
  hdf5::flush_and_sync(file);  // before its space is reused
  return true;
}

}  // namespace orrery::pipeline::trajectory
