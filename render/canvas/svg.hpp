// SPDX-License-Identifier: MIT
// A drawing as SVG.
#pragma once

#include <string>

#include "render/canvas/drawing.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// Text is written as outlines, labelled with its words, so that it looks the same where the font is missing.
/// `dpi`: pixels an inch, which gives the picture its printed size. Where `provenance` is not empty it stands in
/// <metadata>.
std::string svg_of(const Drawing& drawing, double dpi, const Provenance& provenance = {});

}  // namespace orrery::render
