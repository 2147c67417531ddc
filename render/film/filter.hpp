// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "render/canvas/drawing.hpp"
#include "render/film/av.hpp"

struct AVFilterContext;
struct AVFilterGraph;

namespace orrery::render {

/// A libavfilter graph with the input "in", an optional input "palette", and the output "out". All frames are RGB32.
class Filter {
 public:
  /// Error messages name `file`. Throws Error, also if libavfilter is not installed.
  Filter(const std::filesystem::path& file, const std::string& chain, Size size, bool with_palette);

  void give(AVFrame* frame);
  void give_palette(AVFrame* frame);
  /// Returns the next output frame, or null if the graph needs more input.
  Owned<AVFrame> take();

 private:
  void check(int code) const { checked(code, file_); }

  struct Release {
    void operator()(AVFilterGraph* graph) const;
  };
  const std::filesystem::path& file_;
  std::unique_ptr<AVFilterGraph, Release> graph_;
  AVFilterContext *in_ = nullptr, *palette_ = nullptr, *out_ = nullptr;
};

}  // namespace orrery::render
