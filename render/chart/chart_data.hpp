// SPDX-License-Identifier: MIT
// The numbers of charts as text, for other programs.
#pragma once

#include <span>
#include <string>

#include "render/chart/chart.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {

/// Returns all points of all curves in the units of their axes, as a table with the columns `chart_columns`; numbers are the
/// shortest texts that read back as the same bits. Bands have `low` and `high` in place of `y`. Numbers that are not finite,
/// which are gaps, are empty.
std::string csv_of(std::span<const Chart* const> charts);

/// Returns the same as JSON with titles, axes, and metadata unless `provenance` is empty; gaps are null. Invalid UTF-8 becomes
/// U+FFFD.
std::string json_of(std::span<const Chart* const> charts, const std::string& title, const Provenance& provenance);

}  // namespace orrery::render
