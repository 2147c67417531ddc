// SPDX-License-Identifier: MIT
// /VTKHDF: the same frames as ParaView 5.13 and newer wants to see them.
#pragma once

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::trajectory {

/// Adds the view to a file with `frames` frames that nobody else has open. Whoever is killed meanwhile leaves it out or
/// whole: nothing that is in the file already is changed but for one link at its top, written last.
void write_vtk_view(hid_t file, const Shape& shape, std::size_t frames);
/// Takes an earlier view out; whether there was one. Close the file before anything is added: until then the library
/// uses the room of what is gone again, while the file on disk may still lead there.
bool drop_vtk_view(hid_t file);

}  // namespace orrery::pipeline::trajectory
