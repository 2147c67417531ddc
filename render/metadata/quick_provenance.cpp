// SPDX-License-Identifier: MIT
// A film has hundreds of numbered PNGs, which say what they are of before their pixels: their beginning is enough.
#include "render/metadata/provenance.hpp"

#include <exception>
#include <fstream>
#include <string>

#include "common/file_format.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

std::string beginning(const std::filesystem::path& file) {
  std::string bytes(std::size_t{1} << 16U, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

}  // namespace

Provenance quick_provenance(const std::filesystem::path& file) {
  try {
    if (!std::filesystem::is_regular_file(file)) return {};
    const std::string format = format_of(file);
    return (format == ".png"                       ? provenance_at_front_of_png(beginning(file))
            : format == ".svg" || format == ".pdf" ? provenance_of_still(file)
                                                   : provenance_of_film(file))
        .value_or(Provenance{});
  } catch (const std::exception&) {
    return {};  // damaged, cut short, of another format: nobody's that we know
  }
}

bool drawn_by_orrery(const std::filesystem::path& file) {
  return quick_provenance(file).ours();
}

}  // namespace orrery::render
