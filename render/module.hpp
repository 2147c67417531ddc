// SPDX-License-Identifier: MIT
// The module of pictures, orrery_pictures.so, and what it does by cairo, FreeType, libpng and FFmpeg; and that of pixels of scenes
// in space, orrery_opengl.so, by VTK and OpenGL. Each is loaded when something is drawn or read with it, so that a command starts
// without libraries that it does not need, and each may be left out. Everybody else calls the functions of the headers below, which
// say what these do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/new_file.hpp"
#include "render/canvas/image.hpp"
#include "render/canvas/text.hpp"
#include "render/film/film.hpp"
#include "render/film/formats.hpp"
#include "render/film/pieces.hpp"
#include "render/metadata/provenance.hpp"
#include "render/view/body_scene.hpp"

namespace orrery::render {

struct PictureModule {
  Image (*rasterised)(const Drawing& drawing, int rows);
  std::string (*pdf_of)(const Drawing& drawing, double dpi, const Provenance& provenance);
  std::string (*png_of)(Size size, const std::vector<std::uint8_t>& pixels, int channels, double dpi,
                        const Provenance& provenance);
  GlyphRun (*glyphs_of)(const std::string& words, bool bold);
  std::string (*outline_of)(const std::string& words, float size, bool bold);
  std::string (*why_missing)(Codec codec);
  std::string (*why_missing_among)(Codec codec, const std::function<bool(const char* encoder)>& has);
  std::string (*why_not_written)(Codec codec, std::string_view pixel_format);
  std::string (*why_too_large)(Size size, std::optional<Codec> codec);
  std::unique_ptr<FilmFormat> (*make_gif)(const std::filesystem::path& file, Size size, const FilmOptions& options);
  std::unique_ptr<FilmFormat> (*make_video)(const std::filesystem::path& file, const Format& format, Size size,
                                            Codec codec, const FilmOptions& options);
  JoinedFilm (*join)(const std::filesystem::path& film, Replacing replacing);
  std::optional<Provenance> (*provenance_of_film)(const std::filesystem::path& film);
};

struct OpenGLModule {
  Picture (*pixels_of)(const BodyScene& scene, Size canvas, int samples);  ///< BodyScene::pixels
  std::string (*why_no_opengl)();
};

/// Loads the module at the first call. Throws Error, Fault::request, with why_no_drawing().
const PictureModule& load_pictures();
/// The same with the reason why it cannot be loaded.
const OpenGLModule& load_opengl();

/// Why no pictures can be drawn here, in one line with what to do; "" if they can. Figures are known and checked in any case,
/// and numbers of charts are written. Loads the module.
const std::string& why_no_drawing();
/// Whether this build has the module, which may be in a package that is not installed, or lack a library.
bool has_module();

/// Returns why pixels of scenes in space cannot be drawn here and what to install, or "".
std::string why_no_opengl();

}  // namespace orrery::render
