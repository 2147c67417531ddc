// SPDX-License-Identifier: MIT
#include "render/metadata/provenance.hpp"

#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>

#include "common/error.hpp"
#include "common/file_format.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

/// Returns the contents of a file, without the pixels of a PNG.
std::string contents(const std::filesystem::path& file) {
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) throw Error("is a folder, not a picture", 2);
  std::ifstream in(file, std::ios::binary);
  const std::uintmax_t size = std::filesystem::file_size(file, none);
  if (!in || none) throw Error(std::string("cannot be read: ") + std::strerror(errno), 2);
  if (extension_of(file) == ".png") return texts_of_png(in, size);
  constexpr std::uintmax_t most = std::uintmax_t{1} << 30U;
  if (size > most) throw Error("is larger than 1 GB: no picture that orrery drew", 2);
  return next_bytes(in, static_cast<std::size_t>(size));
}

}  // namespace

std::string next_bytes(std::istream& in, std::size_t count) {
  std::string bytes(count, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

std::optional<Provenance> provenance_of_still(const std::filesystem::path& file) {
  try {
    const std::string bytes = contents(file);
    if (bytes.empty()) throw Error("is empty: take a whole copy of the picture", 2);
    const std::string format = extension_of(file);
    return format == ".png"   ? provenance_of_png(bytes)
           : format == ".pdf" ? provenance_of_pdf(bytes)
                              : provenance_of_svg(bytes);
  } catch (const Error& error) {
    throw Error(file.string() + ": " + error.what(), error.exit_code());
  }
}

Provenance quick_provenance(const std::filesystem::path& file) {
  try {
    if (!std::filesystem::is_regular_file(file)) return {};
    const std::string format = extension_of(file);
    std::ifstream in(file, std::ios::binary);
    return (format == ".png"                       ? provenance_of_png(next_bytes(in, std::size_t{1} << 16U), false)
            : format == ".svg" || format == ".pdf" ? provenance_of_still(file)
                                                   : provenance_of_film(file))
        .value_or(Provenance{});
  } catch (const std::exception&) {
    return {};  // damaged, cut short or of another format
  }
}

bool drawn_by_orrery(const std::filesystem::path& file) {
  return quick_provenance(file).ours();
}

}  // namespace orrery::render
