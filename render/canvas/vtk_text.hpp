// SPDX-License-Identifier: MIT
// The font as VTK wants it; included by sources of this room only.
#pragma once

#include <vtkTextProperty.h>

#include <cmath>

#include "render/style/palette.hpp"

namespace orrery::render {

inline void set_font(vtkTextProperty* property, float size, bool bold) {
  property->SetFontFamily(VTK_FONT_FILE);
  property->SetFontFile(font_file(bold).c_str());
  property->SetFontSize(static_cast<int>(std::lround(size)));
  property->SetJustificationToLeft();
  property->SetVerticalJustificationToBottom();
}

}  // namespace orrery::render
