// SPDX-License-Identifier: MIT
// Metadata in each format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/export.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// Returns the element <metadata> and a newline.
std::string svg_metadata(const Provenance& provenance);

/// The maximum size of metadata in bytes, since a small compressed file may claim any size.
inline constexpr std::size_t max_metadata = std::size_t{256} << 20U;

/// Precedes the hash of the state in the subject of a PDF.
inline constexpr std::string_view pdf_subject = "orrery state ";

/// The first line of a CSV of charts.
inline constexpr std::string_view chart_columns = "chart,curve,name,drawn,x,y,low,high,x_name,x_unit,y_name,y_unit\n";

/// The keys of metadata in a JSON of charts.
inline constexpr std::array<std::pair<std::string_view, std::string Provenance::*>, 3> json_tags{
    {{"program", &Provenance::version}, {"state", &Provenance::state}, {"scenario", &Provenance::scenario}}};

/// Read metadata from the contents of a file; nullopt if it does not name orrery. Throw Error, without the name of the file,
/// if it has another format, is damaged, or is cut short before the metadata.
/// Does not read the pixels, nor what follows them if all metadata precede them. `size`: of the file, in bytes.
std::optional<Provenance> provenance_of_png(std::istream& png, std::uintmax_t size);
std::optional<Provenance> provenance_of_svg(std::string_view bytes);
std::optional<Provenance> provenance_of_pdf(std::string_view bytes);
/// Reads up to the first value that is no text.
std::optional<Provenance> provenance_of_json(std::istream& json);
/// A CSV has no metadata: only the fact that orrery wrote it, by its first line.
std::optional<Provenance> provenance_of_csv(std::istream& csv);

/// Reads that many bytes, or fewer at the end.
ORRERY_EXPORT std::string next_bytes(std::istream& in, std::size_t count);

/// Decompresses the zlib stream at the front of `bytes` and removes it there; `budget` is reduced by the size of the result,
/// also on failure. Throws Error if the stream is damaged or the result has more than `budget` bytes.
std::string inflated(std::string_view& bytes, std::size_t& budget);

}  // namespace orrery::render
