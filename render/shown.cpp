// SPDX-License-Identifier: MIT
// Keys become members.
#include "render/shown.hpp"

#include <cmath>

namespace orrery::render {

Shown::Shown(const Look& its_look, const Cast& its_cast, const Arguments& arguments, Trails trails)
    : cast(its_cast),
      look(its_look),
      reference(arguments.text("frame"), cast, arguments.text("outliers") == "show"),
      coloring(arguments.has("color_by") ? arguments.text("color_by") : "", look.theme, cast, reference),
      legend(look, coloring),
      paths(trails),
      still(trails.still) {
  if (arguments.has("limits")) limits = checked_limits(arguments.numbers("limits"));
}

Stamp Shown::stamp() const {
  if (paths.empty() || (still && !crowded())) return {};
  Stamp stamp = time_stamp(cast, paths.now().time);
  if (still) stamp.longest = stamp.words;
  return stamp;
}

std::vector<double> checked_limits(const std::vector<double>& limits) {
  for (std::size_t i = 0; i + 1 < limits.size(); i += 2) {
    if (!(limits[i] < limits[i + 1])) throw ArgumentError("limits", "each lower limit must be below its upper one");
  }
  return limits;
}

}  // namespace orrery::render
