// SPDX-License-Identifier: MIT
// A GIF whose 256 colours are chosen from the whole film.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "render/av.hpp"
#include "render/image.hpp"

namespace orrery::render {

class Gif {
 public:
  Gif(const std::filesystem::path& file, Size size, double frames_per_second, int width, Provenance provenance);

  void add(const Image& image);
  void finish();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  [[nodiscard]] Owned<AVFrame> spooled(std::size_t index);
  [[nodiscard]] Owned<AVFrame> palette();
  /// In hundredths of a second.
  [[nodiscard]] std::int64_t start_of(std::size_t index) const;

  std::filesystem::path file_;
  double frames_per_second_;
  Provenance provenance_;
  Size size_;
  Owned<SwsContext> scaler_;
  Owned<AVFrame> scaled_;
  std::unique_ptr<std::FILE, CloseFile> spool_;  ///< scaled frames, BGRA, each deflated
  std::vector<long> starts_;                     ///< of each frame in the spool, and of the next
};

}  // namespace orrery::render
