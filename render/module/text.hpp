// SPDX-License-Identifier: MIT
// Glyphs and outlines by FreeType: what render/canvas/text.hpp says.
#pragma once

#include <string>

#include "render/canvas/text.hpp"

struct FT_FaceRec_;

namespace orrery::render::pictures_module {

/// Returns a FreeType face for cairo, which stays open; cairo locks it. Throws Error if the font cannot be read.
FT_FaceRec_* face_for_cairo(bool bold);

GlyphRun glyphs_of(const std::string& words, bool bold);
std::string outline_of(const std::string& words, float size, bool bold);

}  // namespace orrery::render::pictures_module
