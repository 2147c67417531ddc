// SPDX-License-Identifier: MIT
#include "render/module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "common/installed.hpp"

namespace orrery::render {
namespace {

template <class Module>
struct Loaded {
  const Module* module = nullptr;
  std::string why_not{};
};

/// Loads NAME.so, which has one of that name. `what` cannot be drawn without it.
template <class Module>
Loaded<Module> load(const std::string& name, std::string_view what) {
  const auto place = installed_module(name + ".so");
  if (!place) {
    std::string package = name;
    std::ranges::replace(package, '_', '-');
    return {.why_not =
                fmt::format("no {} can be drawn here: there is no {}.so; install the package {}", what, name, package)};
  }
  void* const handle = ::dlopen(place->c_str(), RTLD_NOW | RTLD_LOCAL);  // for good: VTK and drivers stay loaded
  const void* const module = handle != nullptr ? ::dlsym(handle, name.c_str()) : nullptr;
  if (module != nullptr) return {.module = static_cast<const Module*>(module)};
  return {.why_not = fmt::format("no {} can be drawn here: {} (docs/install.md has the packages)", what, ::dlerror())};
}

const Loaded<PictureModule>& loaded() {
  static const auto once = has_module() ? load<PictureModule>("orrery_pictures", "pictures")
                                        : Loaded<PictureModule>{.why_not =
                                                                    "this build draws no pictures: configure with "
                                                                    "-DORRERY_RENDER=ON (VTK and FFmpeg)"};
  return once;
}

const Loaded<OpenGLModule>& loaded_opengl() {
  static const auto once = load<OpenGLModule>("orrery_opengl", "pixels of view3d");
  return once;
}

[[noreturn]] void refuse(const std::filesystem::path& what) {
  throw Error(fmt::format("{}: {}", what.string(), why_no_drawing()), Fault::request);
}

/// Null without the module.
const PictureModule* if_there() {
  return loaded().module;
}

}  // namespace

const PictureModule& load_pictures() {
  if (if_there() == nullptr) throw Error(why_no_drawing(), Fault::request);
  return *if_there();
}

const OpenGLModule& load_opengl() {
  if (loaded_opengl().module == nullptr) throw Error(loaded_opengl().why_not, Fault::request);
  return *loaded_opengl().module;
}

const std::string& why_no_drawing() {
  return loaded().why_not;
}

bool has_module() {
  return ORRERY_HAS_PICTURES != 0;
}

Image rasterised(const Drawing& drawing, int rows) {
  return load_pictures().rasterised(drawing, rows);
}
std::string pdf_of(const Drawing& drawing, double dpi, const Provenance& provenance) {
  return load_pictures().pdf_of(drawing, dpi, provenance);
}
std::string png_of(Size size, const std::vector<std::uint8_t>& pixels, int channels, double dpi,
                   const Provenance& provenance) {
  return load_pictures().png_of(size, pixels, channels, dpi, provenance);
}
std::string outline_of(const std::string& words, float size, bool bold) {
  return load_pictures().outline_of(words, size, bold);
}
std::unique_ptr<FilmFormat> make_gif(const std::filesystem::path& to, Size size, const FilmOptions& options) {
  return load_pictures().make_gif(to, size, options);
}
std::unique_ptr<FilmFormat> make_video(const std::filesystem::path& to, const Format& format, Size size, Codec codec,
                                       const FilmOptions& options) {
  return load_pictures().make_video(to, format, size, codec, options);
}
JoinedFilm join(const std::filesystem::path& film, Replacing replacing) {
  if (if_there() == nullptr) refuse(film);
  return if_there()->join(film, replacing);
}
std::optional<Provenance> provenance_of_film(const std::filesystem::path& film) {
  if (if_there() == nullptr) refuse(film);
  return if_there()->provenance_of_film(film);
}

// Figures lay out their words before they are drawn, and are checked without the module.
GlyphRun glyphs_of(const std::string& words, bool bold) {
  return if_there() == nullptr ? GlyphRun{} : if_there()->glyphs_of(words, bold);
}

// What cannot be drawn at all is not refused because of its codec: why_no_drawing() says why.
std::string why_no_opengl() {
  if (if_there() == nullptr) return "";
  return loaded_opengl().module == nullptr ? loaded_opengl().why_not : loaded_opengl().module->why_no_opengl();
}
std::string why_missing(Codec codec) {
  return if_there() == nullptr ? "" : if_there()->why_missing(codec);
}
std::string why_missing(Codec codec, const std::function<bool(const char* encoder)>& has) {
  return if_there() == nullptr ? "" : if_there()->why_missing_among(codec, has);
}
std::string why_not_written(Codec codec, std::string_view pixel_format) {
  return if_there() == nullptr ? "" : if_there()->why_not_written(codec, pixel_format);
}
std::string why_too_large(Size size, std::optional<Codec> codec) {
  return if_there() == nullptr ? "" : if_there()->why_too_large(size, codec);
}

}  // namespace orrery::render
