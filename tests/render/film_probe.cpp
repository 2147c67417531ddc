// SPDX-License-Identifier: MIT
// Reads a film with libav, to the last frame.
#include "film_probe.hpp"

#include <stdexcept>

#include "render/module/av.hpp"

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace orrery::render {
using namespace pictures_module;
namespace {

int sound(int code) {
  if (code < 0) throw std::runtime_error("the film does not play: " + std::to_string(code));
  return code;
}

void take(AVFrame* frame, FilmProperties& film) {
  ++film.frames;
  film.size = {frame->width, frame->height};
  const auto format = static_cast<AVPixelFormat>(frame->format);
  film.pixel_format = av_get_pix_fmt_name(format);
  film.color_space = frame->colorspace == AVCOL_SPC_BT709 ? "bt709" : "";
  film.color_range = frame->color_range == AVCOL_RANGE_MPEG ? "tv" : "";
  const Owned<SwsContext> scaler(sws_getContext(frame->width, frame->height, format, frame->width, frame->height,
                                                AV_PIX_FMT_RGBA, SWS_POINT, nullptr, nullptr, nullptr));
  if (film.pixel_format.starts_with("yuv4")) {
    const int* bt709 = sws_getCoefficients(SWS_CS_ITU709);
    sws_setColorspaceDetails(scaler.get(), bt709, 0, bt709, 1, 0, 1 << 16, 1 << 16);
  }
  const Owned<AVFrame> rgba = new_frame(film.size, AV_PIX_FMT_RGBA);
  sound(sws_scale(scaler.get(), frame->data, frame->linesize, 0, frame->height, rgba->data, rgba->linesize));
  Image image{film.size, {}};
  for (int y = 0; y < film.size.height; ++y) {
    const std::uint8_t* row = rgba->data[0] + static_cast<std::ptrdiff_t>(y) * rgba->linesize[0];
    for (int x = 0; x < film.size.width; ++x) {
      image.rgb.insert(image.rgb.end(), row + 4 * x, row + 4 * x + 3);
      film.opaque = film.opaque && row[4 * x + 3] == 255;
    }
  }
  film.images.push_back(std::move(image));
}

}  // namespace

FilmProperties probed(const std::filesystem::path& file) {
  FilmProperties film;
  AVFormatContext* opened = nullptr;
  sound(avformat_open_input(&opened, url_of(file).c_str(), nullptr, nullptr));
  const auto close = [](AVFormatContext* p) { avformat_close_input(&p); };
  const std::unique_ptr<AVFormatContext, decltype(close)> input(opened, close);
  sound(avformat_find_stream_info(opened, nullptr));
  film.duration = static_cast<double>(opened->duration) / AV_TIME_BASE;
  const AVStream* stream = opened->streams[0];
  film.codec = avcodec_get_name(stream->codecpar->codec_id);
  const auto name = [](const char* words) { return std::string(words == nullptr ? "" : words); };
  film.color_primaries = name(av_color_primaries_name(stream->codecpar->color_primaries));
  film.color_transfer = name(av_color_transfer_name(stream->codecpar->color_trc));
  const Owned<AVCodecContext> decoder(avcodec_alloc_context3(avcodec_find_decoder(stream->codecpar->codec_id)));
  sound(avcodec_parameters_to_context(decoder.get(), stream->codecpar));
  sound(avcodec_open2(decoder.get(), nullptr, nullptr));
  const Owned<AVPacket> packet(av_packet_alloc());
  const Owned<AVFrame> frame(av_frame_alloc());
  const auto receive = [&] {
    while (avcodec_receive_frame(decoder.get(), frame.get()) >= 0) {
      film.times.push_back(static_cast<double>(frame->best_effort_timestamp) * av_q2d(stream->time_base));
      take(frame.get(), film);
    }
  };
  while (av_read_frame(opened, packet.get()) >= 0) {
    sound(avcodec_send_packet(decoder.get(), packet.get()));
    av_packet_unref(packet.get());
    receive();
  }
  avcodec_send_packet(decoder.get(), nullptr);
  receive();
  return film;
}

}  // namespace orrery::render
