// SPDX-License-Identifier: MIT
// A drawing as PDF.
#pragma once

#include <string>

#include "render/canvas/drawing.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// One page of the drawing's printed size, by `dpi` pixels an inch. Text is text, to be searched and copied, in the look's
/// font, which is embedded; a Picture keeps all of its pixels. Where `provenance` is not empty the document's properties
/// have it. Equal drawings give equal bytes. Throws Error.
std::string pdf_of(const Drawing& drawing, double dpi, const Provenance& provenance = {});

}  // namespace orrery::render
