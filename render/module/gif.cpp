// SPDX-License-Identifier: MIT
// Two passes over frames in a temporary file: choose the palette from some of them, then convert all.
#include <dlfcn.h>
#include <fmt/format.h>
#include <zlib.h>

extern "C" {
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/imgutils.h>
}

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
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
#include "render/film/hysteresis.hpp"
#include "render/module/av.hpp"
#include "render/module/module.hpp"

namespace orrery::render::pictures_module {
namespace {

/// The functions of libavfilter. It is loaded when it is first used: with the 32 libraries that only filters need (speech,
/// Vulkan, …), it takes two fifths of the time in which a command starts.
class Library {
 public:
  static const Library& get() {
    static const Library library;
    return library;
  }

 private:
  static constexpr const char* file = "libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR);
  void* const handle_ = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  template <class Function>
  Function* load(const char* name) const {
    void* const address = handle_ != nullptr ? ::dlsym(handle_, name) : nullptr;
    if (address == nullptr) throw Error(fmt::format("GIFs need {}, which is part of FFmpeg: {}", file, ::dlerror()));
    return reinterpret_cast<Function*>(address);
  }

 public:
  decltype(&avfilter_graph_alloc) alloc = load<decltype(avfilter_graph_alloc)>("avfilter_graph_alloc");
  decltype(&avfilter_graph_free) free = load<decltype(avfilter_graph_free)>("avfilter_graph_free");
  decltype(&avfilter_graph_parse_ptr) parse = load<decltype(avfilter_graph_parse_ptr)>("avfilter_graph_parse_ptr");
  decltype(&avfilter_graph_config) config = load<decltype(avfilter_graph_config)>("avfilter_graph_config");
  decltype(&avfilter_graph_get_filter) find = load<decltype(avfilter_graph_get_filter)>("avfilter_graph_get_filter");
  decltype(&av_buffersrc_add_frame_flags) add_frame =
      load<decltype(av_buffersrc_add_frame_flags)>("av_buffersrc_add_frame_flags");
  decltype(&av_buffersink_get_frame) get_frame = load<decltype(av_buffersink_get_frame)>("av_buffersink_get_frame");
};

/// A libavfilter graph with the input "in", an optional input "palette", and the output "out". All frames are RGB32.
class Filter {
 public:
  /// Error messages name `file`. Throws Error, also if libavfilter is not installed.
  Filter(const std::filesystem::path& file, const std::string& chain, Size size, bool with_palette) : file_(file) {
    const auto source = [](const char* name, Size of) {
      return fmt::format("buffer@{0}=video_size={1}x{2}:pix_fmt={3}:time_base=1/100:pixel_aspect=1/1[{0}];", name,
                         of.width, of.height, static_cast<int>(AV_PIX_FMT_RGB32));
    };
    const std::string graph =
        source("in", size) + (with_palette ? source("palette", {16, 16}) : "") + chain + ";[out]buffersink@out";
    check(library_.parse(graph_.get(), graph.c_str(), nullptr, nullptr, nullptr));
    check(library_.config(graph_.get(), nullptr));
  }

  void give(AVFrame* frame) { give(frame, "buffer@in"); }
  void give_palette(AVFrame* frame) {
    give(frame, "buffer@palette");
    give(nullptr, "buffer@palette");
  }
  /// Returns the next output frame, or null if the graph needs more input.
  Owned<AVFrame> take() {
    Owned<AVFrame> frame(av_frame_alloc());
    const int code = library_.get_frame(library_.find(graph_.get(), "buffersink@out"), frame.get());
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return nullptr;
    check(code);
    return frame;
  }

 private:
  void check(int code) const { checked(code, file_); }
  void give(AVFrame* frame, const char* input) {
    check(library_.add_frame(library_.find(graph_.get(), input), frame, AV_BUFFERSRC_FLAG_PUSH));
  }

  const std::filesystem::path& file_;
  const Library& library_ = Library::get();
  struct Release {
    void operator()(AVFilterGraph* graph) const { Library::get().free(&graph); }
  };
  std::unique_ptr<AVFilterGraph, Release> graph_{library_.alloc()};
};

constexpr std::size_t max_samples = 64;

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

/// See make_gif().
class Gif final : public FilmFormat {
 public:
  Gif(const std::filesystem::path& file, Size size, FilmOptions options)
      : file_(file), size_(size), options_(std::move(options)) {
    try {
      const NewFile spool(file);  // removed here, so that the open file disappears with the process
      const int copy = ::fcntl(spool.descriptor(), F_DUPFD_CLOEXEC, 0);
      if (copy < 0) refuse_film(file, std::strerror(errno));
      spool_.reset(::fdopen(copy, "w+b"));
      if (!spool_) refuse_film(file, std::strerror(errno));
    } catch (const std::system_error& failure) {
      refuse_film(file, failure.code().message());
    }
  }

  void add(const Image& image) override {
    const std::uint8_t* rgb = image.rgb.data();
    std::vector<Bytef> raw(bytes());
    for (std::size_t i = 0; i < raw.size(); i += 4, rgb += 3) {
      const std::uint32_t pixel = 0xFF000000U | std::uint32_t{rgb[0]} << 16U | std::uint32_t{rgb[1]} << 8U | rgb[2];
      std::memcpy(&raw[i], &pixel, sizeof pixel);
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

  Fit finish() override {
    const Owned<AVFrame> colors = palette();
    const double least = std::max(options_.min_rate, 1e-3);
    const auto most = std::clamp(static_cast<std::size_t>(options_.frames_per_second / least), std::size_t{1},
                                 std::max<std::size_t>(count() / 2, 1));
    for (std::size_t every = 1;;) {
      const double too_large = write(every, *colors);
      if (too_large <= 1 || every == most) return {static_cast<int>(every), too_large};
      // The size decreases less than the number of frames, since these differ more from each other.
      every = std::min(most, std::max(every + 1, static_cast<std::size_t>(static_cast<double>(every) * too_large)));
    }
  }

 private:
  [[nodiscard]] std::size_t count() const { return starts_.size() - 1; }
  /// Of a frame.
  [[nodiscard]] std::size_t bytes() const {
    return 4 * static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height);
  }
  /// Returns the start of a frame in 1/100 s. Delays are multiples of that; starting each frame at the nearest one preserves the
  /// length of the film.
  [[nodiscard]] std::int64_t start_of(std::size_t index) const {
    return std::llround(100.0 * static_cast<double>(index) / options_.frames_per_second);
  }
  /// Returns whether most frames differ much from the previous one.
  [[nodiscard]] bool busy() const { return changed_ > Hysteresis::busy * static_cast<double>(starts_.size() - 2); }

  [[nodiscard]] Owned<AVFrame> spooled(std::size_t index) {
    std::vector<Bytef> packed(static_cast<std::size_t>(starts_[index + 1] - starts_[index])), raw(bytes());
    uLongf size = raw.size();
    if (std::fseek(spool_.get(), starts_[index], SEEK_SET) != 0 ||
        std::fread(packed.data(), 1, packed.size(), spool_.get()) != packed.size() ||
        uncompress(raw.data(), &size, packed.data(), packed.size()) != Z_OK) {
      refuse_film(file_, "its frames cannot be read back");
    }
    Owned<AVFrame> frame = new_frame(size_, AV_PIX_FMT_RGB32);
    const int row = 4 * size_.width;
    av_image_copy_plane(frame->data[0], frame->linesize[0], raw.data(), row, row, size_.height);
    frame->pts = start_of(index);
    return frame;
  }

  [[nodiscard]] Owned<AVFrame> palette() {
    Filter filter(file_, "[in]palettegen=stats_mode=diff[out]", size_, false);
    const std::size_t samples = std::min(count(), max_samples);
    LastingColors lasting(size_);
    for (std::size_t i = 0; i < samples; ++i) {
      const Owned<AVFrame> frame = spooled(i * count() / samples);
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

  /// Writes every `every`-th frame. Returns Fit::too_large.
  [[nodiscard]] double write(std::size_t every, const AVFrame& palette) {
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
      const std::size_t last = (count() - 1) / every * every;
      const std::int64_t ticks = std::max<std::int64_t>(2, start_of(count()) - start_of(last));
      const auto most = static_cast<double>(options_.max_bytes > 0 ? options_.max_bytes : UINTMAX_MAX);
      const auto pass_on = [&] {
        while (const Owned<AVFrame> frame = filter.take()) out.encode(frame.get(), ticks);
      };
      Hysteresis hysteresis(size_,
                            static_cast<int>(std::ceil(options_.frames_per_second / static_cast<double>(every) / 3)));
      for (std::size_t i = 0; i < count(); i += every) {
        const Owned<AVFrame> frame = spooled(i);
        if (busy()) hysteresis.hold(frame->data[0], frame->linesize[0]);
        filter.give(frame.get());
        pass_on();
        const double so_far = out.bytes() / most;
        // The muxer delays the last frame, and frees it only when the file ends.
        if (so_far > 1) {
          out.close();
          return so_far * static_cast<double>(count()) / static_cast<double>(std::max(i, every));
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

  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path file_;
  Size size_;
  FilmOptions options_;
  std::unique_ptr<std::FILE, CloseFile> spool_;  ///< frames as RGB32, each deflated
  std::vector<unsigned char> last_;              ///< the last frame in the spool
  double changed_ = 0;                           ///< sum over frames of the fraction of bytes that changed
  std::vector<long> starts_{0};                  ///< offset of each frame in the spool, and the end
};

}  // namespace

std::unique_ptr<FilmFormat> make_gif(const std::filesystem::path& file, Size size, const FilmOptions& options) {
  av_log_set_level(AV_LOG_QUIET);  // errors are reported by codes
  return std::make_unique<Gif>(file, size, options);
}

}  // namespace orrery::render::pictures_module
