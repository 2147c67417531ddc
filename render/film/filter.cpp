// SPDX-License-Identifier: MIT
#include "render/film/filter.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

extern "C" {
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
}

#include "common/error.hpp"

namespace orrery::render {
namespace {

/// The functions of libavfilter. It is loaded when it is first used: with the 32 libraries that only filters need (speech,
/// Vulkan, …), it takes two fifths of the time in which a command starts.
class Library {
 public:
  static const Library& get() {
    static const Library library;
    return library;
  }

 private:
  static constexpr const char* file = "libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR);
  void* const handle_ = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  template <class Function>
  Function* load(const char* name) const {
    void* const address = handle_ != nullptr ? ::dlsym(handle_, name) : nullptr;
    if (address == nullptr) throw Error(fmt::format("GIFs need {}, which is part of FFmpeg: {}", file, ::dlerror()));
    return reinterpret_cast<Function*>(address);
  }

 public:
  decltype(&avfilter_graph_alloc) alloc = load<decltype(avfilter_graph_alloc)>("avfilter_graph_alloc");
  decltype(&avfilter_graph_free) free = load<decltype(avfilter_graph_free)>("avfilter_graph_free");
  decltype(&avfilter_get_by_name) by_name = load<decltype(avfilter_get_by_name)>("avfilter_get_by_name");
  decltype(&avfilter_graph_create_filter) create =
      load<decltype(avfilter_graph_create_filter)>("avfilter_graph_create_filter");
  decltype(&avfilter_inout_alloc) inout_alloc = load<decltype(avfilter_inout_alloc)>("avfilter_inout_alloc");
  decltype(&avfilter_inout_free) inout_free = load<decltype(avfilter_inout_free)>("avfilter_inout_free");
  decltype(&avfilter_graph_parse_ptr) parse = load<decltype(avfilter_graph_parse_ptr)>("avfilter_graph_parse_ptr");
  decltype(&avfilter_graph_config) config = load<decltype(avfilter_graph_config)>("avfilter_graph_config");
  decltype(&av_buffersrc_add_frame_flags) add_frame =
      load<decltype(av_buffersrc_add_frame_flags)>("av_buffersrc_add_frame_flags");
  decltype(&av_buffersink_get_frame) get_frame = load<decltype(av_buffersink_get_frame)>("av_buffersink_get_frame");
};

}  // namespace

void Filter::Release::operator()(AVFilterGraph* graph) const {
  Library::get().free(&graph);
}

Filter::Filter(const std::filesystem::path& file, const std::string& chain, Size size, bool with_palette)
    : file_(file), graph_(Library::get().alloc()) {
  const Library& library = Library::get();
  const auto input = [&](const char* name, Size of) {
    AVFilterContext* context = nullptr;
    const std::string arguments = fmt::format("video_size={}x{}:pix_fmt={}:time_base=1/100:pixel_aspect=1/1", of.width,
                                              of.height, static_cast<int>(AV_PIX_FMT_RGB32));
    check(library.create(&context, library.by_name("buffer"), name, arguments.c_str(), nullptr, graph_.get()));
    return context;
  };
  in_ = input("in", size);
  if (with_palette) palette_ = input("palette", {16, 16});
  check(library.create(&out_, library.by_name("buffersink"), "out", nullptr, nullptr, graph_.get()));
  // For the parser our sources are open outputs, and the sink is an open input.
  AVFilterInOut* sources = library.inout_alloc();
  sources->name = av_strdup("in");
  sources->filter_ctx = in_;
  if (with_palette) {
    sources->next = library.inout_alloc();
    sources->next->name = av_strdup("palette");
    sources->next->filter_ctx = palette_;
  }
  AVFilterInOut* sink = library.inout_alloc();
  sink->name = av_strdup("out");
  sink->filter_ctx = out_;
  const int parsed = library.parse(graph_.get(), chain.c_str(), &sink, &sources, nullptr);
  library.inout_free(&sources);
  library.inout_free(&sink);
  check(parsed);
  check(library.config(graph_.get(), nullptr));
}

void Filter::give(AVFrame* frame) {
  check(Library::get().add_frame(in_, frame, AV_BUFFERSRC_FLAG_PUSH));
}

void Filter::give_palette(AVFrame* frame) {
  check(Library::get().add_frame(palette_, frame, AV_BUFFERSRC_FLAG_PUSH));
  check(Library::get().add_frame(palette_, nullptr, 0));
}

Owned<AVFrame> Filter::take() {
  Owned<AVFrame> frame(av_frame_alloc());
  const int code = Library::get().get_frame(out_, frame.get());
  if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return nullptr;
  check(code);
  return frame;
}

}  // namespace orrery::render
