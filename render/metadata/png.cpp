// SPDX-License-Identifier: MIT
// Texts are in iTXt chunks, or in tEXt and zTXt if another program has saved the picture again.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>

#include "common/error.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";

std::uint32_t number(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes.substr(0, 4)) value = value << 8U | static_cast<unsigned char>(c);
  return value;
}

/// Removes and returns what precedes the next zero byte.
std::string_view taken(std::string_view& rest) {
  const auto zero = rest.find('\0');
  if (zero == std::string_view::npos) throw Error("has a text that is damaged", Fault::request);
  const std::string_view word = rest.substr(0, zero);
  rest.remove_prefix(zero + 1);
  return word;
}

bool is_text(std::string_view type) {
  return type == "iTXt" || type == "tEXt" || type == "zTXt";
}

struct Inflation {
  bool complete = false;  ///< the end of the stream was reached
  std::size_t used = 0;   ///< bytes of the stream
};

/// Decompresses a zlib stream of less than 4 GiB and gives at most `most` bytes of the result, in parts, to `take`.
Inflation inflate_parts(std::string_view bytes, std::size_t most, const std::function<void(std::string_view)>& take) {
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  if (inflateInit(&stream) != Z_OK) throw Error("cannot be read: zlib refused");
  std::array<char, 1U << 16U> part{};
  int state = Z_OK;
  while (state == Z_OK && most > 0) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(std::min(part.size(), most));
    const std::size_t room = stream.avail_out;
    state = inflate(&stream, Z_NO_FLUSH);
    take({part.data(), room - stream.avail_out});
    most -= room - stream.avail_out;
  }
  inflateEnd(&stream);
  return {.complete = state == Z_STREAM_END, .used = bytes.size() - stream.avail_in};
}

/// Returns the text of a chunk after its keyword; decompressed text is subtracted from `budget`.
std::string text_of(std::string_view type, std::string_view rest, std::size_t& budget) {
  if (type == "tEXt") return std::string(rest);
  if (rest.empty()) throw Error("has a text that is damaged", Fault::request);
  const bool compressed = type == "zTXt" || rest[0] != 0;
  const std::size_t flags = type == "zTXt" ? 1 : 2;
  if (rest.size() < flags) throw Error("has a text that is damaged", Fault::request);
  rest.remove_prefix(flags);
  if (type == "iTXt") {
    (void)taken(rest);  // language
    (void)taken(rest);  // translated keyword
  }
  return compressed ? inflated(rest, budget) : std::string(rest);
}

}  // namespace

std::string inflated(std::string_view& bytes, std::size_t& budget) {
  const auto given = static_cast<uInt>(std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max()));
  std::size_t size = 0;
  // The first pass keeps nothing, so that a stream that is too long takes no memory.
  const Inflation counted =
      inflate_parts(bytes.substr(0, given), budget, [&](std::string_view part) { size += part.size(); });
  budget -= size;
  if (!counted.complete) throw Error("has a text that is damaged", Fault::request);
  std::string text;
  text.reserve(size);
  (void)inflate_parts(bytes.substr(0, counted.used), size + 1, [&](std::string_view part) { text += part; });
  bytes.remove_prefix(counted.used);
  return text;
}

std::optional<Provenance> provenance_of_png(std::istream& png, std::uintmax_t size) {
  if (next_bytes(png, signature.size()) != signature)
    throw Error("is not a PNG file in spite of its name: give a picture that orrery drew", Fault::request);
  Provenance found;
  std::size_t stored = max_metadata, budget = max_metadata;  // bytes that texts may still take, and decompressed ones
  for (std::uintmax_t at = signature.size();;) {
    const std::string head = next_bytes(png, 8);
    const std::uintmax_t length = number(head), end = at + 12 + length;
    if (head.size() < 8 || end > size) {
      // The metadata of a picture whose pixels are cut short is complete.
      if (found.of_a_run()) return found;
      throw Error("is cut short: take a whole copy of the picture", Fault::request);
    }
    const std::string_view type = std::string_view(head).substr(4);
    const bool complete = found.of_a_run() && !found.state.empty() && !found.version.empty();
    if (type == "IEND" || (type == "IDAT" && complete)) break;
    if (is_text(type)) {
      if (length > stored) throw Error("has more metadata than a picture by orrery can have", Fault::request);
      stored -= length;
      const std::string data = next_bytes(png, length + 4);
      const uLong sum_of_type = crc32(0, reinterpret_cast<const Bytef*>(type.data()), 4);
      if (data.size() < length + 4 || crc32(sum_of_type, reinterpret_cast<const Bytef*>(data.data()),
                                            static_cast<uInt>(length)) != number(std::string_view(data).substr(length)))
        throw Error("has a text that is damaged: its checksum does not fit", Fault::request);
      std::string_view text = std::string_view(data).substr(0, length);
      const std::string_view keyword = taken(text);
      if (keyword == "Software") found.version = text_of(type, text, budget);
      if (keyword == "orrery:state") found.state = text_of(type, text, budget);
      if (keyword == "orrery:scenario") found.scenario = text_of(type, text, budget);
    } else {
      png.seekg(static_cast<std::streamoff>(end));
    }
    at = end;
  }
  return found.ours() ? std::optional(found) : std::nullopt;
}

}  // namespace orrery::render
