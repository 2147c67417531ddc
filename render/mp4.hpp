// SPDX-License-Identifier: MIT
// An MP4 that plays even where its writing was cut short.
#pragma once

#include <filesystem>
#include <memory>

#include "render/av.hpp"
#include "render/image.hpp"

namespace orrery::render {

class Mp4 {
 public:
  Mp4(const std::filesystem::path& file, Size size, double frames_per_second);
  Mp4(const Mp4&) = delete;
  Mp4& operator=(const Mp4&) = delete;
  ~Mp4();

  void add(const Image& image);
  void finish();

 private:
  void rewrite_for_streaming() const;

  std::filesystem::path file_;
  Size size_;
  Owned<SwsContext> scaler_;
  Owned<AVFrame> frame_;
  std::unique_ptr<VideoFile> out_;
  bool finished_ = false;
};

}  // namespace orrery::render
