// SPDX-License-Identifier: MIT
// Checks that all text of a picture is on the canvas and does not overlap.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/canvas/text.hpp"

namespace orrery::render {

/// "" if there are no faults, else one line per fault.
inline std::string wrong_labels(const Drawing& drawing) {
  std::ostringstream faults;
  std::vector<std::pair<Box, std::string>> before;
  for (const Shape& shape : drawing.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    if (text == nullptr || text->color.alpha == 0 || text->words.empty()) continue;
    const Box box = room_of(*text);
    if (box.left < 0 || box.top < 0 || box.right > static_cast<float>(drawing.size.width) ||
        box.bottom > static_cast<float>(drawing.size.height))
      faults << "cut: " << text->words << "\n";
    for (const auto& [other, words] : before) {
      const bool apart =
          box.right <= other.left || other.right <= box.left || box.bottom <= other.top || other.bottom <= box.top;
      if (!apart) faults << text->words << " over " << words << "\n";
    }
    before.emplace_back(box, text->words);
  }
  return faults.str();
}

}  // namespace orrery::render
