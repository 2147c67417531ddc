// SPDX-License-Identifier: MIT
// Two passes over frames in a temporary file: choose the palette from some of them, then convert all.
#include "render/film/gif.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "common/error.hpp"
#include "render/film/film.hpp"
#include "render/film/filter.hpp"
#include "render/film/hysteresis.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {
namespace {

constexpr std::size_t most_samples = 64;

/// Finds colours that stay in place during a film, such as those of text, frames and legends. The palette is chosen by
/// numbers of pixels, of which these have few, so they are added as an extra frame of colour samples.
class LastingColors {
 public:
  explicit LastingColors(Size size) : size_(size) {}

  void take(const AVFrame& frame) {
    std::vector<std::uint32_t> pixels;
    for (int y = 0; y < size_.height; ++y) {
      const auto* row = reinterpret_cast<const std::uint32_t*>(frame.data[0] + std::ptrdiff_t{y} * frame.linesize[0]);
      pixels.insert(pixels.end(), row, row + size_.width);
    }
    if (first_.empty()) {
      lasts_.assign(pixels.size(), true);
      first_ = std::move(pixels);
      return;
    }
    for (std::size_t i = 0; i < pixels.size(); ++i) lasts_[i] = lasts_[i] && pixels[i] == first_[i];
  }

  /// Returns a picture with equal parts of these colours.
  [[nodiscard]] Owned<AVFrame> samples_frame() const {
    const std::vector<std::uint32_t> colors = chosen();
    Owned<AVFrame> frame = new_frame(size_, AV_PIX_FMT_RGB32);
    for (int y = 0; y < size_.height; ++y) {
      auto* row = reinterpret_cast<std::uint32_t*>(frame->data[0] + std::ptrdiff_t{y} * frame->linesize[0]);
      for (int x = 0; x < size_.width; ++x)
        row[x] = colors.empty() ? first_.front() : colors[static_cast<std::size_t>(x + y) % colors.size()];
    }
    return frame;
  }

 private:
  static constexpr std::size_t most = 48, least = 4;  // number of colours; pixels per colour
  static constexpr int alike = 8;                     // levels

  /// Returns the most frequent colours that differ from each other.
  [[nodiscard]] std::vector<std::uint32_t> chosen() const {
    std::unordered_map<std::uint32_t, std::size_t> counts;
    for (std::size_t i = 0; i < first_.size(); ++i) counts[first_[i]] += lasts_[i] ? 1 : 0;
    std::vector<std::pair<std::size_t, std::uint32_t>> order;
    for (const auto& [color, pixels] : counts) {
      if (pixels >= least) order.emplace_back(pixels, color);
    }
    std::ranges::sort(order, std::greater{});
    std::vector<std::uint32_t> colors;
    for (const auto& [pixels, color] : order) {
      const auto resembles = [color = color](std::uint32_t other) {
        const auto apart = [&](int shift) {
          return std::abs(static_cast<int>(color >> shift & 255U) - static_cast<int>(other >> shift & 255U));
        };
        return std::max({apart(0), apart(8), apart(16)}) <= alike;
      };
      if (colors.size() < most && std::ranges::none_of(colors, resembles)) colors.push_back(color);
    }
    return colors;
  }

  Size size_;
  std::vector<std::uint32_t> first_;
  std::vector<bool> lasts_;  // which pixels are the same in all frames
};

}  // namespace

Gif::Gif(const std::filesystem::path& file, Size size, FilmOptions options)
    : file_(file),
      size_(size),
      options_(std::move(options)),
      converter_(sws_getContext(size.width, size.height, AV_PIX_FMT_RGB24, size.width, size.height, AV_PIX_FMT_RGB32,
                                SWS_AREA, nullptr, nullptr, nullptr)),
      converted_(new_frame(size_, AV_PIX_FMT_RGB32)) {
  if (!converter_) refuse_film(file, "FFmpeg cannot take pictures of this size");
  try {
    const NewFile spool(file);  // removed here, so that the open file disappears with the process
    spool_.reset(::fdopen(::fcntl(spool.descriptor(), F_DUPFD_CLOEXEC, 0), "w+b"));
    if (!spool_) refuse_film(file, std::strerror(errno));
  } catch (const std::system_error& failure) {
    refuse_film(file, failure.code().message());
  }
  starts_.push_back(0);
}

void Gif::add(const Image& image) {
  const std::uint8_t* planes[4] = {image.rgb.data(), nullptr, nullptr, nullptr};
  const int strides[4] = {3 * image.size.width, 0, 0, 0};
  checked(sws_scale(converter_.get(), planes, strides, 0, image.size.height, converted_->data, converted_->linesize),
          file_);
  const std::size_t row = 4 * static_cast<std::size_t>(size_.width), rows = static_cast<std::size_t>(size_.height);
  std::vector<Bytef> raw(row * rows);
  for (std::size_t y = 0; y < rows; ++y) {
    std::memcpy(raw.data() + y * row, converted_->data[0] + static_cast<std::ptrdiff_t>(y) * converted_->linesize[0],
                row);
  }
  if (!last_.empty()) {
    const auto same =
        std::inner_product(raw.begin(), raw.end(), last_.begin(), std::size_t{0}, std::plus{}, std::equal_to{});
    changed_ += 1 - static_cast<double>(same) / static_cast<double>(raw.size());
  }
  std::vector<Bytef> packed(compressBound(raw.size()));
  uLongf size = packed.size();
  const bool fits = compress2(packed.data(), &size, raw.data(), raw.size(), 1) == Z_OK;
  if (!fits || std::fseek(spool_.get(), starts_.back(), SEEK_SET) != 0 ||
      std::fwrite(packed.data(), 1, size, spool_.get()) != size) {
    refuse_film(file_, std::strerror(errno));
  }
  starts_.push_back(starts_.back() + static_cast<long>(size));
  last_ = std::move(raw);
}

bool Gif::busy() const {
  return changed_ > Hysteresis::busy * static_cast<double>(starts_.size() - 2);
}

Owned<AVFrame> Gif::spooled(std::size_t index) {
  std::vector<Bytef> packed(static_cast<std::size_t>(starts_[index + 1] - starts_[index]));
  const std::size_t row = 4 * static_cast<std::size_t>(size_.width), rows = static_cast<std::size_t>(size_.height);
  std::vector<Bytef> raw(row * rows);
  uLongf size = raw.size();
  if (std::fseek(spool_.get(), starts_[index], SEEK_SET) != 0 ||
      std::fread(packed.data(), 1, packed.size(), spool_.get()) != packed.size() ||
      uncompress(raw.data(), &size, packed.data(), packed.size()) != Z_OK) {
    refuse_film(file_, "its frames cannot be read back");
  }
  Owned<AVFrame> frame = new_frame(size_, AV_PIX_FMT_RGB32);
  for (std::size_t y = 0; y < rows; ++y) {
    std::memcpy(frame->data[0] + static_cast<std::ptrdiff_t>(y) * frame->linesize[0], raw.data() + y * row, row);
  }
  frame->pts = start_of(index);
  return frame;
}

/// Delays are multiples of 1/100 s; starting each frame at the nearest one preserves the length of the film.
std::int64_t Gif::start_of(std::size_t index) const {
  return std::llround(100.0 * static_cast<double>(index) / options_.frames_per_second);
}

Owned<AVFrame> Gif::palette() {
  Filter filter(file_, "[in]palettegen=stats_mode=diff[out]", size_, false);
  const std::size_t count = starts_.size() - 1, samples = std::min(count, most_samples);
  LastingColors lasting(size_);
  for (std::size_t i = 0; i < samples; ++i) {
    const Owned<AVFrame> frame = spooled(i * count / samples);
    lasting.take(*frame);
    filter.give(frame.get());
  }
  // FFmpeg counts the pixels of a frame that the next one changes, so that a frame must follow the frame of samples.
  filter.give(lasting.samples_frame().get());
  filter.give(spooled(0).get());
  filter.give(nullptr);
  Owned<AVFrame> palette = filter.take();
  if (!palette) refuse_film(file_, "FFmpeg found no palette");
  palette->pts = 0;
  return palette;
}

Fit Gif::finish() {
  const std::size_t count = starts_.size() - 1;
  const Owned<AVFrame> colors = palette();
  const double least = std::max(options_.least_rate, 1e-3);
  const auto most = std::clamp(static_cast<std::size_t>(options_.frames_per_second / least), std::size_t{1},
                               std::max<std::size_t>(count / 2, 1));
  for (std::size_t every = 1;;) {
    const double too_large = write(every, *colors);
    if (too_large <= 1 || every == most) return {static_cast<int>(every), too_large};
    // The size decreases less than the number of frames, since these differ more from each other.
    every = std::min(most, std::max(every + 1, static_cast<std::size_t>(static_cast<double>(every) * too_large)));
  }
}

double Gif::write(std::size_t every, const AVFrame& palette) {
  const AVCodec* codec = avcodec_find_encoder(AV_CODEC_ID_GIF);
  if (codec == nullptr) refuse_film(file_, "this FFmpeg has no GIF encoder");
  Owned<AVCodecContext> encoder(avcodec_alloc_context3(codec));
  encoder->width = size_.width;
  encoder->height = size_.height;
  encoder->pix_fmt = AV_PIX_FMT_PAL8;
  encoder->time_base = {1, 100};
  Dictionary loop;
  loop.set("loop", "0");  // endless
  try {
    NewFile draft(file_, file_.extension());
    VideoFile out(draft.path(), file_, "gif", {std::move(encoder), {}}, std::move(loop), {});
    Filter filter(file_, "[in][palette]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle[out]", size_, true);
    filter.give_palette(Owned<AVFrame>(av_frame_clone(&palette)).get());
    const std::size_t count = starts_.size() - 1, last = (count - 1) / every * every;
    const std::int64_t ticks = std::max<std::int64_t>(2, start_of(count) - start_of(last));
    const auto most = static_cast<double>(options_.most_bytes > 0 ? options_.most_bytes : UINTMAX_MAX);
    const auto pass_on = [&] {
      while (const Owned<AVFrame> frame = filter.take()) out.encode(frame.get(), ticks);
    };
    Hysteresis hysteresis(size_,
                          static_cast<int>(std::ceil(options_.frames_per_second / static_cast<double>(every) / 3)));
    for (std::size_t i = 0; i < count; i += every) {
      const Owned<AVFrame> frame = spooled(i);
      if (busy()) hysteresis.hold(frame->data[0], frame->linesize[0]);
      filter.give(frame.get());
      pass_on();
      const double so_far = out.bytes() / most;
      // The muxer delays the last frame, and frees it only when the file ends.
      if (so_far > 1) {
        out.close();
        return so_far * static_cast<double>(count) / static_cast<double>(std::max(i, every));
      }
    }
    filter.give(nullptr);
    pass_on();
    out.close();
    describe_gif(draft.path(), options_.provenance);
    const double share = static_cast<double>(std::filesystem::file_size(draft.path())) / most;
    if (share <= 1) draft.rename_to(file_, options_.replacing, drawn_by_orrery);
    return share;
  } catch (const std::system_error& failure) {
    refuse_film(file_, failure.code().message());
  }
}

}  // namespace orrery::render
