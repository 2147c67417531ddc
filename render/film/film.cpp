// SPDX-License-Identifier: MIT
#include "render/film/film.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/error.hpp"

namespace orrery::render {

Film::Film(const std::filesystem::path& name, Size size, FilmOptions options) : size_(size) {
  const bool numbers = digits_of(name.filename().string()) > 0;
  file_ = options.piece && !numbers ? file_of(*options.piece, name) : name;
  const auto refuse = [&](const std::string& why) {
    throw Error("cannot write " + file_.string() + ": " + why, Fault::request);
  };
  const double rate = options.frames_per_second;
  const Format* format = numbers ? &frame_sequence : format_with(file_.extension().string());
  if (format == nullptr || !format->moving)
    refuse("a film is a .mp4, .webm or .gif, or pictures with a number, as frames-####.png");
  if (!std::isfinite(rate) || rate < 0.1 || rate > frame_sequence.max_frames_per_second)
    refuse(fmt::format("{} frames per second", rate));
  if (rate > format->max_frames_per_second)
    refuse(fmt::format("a GIF shows at most {} frames per second", format->max_frames_per_second));
  if (size.width < 16 || size.height < 16) refuse(fmt::format("a film of {} x {} pixels", size.width, size.height));
  if (!format->codecs.empty()) {
    const Codec codec = options.codec.value_or(format->codecs.front());
    if (std::ranges::find(format->codecs, codec) == format->codecs.end())
      refuse(fmt::format("this format has no codec {}", name_of(codec)));
    if (std::ranges::find(pixel_formats, options.pixel_format) == pixel_formats.end())
      refuse(fmt::format("there is no pixel format {}", options.pixel_format));
    format_ = make_video(file_, *format, size, codec, options);
  } else if (format == &frame_sequence) {
    format_ = make_sequence(file_, options);
  } else {
    if (options.piece) refuse("a GIF is not drawn in pieces, since its colours are chosen from all frames");
    format_ = make_gif(file_, size, options);
  }
}

void Film::add(Image image) {
  if (image.size != size_) {
    throw Error(fmt::format("cannot write {}: a frame of {} x {} pixels among such of {} x {}", file_.string(),
                            image.size.width, image.size.height, size_.width, size_.height));
  }
  empty_ = false;
  auto waiting = std::make_shared<Image>(std::move(image));  // std::function must be copyable
  queue_.add([to = format_.get(), waiting] { to->add(*waiting); });
}

Fit Film::finish() {
  if (empty_) throw Error("cannot write " + file_.string() + ": no frame was added");
  queue_.wait();
  return format_->finish();
}

std::filesystem::path Film::stop() {
  queue_.wait();
  return format_->stop();
}

}  // namespace orrery::render
