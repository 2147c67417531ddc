// SPDX-License-Identifier: MIT
// What the module of OpenGL does, as the headers of the library describe it.
#pragma once

#include "render/module.hpp"

namespace orrery::render::opengl_module {

Picture pixels_of(const BodyScene& scene, Size canvas, int samples);
std::string why_no_opengl();

}  // namespace orrery::render::opengl_module
