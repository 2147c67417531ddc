// SPDX-License-Identifier: MIT
#pragma once

class vtkRenderWindow;

namespace orrery::render::pictures_module {

/// Returns the off-screen window of the process, for scenes of VTK, made on the first call and kept until the process ends; use it on the thread that made it. Needs no
/// display and no environment variables. Throws Error that says what to install if there is no OpenGL.
vtkRenderWindow& off_screen_window();

}  // namespace orrery::render::pictures_module
