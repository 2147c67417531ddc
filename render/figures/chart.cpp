// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <utility>

#include "render/canvas/canvas.hpp"
#include "render/chart/chart_sheet.hpp"
#include "render/figure.hpp"
#include "render/style/annotations.hpp"
#include "render/style/sizes.hpp"

namespace orrery::render {
namespace {

/// A column of charts with the title of the run before that of the first chart. In a film their curves grow, or if they have
/// moments, those of the present one are drawn; a still shows the last one.
class ChartFigure final : public Figure {
 public:
  ChartFigure(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails,
              const std::vector<Chart>& charts)
      : info_(info), style_(with_sizes(canvas.style(), arguments)), still_(trails.still) {
    for (const Chart& chart : charts) {
      if (columns_.empty() || chart.moment != columns_.back().front().moment) {
        columns_.emplace_back();
        moments_.push_back(chart.moment.value_or(0));
      }
      columns_.back().push_back(chart);
    }
    if (columns_.empty()) columns_.emplace_back(1);
    shown_ = columns_.size() - 1;
    of_moment_ = columns_.front().front().moment.has_value();
    remark_ = columns_.front().front().remark;
    for (std::vector<Chart>& column : columns_) {
      // What the chart says of its curves must be read in a part without a title, too.
      std::string &title = column.front().title, &remark = column.front().remark;
      if (!style_.titled) remark = joined(title, remark);
      title = joined(info.title, style_.titled ? title : "");
    }
  }

  void show(const Frame& frame) override {
    if (still_) return;
    now_ = frame.time;
    if (!of_moment_) return;
    shown_ = std::max<std::size_t>(grown_to(moments_, *now_), 1) - 1;
    sheet_.reset();
  }

  void prepare(const Drawing& blank) override {
    using enum ChartSheet::Use;
    if (!sheet_)
      sheet_.emplace(style_, columns_[shown_], blank.size,
                     !now_        ? still
                     : of_moment_ ? moment
                                  : growth,
                     stamp().longest);
    if (now_ && !of_moment_) sheet_->grow(*now_);
  }

  void draw(Drawing& drawing) const override { sheet_->draw(drawing, stamp()); }

  [[nodiscard]] std::vector<const Chart*> charts() const override {
    std::vector<const Chart*> all;
    for (const Chart& chart : columns_[shown_]) all.push_back(&chart);
    return all;
  }

  [[nodiscard]] std::string remark() const override { return remark_; }

 private:
  [[nodiscard]] Stamp stamp() const { return now_ ? time_stamp(info_, *now_) : Stamp{}; }

  const RunInfo& info_;
  Style style_;
  std::vector<std::vector<Chart>> columns_;  // one for each moment
  std::vector<double> moments_;
  std::size_t shown_ = 0;
  std::string remark_;
  std::optional<ChartSheet> sheet_;  // laid out at the first picture of a film
  bool still_, of_moment_ = false;
  std::optional<double> now_;  // in a film
};

}  // namespace

std::unique_ptr<Figure> make_chart(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails,
                                   PartCharts charts) {
  return std::make_unique<ChartFigure>(canvas, info, arguments, trails,
                                       charts.empty() ? std::vector<Chart>{} : charts.front());
}

}  // namespace orrery::render
