// SPDX-License-Identifier: MIT
#include <bit>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

/// Random access to the bytes of a file.
class Bytes {
 public:
  explicit Bytes(const std::filesystem::path& file) : in_(file, std::ios::binary) {
    std::error_code none;
    const std::uintmax_t size = std::filesystem::file_size(file, none);
    if (!none) length_ = size;
  }
  [[nodiscard]] std::uint64_t length() const { return length_; }
  [[nodiscard]] bool has(std::uint64_t at, std::uint64_t count) const { return at <= length_ && count <= length_ - at; }
  std::string text(std::uint64_t at, std::size_t count) {
    std::string bytes(count, '\0');
    in_.seekg(static_cast<std::streamoff>(at)).read(bytes.data(), static_cast<std::streamsize>(count));
    in_.clear();
    return bytes;
  }
  /// Reads a big-endian number.
  std::uint64_t number(std::uint64_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (const char byte : text(at, count)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }

 private:
  std::ifstream in_;
  std::uint64_t length_ = 0;
};

/// Walks the outermost boxes: a size (32 bits; 1: 64 bits follow; 0: up to the end), a type and contents (ISO/IEC 14496-12,
/// 4.2). A `moof` describes the `mdat` after it.
Mp4Ends ends_in(Bytes& bytes) {
  constexpr int most = 100'000;  // boxes; a film of an hour has about ten thousand
  Mp4Ends ends;
  std::uint64_t at = 0;
  for (int box = 0; box < most && at < bytes.length(); ++box) {
    ends.cut = !bytes.has(at, 8);
    if (ends.cut) break;
    std::uint64_t size = bytes.number(at, 4);
    if (size == 1) {
      ends.cut = !bytes.has(at, 16);
      if (ends.cut) break;
      size = bytes.number(at + 8, 8);
    }
    if (size < 8) break;  // up to the end, or damaged: not cut
    ends.cut = !bytes.has(at, size);
    if (ends.cut) break;
    const bool described = bytes.text(at + 4, 4) != "moof";
    at += size;
    if (described) ends.playable = at;
  }
  return ends;
}

/// Returns the end of a Matroska element: a name of four bytes, a size whose first byte has as many leading zeros as further
/// bytes follow, and contents. nullopt if it is beyond the file or unknown (all ones).
std::optional<std::uint64_t> end_of_element(Bytes& bytes, std::uint64_t at, bool& cut) {
  cut = !bytes.has(at, 5);
  if (cut) return std::nullopt;
  const auto first = static_cast<std::uint8_t>(bytes.number(at + 4, 1));
  const auto digits = static_cast<std::size_t>(std::countl_zero(first)) + 1;
  cut = !bytes.has(at + 4, digits);
  if (cut || digits > 8) return std::nullopt;
  const std::uint64_t ones = (std::uint64_t{1} << (7 * digits)) - 1, size = bytes.number(at + 4, digits) & ones;
  if (size == ones) return std::nullopt;
  cut = !bytes.has(at + 4 + digits, size);
  if (cut) return std::nullopt;
  return at + 4 + digits + size;
}

}  // namespace

Mp4Ends ends_of_mp4(const std::filesystem::path& film) {
  Bytes bytes(film);
  return ends_in(bytes);
}

bool is_cut_short(const std::filesystem::path& film) {
  Bytes bytes(film);
  if (bytes.has(0, 8) && bytes.text(4, 4) == "ftyp") return ends_in(bytes).cut;
  if (!bytes.has(0, 4) || bytes.text(0, 4) != "\x1a\x45\xdf\xa3") return false;
  bool cut = false;
  if (const auto segment = end_of_element(bytes, 0, cut)) (void)end_of_element(bytes, *segment, cut);
  return cut;
}

}  // namespace orrery::render
