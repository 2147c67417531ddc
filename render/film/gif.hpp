// SPDX-License-Identifier: MIT
// A GIF whose 256 colours are chosen from the whole film.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "render/canvas/image.hpp"
#include "render/film/av.hpp"
#include "render/film/film.hpp"

namespace orrery::render {

class Gif {
 public:
  Gif(const std::filesystem::path& file, Size size, FilmOptions options);

  void add(const Image& image);
  Fit finish();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  /// Whether most pictures differ much from the one before.
  [[nodiscard]] bool busy() const;
  [[nodiscard]] Owned<AVFrame> spooled(std::size_t index);
  [[nodiscard]] Owned<AVFrame> palette();
  /// Writes every so many frames. Returns by how much that is too large: where it is above 1, nothing is written.
  [[nodiscard]] double write(std::size_t every, const AVFrame& palette);
  /// In hundredths of a second.
  [[nodiscard]] std::int64_t start_of(std::size_t index) const;

  std::filesystem::path file_;
  Size size_;
  FilmOptions options_;
  Owned<SwsContext> converter_;
  Owned<AVFrame> converted_;
  std::unique_ptr<std::FILE, CloseFile> spool_;  ///< frames, BGRA, each deflated
  std::vector<unsigned char> last_;              ///< the frame spooled last
  double changed_ = 0;                           ///< shares of bytes that differ from frame to frame, summed
  std::vector<long> starts_;                     ///< of each frame in the spool, and of the next
};

}  // namespace orrery::render
