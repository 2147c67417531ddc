// SPDX-License-Identifier: MIT
// Conversion of drawings to SVG and PDF. `dpi` is in pixels per inch; metadata is written unless `provenance` is empty.
#pragma once

#include <string>

#include "render/canvas/drawing.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// Text is written as labelled outlines, which look the same without the font.
std::string svg_of(const Drawing& drawing, double dpi, const Provenance& provenance = {});

/// One page. Text can be searched and copied; its font is embedded. Pictures keep all their pixels. Equal drawings give equal
/// bytes. Throws Error.
std::string pdf_of(const Drawing& drawing, double dpi, const Provenance& provenance = {});

}  // namespace orrery::render
