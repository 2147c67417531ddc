// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

class vtkRenderWindow;

namespace orrery::render::opengl_module {

/// Calls `work` with the off-screen window of the process, for scenes of VTK, and returns when it is done. OpenGL belongs to one
/// thread, which all others wait for; its loops use as many threads as those of the caller. The window is made at the first call and
/// kept until the process ends; it needs no display and no environment variables. Throws Error that says what to install if there is
/// no OpenGL, or what `work` throws.
void with_window(const std::function<void(vtkRenderWindow&)>& work);

}  // namespace orrery::render::opengl_module
