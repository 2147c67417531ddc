// SPDX-License-Identifier: MIT
// Images in, a film out: MP4, WebM, GIF, or numbered pictures.
#pragma once

#include <cstdint>
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
  std::uintmax_t most_bytes = 0;  ///< of a GIF; 0: no limit
  double least_rate = 10;         ///< frames a second that a GIF keeps where it is too large
};

/// How a GIF was brought within its most bytes.
struct Fit {
  int every = 1;         ///< it shows every so many of the frames that were added, each for as much longer
  double too_large = 0;  ///< above 1: nothing was written; thinned so far it would have about so many times its bytes
};

/// One film, frame by frame. Another thread encodes while the caller draws; memory does not grow with the length.
///
/// An MP4 or WebM (yuv420p, bt709) grows in a new file, `name.part-x7Gq1k.mp4`, which plays up to its last whole second even
/// if the process is killed, and takes its name in finish(). A GIF needs all its frames before it can choose its
/// 256 colours: they wait, compressed, in a nameless file beside it, and finish() writes it; interrupted, it leaves
/// nothing. Of "name-####.png" every frame is a file of its own, and those of an interrupted film stay. Odd sizes lose
/// their last row or column in an MP4 or WebM. Frames of a GIF
/// begin at the nearest hundredth of a second: at 30 a second they last 3, 4, 3, 3, 4, 3 … of those. A GIF that comes to more
/// than `most_bytes` is written again with every second frame, or every third, and so on, of which `least_rate` a second
/// remain; one film is thinned in the same way each time.
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

  /// The film is complete and appears under its name, whole, unless it is too large: then nothing is left, and a smaller
  /// one is to be drawn. Throws Error: exit code 2 where the name is taken by what may not be replaced.
  Fit finish();
  /// There is to be no more of it, and nothing bears the film's own name. What there is of an MP4 or WebM plays; its name is
  /// returned: unfinished(film), or where that is taken by another file the one that it has. Empty: nothing is left. Throws
  /// Error.
  std::filesystem::path stop();

  struct Writer;

 private:
  std::unique_ptr<Writer> writer_;
};

}  // namespace orrery::render
