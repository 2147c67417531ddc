// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "common/error.hpp"
#include "render/canvas/image.hpp"
#include "render/film/av.hpp"
#include "render/film/codec.hpp"
#include "render/film/film.hpp"

namespace orrery::render {

/// An MP4 or WebM that plays even if it is cut short.
class Video final : public FilmFormat {
 public:
  /// `format` must have codecs, `codec` among them.
  Video(const std::filesystem::path& file, const Format& format, Size size, Codec codec, const FilmOptions& options);
  ~Video() override;

  void add(const Image& image) override;
  Fit finish() override;
  std::filesystem::path stop() override;

 private:
  /// Copies the packets to `whole`, with the index first.
  void rewrite_for_streaming(const std::filesystem::path& whole) const;
  /// Renames the file to that of a stopped film, unless that belongs to another program, and returns its name.
  std::filesystem::path leave();
  /// Rethrows the cause with the playing time of what is left; removes it if nothing plays.
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
  std::optional<NewFile> draft_;    ///< empty after the film has been finished or stopped
  std::unique_ptr<VideoFile> out_;  ///< null after it has been closed
};

}  // namespace orrery::render
