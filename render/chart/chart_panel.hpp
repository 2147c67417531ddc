// SPDX-License-Identifier: MIT
// One panel of a chart: its curves with their marks, and the notes beside them.
#pragma once

#include <cstddef>
#include <optional>

#include "render/canvas/drawing.hpp"
#include "render/chart/chart.hpp"
#include "render/chart/chart_legend.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

/// How many curves, as they will be at the end of a film, come through this box.
std::ptrdiff_t touching(const Panel& panel, const Chart& chart, const Box& box);

/// Everything of a panel but its title; notes keep out of `taken`. `now`: of a film.
void draw_chart(Drawing& drawing, const Style& style, const Panel& panel, const Chart& chart, const ChartLegend& legend,
                const std::optional<Box>& taken, std::optional<double> now);

}  // namespace orrery::render
