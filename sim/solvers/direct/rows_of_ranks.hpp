// SPDX-License-Identifier: MIT
// How ranks share the pairs of chunks: each has some rows, and row I has the chunks J ≥ I.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/ranks/ranks.hpp"

namespace orrery::sim {

/// Returns the rows of each of `ranks` ranks, at most as many as chunks: about the same number of pairs for each. `ahead`: earlier
/// ranks, for which later ones wait, get less by up to this part of an evaluation.
inline std::vector<RankRange> rows_of_ranks(std::size_t chunks, int ranks, double ahead = 0) {
  const auto count = static_cast<double>(chunks), parts = static_cast<double>(ranks);
  std::vector<RankRange> rows;
  std::size_t first = 0;
  for (int rank = 1; rank < ranks; ++rank) {
    const double work = rank / parts * (1 - ahead * (parts - rank) / parts);
    const auto last = static_cast<std::size_t>(std::lround(count * (1 - std::sqrt(1 - work))));
    rows.push_back({first, std::max(last, first + 1)});
    first = rows.back().last;
  }
  rows.push_back({first, chunks});
  return rows;
}

}  // namespace orrery::sim
