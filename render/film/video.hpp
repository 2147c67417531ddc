// SPDX-License-Identifier: MIT
// An MP4 or WebM that plays even where its writing was cut short.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "common/error.hpp"
#include "render/canvas/image.hpp"
#include "render/film/av.hpp"
#include "render/film/codec.hpp"

namespace orrery::render {

class Video {
 public:
  /// `format` has codecs.
  Video(const std::filesystem::path& file, const Format& format, Size size, double frames_per_second, Codec codec,
        const Provenance& provenance, Replacing replacing);
  Video(const Video&) = delete;
  Video& operator=(const Video&) = delete;
  ~Video();

  void add(const Image& image);
  void finish();
  /// Where what was added so far is left, playable; empty where that is nothing.
  std::filesystem::path stop();

 private:
  /// Copies the packets into `whole`, index first.
  void rewrite_for_streaming(const std::filesystem::path& whole) const;
  /// The file so far under the name of a stopped film, if that is not another's.
  std::filesystem::path leave();
  /// Throws the cause again, and says for how long what there is plays; what does not play at all is taken away.
  [[noreturn]] void abandon(const Error& cause);

  std::filesystem::path file_;
  const Format& format_;
  bool mp4_;
  Provenance provenance_;
  Replacing replacing_;
  double rate_;
  Size size_;
  Owned<SwsContext> scaler_;
  Owned<AVFrame> frame_;
  std::optional<NewFile> draft_;    ///< none any more where the film is done with
  std::unique_ptr<VideoFile> out_;  ///< none where it is closed
};

}  // namespace orrery::render
