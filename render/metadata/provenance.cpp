// SPDX-License-Identifier: MIT
#include "render/metadata/provenance.hpp"

#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>

#include "common/error.hpp"
#include "common/file_format.hpp"
#include "render/film/formats.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
std::string next_bytes(std::istream& in, std::size_t count) {
  std::string bytes(count, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

std::optional<Provenance> provenance_of_still(const std::filesystem::path& file) {
  try {
    std::error_code none;
    if (std::filesystem::is_directory(file, none)) throw Error("is a folder, not a picture", Fault::request);
    std::ifstream in(file, std::ios::binary);
    const std::uintmax_t size = std::filesystem::file_size(file, none);
    if (!in || none) throw Error(std::string("cannot be read: ") + std::strerror(errno), Fault::request);
    if (size == 0) throw Error("is empty: take a whole copy of the picture", Fault::request);
    const std::string format = extension_of(file);
    if (format == ".png") return provenance_of_png(in, size);
    if (format == ".csv") return provenance_of_csv(in);
    constexpr std::uintmax_t most = std::uintmax_t{1} << 30U;
    if (size > most) throw Error("is larger than 1 GB: no picture that orrery drew", Fault::request);
    if (format == ".json") return provenance_of_json(in);
    const std::string bytes = next_bytes(in, static_cast<std::size_t>(size));
    return format == ".pdf" ? provenance_of_pdf(bytes) : provenance_of_svg(bytes);
  } catch (const Error& error) {
    throw Error(file.string() + ": " + error.what(), error.fault());
  }
}

Provenance quick_provenance(const std::filesystem::path& file) {
  try {
    if (!std::filesystem::is_regular_file(file)) return {};
    const Format* format = format_with(extension_of(file));
    const bool still = format != nullptr && !format->moving;
    return (still ? provenance_of_still(file) : provenance_of_film(file)).value_or(Provenance{});
  } catch (const std::exception&) {
    return {};  // damaged, cut short or of another format
  }
}

bool drawn_by_orrery(const std::filesystem::path& file) {
  return quick_provenance(file).ours();
}

}  // namespace orrery::render
