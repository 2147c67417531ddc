// SPDX-License-Identifier: MIT
// Fragments of a second are written; when it is finished, the packets of an MP4 are copied to a file whose index comes first.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "common/error.hpp"
#include "render/film/film.hpp"
#include "render/metadata/formats.hpp"
#include "render/module/av.hpp"
#include "render/module/module.hpp"

namespace orrery::render::pictures_module {
namespace {

/// Converts full-range RGB to limited-range BT.709 Y'CbCr.
Owned<SwsContext> rgb_to_video(Size size, AVPixelFormat format) {
  Owned<SwsContext> scaler(sws_getContext(size.width, size.height, AV_PIX_FMT_RGB24, size.width, size.height, format,
                                          SWS_BILINEAR, nullptr, nullptr, nullptr));
  if (!scaler) throw Error("FFmpeg cannot turn pictures into video of this size");
  const int* bt709 = sws_getCoefficients(SWS_CS_ITU709);
  sws_setColorspaceDetails(scaler.get(), bt709, 1, bt709, 0, 0, 1 << 16, 1 << 16);
  return scaler;
}

/// Returns the number of frames in a film that was cut short; the last one may be incomplete.
int whole_frames(const std::filesystem::path& film) {
  std::error_code none;
  Owned<AVFormatContext> from;
  if (!std::filesystem::is_regular_file(film, none) || open_film(film, {}, from) < 0) return 0;
  const Owned<AVPacket> packet(av_packet_alloc());
  int frames = 0;
  for (; av_read_frame(from.get(), packet.get()) >= 0; ++frames) {
    const bool cut = (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
    av_packet_unref(packet.get());
    if (cut) break;
  }
  return frames;
}

/// See make_video().
class Video final : public FilmFormat {
 public:
  Video(const std::filesystem::path& file, const Format& format, Size size, Codec codec, const FilmOptions& options)
      : file_(file),
        format_(format),
        mp4_(format.container == std::string_view("mp4")),
        options_(options),
        size_(even(size)) {
    Encoder encoder = encoder_for(codec, file, options.pixel_format, size_, options.frames_per_second);
    scaler_ = rgb_to_video(size_, encoder.context->pix_fmt);
    Dictionary muxing;
    muxing.set("flush_packets", "1");
    if (mp4_) {
      if (codec == Codec::hevc) encoder.context->codec_tag = MKTAG('h', 'v', 'c', '1');  // required by Apple's players
      muxing.set("movflags", "empty_moov+default_base_moof+use_metadata_tags");
      muxing.set("frag_duration", "1000000");  // microseconds
    } else {
      muxing.set("cluster_time_limit", "1000");  // milliseconds
    }
    frame_ = new_frame(size_, encoder.context->pix_fmt);
    frame_->color_range = AVCOL_RANGE_MPEG;
    frame_->color_primaries = AVCOL_PRI_BT709;
    frame_->color_trc = AVCOL_TRC_IEC61966_2_1;  // that of sRGB
    frame_->colorspace = AVCOL_SPC_BT709;
    frame_->pts = 0;
    if (options_.piece) options_.provenance.piece = tag_of(*options_.piece, options_.frames_per_second);
    try {
      draft_.emplace(file, file.extension());
      draft_->close();
    } catch (const std::system_error& failure) {
      refuse_film(file, failure.code().message());
    }
    out_ = std::make_unique<VideoFile>(draft_->path(), file, format.container, std::move(encoder), std::move(muxing),
                                       options_.provenance);
  }

  ~Video() override {
    try {
      (void)stop();
    } catch (const std::exception&) {
      // The film is destroyed unfinished because of an error that is already being reported.
    }
  }

  void add(const Image& image) override {
    checked(av_frame_make_writable(frame_.get()), file_);
    const std::uint8_t* planes[4] = {image.rgb.data(), nullptr, nullptr, nullptr};
    const int strides[4] = {3 * image.size.width, 0, 0, 0};
    checked(sws_scale(scaler_.get(), planes, strides, 0, size_.height, frame_->data, frame_->linesize), file_);
    try {
      out_->encode(frame_.get(), 1);
    } catch (const Error& error) {
      abandon(error);
    }
    ++frame_->pts;
  }

  Fit finish() override {
    try {
      out_->close();
      out_.reset();
      if (mp4_) {
        NewFile whole(file_, file_.extension());
        rewrite_for_streaming(whole.path());
        whole.rename_to(file_, options_.replacing, drawn_by_orrery);
      } else {
        draft_->rename_to(file_, options_.replacing, drawn_by_orrery);
      }
    } catch (const Error& error) {
      abandon(error);
    } catch (const std::system_error& failure) {
      abandon(Error("cannot write " + file_.string() + ": " + failure.code().message()));
    }
    draft_.reset();
    std::error_code none;
    if (drawn_by_orrery(unfinished(file_))) std::filesystem::remove(unfinished(file_), none);
    return {};
  }

  std::filesystem::path stop() override {
    try {
      if (out_) out_->close();
    } catch (const Error& error) {
      abandon(error);
    }
    out_.reset();
    if (frame_->pts == 0) draft_.reset();
    return leave();
  }

 private:
  /// Renames the file to that of a stopped film, unless that belongs to another program, and returns its name.
  std::filesystem::path leave() {
    if (!draft_) return {};
    std::filesystem::path left = unfinished(file_);
    try {
      draft_->rename_to(left, Replacing::ours, drawn_by_orrery);
    } catch (const std::exception&) {
      left = draft_->keep();
    }
    draft_.reset();
    return left;
  }

  /// Rethrows the cause with the playing time of what is left; removes it if nothing plays.
  [[noreturn]] void abandon(const Error& cause) {
    try {
      if (out_) out_->close();
    } catch (const Error&) {
      // For example, the disk is still full.
    }
    out_.reset();
    if (mp4_) {
      std::error_code none;
      std::filesystem::resize_file(draft_->path(), playable_bytes(draft_->path()), none);
    }
    const int frames = whole_frames(draft_->path()) - (mp4_ ? 0 : 1);  // the last of a WebM may be cut
    if (frames <= 0) draft_.reset();
    const std::filesystem::path left = leave();
    if (left.empty()) throw cause;
    throw Error(fmt::format("{}; what there is of it plays for {:.3g} s: {}", cause.what(),
                            frames / options_.frames_per_second, left.string()),
                cause.fault());
  }

  /// Copies the packets to `whole`, with the index first.
  void rewrite_for_streaming(const std::filesystem::path& whole) const {
    Owned<AVFormatContext> from;
    checked(open_film(draft_->path(), {}, from), file_);
    checked(avformat_find_stream_info(from.get(), nullptr), file_);
    const AVStream& stream = *from->streams[0];
    const Owned<AVFormatContext> to =
        copy_of_film(stream, stream.avg_frame_rate, whole, file_, format_.container, options_.provenance);
    // Reordering delays the first timestamp of fragments; the film must start at 0.
    const std::int64_t start = std::max<std::int64_t>(stream.start_time, 0);
    const Owned<AVPacket> packet(av_packet_alloc());
    while (av_read_frame(from.get(), packet.get()) >= 0) {
      packet->pts -= start;
      packet->dts -= start;
      av_packet_rescale_ts(packet.get(), stream.time_base, to->streams[0]->time_base);
      packet->pos = -1;
      checked(av_interleaved_write_frame(to.get(), packet.get()), file_);
    }
    close_film(*to, file_);
  }

  std::filesystem::path file_;
  const Format& format_;
  bool mp4_;
  FilmOptions options_;
  Size size_;
  Owned<SwsContext> scaler_;
  Owned<AVFrame> frame_;
  std::optional<NewFile> draft_;    ///< empty after the film has been finished or stopped
  std::unique_ptr<VideoFile> out_;  ///< null after it has been closed
};

}  // namespace

std::unique_ptr<FilmFormat> make_video(const std::filesystem::path& file, const Format& format, Size size, Codec codec,
                                       const FilmOptions& options) {
  av_log_set_level(AV_LOG_QUIET);  // errors are reported by codes
  return std::make_unique<Video>(file, format, size, codec, options);
}

}  // namespace orrery::render::pictures_module
