// SPDX-License-Identifier: MIT
// /VTKHDF: a view of the frames for ParaView 5.13 and newer.
#pragma once

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::trajectory {

/// Adds the view to a file with `frames` frames, open exclusively. After a kill the view is missing or complete: existing objects do
/// not change, except for a link in the root group, written last.
void write_vtk_view(hid_t file, const Shape& shape, std::size_t frames);
/// Removes an existing view; returns whether there was one. Close the file before adding anything: until then the library reuses the
/// freed space, to which the file on disk may still refer.
bool drop_vtk_view(hid_t file);

}  // namespace orrery::pipeline::trajectory
