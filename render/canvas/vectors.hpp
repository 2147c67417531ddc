// SPDX-License-Identifier: MIT
// A drawing as SVG and as PDF. Where `provenance` is not empty they carry it; `dpi`, pixels an inch, gives the printed size.
#pragma once

#include <string>

#include "render/canvas/drawing.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// Text is written as outlines, labelled with its words, so that it looks the same where the font is missing.
std::string svg_of(const Drawing& drawing, double dpi, const Provenance& provenance = {});

/// One page. Text is text, to be searched and copied, in the style's font, which is embedded; a Picture keeps all of its pixels.
/// Equal drawings give equal bytes. Throws Error.
std::string pdf_of(const Drawing& drawing, double dpi, const Provenance& provenance = {});

}  // namespace orrery::render
