// SPDX-License-Identifier: MIT
// Points become pixels.
#include "render/style/sizes.hpp"

namespace orrery::render {

Style with_sizes(Style style, const Arguments& arguments) {
  const auto pixels = [&](const char* key) { return style.point * static_cast<float>(arguments.number(key)); };
  if (arguments.has("line_width")) style.line = style.path_line = pixels("line_width");
  if (arguments.has("marker_size")) style.mark = pixels("marker_size") / 2;
  return style;
}

}  // namespace orrery::render
