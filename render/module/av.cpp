// SPDX-License-Identifier: MIT
#include "render/module/av.hpp"

extern "C" {
#include <libavutil/opt.h>
}

#include <array>
#include <chrono>
#include <thread>

#include "common/error.hpp"

namespace orrery::render::pictures_module {

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

Dictionary trusted() {
  Dictionary options;
  options.set("format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,gif");
  options.set("protocol_whitelist", "file");
  return options;
}

int open_film(const std::filesystem::path& file, Dictionary options, Owned<AVFormatContext>& film) {
  AVFormatContext* opened = film.release();
  const int code = avformat_open_input(&opened, url_of(file).c_str(), nullptr, options.entries());
  film.reset(opened);
  return code;
}

Owned<AVFormatContext> new_film(const std::filesystem::path& file, const std::filesystem::path& film,
                                const char* container, Dictionary options, const Provenance& provenance,
                                const std::function<void(const AVFormatContext&, AVStream&)>& set_up) {
  const std::string url = url_of(file);
  AVFormatContext* made = nullptr;
  checked(avformat_alloc_output_context2(&made, nullptr, container, url.c_str()), film);
  Owned<AVFormatContext> muxer(made);
  AVStream* stream = avformat_new_stream(made, nullptr);
  checked(stream != nullptr ? 0 : AVERROR(ENOMEM), film);
  set_up(*made, *stream);
  describe(*made, provenance);
  checked(avio_open(&made->pb, url.c_str(), AVIO_FLAG_WRITE), film);
  checked(avformat_write_header(made, options.entries()), film);
  return muxer;
}

Owned<AVFormatContext> copy_of_film(const AVStream& stream, AVRational frames_per_second,
                                    const std::filesystem::path& file, const std::filesystem::path& film,
                                    const char* container, const Provenance& provenance) {
  Dictionary options;
  options.set("movflags", "faststart+use_metadata_tags");
  options.set("cluster_time_limit", "1000");  // milliseconds, of a WebM
  return new_film(file, film, container, std::move(options), provenance, [&](const AVFormatContext&, AVStream& copy) {
    checked(avcodec_parameters_copy(copy.codecpar, stream.codecpar), film);
    copy.time_base = stream.time_base;
    copy.avg_frame_rate = frames_per_second;
  });
}

void close_film(AVFormatContext& muxer, const std::filesystem::path& film) {
  checked(av_write_trailer(&muxer), film);
  const int pending = muxer.pb->error, closed = avio_closep(&muxer.pb);
  checked(pending, film);
  checked(closed, film);
}

VideoFile::VideoFile(const std::filesystem::path& file, std::filesystem::path film, const char* container,
                     Encoder encoder, Dictionary options, const Provenance& provenance)
    : film_(std::move(film)), encoder_(std::move(encoder.context)), max_in_flight_(encoder.max_in_flight) {
  const auto set_up = [&](const AVFormatContext& muxer, AVStream& stream) {
    if ((muxer.oformat->flags & AVFMT_GLOBALHEADER) != 0) encoder_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    checked(avcodec_open2(encoder_.get(), nullptr, encoder.options.entries()), film_);
    checked(avcodec_parameters_from_context(stream.codecpar, encoder_.get()), film_);
    stream.time_base = encoder_->time_base;
    stream.avg_frame_rate = encoder_->framerate;
  };
  muxer_ = new_film(file, film_, container, std::move(options), provenance, set_up);
}

void VideoFile::encode(AVFrame* frame, std::int64_t ticks) {
  ticks_ = ticks;
  ++frames_;
  checked(avcodec_send_frame(encoder_.get(), frame), film_);
  drain();
  // On a busy machine an encoder with threads of its own falls behind, and a kill would lose what waits in it.
  while (max_in_flight_ > 0 && frames_ - packets_ > max_in_flight_) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    drain();
  }
}

void VideoFile::drain() {
  for (;;) {
    const int code = avcodec_receive_packet(encoder_.get(), packet_.get());
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return;
    checked(code, film_);
    ++packets_;
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
  close_film(*muxer_, film_);
}

}  // namespace orrery::render::pictures_module
