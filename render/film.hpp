// SPDX-License-Identifier: MIT
// Images in, a film out: MP4 or GIF.
#pragma once

#include <filesystem>
#include <memory>

#include "render/image.hpp"

namespace orrery::render {

struct FilmOptions {
  double frames_per_second = 30;
  int gif_width = 480;  ///< a GIF is made no wider than this; its height follows
};

/// One film, frame by frame. Memory does not grow with its length.
///
/// An MP4 (H.264, yuv420p, bt709) grows in `name.part.mp4`, which plays up to its last whole second even if
/// the process is killed, and takes its name in finish(). A GIF needs all its frames before it can choose its
/// 256 colours: they wait, compressed, in a nameless file beside it, and finish() writes it; interrupted, it
/// leaves nothing. Odd sizes lose their last row or column in an MP4. GIF delays are whole hundredths of a
/// second: the nearest is taken, at least two.
class Film {
 public:
  /// The format follows from the extension, .mp4 or .gif. Throws Error, naming the file: exit code 2 for
  /// another extension or rate, 1 where it cannot be written or no encoder is there.
  Film(const std::filesystem::path& file, Size size, FilmOptions options = {});
  Film(Film&&) noexcept;
  Film& operator=(Film&&) noexcept;
  /// Without finish(): an MP4 stays behind as `name.part.mp4`, playable; nothing bears the film's own name.
  ~Film();

  /// The next frame; of the size given. Throws Error.
  void add(const Image& image);

  /// The film is complete and appears under its name, whole. Throws Error.
  void finish();

  struct Writer;

 private:
  std::unique_ptr<Writer> writer_;
};

}  // namespace orrery::render
