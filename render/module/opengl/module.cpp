// SPDX-License-Identifier: MIT
#include "render/module/opengl/module.hpp"

namespace orrery::render::opengl_module {

extern "C" ORRERY_EXPORT const OpenGLModule orrery_opengl;
const OpenGLModule orrery_opengl{.pixels_of = pixels_of, .why_no_opengl = why_no_opengl};

}  // namespace orrery::render::opengl_module
