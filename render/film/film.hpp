// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "common/work_queue.hpp"
#include "render/canvas/image.hpp"
#include "render/film/formats.hpp"
#include "render/film/pieces.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// Returns the name of a film that was stopped: "orbit.part.mp4" for "orbit.mp4".
inline std::filesystem::path unfinished(const std::filesystem::path& film) {
  return std::filesystem::path(film).replace_extension(".part" + film.extension().string());
}

struct FilmOptions {
  double frames_per_second = 30;
  std::optional<Codec> codec{};                           ///< of an MP4 or WebM; nullopt: the default
  std::string_view pixel_format = pixel_formats.front();  ///< likewise, one of pixel_formats
  Provenance provenance{};                                ///< metadata
  Replacing replacing = Replacing::ours;
  std::optional<Piece> piece{};  ///< the only one that is drawn; no GIF is drawn in pieces
  std::uintmax_t max_bytes = 0;  ///< maximum size of a GIF; 0: no limit
  double min_rate = 10;          ///< minimum frames per second of a GIF that must be thinned
};

/// How a GIF was thinned to its maximum size.
struct Fit {
  int every = 1;         ///< it has every n-th frame, each shown n times as long
  double too_large = 0;  ///< estimated size over the maximum size; if above 1, nothing was written
};

/// Writes films of one format.
class FilmFormat {
 public:
  FilmFormat() = default;
  FilmFormat(const FilmFormat&) = delete;
  FilmFormat& operator=(const FilmFormat&) = delete;
  virtual ~FilmFormat() = default;
  virtual void add(const Image& image) = 0;
  virtual Fit finish() = 0;
  /// Returns the file in which an incomplete film is left, or "".
  virtual std::filesystem::path stop() { return {}; }
};

/// A GIF whose 256 colours are chosen from the whole film.
std::unique_ptr<FilmFormat> make_gif(const std::filesystem::path& file, Size size, const FilmOptions& options);
/// An MP4 or WebM that plays even if it is cut short. `format` must have codecs, `codec` among them.
std::unique_ptr<FilmFormat> make_video(const std::filesystem::path& file, const Format& format, Size size, Codec codec,
                                       const FilmOptions& options);
/// A film of numbered pictures: digits_of(`pattern`) > 0. Each frame is complete as soon as it has its name, and stays if the
/// film is interrupted. After the end of the film, removes frames of a longer earlier film, if orrery drew them.
std::unique_ptr<FilmFormat> make_sequence(const std::filesystem::path& pattern, const FilmOptions& options);

/// A film that is written frame by frame. Another thread encodes while the caller draws; memory does not depend on the length.
/// Its destructor stops it unless it is finished.
///
/// An MP4 or WebM (without an odd last row or column) is written to a temporary file, `name.part-x7Gq1k.mp4`, which
/// plays up to its last whole second even if the process is killed; finish() renames it. The frames of a GIF are
/// stored, compressed, in an unnamed file until finish() chooses its 256 colours and writes it; an interrupted GIF
/// leaves nothing. Its frames start at the nearest 1/100 s. If it exceeds `max_bytes` it is written again with every
/// second frame, every third, …, down to `min_rate` frames per second. Each frame of "name-####.png" is a file, and
/// those of an interrupted film stay. A piece of an MP4 or WebM is a film of its own, file_of(); of numbered pictures
/// it is those of its frames.
class Film {
 public:
  /// The name determines the format. Throws Error Fault::request for an invalid extension, size, rate or codec and
  /// for a piece of a GIF, and 1 if the file cannot be written or there is no encoder.
  Film(const std::filesystem::path& name, Size size, FilmOptions options = {});

  /// Adds a frame of the given size. Throws Error, also for earlier frames.
  void add(Image image);

  /// Completes the film under its name; if it is too large, nothing is left, and the caller must draw a smaller one. Throws
  /// Error, Fault::request if the name belongs to a file that must not be replaced.
  Fit finish();
  /// Abandons the film. An incomplete MP4 or WebM that plays is left as unfinished(film), or under its temporary name if that
  /// belongs to another file. Returns its name, or "" if nothing is left. Throws Error.
  std::filesystem::path stop();

 private:
  std::filesystem::path file_;
  Size size_;
  std::unique_ptr<FilmFormat> format_;
  bool empty_ = true;
  WorkQueue queue_{3};  ///< two images wait; destroyed before `format_`, which it uses
};

/// Returns why FFmpeg writes no films of this size, and what it does write, or "". `codec`: nullopt for GIFs.
std::string why_too_large(Size size, std::optional<Codec> codec);

}  // namespace orrery::render
