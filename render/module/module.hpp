// SPDX-License-Identifier: MIT
// What the module of pictures does, as the headers of the library describe it.
#pragma once

#include "render/module.hpp"

namespace orrery::render::pictures_module {

/// Paints what was added to a layer since the last time. `at`: where its top left corner is within a pixel, 0 … 1.
void update(Layer& layer, Point at);
Image rasterised(const Drawing& drawing, int rows);
std::string pdf_of(const Drawing& drawing, double dpi, const Provenance& provenance);
std::string png_of(Size size, const std::vector<std::uint8_t>& pixels, int channels, double dpi,
                   const Provenance& provenance);
std::string why_missing(Codec codec, const std::function<bool(const char* encoder)>& has);
std::string why_missing(Codec codec);
std::string why_not_written(Codec codec, std::string_view pixel_format);
std::string why_too_large(Size size, std::optional<Codec> codec);
std::unique_ptr<FilmFormat> make_gif(const std::filesystem::path& file, Size size, const FilmOptions& options);
std::unique_ptr<FilmFormat> make_video(const std::filesystem::path& file, const Format& format, Size size, Codec codec,
                                       const FilmOptions& options);
JoinedFilm join(const std::filesystem::path& film, Replacing replacing);
std::optional<Provenance> provenance_of_film(const std::filesystem::path& film);

}  // namespace orrery::render::pictures_module
