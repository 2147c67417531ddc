// SPDX-License-Identifier: MIT
#include "render/module/module.hpp"

#include "render/module/text.hpp"

namespace orrery::render::pictures_module {

extern "C" ORRERY_EXPORT const PictureModule orrery_pictures;
const PictureModule orrery_pictures{
    .rasterised = rasterised,
    .pdf_of = pdf_of,
    .png_of = png_of,
    .glyphs_of = glyphs_of,
    .outline_of = outline_of,
    .why_missing = why_missing,
    .why_missing_among = why_missing,
    .why_not_written = why_not_written,
    .why_too_large = why_too_large,
    .make_gif = make_gif,
    .make_video = make_video,
    .join = join,
    .provenance_of_film = provenance_of_film,
};

}  // namespace orrery::render::pictures_module
