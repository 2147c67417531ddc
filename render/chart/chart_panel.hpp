// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "render/canvas/drawing.hpp"
#include "render/chart/chart.hpp"
#include "render/chart/chart_legend.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

/// Returns how many curves, complete as at the end of a film, touch this box.
std::ptrdiff_t touching(const Panel& panel, const Chart& chart, const Box& box);

/// Draws a panel without its title. Notes avoid the box `taken`; `now`: current time in a film.
void draw_chart(Drawing& drawing, const Style& style, const Panel& panel, const Chart& chart, const ChartLegend& legend,
                const std::optional<Box>& taken, std::optional<double> now);

}  // namespace orrery::render
