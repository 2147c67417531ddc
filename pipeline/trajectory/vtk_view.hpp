// SPDX-License-Identifier: MIT
// /VTKHDF: the same frames as ParaView 5.13 and newer wants to see them.
#pragma once

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::trajectory {

/// Adds the view (again) to a file with `frames` frames that nobody else has open.
void write_vtk_view(hid_t file, const Shape& shape, std::size_t frames);

}  // namespace orrery::pipeline::trajectory
