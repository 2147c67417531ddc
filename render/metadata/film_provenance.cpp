// SPDX-License-Identifier: MIT
// Tags of MP4 and WebM by libav; the comment of a GIF without it, since libav cannot write comments.
#include "render/metadata/provenance.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "common/error.hpp"
#include "render/film/av.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

// Matroska stores names of tags in capitals; libav finds them without regard to case.
constexpr std::array<std::pair<const char*, std::string Provenance::*>, 3> tags{
    {{"orrery_version", &Provenance::version},
     {"orrery_state", &Provenance::state},
     {"orrery_scenario", &Provenance::scenario}}};
// Not in GIFs, which are not drawn in pieces.
constexpr const char* piece_tag = "orrery_piece";

/// Returns the text of a comment: one line per tag, with the scenario up to the end.
std::string as_comment(const Provenance& provenance) {
  std::string text;
  for (const auto& [name, member] : tags) text += std::string(name) + ": " + provenance.*member + "\n";
  text.pop_back();
  return text;
}

std::optional<Provenance> from_comment(std::string_view text) {
  Provenance provenance;
  for (const auto& [name, member] : tags) {
    const std::string head = std::string(name) + ": ";
    if (!text.starts_with(head)) return std::nullopt;
    text.remove_prefix(head.size());
    const std::size_t end = member == &Provenance::scenario ? text.size() : std::min(text.find('\n'), text.size());
    provenance.*member = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return provenance;
}

/// Reads the blocks of a GIF; reads beyond its end return nothing.
class GifBlocks {
 public:
  explicit GifBlocks(const std::filesystem::path& file) : in_(file, std::ios::binary) {
    const std::string head = take(13);
    gif_ = head.starts_with("GIF89a");
    if (head.size() == 13 && gif_) {
      skip_colors(head[10]);
    } else {
      in_.setstate(std::ios::failbit);
    }
  }

  /// Returns the text of the next comment, or nullopt if there are no more.
  std::optional<std::string> comment() {
    for (int kind = in_.get(); in_; kind = in_.get()) {
      if (kind == 0x2c) {  // an image: position, colours, minimum code size
        const std::string head = take(9);
        if (head.size() == 9) skip_colors(head[8]);
        in_.get();
        (void)blocks(false);
      } else if (kind == 0x21) {
        const bool comment = in_.get() == 0xfe;
        if (std::string text = blocks(comment); comment && in_) return text;
      } else {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  /// Returns whether the file ended before the trailer of a GIF; valid after the last comment.
  [[nodiscard]] bool is_cut_short() const { return gif_ && !in_; }

 private:
  std::string take(std::size_t bytes) {
    std::string text(bytes, '\0');
    in_.read(text.data(), static_cast<std::streamsize>(bytes));
    text.resize(static_cast<std::size_t>(in_.gcount()));
    return text;
  }
  void skip_colors(char flags) {
    const unsigned bits = static_cast<unsigned char>(flags);
    if ((bits & 0x80U) != 0) in_.ignore(3LL << ((bits & 7U) + 1));
  }
  std::string blocks(bool kept) {
    std::string text;
    for (int size = in_.get(); in_ && size > 0; size = in_.get()) {
      if (kept && text.size() < most_metadata) {
        text += take(static_cast<std::size_t>(size));
      } else {
        in_.ignore(size);
      }
    }
    return text;
  }

  std::ifstream in_;
  bool gif_ = false;
};

}  // namespace

void describe(AVFormatContext& muxer, const Provenance& provenance) {
  if (provenance.empty()) return;
  for (const auto& [name, member] : tags) {
    const std::string& text = provenance.*member;
    if (!text.empty()) av_dict_set(&muxer.metadata, name, text.c_str(), 0);
  }
  if (!provenance.piece.empty()) av_dict_set(&muxer.metadata, piece_tag, provenance.piece.c_str(), 0);
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
    throw Error(film.string() + ": " + why + ": take a whole copy of the picture", 2);
  };
  if (std::filesystem::is_empty(film, none) && !none) refuse("is empty");
  GifBlocks gif(film);
  while (const std::optional<std::string> comment = gif.comment()) {
    if (auto provenance = from_comment(*comment)) return provenance;
  }
  av_log_set_level(AV_LOG_QUIET);
  Owned<AVFormatContext> input(avformat_alloc_context());
  if (!input) throw std::bad_alloc();
  // Limit the time for files that are made to take forever.
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  input->interrupt_callback = {
      [](void* when) { return std::chrono::steady_clock::now() > *static_cast<decltype(end)*>(when) ? 1 : 0; }, &end};
  const bool cut = gif.is_cut_short() || is_cut_short(film);
  av_max_alloc(most_metadata);  // for wrong sizes in the file
  const int code = open_film(film, trusted(), input);
  av_max_alloc(std::numeric_limits<int>::max());
  if (code < 0) {
    if (cut) refuse("is cut short");
    return std::nullopt;
  }
  Provenance provenance;
  for (const auto& [name, member] : tags) {
    if (const AVDictionaryEntry* tag = av_dict_get(input->metadata, name, nullptr, 0)) provenance.*member = tag->value;
  }
  if (const AVDictionaryEntry* tag = av_dict_get(input->metadata, piece_tag, nullptr, 0)) provenance.piece = tag->value;
  if (!provenance.of_a_run() && cut) refuse("is cut short");
  return provenance.ours() ? std::optional(provenance) : std::nullopt;
}

}  // namespace orrery::render
