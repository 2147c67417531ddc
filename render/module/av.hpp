// SPDX-License-Identifier: MIT
// Owners of FFmpeg objects, and FFmpeg errors as exceptions.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "render/canvas/drawing.hpp"
#include "render/film/formats.hpp"
#include "render/film/pieces.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render::pictures_module {

struct AvRelease {
  void operator()(AVFrame* p) const { av_frame_free(&p); }
  void operator()(AVPacket* p) const { av_packet_free(&p); }
  void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
  void operator()(SwsContext* p) const { sws_freeContext(p); }
  /// Closes a file that was opened for reading or for writing.
  void operator()(AVFormatContext* p) const {
    if (p->iformat != nullptr) return avformat_close_input(&p);
    if (p->pb != nullptr) avio_closep(&p->pb);
    avformat_free_context(p);
  }
};
template <class T>
using Owned = std::unique_ptr<T, AvRelease>;

/// Options for libav, which removes those that it uses.
class Dictionary {
 public:
  Dictionary() = default;
  Dictionary(Dictionary&& other) noexcept : entries_(std::exchange(other.entries_, nullptr)) {}
  Dictionary& operator=(Dictionary&&) = delete;
  ~Dictionary() { av_dict_free(&entries_); }
  void set(const char* key, const std::string& value) { av_dict_set(&entries_, key, value.c_str(), 0); }
  [[nodiscard]] AVDictionary** entries() { return &entries_; }

 private:
  AVDictionary* entries_ = nullptr;
};

/// Returns the text by which a piece of a film describes itself in its metadata.
std::string tag_of(const Piece& piece, double frames_per_second);

/// Returns the end of the last complete fragment of an MP4, in bytes.
std::uint64_t playable_bytes(const std::filesystem::path& mp4);

/// Returns `code`; throws Error "cannot write FILE: …" if it is negative.
int checked(int code, const std::filesystem::path& file);

/// Throws Error "cannot write FILE: WHY".
[[noreturn]] void refuse_film(const std::filesystem::path& file, const std::string& why);

/// Returns a frame with allocated pixels. Throws Error.
Owned<AVFrame> new_frame(Size size, AVPixelFormat format);

/// Returns "file:FILE", which libav needs for paths that contain a colon.
std::string url_of(const std::filesystem::path& file);

/// Sets the metadata of a film; call it before the header is written.
void describe(AVFormatContext& muxer, const Provenance& provenance);
/// Adds metadata to a complete GIF. Throws Error.
void describe_gif(const std::filesystem::path& file, const Provenance& provenance);

/// Options to open a film by: formats that open other files are not allowed.
Dictionary trusted();
/// Opens a film for reading. Returns a negative code on failure.
int open_film(const std::filesystem::path& file, Dictionary options, Owned<AVFormatContext>& film);

/// Creates a film `file` of one stream, which `set_up` describes, and writes its header. Error messages name `film`;
/// `container` is that of a Format or libav, `options` are those of its muxer.
Owned<AVFormatContext> new_film(const std::filesystem::path& file, const std::filesystem::path& film,
                                const char* container, Dictionary options, const Provenance& provenance,
                                const std::function<void(const AVFormatContext&, AVStream&)>& set_up);
/// The same for a copy of the packets of a stream: an MP4 will have its index first.
Owned<AVFormatContext> copy_of_film(const AVStream& stream, AVRational frames_per_second,
                                    const std::filesystem::path& file, const std::filesystem::path& film,
                                    const char* container, const Provenance& provenance);
/// Completes and closes it.
void close_film(AVFormatContext& muxer, const std::filesystem::path& film);

struct Encoder {
  Owned<AVCodecContext> context;  ///< set up but not open
  Dictionary options;             ///< to open it with
  int max_in_flight = 0;          ///< frames that may wait in it while it works in its own time; 0: it does not
};

/// Returns an encoder for limited-range Y'CbCr of sRGB pixels (matrix and primaries of BT.709, transfer function of
/// sRGB) with a key frame every two seconds. Throws Error if FFmpeg has none for the codec and the pixel format.
Encoder encoder_for(Codec codec, const std::filesystem::path& file, std::string_view pixel_format, Size size,
                    double frames_per_second);

/// A file with one video stream that is being encoded.
class VideoFile {
 public:
  /// Overwrites `file`; the arguments are those of new_film().
  VideoFile(const std::filesystem::path& file, std::filesystem::path film, const char* container, Encoder encoder,
            Dictionary options, const Provenance& provenance);

  /// Adds a frame whose pts is in ticks of the time base of the encoder; it is shown for `ticks`.
  void encode(AVFrame* frame, std::int64_t ticks);
  /// Returns the number of bytes written or buffered so far.
  [[nodiscard]] double bytes() const { return static_cast<double>(avio_tell(muxer_->pb)); }
  /// Writes everything and closes the file.
  void close();

 private:
  void drain();

  std::filesystem::path film_;
  Owned<AVCodecContext> encoder_;
  Owned<AVFormatContext> muxer_;
  Owned<AVPacket> packet_{av_packet_alloc()};
  std::int64_t ticks_ = 1, frames_ = 0, packets_ = 0;
  int max_in_flight_;
};

}  // namespace orrery::render::pictures_module
