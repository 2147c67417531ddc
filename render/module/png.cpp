// SPDX-License-Identifier: MIT
// PNGs are encoded in memory, so that a full disk never leaves an incomplete file.
#include <png.h>

#include <array>
#include <cmath>
#include <csetjmp>

#include "common/error.hpp"
#include "render/module/module.hpp"

namespace orrery::render::pictures_module {
namespace {

void append(png_structp png, png_bytep data, png_size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), size);
}

/// Returns an iTXt chunk that refers to `text`; long texts are compressed.
png_text text_chunk(const char* keyword, const std::string& text) {
  png_text chunk{};
  chunk.compression = text.size() > 1000 ? PNG_ITXT_COMPRESSION_zTXt : PNG_ITXT_COMPRESSION_NONE;
  chunk.key = const_cast<char*>(keyword);
  chunk.text = const_cast<char*>(text.c_str());
  return chunk;
}

/// Returns whether libpng succeeded. There must be no local objects with destructors, since libpng reports errors by longjmp.
bool encode(png_structp png, png_infop info, Size size, const std::uint8_t* pixels, int channels, double dpi,
            const Provenance& provenance, std::string& bytes) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_write_fn(png, &bytes, append, nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(size.width), static_cast<png_uint_32>(size.height), 8,
               channels == 4 ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  const auto per_meter = static_cast<png_uint_32>(std::lround(dpi / 0.0254));
  png_set_pHYs(png, info, per_meter, per_meter, PNG_RESOLUTION_METER);
  if (!provenance.empty()) {
    const std::array<png_text, 3> texts{text_chunk("Software", provenance.version),
                                        text_chunk("orrery:state", provenance.state),
                                        text_chunk("orrery:scenario", provenance.scenario)};
    png_set_text(png, info, texts.data(), provenance.of_a_run() ? 3 : 1);
  }
  png_write_info(png, info);
  const std::size_t stride = static_cast<std::size_t>(channels) * static_cast<std::size_t>(size.width);
  for (std::size_t y = 0; y < static_cast<std::size_t>(size.height); ++y) {
    png_write_row(png, pixels + y * stride);
  }
  png_write_end(png, info);
  return true;
}

}  // namespace

std::string png_of(Size size, const std::vector<std::uint8_t>& pixels, int channels, double dpi,
                   const Provenance& provenance) {
  std::string bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  const bool done = info != nullptr && encode(png, info, size, pixels.data(), channels, dpi, provenance, bytes);
  png_destroy_write_struct(&png, &info);
  if (!done) throw Error("libpng refused a picture");
  return bytes;
}

}  // namespace orrery::render::pictures_module
