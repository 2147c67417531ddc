// SPDX-License-Identifier: MIT
#include "render/film/film.hpp"

#include <fmt/format.h>

extern "C" {
#include <libavutil/log.h>
}

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/error.hpp"
#include "common/work_queue.hpp"

namespace orrery::render {

struct Film::Writer {
  static constexpr std::size_t most_waiting = 2;  ///< images in the queue
  std::filesystem::path file;
  Size size;
  std::unique_ptr<FilmFormat> format{};
  bool empty = true;
  WorkQueue queue{most_waiting};  ///< destroyed before `format`, which it uses
};

Film::Film(const std::filesystem::path& name, Size size, FilmOptions options) {
  const bool numbers = digits_of(name.filename().string()) > 0;
  const std::filesystem::path file = options.piece && !numbers ? file_of(*options.piece, name) : name;
  // NOLINTNEXTLINE(modernize-make-unique): an aggregate that cannot be moved
  writer_.reset(new Writer{.file = file, .size = size});
  av_log_set_level(AV_LOG_QUIET);  // errors are reported by codes
  const auto refuse = [&](const std::string& why) { throw Error("cannot write " + file.string() + ": " + why, 2); };
  const double rate = options.frames_per_second;
  const Format* format = numbers ? &frame_sequence : format_with(file.extension().string());
  if (format == nullptr || !format->moving)
    refuse("a film is a .mp4, .webm or .gif, or pictures with a number, as frames-####.png");
  if (!std::isfinite(rate) || rate < 0.1 || rate > frame_sequence.most_frames_per_second)
    refuse(fmt::format("{} frames per second", rate));
  if (rate > format->most_frames_per_second)
    refuse(fmt::format("a GIF shows at most {} frames per second", format->most_frames_per_second));
  if (size.width < 16 || size.height < 16) refuse(fmt::format("a film of {} x {} pixels", size.width, size.height));
  if (!format->codecs.empty()) {
    const Codec codec = options.codec.value_or(format->codecs.front());
    if (std::ranges::find(format->codecs, codec) == format->codecs.end())
      refuse(fmt::format("this format has no codec {}", name_of(codec)));
    if (std::ranges::find(pixel_formats, options.pixel_format) == pixel_formats.end())
      refuse(fmt::format("there is no pixel format {}", options.pixel_format));
    if (options.piece) options.provenance.piece = tag_of(*options.piece, rate);
    writer_->format = make_video(file, *format, size, codec, options);
  } else if (format == &frame_sequence) {
    writer_->format = make_sequence(file, options);
  } else {
    if (options.piece) refuse("a GIF is not drawn in pieces, since its colours are chosen from all frames");
    writer_->format = make_gif(file, size, std::move(options));
  }
}

Film::~Film() = default;

void Film::add(Image image) {
  if (image.size != writer_->size) {
    throw Error(fmt::format("cannot write {}: a frame of {} x {} pixels among such of {} x {}", writer_->file.string(),
                            image.size.width, image.size.height, writer_->size.width, writer_->size.height));
  }
  writer_->empty = false;
  auto waiting = std::make_shared<Image>(std::move(image));  // std::function must be copyable
  writer_->queue.add([to = writer_->format.get(), waiting] { to->add(*waiting); });
}

Fit Film::finish() {
  if (writer_->empty) throw Error("cannot write " + writer_->file.string() + ": no frame was added");
  writer_->queue.wait();
  return writer_->format->finish();
}

std::filesystem::path Film::stop() {
  writer_->queue.wait();
  return writer_->format->stop();
}

}  // namespace orrery::render
