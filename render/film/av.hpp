// SPDX-License-Identifier: MIT
// FFmpeg's objects with owners, and its errors as ours; included by sources of this room only.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "render/canvas/drawing.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {

struct AvRelease {
  void operator()(AVFrame* p) const { av_frame_free(&p); }
  void operator()(AVPacket* p) const { av_packet_free(&p); }
  void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
  void operator()(AVFilterGraph* p) const { avfilter_graph_free(&p); }
  void operator()(SwsContext* p) const { sws_freeContext(p); }
  /// Of a file that is read, or that was to be written.
  void operator()(AVFormatContext* p) const {
    if (p->iformat != nullptr) return avformat_close_input(&p);
    if (p->pb != nullptr) avio_closep(&p->pb);
    avformat_free_context(p);
  }
};
template <class T>
using Owned = std::unique_ptr<T, AvRelease>;

/// Options for libav, which takes out those that it knows.
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

/// Throws Error "cannot write FILE: WHY" where `code` is negative; else returns it.
int checked(int code, const std::filesystem::path& file);

/// Throws the same with words of our own.
[[noreturn]] void refuse_film(const std::filesystem::path& file, const std::string& why);

/// A frame with room for its pixels.
Owned<AVFrame> new_frame(Size size, AVPixelFormat format);

/// libav opens a path only so if it has a colon in it.
std::string url_of(const std::filesystem::path& file);

/// Writes down what a film says of its run; before the file's header.
void describe(AVFormatContext& muxer, const Provenance& provenance);
/// The same in a GIF that is finished. Throws Error.
void describe_gif(const std::filesystem::path& file, const Provenance& provenance);

struct Encoder;

/// One video stream being encoded into one file.
class VideoFile {
 public:
  /// `format` is libav's name of it, with its options. It is written to `file`, which is there; complaints name `film`.
  VideoFile(const std::filesystem::path& file, std::filesystem::path film, const char* format, Encoder encoder,
            Dictionary options, const Provenance& provenance);

  /// The next frame, its pts in ticks of the encoder's time base; it is shown for `ticks`.
  void encode(AVFrame* frame, std::int64_t ticks);
  /// As much has been given to the file, or waits to be.
  [[nodiscard]] double bytes() const { return static_cast<double>(avio_tell(muxer_->pb)); }
  /// Everything is written and the file is closed.
  void close();

 private:
  void drain();

  std::filesystem::path film_;
  Owned<AVCodecContext> encoder_;
  Owned<AVFormatContext> muxer_;
  Owned<AVPacket> packet_{av_packet_alloc()};
  std::int64_t ticks_ = 1;
};

}  // namespace orrery::render
