// SPDX-License-Identifier: MIT
// FFmpeg's objects with owners, and its errors as ours; included by sources of this room only.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libswscale/swscale.h>
}

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "render/drawing.hpp"

namespace orrery::render {

struct AvRelease {
  void operator()(AVFrame* p) const { av_frame_free(&p); }
  void operator()(AVPacket* p) const { av_packet_free(&p); }
  void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
  void operator()(AVFilterGraph* p) const { avfilter_graph_free(&p); }
  void operator()(SwsContext* p) const { sws_freeContext(p); }
};
template <class T>
using Owned = std::unique_ptr<T, AvRelease>;

/// Throws Error "cannot write FILE: WHY" where `code` is negative; else returns it.
int checked(int code, const std::filesystem::path& file);

/// Throws the same with words of our own.
[[noreturn]] void refuse_film(const std::filesystem::path& file, const std::string& why);

/// A frame with room for its pixels.
Owned<AVFrame> new_frame(Size size, AVPixelFormat format);

/// One video stream being encoded into one file.
class VideoFile {
 public:
  /// `encoder` is set up but not yet open; `codec_options` and `format_options` are freed.
  VideoFile(std::filesystem::path file, const char* format, Owned<AVCodecContext> encoder, AVDictionary* codec_options,
            AVDictionary* format_options);
  VideoFile(const VideoFile&) = delete;
  VideoFile& operator=(const VideoFile&) = delete;
  ~VideoFile();

  /// The next frame, its pts in ticks of the encoder's time base; it is shown for `ticks`.
  void encode(AVFrame* frame, std::int64_t ticks);
  /// Everything is written and the file is closed.
  void close();
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  void drain();

  std::filesystem::path file_;
  Owned<AVCodecContext> encoder_;
  AVFormatContext* muxer_ = nullptr;
  Owned<AVPacket> packet_{av_packet_alloc()};
  std::int64_t ticks_ = 1;
};

/// libav opens a path only so if it has a colon in it.
std::string url_of(const std::filesystem::path& file);

}  // namespace orrery::render
