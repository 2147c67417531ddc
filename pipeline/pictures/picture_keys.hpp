// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/pictures/picture.hpp"
#include "render/canvas/canvas.hpp"
#include "render/film/film.hpp"

namespace orrery::pipeline {

/// The keys of every [[figure]] or [[film]], besides those of its kind; `section` is "figure" or "film".
std::span<const Parameter> picture_keys(std::string_view section);

bool has_parts(const render::FigureKind& kind);

// All that follow throw Error, Fault::request, with the location of the key: these if a key has no effect where it is given.

/// Keys of the whole picture in part k. `part` is the name of the tables, "figure[0].part".
void refuse_picture_keys(const Document& document, std::string_view table, const std::string& part, std::size_t k,
                         const render::FigureKind& kind);
/// `bodies` or `components` in a figure of a quantity of all bodies, or outside the parts of a picture.
void refuse_bodies(const Document& document, std::string_view table, std::size_t i, const render::FigureKind& kind);
/// `width` and `dpi` in a film.
void refuse_paper_keys(const Document& document, std::size_t film);
/// `trails` in a picture without paths.
void refuse_trails(const Document& document, std::string_view table, std::size_t i, const render::FigureKind& kind,
                   const std::vector<PicturePart>& parts);

/// The bodies in keys `bodies`, if they are not more than `most`, `follow` and `frame`, possibly with duplicates.
std::vector<std::size_t> followed_bodies(const Section& keys, const render::RunInfo& info, std::size_t most);

/// Checks the name `file`, which must have no folders, and returns its format: of a film if `moving`.
const render::Format& checked_format(const Section& section, const std::filesystem::path& file, bool moving);
/// From `size`, `width` and `dpi`, in pixels.
render::Size size_of(const Section& section, const render::Format& format);
/// From `fps`, in frames per second.
double rate_of(const Section& section, const render::Format& format);
/// From `max_file_size`, in bytes; 0: no limit.
std::uintmax_t max_bytes_of(const Section& section, const std::filesystem::path& file, const render::Format& format);
/// From `codec`; nullopt for a format without codecs. Throws also if the codec is not available.
std::optional<render::Codec> codec_of(const Section& section, const std::filesystem::path& file,
                                      const render::Format& format);
/// From `pixel_format`, one of render::pixel_formats. Throws also if no encoder of the codec writes it.
std::string_view pixel_format_of(const Section& section, const std::filesystem::path& file,
                                 std::optional<render::Codec> codec);

}  // namespace orrery::pipeline
