// SPDX-License-Identifier: MIT
// Images in, a film out: MP4, WebM, GIF, or numbered pictures.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "render/canvas/image.hpp"
#include "render/film/codec.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// What is called so is there of a film that was stopped: "orbit.part.mp4" of "orbit.mp4".
inline std::filesystem::path unfinished(const std::filesystem::path& film) {
  return std::filesystem::path(film).replace_extension(".part" + film.extension().string());
}

struct FilmOptions {
  double frames_per_second = 30;
  std::optional<Codec> codec{};  ///< of an MP4 or WebM; nothing: the usual one
  Provenance provenance{};       ///< what MP4, WebM, GIF and numbered pictures say of the run
  Replacing replacing = Replacing::ours;
};

/// One film, frame by frame. Another thread encodes while the caller draws; memory does not grow with the length.
///
/// An MP4 or WebM (yuv420p, bt709) grows in a new file, `name.part-x7Gq1k.mp4`, which plays up to its last whole second even
/// if the process is killed, and takes its name in finish(). A GIF needs all its frames before it can choose its
/// 256 colours: they wait, compressed, in a nameless file beside it, and finish() writes it; interrupted, it leaves
/// nothing. Of "name-####.png" every frame is a file of its own, and those of an interrupted film stay. Odd sizes lose
/// their last row or column in an MP4 or WebM. Frames of a GIF
/// begin at the nearest hundredth of a second: at 30 a second they last 3, 4, 3, 3, 4, 3 … of those.
class Film {
 public:
  /// The format follows from the name. Throws Error, naming the file: exit code 2 for another extension, rate, or a
  /// codec that does not go there; 1 where it cannot be written or no encoder is there.
  Film(const std::filesystem::path& file, Size size, FilmOptions options = {});
  Film(Film&&) noexcept;
  Film& operator=(Film&&) noexcept;
  /// Without finish() as with stop().
  ~Film();

  /// The next frame; of the size given. Throws Error, perhaps of an earlier frame.
  void add(Image image);

  /// The film is complete and appears under its name, whole. Throws Error: exit code 2 where that is taken by what may not
  /// be replaced.
  void finish();
  /// There is to be no more of it, and nothing bears the film's own name. What there is of an MP4 or WebM plays; its name is
  /// returned: unfinished(film), or where that is taken by another file the one that it has. Empty: nothing is left. Throws
  /// Error.
  std::filesystem::path stop();

  struct Writer;

 private:
  std::unique_ptr<Writer> writer_;
};

}  // namespace orrery::render
