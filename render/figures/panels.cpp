// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/canvas/canvas.hpp"
#include "render/figure.hpp"
#include "render/style/annotations.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    Parameter{.name = "columns",
              .kind = Kind::integer,
              .example = "2",
              .meaning = "number of parts per row; default: up to 3, depending on the shape of the picture",
              .range = {.low = 1, .high = 6},
              .optional = true},
    optional_key(
        "part", Kind::records, "[{ kind = \"view3d\" }, { kind = \"energy-error\" }]",
        "figures to combine, [[figure.part]] tables with `kind` and its keys; default: view3d and energy-error"),
};

constexpr int min_side = 36;  // of a part, in pixels

/// Returns the kind of a part; null if it is a chart.
const FigureKind* kind_of(const Arguments& part) {
  const auto found = std::ranges::find(figure_kinds(), part.text("kind"), &FigureKind::name);
  return found == figure_kinds().end() ? nullptr : *found;
}

/// A figure on a canvas of its own.
struct Part {
  Canvas canvas;
  RunInfo info;
  std::unique_ptr<Figure> figure;

  Part(Size size, const Style& style, const RunInfo& of_all, const Arguments& arguments, Trails trails,
       PartCharts charts)
      : canvas(size, style), info(of_all) {
    const FigureKind* kind = kind_of(arguments);
    info.title = arguments.has("title") ? arguments.text("title") : "";
    figure = (kind != nullptr ? kind->make : make_chart)(canvas, info, arguments, trails, charts);
  }
};

class Panels final : public Figure {
 public:
  Panels(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails, PartCharts charts)
      : info_(info), style_(canvas.style()), still_(trails.still) {
    if (!arguments.has("part") || arguments.records("part").empty()) {
      throw ArgumentError("part", "there are no parts: write a table [[figure.part]] with a `kind` for each");
    }
    const auto& parts = arguments.records("part");
    const std::size_t columns =
        arguments.has("columns") ? std::min(static_cast<std::size_t>(arguments.integer("columns")), parts.size())
                                 : columns_for(canvas.size(), parts.size(), style_.paged ? 16 * style_.tick_text : 1);
    const std::size_t rows = (parts.size() + columns - 1) / columns;
    const float edge = 0.3F * style_.tick_text;
    const Stamp longest = still_ && info.mass.size() <= max_bodies_with_paths ? Stamp{} : time_stamp(info, info.end);
    heading_.emplace(style_, canvas.size(), info.title, "", longest.longest);
    top_ = edge + heading_->height();
    const float width = static_cast<float>(canvas.size().width) / static_cast<float>(columns);
    const float height = (static_cast<float>(canvas.size().height) - top_) / static_cast<float>(rows);
    const Size cell{static_cast<int>(width), static_cast<int>(height)};
    if (std::min(cell.width, cell.height) < min_side) {
      throw ArgumentError("size", "leaves each of " + std::to_string(parts.size()) + " parts " +
                                      std::to_string(cell.width) + " × " + std::to_string(std::max(0, cell.height)) +
                                      " pixels, and " + std::to_string(min_side) +
                                      " a side are needed: give it more, or the picture fewer parts");
    }
    // The first part takes the cells below it that would stay empty.
    const std::size_t high = rows * columns - parts.size() + 1, tall = high <= rows ? high : 1;
    for (std::size_t i = 0, place = 0; i < parts.size(); ++i, ++place) {
      while (i > 0 && place % columns == 0 && place / columns < tall) ++place;
      // Text size: the geometric mean of those for the part and for the whole; on a page it must stay legible.
      const float own = style(style_.theme, cell).unit / style_.unit;
      Style smaller = scaled(style_, std::clamp(std::sqrt(own), style_.paged ? 0.78F : 0.F, 1.F));
      smaller.titled = parts[i].has("title");
      smaller.stamped = false;
      try {
        const Size size{cell.width, i == 0 ? static_cast<int>(static_cast<float>(tall) * height) : cell.height};
        parts_.push_back(std::make_unique<Part>(size, smaller, info, parts[i], trails,
                                                i < charts.size() ? charts.subspan(i, 1) : PartCharts{}));
      } catch (const ArgumentError& error) {
        throw ArgumentError("part[" + std::to_string(i) + "]." + error.name(), error.what());
      }
      const std::size_t column = place % columns, row = place / columns;
      corners_.push_back({static_cast<float>(column) * width, top_ + static_cast<float>(row) * height});
    }
  }

  void show(const Frame& frame) override {
    now_ = frame.time;
    is_point_cloud_ = frame.size() > max_bodies_with_paths;
    for (const auto& part : parts_) part->figure->show(frame);
  }

  [[nodiscard]] std::string remark() const override {
    for (const auto& part : parts_) {
      if (const std::string words = part->figure->remark(); !words.empty()) return words;
    }
    return "";
  }

  [[nodiscard]] std::vector<const Chart*> charts() const override {
    std::vector<const Chart*> all;
    for (const auto& part : parts_) std::ranges::copy(part->figure->charts(), std::back_inserter(all));
    return all;
  }

  void prepare(const Drawing& blank) override {
    for (const auto& part : parts_) part->figure->prepare(part->canvas.blank(blank.scale));
  }

  void draw(Drawing& drawing) const override {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto draw_part = [&](Drawing& on) { parts_[i]->figure->draw(on); };
      drawing.place(parts_[i]->canvas.drawing(draw_part, drawing.scale), corners_[i]);
    }
    Stamp stamp;
    // A still with paths shows no single moment.
    if (now_ && (!still_ || is_point_cloud_)) stamp = time_stamp(info_, *now_);
    const float edge = 0.9F * style_.tick_text;
    heading_->draw(drawing, {edge, top_, static_cast<float>(drawing.size.width) - edge, 0}, stamp);
  }

 private:
  /// Returns the number of columns, up to 3, that makes cells closest to 4:3 with few empty ones, no narrower than
  /// `min_width`.
  static std::size_t columns_for(Size size, std::size_t parts, float min_width) {
    std::size_t best = 1;
    double nearest = 1e300;
    for (std::size_t columns = 1; columns <= std::min<std::size_t>(3, parts); ++columns) {
      if (columns > 1 && static_cast<float>(size.width) / static_cast<float>(columns) < min_width) break;
      const std::size_t rows = (parts + columns - 1) / columns;
      const double shape =
          static_cast<double>(size.width) / static_cast<double>(columns) * static_cast<double>(rows) / size.height;
      const double waste = static_cast<double>(rows * columns) / static_cast<double>(parts);
      const double off = std::abs(std::log(shape / (4.0 / 3))) + std::log(waste);
      if (off < nearest - 1e-9) nearest = off, best = columns;
    }
    return best;
  }

  const RunInfo& info_;
  Style style_;
  bool still_, is_point_cloud_ = false;
  std::optional<Heading> heading_;
  float top_ = 0;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Point> corners_;
  std::optional<double> now_;
};

std::vector<double> moments(const RunInfo& info, const Arguments& arguments) {
  std::vector<double> all;
  if (!arguments.has("part")) return all;
  for (const Arguments& part : arguments.records("part")) {
    const FigureKind* kind = kind_of(part);
    if (kind == nullptr || kind->moments == nullptr) continue;
    const std::vector<double> own = kind->moments(info, part);
    all.insert(all.end(), own.begin(), own.end());
  }
  std::ranges::sort(all, [&](double a, double b) { return info.end < info.start ? a > b : a < b; });
  return all;
}

std::unique_ptr<Figure> make_panels(const Canvas& canvas, const RunInfo& info, const Arguments& arguments,
                                    Trails trails, PartCharts charts) {
  return std::make_unique<Panels>(canvas, info, arguments, trails, charts);
}

}  // namespace

extern const FigureKind panels{
    .name = "panels",
    .meaning = "several figures in one picture or film, for example bodies beside a growing curve",
    .parameters = parameters,
    .needs_frames = true,
    .make = make_panels,
    .moments = moments,
    .has_paths = true};

}  // namespace orrery::render
