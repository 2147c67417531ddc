// SPDX-License-Identifier: MIT
#include "render/page/html.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/base64.hpp"
#include "common/error.hpp"
#include "common/utf8.hpp"
#include "common/xml.hpp"

namespace orrery::render::html {
namespace {

/// Whether a character is invisible, changes the direction of text, or has no meaning of its own: Unicode's categories Cc, Cf,
/// Co and noncharacters, and its separators of lines and paragraphs.
bool is_hidden(char32_t c) {
  static constexpr std::array<std::pair<char32_t, char32_t>, 15> ranges{{{0xAD, 0xAD},
                                                                         {0x600, 0x605},
                                                                         {0x61C, 0x61C},
                                                                         {0x6DD, 0x6DD},
                                                                         {0x70F, 0x70F},
                                                                         {0x180E, 0x180E},
                                                                         {0x200B, 0x200F},
                                                                         {0x2028, 0x202E},
                                                                         {0x2060, 0x206F},
                                                                         {0xD800, 0xF8FF},
                                                                         {0xFDD0, 0xFDEF},
                                                                         {0xFEFF, 0xFEFF},
                                                                         {0xFFF0, 0xFFFB},
                                                                         {0xE0000, 0xE0FFF},
                                                                         {0xF0000, 0x10FFFF}}};
  return is_control(c) || (c & 0xFFFE) == 0xFFFE ||
         std::ranges::any_of(ranges, [&](const auto& range) { return range.first <= c && c <= range.second; });
}

std::string with_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

std::string plain(std::string_view text, bool lines) {
  std::string shown;
  for (const char32_t c : code_points(text)) {
    if (c == '\n' || c == '\t') {
      shown += lines ? static_cast<char>(c) : ' ';
    } else {
      append_utf8(shown, is_hidden(c) ? U'\uFFFD' : c);
    }
  }
  return shown;
}

std::string escaped(std::string_view text, bool lines) {
  return xml_escaped(plain(text, lines));
}

std::string json_block(std::string_view name, const nlohmann::json& value) {
  const std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", name, with_all(text, "<", "\\u003c"));
}

std::string bytes_block(std::string_view name, std::string_view bytes) {
  return fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", name, base64(bytes));
}

std::string deflated(std::string_view bytes) {
  z_stream stream{};
  constexpr int without_header = -15, most_memory = 9;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, without_header, most_memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error("data cannot be compressed: zlib refused");
  std::string packed;
  std::array<char, 1 << 16> part{};
  int state = Z_OK;
  // zlib counts bytes with 32 bits.
  for (std::size_t at = 0; state != Z_STREAM_END;) {
    const std::size_t count = std::min<std::size_t>(bytes.size() - at, 1 << 30);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + at));
    stream.avail_in = static_cast<uInt>(count);
    at += count;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(part.data());
      stream.avail_out = static_cast<uInt>(part.size());
      state = deflate(&stream, at == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
      packed.append(part.data(), part.size() - stream.avail_out);
    } while (stream.avail_out == 0 || (stream.avail_in > 0 && state == Z_OK));
  }
  deflateEnd(&stream);
  return packed;
}

std::string inline_svg(std::string_view svg, std::string_view prefix, std::string_view name) {
  const auto after = [&](std::string_view word, std::size_t from) {
    const std::size_t at = svg.find(word, from);
    return at == std::string_view::npos ? from : at + word.size();
  };
  const std::size_t box = svg.find("viewBox=\""), box_end = svg.find('>', box);
  if (box == std::string_view::npos || box_end == std::string_view::npos) throw Error("a picture is no SVG");
  const std::size_t body = svg.starts_with("<?xml") ? after("</metadata>\n", box_end + 1) : box_end + 1;
  std::string text = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{}\" {}>",
                                 escaped(name), svg.substr(box, box_end - box));
  std::string shapes = with_all(std::string(svg.substr(body)), " id=\"", fmt::format(" id=\"{}", prefix));
  shapes = with_all(shapes, "url(#", fmt::format("url(#{}", prefix));
  // What is within an image has no label of its own for those who hear it.
  text += with_all(shapes, "<g aria-label=", "<g data-text=");
  return text;
}

}  // namespace orrery::render::html
