// SPDX-License-Identifier: MIT
// Parses a vector file: its text, paths and size; and reports what it lacks of a drawing.
#pragma once

#include <string>
#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

struct VectorFile {
  double width = 0, height = 0;    ///< inches
  std::string words;               ///< all texts, concatenated
  std::vector<std::size_t> paths;  ///< points of each stroke
  std::vector<Size> pictures;      ///< of a PDF
};

/// Throw std::runtime_error if the bytes are not well formed.
VectorFile parsed_svg(const std::string& bytes);
VectorFile parsed_pdf(const std::string& bytes);

/// One line per fault: a text that is missing, cut, or has a glyph missing from the font; a curve that is missing.
std::vector<std::string> faults(const Drawing& drawing, const VectorFile& file);

}  // namespace orrery::render
