// SPDX-License-Identifier: MIT
// The process's one off-screen window; included by sources of this room only.
#pragma once

class vtkRenderWindow;

namespace orrery::render {

/// Made on the first call and kept until the process ends; use it on the thread that made it.
/// Needs no display: works with an empty environment. Throws Error that says what to install where there is no OpenGL.
vtkRenderWindow& off_screen_window();

}  // namespace orrery::render
