// SPDX-License-Identifier: MIT
// What a vector file holds, taken apart again: its words, its paths, its size; and what it lacks of a drawing.
#pragma once

#include <string>
#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

struct VectorFile {
  double width = 0, height = 0;    ///< inches
  std::string words;               ///< of all texts, one behind the other
  std::vector<std::size_t> paths;  ///< points of each stroke
  std::vector<Size> pictures;      ///< of a PDF
};

/// Throw std::runtime_error where the bytes are not well formed.
VectorFile parsed_svg(const std::string& bytes);
VectorFile parsed_pdf(const std::string& bytes);

/// One line each: a text that is not there, is cut, has a letter that the font lacks; a curve that is not there.
std::vector<std::string> faults(const Drawing& drawing, const VectorFile& file);

}  // namespace orrery::render
