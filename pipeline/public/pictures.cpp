// SPDX-License-Identifier: MIT
// Figures, films and pages of runs: as files, as bytes, and the curves of charts.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "pipeline/input_file.hpp"
#include "pipeline/measure/scratch.hpp"
#include "pipeline/page/page.hpp"
#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/picture.hpp"
#include "pipeline/pictures/picture_keys.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/public/handles.hpp"
#include "render/module.hpp"

namespace orrery::pipeline {
namespace {

/// A picture of a run that a function describes.
struct PictureOfRun {
  TrajectoryReader trajectory;
  Pictures pictures;

  PictureOfRun(const char* run, orrery_picture_type type, const char* kind, const orrery_key* keys, std::size_t count,
               const std::string& file, const Context& context)
      : trajectory(needed_text(run, "run")),
        pictures(subject_of(trajectory, context.resources), {picture_of(type, kind, keys, count, file)}, false) {}

  static Picture picture_of(orrery_picture_type type, const char* kind, const orrery_key* keys, std::size_t count,
                            const std::string& file) {
    if (type != ORRERY_FIGURE && type != ORRERY_FILM) throw Misuse("`type` is neither a figure nor a film");
    Arguments all = arguments_of(keys, count);
    all.set("kind", needed_text(kind, "kind"));
    all.set("file", file);
    return make_picture(type == ORRERY_FILM, {std::move(all)});
  }
};

orrery_status draw_into(const std::filesystem::path& folder, const PictureOfRun& picture, Context& context) {
  if (const std::string why = picture.pictures.why_not_drawn(); !why.empty()) throw Error(why);
  const auto written = picture.pictures.draw(picture.trajectory, folder, context);
  if (!written.empty()) return ORRERY_OK;
  if (context.stopped()) return ORRERY_STOPPED;
  throw Error(render::why_no_drawing(), Fault::request);
}

orrery_axis axis_of(const ChartAxis& axis) {
  return {.name = axis.name.c_str(),
          .unit = axis.unit.c_str(),
          .logarithmic = axis.logarithmic,
          .low = axis.limits ? axis.limits->low : NAN,
          .high = axis.limits ? axis.limits->high : NAN};
}

}  // namespace
}  // namespace orrery::pipeline

using namespace orrery::pipeline;

struct orrery_picture {
  std::string bytes;
};

struct orrery_charts {
  SharedContext context;
  std::vector<Chart> all;
};

orrery_status orrery_draw(orrery_context* context, const char* run, orrery_picture_type type, const char* kind,
                          const orrery_key* keys, size_t count, const char* file) {
  return answer_of(context, [&](orrery_context& c) {
    const std::filesystem::path path = needed_text(file, "file");
    return draw_into(path.parent_path(),
                     PictureOfRun(run, type, kind, keys, count, path.filename().string(), *c.context), *c.context);
  });
}

orrery_status orrery_write_page(orrery_context* context, const char* const* runs, size_t count, const char* file,
                                double size) {
  return answer_of(context, [&](orrery_context& c) {
    if (runs == nullptr || count == 0) throw Misuse("`runs` is empty");
    if (size != 0 && !(size >= smallest_page && size <= largest_page))
      throw Misuse(fmt::format("`size` = {} must be 0 or in [{}, {}]", size, smallest_page, largest_page));
    PageOptions options{.runs = {}, .output = needed_text(file, "file")};
    if (size != 0) options.size = size;
    for (size_t k = 0; k < count; ++k) options.runs.emplace_back(needed_text(runs[k], "runs"));
    return write_page(options, *c.context).empty() ? ORRERY_STOPPED : ORRERY_OK;
  });
}

orrery_status orrery_picture_create(orrery_context* context, const char* run, orrery_picture_type type,
                                    const char* kind, const orrery_key* keys, size_t count, const char* format,
                                    orrery_picture** picture) {
  return answer_of(context, [&](orrery_context& c) {
    (void)needed(picture, "picture");
    const std::string file = "picture." + needed_text(format, "format");
    const PictureOfRun drawn(run, type, kind, keys, count, file, *c.context);
    const Scratch folder({});
    if (draw_into(folder.path(), drawn, *c.context) == ORRERY_STOPPED) return ORRERY_STOPPED;
    *picture = new orrery_picture{read_whole(folder.path() / file)};
    return ORRERY_OK;
  });
}

void orrery_picture_free(orrery_picture* picture) {
  delete picture;
}

const unsigned char* orrery_picture_bytes(const orrery_picture* picture, size_t* count) {
  if (count != nullptr) *count = picture == nullptr ? 0 : picture->bytes.size();
  return picture == nullptr ? nullptr : reinterpret_cast<const unsigned char*>(picture->bytes.data());
}

orrery_status orrery_charts_create(orrery_context* context, const char* run, const char* kind, const orrery_key* keys,
                                   size_t count, orrery_charts** charts) {
  return answer_of(context, [&](orrery_context& c) {
    (void)needed(charts, "charts");
    const std::string name = needed_text(kind, "kind");
    if (const auto& figure = figure_kind(name, "figure " + name); !figure.is_chart() && !has_parts(figure))
      throw orrery::Error(fmt::format("figure {}: it shows bodies, and has no curves", name), orrery::Fault::request);
    const PictureOfRun figure(run, ORRERY_FIGURE, kind, keys, count, "charts.json", *c.context);
    auto made = std::unique_ptr<orrery_charts>(
        new orrery_charts{c.context, figure.pictures.charts(figure.trajectory, *c.context)});
    if (c.context->stopped()) return ORRERY_STOPPED;
    *charts = made.release();
    return ORRERY_OK;
  });
}

void orrery_charts_free(orrery_charts* charts) {
  delete charts;
}

size_t orrery_charts_count(const orrery_charts* charts) {
  return charts == nullptr ? 0 : charts->all.size();
}

namespace {

const Chart& chart_at(const orrery_charts& charts, std::size_t k) {
  if (k >= charts.all.size()) throw Misuse(fmt::format("there is no chart {}: there are {}", k, charts.all.size()));
  return charts.all[k];
}

}  // namespace

orrery_status orrery_charts_chart(const orrery_charts* charts, size_t chart, orrery_chart* out) {
  return answer_of(charts, [&](const orrery_charts& c) {
    const Chart& one = chart_at(c, chart);
    orrery_chart all = ORRERY_INIT(orrery_chart);
    all.title = one.title.c_str();
    all.remark = one.remark.c_str();
    all.x = axis_of(one.x);
    all.y = axis_of(one.y);
    all.curves = one.curves.size();
    fill(out, all, "out");
  });
}

orrery_status orrery_charts_curve(const orrery_charts* charts, size_t chart, size_t curve, orrery_curve* out) {
  return answer_of(charts, [&](const orrery_charts& c) {
    const Chart& one = chart_at(c, chart);
    if (curve >= one.curves.size())
      throw Misuse(fmt::format("there is no curve {} in chart {}: there are {}", curve, chart, one.curves.size()));
    const Curve& from = one.curves[curve];
    orrery_curve all = ORRERY_INIT(orrery_curve);
    all.name = from.name.c_str();
    all.count = from.y.size();
    all.x = from.x.data();
    all.y = from.y.data();
    all.low = from.low.empty() ? nullptr : from.low.data();
    fill(out, all, "out");
  });
}
