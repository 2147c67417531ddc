// SPDX-License-Identifier: MIT
// Points become pixels.
#include "render/look/sizes.hpp"

namespace orrery::render {

Look with_sizes(Look look, const Arguments& arguments) {
  const auto pixels = [&](const char* key) { return look.point * static_cast<float>(arguments.number(key)); };
  if (arguments.has("line_width")) look.line = look.path_line = pixels("line_width");
  if (arguments.has("marker_size")) look.mark = pixels("marker_size") / 2;
  return look;
}

}  // namespace orrery::render
