// SPDX-License-Identifier: MIT
// Tags of MP4 and WebM by libav; it also reads the comment of a GIF, but cannot write it.
#include "render/metadata/provenance.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "common/error.hpp"
#include "render/metadata/formats.hpp"
#include "render/module/av.hpp"
#include "render/module/module.hpp"

namespace orrery::render::pictures_module {
namespace {

// Matroska stores names of tags in capitals; libav finds them without regard to case.
constexpr std::array<std::pair<const char*, std::string Provenance::*>, 4> tags{
    {{"orrery_version", &Provenance::version},
     {"orrery_state", &Provenance::state},
     {"orrery_scenario", &Provenance::scenario},
     {"orrery_piece", &Provenance::piece}}};
constexpr std::span gif_tags = std::span(tags).first<3>();  // GIFs are not drawn in pieces

/// Returns the text of a comment: one line per tag, with the scenario up to the end.
std::string as_comment(const Provenance& provenance) {
  std::string text;
  for (const auto& [name, member] : gif_tags) text += std::string(name) + ": " + provenance.*member + "\n";
  text.pop_back();
  return text;
}

std::optional<Provenance> from_comment(std::string_view text) {
  Provenance provenance;
  for (const auto& [name, member] : gif_tags) {
    const std::string head = std::string(name) + ": ";
    if (!text.starts_with(head)) return std::nullopt;
    text.remove_prefix(head.size());
    const std::size_t end = member == &Provenance::scenario ? text.size() : std::min(text.find('\n'), text.size());
    provenance.*member = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return provenance;
}

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

struct Mp4Ends {
  std::uint64_t playable = 0;  ///< end of the last complete fragment, in bytes
  bool cut = false;            ///< the file ends before its boxes
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

/// Returns whether an MP4 or WebM, by contents, ends before the sizes in it say, or a GIF without its trailer; false for other
/// files and those without a size.
bool is_cut_short(const std::filesystem::path& film) {
  Bytes bytes(film);
  if (bytes.has(0, 4) && bytes.text(0, 4) == "GIF8") return bytes.text(bytes.length() - 1, 1) != ";";
  if (bytes.has(0, 8) && bytes.text(4, 4) == "ftyp") return ends_in(bytes).cut;
  if (!bytes.has(0, 4) || bytes.text(0, 4) != "\x1a\x45\xdf\xa3") return false;
  bool cut = false;
  if (const auto segment = end_of_element(bytes, 0, cut)) (void)end_of_element(bytes, *segment, cut);
  return cut;
}

}  // namespace

std::uint64_t playable_bytes(const std::filesystem::path& mp4) {
  Bytes bytes(mp4);
  return ends_in(bytes).playable;
}

void describe(AVFormatContext& muxer, const Provenance& provenance) {
  if (provenance.empty()) return;
  for (const auto& [name, member] : tags) {
    const std::string& text = provenance.*member;
    if (!text.empty()) av_dict_set(&muxer.metadata, name, text.c_str(), 0);
  }
}

void describe_gif(const std::filesystem::path& file, const Provenance& provenance) {
  if (provenance.empty()) return;
  std::fstream gif(file, std::ios::in | std::ios::out | std::ios::binary);
  gif.seekp(-1, std::ios::end);  // overwrites the trailer
  gif.write("\x21\xfe", 2);
  const std::string text = as_comment(provenance);
  for (std::size_t from = 0; from < text.size(); from += 255) {
    const std::string part = text.substr(from, 255);
    gif.put(static_cast<char>(part.size())).write(part.data(), static_cast<std::streamsize>(part.size()));
  }
  gif.write("\0\x3b", 2).flush();
  if (!gif) refuse_film(file, "its comment cannot be written");
}

std::optional<Provenance> provenance_of_film(const std::filesystem::path& film) {
  std::error_code none;
  const auto refuse = [&](const std::string& why) {
    throw Error(film.string() + ": " + why + ": take a whole copy of the picture", Fault::request);
  };
  if (std::filesystem::is_empty(film, none) && !none) refuse("is empty");
  av_log_set_level(AV_LOG_QUIET);
  Owned<AVFormatContext> input(avformat_alloc_context());
  if (!input) throw std::bad_alloc();
  // Limit the time for files that are made to take forever.
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  input->interrupt_callback = {
      [](void* when) { return std::chrono::steady_clock::now() > *static_cast<decltype(end)*>(when) ? 1 : 0; }, &end};
  const bool cut = is_cut_short(film);
  av_max_alloc(max_metadata);  // for wrong sizes in the file
  const int code = open_film(film, trusted(), input);
  av_max_alloc(std::numeric_limits<int>::max());
  if (code < 0) {
    if (cut) refuse("is cut short");
    return std::nullopt;
  }
  // Of a GIF that is cut short, libav returns what there is of the comment.
  if (const auto* comment = cut ? nullptr : av_dict_get(input->metadata, "comment", nullptr, 0); comment != nullptr) {
    if (auto provenance = from_comment(comment->value)) return provenance;
  }
  Provenance provenance;
  for (const auto& [name, member] : tags) {
    if (const AVDictionaryEntry* tag = av_dict_get(input->metadata, name, nullptr, 0)) provenance.*member = tag->value;
  }
  if (!provenance.of_a_run() && cut) refuse("is cut short");
  return provenance.ours() ? std::optional(provenance) : std::nullopt;
}

}  // namespace orrery::render::pictures_module
