// SPDX-License-Identifier: MIT
// The extension chooses the format; frames go to it through a queue.
#include "render/film/film.hpp"

#include <fmt/format.h>

extern "C" {
#include <libavutil/log.h>
}

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

#include "common/error.hpp"
#include "common/work_queue.hpp"
#include "render/film/gif.hpp"
#include "render/film/sequence.hpp"
#include "render/film/video.hpp"

namespace orrery::render {
namespace {

constexpr std::size_t most_waiting = 2;  // images

}  // namespace

/// One of the formats.
struct Film::Writer {
  std::filesystem::path file;
  Size size;
  std::variant<std::monostate, Video, Gif, Sequence> format{};
  bool empty = true;
  WorkQueue queue{most_waiting};  ///< goes before the format does

  void add(const Image& image) {
    std::visit(
        [&](auto& to) {
          if constexpr (requires { to.add(image); }) to.add(image);
        },
        format);
  }
  std::filesystem::path stop() {
    return std::visit(
        [](auto& to) -> std::filesystem::path {
          if constexpr (requires { to.stop(); }) return to.stop();
          return {};
        },
        format);
  }
  Fit finish() {
    return std::visit(
        [](auto& to) -> Fit {
          if constexpr (std::is_same_v<decltype(to), Gif&>) {
            return to.finish();
          } else if constexpr (requires { to.finish(); }) {
            to.finish();
          }
          return {};
        },
        format);
  }
};

Film::Film(const std::filesystem::path& file, Size size, FilmOptions options)
    : writer_(new Writer{.file = file, .size = size}) {
  av_log_set_level(AV_LOG_QUIET);  // what matters comes back as a code, and is told once
  const auto refuse = [&](const std::string& why) { throw Error("cannot write " + file.string() + ": " + why, 2); };
  const double rate = options.frames_per_second;
  const Format* format =
      digits_of(file.filename().string()) > 0 ? &frame_sequence : format_with(file.extension().string());
  if (format == nullptr || !format->moving)
    refuse("a film is a .mp4, .webm or .gif, or pictures with a number, as frames-####.png");
  if (!std::isfinite(rate) || rate < 0.1 || rate > frame_sequence.most_frames_per_second)
    refuse(fmt::format("{} frames a second", rate));
  if (rate > format->most_frames_per_second)
    refuse(fmt::format("a GIF shows at most {} frames a second", format->most_frames_per_second));
  if (size.width < 16 || size.height < 16) refuse(fmt::format("a film of {} x {} pixels", size.width, size.height));
  if (!format->codecs.empty()) {
    const Codec codec = options.codec.value_or(format->codecs.front());
    if (std::ranges::find(format->codecs, codec) == format->codecs.end())
      refuse(fmt::format("{} does not go there", name_of(codec)));
    writer_->format.emplace<Video>(file, *format, size, rate, codec, options.provenance, options.replacing);
  } else if (format == &frame_sequence) {
    writer_->format.emplace<Sequence>(file, options.provenance, options.replacing);
  } else {
    writer_->format.emplace<Gif>(file, size, std::move(options));
  }
}

Film::Film(Film&&) noexcept = default;
Film& Film::operator=(Film&&) noexcept = default;
Film::~Film() = default;

void Film::add(Image image) {
  if (image.size != writer_->size) {
    throw Error(fmt::format("cannot write {}: a frame of {} x {} pixels among such of {} x {}", writer_->file.string(),
                            image.size.width, image.size.height, writer_->size.width, writer_->size.height));
  }
  writer_->empty = false;
  auto waiting = std::make_shared<Image>(std::move(image));  // std::function wants what can be copied
  writer_->queue.add([to = writer_.get(), waiting] { to->add(*waiting); });
}

Fit Film::finish() {
  if (writer_->empty) throw Error("cannot write " + writer_->file.string() + ": no frame was added");
  writer_->queue.wait();
  return writer_->finish();
}

std::filesystem::path Film::stop() {
  writer_->queue.wait();
  return writer_->stop();
}

}  // namespace orrery::render
