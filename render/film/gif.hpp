// SPDX-License-Identifier: MIT
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

/// A GIF whose 256 colours are chosen from the whole film.
class Gif final : public FilmFormat {
 public:
  Gif(const std::filesystem::path& file, Size size, FilmOptions options);

  void add(const Image& image) override;
  Fit finish() override;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  /// Returns whether most frames differ much from the previous one.
  [[nodiscard]] bool busy() const;
  [[nodiscard]] Owned<AVFrame> spooled(std::size_t index);
  [[nodiscard]] Owned<AVFrame> palette();
  /// Writes every `every`-th frame. Returns Fit::too_large.
  [[nodiscard]] double write(std::size_t every, const AVFrame& palette);
  /// Returns the start of a frame in 1/100 s.
  [[nodiscard]] std::int64_t start_of(std::size_t index) const;

  std::filesystem::path file_;
  Size size_;
  FilmOptions options_;
  Owned<SwsContext> converter_;
  Owned<AVFrame> converted_;
  std::unique_ptr<std::FILE, CloseFile> spool_;  ///< frames as BGRA, each deflated
  std::vector<unsigned char> last_;              ///< the last frame in the spool
  double changed_ = 0;                           ///< sum over frames of the fraction of bytes that changed
  std::vector<long> starts_;                     ///< offset of each frame in the spool, and the end
};

}  // namespace orrery::render
