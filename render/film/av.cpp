// SPDX-License-Identifier: MIT
#include "render/film/av.hpp"

extern "C" {
#include <libavutil/opt.h>
}

#include <array>
#include <utility>

#include "common/error.hpp"

namespace orrery::render {

int checked(int code, const std::filesystem::path& file) {
  if (code >= 0) return code;
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(code, text.data(), text.size());
  refuse_film(file, text.data());
}

void refuse_film(const std::filesystem::path& file, const std::string& why) {
  throw Error("cannot write " + file.string() + ": " + why);
}

std::string url_of(const std::filesystem::path& file) {
  return "file:" + file.string();
}

Owned<AVFrame> new_frame(Size size, AVPixelFormat format) {
  Owned<AVFrame> frame(av_frame_alloc());
  if (frame) {
    frame->width = size.width;
    frame->height = size.height;
    frame->format = format;
  }
  if (!frame || av_frame_get_buffer(frame.get(), 0) < 0) throw Error("no memory for a frame of a film");
  return frame;
}

Owned<AVFormatContext> copy_file(const AVStream& stream, AVRational frames_per_second,
                                 const std::filesystem::path& file, const std::filesystem::path& film,
                                 const char* container, const Provenance& provenance) {
  const std::string url = url_of(file);
  AVFormatContext* made = nullptr;
  checked(avformat_alloc_output_context2(&made, nullptr, container, url.c_str()), film);
  Owned<AVFormatContext> to(made);
  AVStream* copy = avformat_new_stream(made, nullptr);
  checked(copy != nullptr ? 0 : AVERROR(ENOMEM), film);
  checked(avcodec_parameters_copy(copy->codecpar, stream.codecpar), film);
  copy->time_base = stream.time_base;
  copy->avg_frame_rate = frames_per_second;
  describe(*made, provenance);
  checked(avio_open(&made->pb, url.c_str(), AVIO_FLAG_WRITE), film);
  Dictionary options;
  options.set("movflags", "faststart+use_metadata_tags");
  options.set("cluster_time_limit", "1000");  // milliseconds, of a WebM
  checked(avformat_write_header(made, options.entries()), film);
  return to;
}

void close_copy(AVFormatContext& copy, const std::filesystem::path& film) {
  checked(av_write_trailer(&copy), film);
  checked(copy.pb->error, film);
  checked(avio_closep(&copy.pb), film);
}

VideoFile::VideoFile(const std::filesystem::path& file, std::filesystem::path film, const char* format, Encoder encoder,
                     Dictionary options, const Provenance& provenance)
    : film_(std::move(film)), encoder_(std::move(encoder.context)) {
  const std::string url = url_of(file);
  AVFormatContext* muxer = nullptr;
  checked(avformat_alloc_output_context2(&muxer, nullptr, format, url.c_str()), film_);
  muxer_.reset(muxer);
  if ((muxer->oformat->flags & AVFMT_GLOBALHEADER) != 0) encoder_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  checked(avcodec_open2(encoder_.get(), nullptr, encoder.options.entries()), film_);
  AVStream* stream = avformat_new_stream(muxer, nullptr);
  checked(stream != nullptr ? 0 : AVERROR(ENOMEM), film_);
  checked(avcodec_parameters_from_context(stream->codecpar, encoder_.get()), film_);
  stream->time_base = encoder_->time_base;
  stream->avg_frame_rate = encoder_->framerate;
  describe(*muxer, provenance);
  checked(avio_open(&muxer->pb, url.c_str(), AVIO_FLAG_WRITE), film_);
  checked(avformat_write_header(muxer, options.entries()), film_);
}

void VideoFile::encode(AVFrame* frame, std::int64_t ticks) {
  ticks_ = ticks;
  ++frames_;
  checked(avcodec_send_frame(encoder_.get(), frame), film_);
  drain();
}

void VideoFile::drain() {
  for (;;) {
    const int code = avcodec_receive_packet(encoder_.get(), packet_.get());
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return;
    checked(code, film_);
    if (packet_->duration == 0) packet_->duration = ticks_;
    // Of one or two frames, which are never reordered, x265 up to 4.1 returns a decoding time that was not set (its issue 781).
    if (encoder_->codec_id == AV_CODEC_ID_HEVC && frames_ <= 2) packet_->dts = packet_->pts;
    packet_->stream_index = 0;
    av_packet_rescale_ts(packet_.get(), encoder_->time_base, muxer_->streams[0]->time_base);
    checked(av_interleaved_write_frame(muxer_.get(), packet_.get()), film_);
    // The muxer does not report errors of its buffer, such as a full disk.
    checked(muxer_->pb->error, film_);
  }
}

void VideoFile::close() {
  checked(avcodec_send_frame(encoder_.get(), nullptr), film_);
  drain();
  checked(av_write_trailer(muxer_.get()), film_);
  const int pending = muxer_->pb->error;
  const int closed = avio_closep(&muxer_->pb);
  muxer_.reset();
  checked(pending, film_);
  checked(closed, film_);
}

}  // namespace orrery::render
