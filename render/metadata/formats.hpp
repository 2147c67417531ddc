// SPDX-License-Identifier: MIT
// Provenance in each format of stills, as bytes; seen by this room alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// The element <metadata>, and a line's end.
std::string svg_metadata(const Provenance& provenance);

/// What a scenario in a picture takes at most, in bytes: a small file may say that it holds anything.
inline constexpr std::size_t most_told = std::size_t{256} << 20U;

/// The words before the hash of the state, in the subject of a PDF.
inline constexpr std::string_view pdf_subject = "orrery state ";

/// What a file's bytes say; nothing where they are of the format but do not name orrery. Throw Error, without the name of the
/// file, where they are of another format, damaged, or cut short before they say anything.
std::optional<Provenance> provenance_of_png(std::string_view bytes);
/// A PNG without its pixels, which is what is left to read. Throws Error.
std::string texts_of_png(std::istream& png, std::uintmax_t size);
std::optional<Provenance> provenance_of_svg(std::string_view bytes);
std::optional<Provenance> provenance_of_pdf(std::string_view bytes);
/// As far as the first bytes of a PNG say it.
std::optional<Provenance> provenance_at_front_of_png(std::string_view bytes);

/// What stands deflated by zlib at the front of `bytes`, blown up; that is taken off, and what comes of it off `budget`, also
/// where it fails. Throws Error where it is damaged, or would take more than `budget` bytes.
std::string inflated(std::string_view& bytes, std::size_t& budget);

}  // namespace orrery::render
