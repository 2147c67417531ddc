// SPDX-License-Identifier: MIT
// The whole file is read, and its format asked.
#include "render/metadata/still_provenance.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "common/error.hpp"
#include "common/file_format.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

std::string contents(const std::filesystem::path& file) {
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) throw Error("is a folder, not a picture", 2);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(std::string("cannot be read: ") + std::strerror(errno), 2);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

}  // namespace

std::optional<Provenance> provenance_of_still(const std::filesystem::path& file) {
  try {
    const std::string bytes = contents(file);
    if (bytes.empty()) throw Error("is empty: take a whole copy of the picture", 2);
    const std::string format = format_of(file);
    return format == ".png"   ? provenance_of_png(bytes)
           : format == ".pdf" ? provenance_of_pdf(bytes)
                              : provenance_of_svg(bytes);
  } catch (const Error& error) {
    throw Error(file.string() + ": " + error.what(), error.exit_code());
  }
}

}  // namespace orrery::render
