// SPDX-License-Identifier: MIT
// For builds without VTK, cairo and FFmpeg: what these do. Figures are known and checked, and numbers of charts written.
#include <fmt/format.h>

#include "common/error.hpp"
#include "render/canvas/canvas.hpp"
#include "render/canvas/text.hpp"
#include "render/film/film.hpp"
#include "render/metadata/formats.hpp"
#include "render/view/body_scene.hpp"

namespace orrery::render {
namespace {

[[noreturn]] void refuse() {
  throw Error(std::string(why_no_drawing()), Fault::request);
}

}  // namespace

std::string_view why_no_drawing() {
  return "this build draws no pictures: configure with -DORRERY_RENDER=ON (VTK and FFmpeg)";
}

Image rasterised(const Drawing& /*drawing*/, int /*rows*/) {
  refuse();
}
std::string pdf_of(const Drawing& /*drawing*/, double /*dpi*/, const Provenance& /*provenance*/) {
  refuse();
}
std::string png_of(Size /*size*/, const std::vector<std::uint8_t>& /*pixels*/, int /*channels*/, double /*dpi*/,
                   const Provenance& /*provenance*/) {
  refuse();
}
void write_png(const Image& /*image*/, const std::filesystem::path& /*file*/, double /*dpi*/,
               const Provenance& /*provenance*/, Replacing /*replacing*/) {
  refuse();
}

// Figures lay out their words before they draw them.
GlyphRun glyphs_of(const std::string& /*words*/, bool /*bold*/) {
  return {};
}
Extents extents_of(const std::string& /*words*/, float /*size*/, bool /*bold*/) {
  return {};
}
float widest_of(const std::vector<std::string>& /*lines*/, float /*size*/) {
  return {};
}
Point baseline_offset(const Text& /*text*/) {
  return {};
}
Box room_of(const Text& /*text*/) {
  return {};
}
std::string outline_of(const std::string& /*words*/, float /*size*/, bool /*bold*/) {
  return {};
}

vtkRenderWindow& off_screen_window() {
  refuse();
}
Picture BodyScene::pixels(Size /*canvas*/, int /*samples*/) const {
  refuse();
}

// Whether FFmpeg can write a film is known where it is drawn.
std::string why_missing(Codec /*codec*/) {
  return "";
}
std::string why_not_written(Codec /*codec*/, std::string_view /*pixel_format*/) {
  return "";
}
std::string why_too_large(Size /*size*/, std::optional<Codec> /*codec*/) {
  return "";
}

Film::Film(const std::filesystem::path& /*name*/, Size /*size*/, FilmOptions /*options*/) : size_{} {
  refuse();
}
void Film::add(Image /*image*/) {}
Fit Film::finish() {
  refuse();
}
std::filesystem::path Film::stop() {
  return {};
}
JoinedFilm join(const std::filesystem::path& film, Replacing /*replacing*/) {
  throw Error(fmt::format("{}: {}", film.string(), why_no_drawing()), Fault::request);
}

std::optional<Provenance> provenance_of_film(const std::filesystem::path& file) {
  throw Error(fmt::format("{}: {}", file.string(), why_no_drawing()), Fault::request);
}
std::optional<Provenance> provenance_of_png(std::istream& /*png*/, std::uintmax_t /*size*/) {
  refuse();
}
std::string inflated(std::string_view& /*bytes*/, std::size_t& /*budget*/) {
  refuse();
}

}  // namespace orrery::render
