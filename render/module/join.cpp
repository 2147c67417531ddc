// SPDX-License-Identifier: MIT
// A piece begins with a key frame, and no frame refers to another piece. Packets keep their order in the file; the
// times at which they are shown follow from the number of their frame in the film.
#include "render/film/pieces.hpp"

#include <fmt/ranges.h>

extern "C" {
#include <libavutil/log.h>
}

#include <algorithm>
#include <cstring>
#include <set>
#include <system_error>
#include <vector>

#include "common/error.hpp"
#include "render/film/formats.hpp"
#include "render/metadata/provenance.hpp"
#include "render/module/av.hpp"
#include "render/module/module.hpp"

namespace orrery::render::pictures_module {
namespace {

constexpr const char* tag_words[] = {" of ", " frames at ", " per second"};

AVRational rational(double frames_per_second) {
  return av_d2q(frames_per_second, 100000);
}

/// What the metadata of a piece say.
struct Tag {
  Piece piece;
  AVRational rate{};  ///< frames per second
};

/// Reads tag_of(); nullopt for another text.
std::optional<Tag> tag_from(std::string_view text) {
  const auto up_to = [&](std::string_view words) {
    const std::size_t at = std::min(text.find(words), text.size());
    const std::string_view before = text.substr(0, at);
    text.remove_prefix(std::min(at + words.size(), text.size()));
    return before;
  };
  const auto piece = piece_from(up_to(tag_words[0]));
  if (!piece) return std::nullopt;
  Tag tag{*piece, {}};
  tag.piece.frames = whole_number(up_to(tag_words[1]));
  tag.rate.num = whole_number(up_to("/"));
  tag.rate.den = whole_number(up_to(tag_words[2]));
  const bool possible = tag.piece.frames >= tag.piece.count && tag.rate.num > 0 && tag.rate.den > 0 && text.empty();
  return possible ? std::optional(tag) : std::nullopt;
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw Error(file.string() + ": " + why, Fault::request);
}

std::string drawing(const Piece& piece) {
  return fmt::format("draw it with `orrery render RUN.h5 --piece {}`", piece.name());
}

/// Returns the format of a film that can be joined.
const Format& format_of(const std::filesystem::path& film) {
  const std::string extension = film.extension().string();
  if (digits_of(film.filename().string()) > 0)
    refuse(film, "pieces of numbered pictures are the pictures themselves: there is nothing to join");
  if (extension == ".gif") refuse(film, "a GIF is not drawn in pieces: draw it with `orrery render RUN.h5`");
  const Format* format = format_with(extension);
  if (format == nullptr || format->codecs.empty()) refuse(film, "is no film of pieces: name an .mp4 or a .webm");
  return *format;
}

/// Returns the number of pieces of a film, by the names in its folder.
int count_of_pieces(const std::filesystem::path& film) {
  const std::string head = film.stem().string() + ".piece-", tail = film.extension().string();
  const std::filesystem::path folder = film.parent_path().empty() ? "." : film.parent_path();
  std::set<int> counts;
  std::error_code none;
  for (std::filesystem::directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
    const std::string name = entry->path().filename().string();
    if (name.size() < head.size() + tail.size() || !name.starts_with(head) || !name.ends_with(tail)) continue;
    const auto piece = piece_from(name.substr(head.size(), name.size() - head.size() - tail.size()), "-of-");
    if (piece && file_of(*piece, film).filename() == name) counts.insert(piece->count);
  }
  if (counts.empty()) {
    refuse(film, fmt::format("there are no pieces of it in its folder, as {}: draw them with `orrery render RUN.h5 "
                             "--piece 1/4` and so on",
                             file_of({1, 4}, film).filename().string()));
  }
  if (counts.size() > 1)
    refuse(film, fmt::format("there are pieces of a division by {}: remove all but those of one",
                             fmt::join(counts, " and by ")));
  return *counts.begin();
}

/// Reads the packets of a piece.
class Packets {
 public:
  Packets(const std::filesystem::path& file, const Piece& piece) {
    if (open_film(file, trusted(), from_) < 0 || avformat_find_stream_info(from_.get(), nullptr) < 0 ||
        from_->nb_streams != 1 || from_->streams[0]->codecpar->codec_type != AVMEDIA_TYPE_VIDEO)
      refuse(file, "cannot be read: " + drawing(piece));
  }

  [[nodiscard]] const AVStream& stream() const { return *from_->streams[0]; }
  /// Reads the next packet; false at the end.
  bool next(AVPacket& packet) {
    av_packet_unref(&packet);
    return av_read_frame(from_.get(), &packet) >= 0;
  }

 private:
  Owned<AVFormatContext> from_;
};

/// A piece that is there, complete.
struct Part {
  std::filesystem::path file;
  Tag tag;
  Provenance provenance;
  std::vector<int> shown;  ///< the frame of each packet, counted from 0 in the piece
};

bool same_encoding(const AVCodecParameters& a, const AVCodecParameters& b) {
  return a.codec_id == b.codec_id && a.width == b.width && a.height == b.height && a.format == b.format &&
         a.extradata_size == b.extradata_size &&
         (a.extradata_size == 0 ||
          std::memcmp(a.extradata, b.extradata, static_cast<std::size_t>(a.extradata_size)) == 0);
}

/// Returns Part::shown. Throws Error unless all frames of the piece are there.
std::vector<int> shown_frames(Packets& packets, const std::filesystem::path& file, const Tag& tag) {
  const auto frames = static_cast<std::size_t>(tag.piece.end() - tag.piece.begin());
  constexpr std::int64_t latest = std::int64_t{1} << 53U;
  const Owned<AVPacket> packet(av_packet_alloc());
  std::vector<std::int64_t> times;
  bool sound = true;
  while (sound && packets.next(*packet)) {
    sound = (packet->flags & AV_PKT_FLAG_CORRUPT) == 0 && packet->pts > -latest && packet->pts < latest &&
            times.size() < frames && (!times.empty() || (packet->flags & AV_PKT_FLAG_KEY) != 0);
    if (sound) times.push_back(packet->pts);
  }
  if (times.size() < frames)
    refuse(file, fmt::format("has {} of its {} frames: {}", times.size(), frames, drawing(tag.piece)));
  const std::int64_t first = *std::ranges::min_element(times);
  std::vector<int> shown;
  std::vector<bool> seen(frames);
  for (const std::int64_t time : times) {
    const std::int64_t frame = av_rescale_q(time - first, packets.stream().time_base, av_inv_q(tag.rate));
    sound = sound && frame >= 0 && frame < static_cast<std::int64_t>(frames) && !seen[static_cast<std::size_t>(frame)];
    if (!sound) refuse(file, fmt::format("its frames are not those of the piece: {}", drawing(tag.piece)));
    seen[static_cast<std::size_t>(frame)] = true;
    shown.push_back(static_cast<int>(frame));
  }
  return shown;
}

/// Returns what differs between two pieces of one film, or "".
std::string difference(const Part& a, const Part& b) {
  if (a.tag.piece.frames != b.tag.piece.frames) return "number of frames";
  if (av_cmp_q(a.tag.rate, b.tag.rate) != 0) return "rate";
  if (a.provenance.state != b.provenance.state) return "run";
  if (a.provenance.version != b.provenance.version) return "version";
  return a.provenance.scenario != b.provenance.scenario ? "scenario" : "";
}

/// Reads all but the packets.
Part part_of(const std::filesystem::path& file, const Piece& piece) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) refuse(file, "is missing: " + drawing(piece));
  if (!std::filesystem::is_regular_file(file, none)) refuse(file, "is no file: " + drawing(piece));
  const std::optional<Provenance> provenance = provenance_of_film(file);
  const std::optional<Tag> tag = provenance ? tag_from(provenance->piece) : std::nullopt;
  if (!tag) refuse(file, "is no piece of a film: " + drawing(piece));
  if (tag->piece.index != piece.index || tag->piece.count != piece.count)
    refuse(file, fmt::format("is piece {} by its metadata: {}", tag->piece.name(), drawing(piece)));
  return {file, *tag, *provenance, {}};
}

/// The largest number of packets that a frame waits for after its own time.
int delay_of(const std::vector<Part>& parts) {
  int delay = 0;
  for (const Part& part : parts) {
    for (std::size_t k = 0; k < part.shown.size(); ++k) delay = std::max(delay, static_cast<int>(k) - part.shown[k]);
  }
  return delay;
}

void copy_packets(const std::vector<Part>& parts, const std::filesystem::path& film, AVFormatContext& to) {
  const AVRational tick = av_inv_q(parts.front().tag.rate), unit = to.streams[0]->time_base;
  const int delay = delay_of(parts);
  const Owned<AVPacket> packet(av_packet_alloc());
  for (const Part& part : parts) {
    const std::int64_t begin = part.tag.piece.begin();
    Packets packets(part.file, part.tag.piece);
    for (std::size_t k = 0; k < part.shown.size(); ++k) {
      if (!packets.next(*packet)) refuse(part.file, "has changed: join again");
      const std::int64_t shown = begin + part.shown[k];
      packet->pts = av_rescale_q(shown, tick, unit);
      packet->dts = av_rescale_q(begin + static_cast<std::int64_t>(k) - delay, tick, unit);
      packet->duration = av_rescale_q(shown + 1, tick, unit) - packet->pts;
      packet->stream_index = 0;
      packet->pos = -1;
      checked(av_interleaved_write_frame(&to, packet.get()), film);
    }
  }
}

}  // namespace

std::string tag_of(const Piece& piece, double frames_per_second) {
  const AVRational rate = rational(frames_per_second);
  return fmt::format("{}{}{}{}{}/{}{}", piece.name(), tag_words[0], piece.frames, tag_words[1], rate.num, rate.den,
                     tag_words[2]);
}

JoinedFilm join(const std::filesystem::path& film, Replacing replacing) {
  av_log_set_level(AV_LOG_QUIET);  // errors are reported by codes
  const Format& format = format_of(film);
  const int count = count_of_pieces(film);
  refuse_to_replace(film, replacing, drawn_by_orrery);
  std::error_code none;
  if (replacing != Replacing::anything && std::filesystem::is_symlink(std::filesystem::symlink_status(film, none)) &&
      !std::filesystem::exists(film, none))
    refuse(film, "is a link to a file that is not there; --force replaces it");
  std::vector<Part> parts;
  for (int index = 1; index <= count; ++index) {
    const Piece piece{index, count};
    parts.push_back(part_of(file_of(piece, film), piece));
    const Part& first = parts.front();
    if (const std::string what = difference(parts.back(), first); !what.empty()) {
      refuse(
          parts.back().file,
          fmt::format("is of another film than {}, which has another {}: draw all pieces from one run, with the same "
                      "flags",
                      first.file.filename().string(), what));
    }
  }
  const Packets first(parts.front().file, parts.front().tag.piece);
  for (Part& part : parts) {
    Packets packets(part.file, part.tag.piece);
    if (!same_encoding(*packets.stream().codecpar, *first.stream().codecpar)) {
      refuse(part.file, fmt::format("is encoded in another way than {}: draw both with the same FFmpeg",
                                    parts.front().file.filename().string()));
    }
    part.shown = shown_frames(packets, part.file, part.tag);
  }
  try {
    NewFile whole(film, film.extension().string());
    Provenance provenance = parts.front().provenance;
    provenance.piece.clear();
    const Owned<AVFormatContext> to =
        copy_of_film(first.stream(), parts.front().tag.rate, whole.path(), film, format.container, provenance);
    copy_packets(parts, film, *to);
    close_film(*to, film);
    whole.rename_to(film, replacing, drawn_by_orrery);
  } catch (const std::system_error& failure) {
    refuse_film(film, failure.code().message());
  }
  return {count, parts.front().tag.piece.frames};
}

}  // namespace orrery::render::pictures_module
