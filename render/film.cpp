// SPDX-License-Identifier: MIT
// The extension chooses the format.
#include "render/film.hpp"

#include <fmt/format.h>

extern "C" {
#include <libavutil/log.h>
}

#include <cmath>
#include <optional>

#include "common/error.hpp"
#include "render/gif.hpp"
#include "render/mp4.hpp"

namespace orrery::render {

/// One of the two formats.
struct Film::Writer {
  std::filesystem::path file;
  Size size;
  std::optional<Mp4> mp4;
  std::optional<Gif> gif;
  bool empty = true;
};

Film::Film(const std::filesystem::path& file, Size size, FilmOptions options)
    : writer_(new Writer{file, size, {}, {}}) {
  av_log_set_level(AV_LOG_QUIET);  // what matters comes back as a code, and is told once
  const auto refuse = [&](const std::string& why) { throw Error("cannot write " + file.string() + ": " + why, 2); };
  const double rate = options.frames_per_second;
  if (!std::isfinite(rate) || rate < 0.1 || rate > 240) refuse(fmt::format("{} frames a second", rate));
  if (size.width < 16 || size.height < 16) refuse(fmt::format("a film of {} x {} pixels", size.width, size.height));
  if (file.extension() == ".mp4") {
    writer_->mp4.emplace(file, size, rate);
  } else if (file.extension() == ".gif") {
    if (rate > 50) refuse("a GIF shows at most 50 frames a second");
    writer_->gif.emplace(file, size, rate, options.gif_width);
  } else {
    refuse("a film is a .mp4 or .gif");
  }
}

Film::Film(Film&&) noexcept = default;
Film& Film::operator=(Film&&) noexcept = default;
Film::~Film() = default;

void Film::add(const Image& image) {
  if (image.size != writer_->size) {
    throw Error(fmt::format("cannot write {}: a frame of {} x {} pixels among such of {} x {}", writer_->file.string(),
                            image.size.width, image.size.height, writer_->size.width, writer_->size.height));
  }
  writer_->empty = false;
  writer_->mp4 ? writer_->mp4->add(image) : writer_->gif->add(image);
}

void Film::finish() {
  if (writer_->empty) throw Error("cannot write " + writer_->file.string() + ": no frame was added");
  writer_->mp4 ? writer_->mp4->finish() : writer_->gif->finish();
}

}  // namespace orrery::render
