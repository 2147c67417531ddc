// SPDX-License-Identifier: MIT
// An MP4 or WebM that plays even where its writing was cut short.
#pragma once

#include <filesystem>
#include <memory>

#include "common/error.hpp"
#include "render/canvas/image.hpp"
#include "render/film/av.hpp"
#include "render/film/codec.hpp"

namespace orrery::render {

/// By extension: .mp4 or .webm.
class Video {
 public:
  Video(const std::filesystem::path& file, Size size, double frames_per_second, Codec codec,
        const Provenance& provenance);
  Video(const Video&) = delete;
  Video& operator=(const Video&) = delete;
  ~Video();

  void add(const Image& image);
  void finish();

 private:
  [[nodiscard]] std::filesystem::path whole_beside() const;
  void rewrite_for_streaming() const;
  /// Throws the cause again, and says for how long what there is plays; what does not play at all is taken away.
  [[noreturn]] void abandon(const Error& cause);

  std::filesystem::path file_;
  Provenance provenance_;
  double rate_;
  Size size_;
  Owned<SwsContext> scaler_;
  Owned<AVFrame> frame_;
  std::unique_ptr<VideoFile> out_;
  bool finished_ = false;
};

}  // namespace orrery::render
