// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "common/error.hpp"
#include "pipeline/matrix/parts.hpp"

namespace orrery::pipeline {
namespace {

/// Calls work(begin, end) for slices of rows, small enough for signals and the progress bar.
template <class Work>
bool in_slices(const MatrixPart& part, std::size_t n, Progress& progress, const Context& context, double from,
               double to, const Work& work) {
  const std::size_t slice = std::clamp<std::size_t>((std::size_t{1} << 28) / std::max<std::size_t>(n, 1), 1024, 65536);
  for (std::size_t first = 0; first < part.rows; first += slice) {
    if (context.stopped()) return false;
    const std::size_t end = std::min(first + slice, part.rows);
    work(part.row + first, part.row + end);
    progress.show(from + (to - from) * static_cast<double>(end) / static_cast<double>(part.rows));
  }
  return true;
}

void append(sim::RowSums& to, const sim::RowSums& more) {
  to.sum.insert(to.sum.end(), more.sum.begin(), more.sum.end());
  to.least.insert(to.least.end(), more.least.begin(), more.least.end());
  to.greatest.insert(to.greatest.end(), more.greatest.begin(), more.greatest.end());
  to.nearest.insert(to.nearest.end(), more.nearest.begin(), more.nearest.end());
}

}  // namespace

bool reduce(const MatrixOptions& options, sim::MatrixBuilder& maker, const sim::PairMatrix& matrix,
            const MatrixPart& part, const MatrixFacts& facts, Context& context) {
  constexpr std::string_view all[] = {"sum", "minimum", "histogram"};
  std::set<std::size_t> wanted;
  for (std::size_t from = 0; from <= options.reduce.size();) {
    const std::size_t end = std::min(options.reduce.find(',', from), options.reduce.size());
    wanted.insert(chosen("--reduce", options.reduce.substr(from, end - from), all));
    from = end + 1;
  }
  const bool sum = wanted.contains(0), minimum = wanted.contains(1), histogram = wanted.contains(2);
  if (part.columns != matrix.n || part.half)
    refuse("--reduce needs whole rows: leave out --half and the columns of --block");
  if (options.output)
    refuse_to_replace(*options.output, options.replacing, [](const std::filesystem::path&) { return false; });
  Progress progress("reducing", context);
  const Context::During orderly(context, Context::Phase::orderly);
  sim::RowSums rows;
  if (!in_slices(part, matrix.n, progress, context, 0, histogram ? 0.5 : 1, [&](std::size_t begin, std::size_t end) {
        append(rows, maker.reduce(begin, end, minimum || histogram));
      }))
    return false;
  sim::MatrixBins bins;
  if (histogram && matrix.n > 1) {
    bins.low = *std::ranges::min_element(rows.least);
    bins.high = *std::ranges::max_element(rows.greatest);
    if (!std::isfinite(bins.low) || !std::isfinite(bins.high))
      throw Error("no histogram: an element is infinite, since two bodies are at the same position");
    bins.counts.resize(static_cast<std::size_t>(options.bins > 0 ? options.bins : 100));
    if (!in_slices(part, matrix.n, progress, context, 0.5, 1,
                   [&](std::size_t begin, std::size_t end) { maker.count(begin, end, bins); }))
      return false;
  }
  progress.clear();
  const std::string unit = facts.texts.at("unit"), with = unit.empty() ? "" : " " + unit;
  if (sum) {
    double total = 0;
    for (const double row : rows.sum) total += row;
    context.result("sum of {} rows      {:.17g}{}", part.rows, total, with);
  }
  if (minimum && matrix.n > 1) {
    const auto least = std::ranges::min_element(rows.least);
    const auto i = static_cast<std::size_t>(least - rows.least.begin());
    context.result("minimum             {:.17g}{} of bodies {} and {}", *least, with, part.row + i, rows.nearest[i]);
  }
  if (histogram && !options.output) {
    const double width = (bins.high - bins.low) / static_cast<double>(std::max<std::size_t>(bins.counts.size(), 1));
    for (std::size_t k = 0; k < bins.counts.size(); ++k)
      context.result("{:<12.6g} {}", bins.low + (static_cast<double>(k) + 0.5) * width, bins.counts[k]);
  }
  if (!options.output) return true;
  MatrixFacts about = about_program(options);
  about.texts.insert(facts.texts.begin(), facts.texts.end());
  about.numbers = facts.numbers;
  about.ranges = facts.ranges;
  about.texts.erase("kept");
  MatrixFile file(*options.output, about, options.replacing);
  if (sum) file.add("row_sum", rows.sum, unit);
  if (minimum) file.add("minimum", rows.least, unit), file.add("nearest", rows.nearest);
  if (histogram && !bins.counts.empty()) {
    std::vector<double> edges;
    for (std::size_t k = 0; k <= bins.counts.size(); ++k)
      edges.push_back(bins.low +
                      (bins.high - bins.low) * static_cast<double>(k) / static_cast<double>(bins.counts.size()));
    file.add("histogram", bins.counts);
    file.add("edges", edges, unit);
  }
  file.finish();
  return true;
}

}  // namespace orrery::pipeline
