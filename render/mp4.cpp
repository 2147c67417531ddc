// SPDX-License-Identifier: MIT
// H.264 in fragments of a second; at the end the packets are copied into a file whose index comes first.
#include "render/mp4.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "common/error.hpp"

namespace orrery::render {
namespace {

std::filesystem::path with_suffix(const std::filesystem::path& file, const std::string& suffix) {
  return std::filesystem::path(file).replace_extension(suffix);
}

const AVCodec* h264_encoder(const std::filesystem::path& file) {
  for (const char* name : {"libx264", "libopenh264"}) {
    if (const AVCodec* codec = avcodec_find_encoder_by_name(name)) return codec;
  }
  refuse_film(file, "this FFmpeg has no H.264 encoder (libx264 or libopenh264); a .gif needs none");
}

Owned<AVCodecContext> encoder_for(const AVCodec* codec, Size size, double frames_per_second) {
  Owned<AVCodecContext> encoder(avcodec_alloc_context3(codec));
  encoder->width = size.width;
  encoder->height = size.height;
  encoder->pix_fmt = AV_PIX_FMT_YUV420P;
  encoder->framerate = av_d2q(frames_per_second, 100000);
  encoder->time_base = av_inv_q(encoder->framerate);
  encoder->gop_size = static_cast<int>(std::ceil(2 * frames_per_second));
  encoder->color_range = AVCOL_RANGE_MPEG;
  encoder->color_primaries = AVCOL_PRI_BT709;
  encoder->color_trc = AVCOL_TRC_BT709;
  encoder->colorspace = AVCOL_SPC_BT709;
  encoder->thread_count = 0;
  return encoder;
}

/// From RGB of full range to Y'CbCr of BT.709 in the range of video.
Owned<SwsContext> rgb_to_video(Size size) {
  Owned<SwsContext> scaler(sws_getContext(size.width, size.height, AV_PIX_FMT_RGB24, size.width, size.height,
                                          AV_PIX_FMT_YUV420P, SWS_BILINEAR, nullptr, nullptr, nullptr));
  if (!scaler) throw Error("FFmpeg cannot turn pictures into video of this size");
  const int* bt709 = sws_getCoefficients(SWS_CS_ITU709);
  sws_setColorspaceDetails(scaler.get(), bt709, 1, bt709, 0, 0, 1 << 16, 1 << 16);
  return scaler;
}

}  // namespace

Mp4::Mp4(const std::filesystem::path& file, Size size, double frames_per_second)
    : file_(file), size_{size.width & ~1, size.height & ~1}, scaler_(rgb_to_video(size_)) {
  const AVCodec* codec = h264_encoder(file);
  AVDictionary *codec_options = nullptr, *format_options = nullptr;
  if (std::string(codec->name) == "libx264") {
    av_dict_set(&codec_options, "preset", "veryfast", 0);
    av_dict_set(&codec_options, "crf", "18", 0);
  } else {
    av_dict_set(&codec_options, "b", std::to_string(static_cast<long>(4.0 * size_.width * size_.height)).c_str(), 0);
  }
  av_dict_set(&format_options, "movflags", "empty_moov+default_base_moof", 0);
  av_dict_set(&format_options, "frag_duration", "1000000", 0);  // microseconds
  av_dict_set(&format_options, "flush_packets", "1", 0);
  frame_ = new_frame(size_, AV_PIX_FMT_YUV420P);
  frame_->color_range = AVCOL_RANGE_MPEG;
  frame_->color_primaries = AVCOL_PRI_BT709;
  frame_->color_trc = AVCOL_TRC_BT709;
  frame_->colorspace = AVCOL_SPC_BT709;
  frame_->pts = 0;
  out_ = std::make_unique<VideoFile>(with_suffix(file, ".part.mp4"), "mp4",
                                     encoder_for(codec, size_, frames_per_second), codec_options, format_options);
}

Mp4::~Mp4() {
  if (finished_ || !out_) return;
  try {
    out_->close();  // what was added so far plays to its end
  } catch (const Error&) {
    // The reason why the film is abandoned is already on its way to the user.
  }
  std::error_code ignored;
  if (frame_->pts == 0) std::filesystem::remove(out_->file(), ignored);
}

void Mp4::add(const Image& image) {
  checked(av_frame_make_writable(frame_.get()), file_);
  const std::uint8_t* planes[4] = {image.rgb.data(), nullptr, nullptr, nullptr};
  const int strides[4] = {3 * image.size.width, 0, 0, 0};
  checked(sws_scale(scaler_.get(), planes, strides, 0, size_.height, frame_->data, frame_->linesize), file_);
  out_->encode(frame_.get(), 1);
  ++frame_->pts;
}

void Mp4::finish() {
  finished_ = true;
  out_->close();
  rewrite_for_streaming();
  std::error_code failed;
  std::filesystem::rename(with_suffix(file_, ".whole.part.mp4"), file_, failed);
  if (failed) refuse_film(file_, failed.message());
  std::filesystem::remove(out_->file(), failed);
}

void Mp4::rewrite_for_streaming() const {
  const std::filesystem::path whole = with_suffix(file_, ".whole.part.mp4");
  AVFormatContext *from = nullptr, *to = nullptr;
  AVDictionary* options = nullptr;
  Owned<AVPacket> packet(av_packet_alloc());
  const auto copy = [&]() -> int {
    int code = avformat_open_input(&from, url_of(out_->file()).c_str(), nullptr, nullptr);
    if (code >= 0) code = avformat_find_stream_info(from, nullptr);
    if (code >= 0) code = avformat_alloc_output_context2(&to, nullptr, "mp4", url_of(whole).c_str());
    if (code < 0) return code;
    AVStream* stream = avformat_new_stream(to, nullptr);
    if (stream == nullptr) return AVERROR(ENOMEM);
    code = avcodec_parameters_copy(stream->codecpar, from->streams[0]->codecpar);
    stream->codecpar->codec_tag = 0;
    stream->time_base = from->streams[0]->time_base;
    stream->avg_frame_rate = from->streams[0]->avg_frame_rate;
    if (code >= 0) code = avio_open(&to->pb, url_of(whole).c_str(), AVIO_FLAG_WRITE);
    av_dict_set(&options, "movflags", "faststart", 0);
    if (code >= 0) code = avformat_write_header(to, &options);
    // Fragments start as late as frames were reordered; the film starts at nought.
    const std::int64_t start = std::max<std::int64_t>(from->streams[0]->start_time, 0);
    while (code >= 0 && av_read_frame(from, packet.get()) >= 0) {
      packet->pts -= start;
      packet->dts -= start;
      av_packet_rescale_ts(packet.get(), from->streams[0]->time_base, stream->time_base);
      packet->pos = -1;
      code = av_interleaved_write_frame(to, packet.get());
    }
    if (code >= 0) code = av_write_trailer(to);
    return code >= 0 ? to->pb->error : code;
  };
  int code = copy();
  av_dict_free(&options);
  if (to != nullptr && to->pb != nullptr) {
    const int closed = avio_closep(&to->pb);
    if (code >= 0) code = closed;
  }
  avformat_free_context(to);
  avformat_close_input(&from);
  if (code < 0) {
    std::error_code ignored;
    std::filesystem::remove(whole, ignored);
  }
  checked(code, file_);
}

}  // namespace orrery::render
