// SPDX-License-Identifier: MIT
// The best block size by number of bodies.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "pipeline/study/sweep.hpp"
#include "sim/study/tiles.hpp"

namespace orrery::pipeline {
namespace {

using namespace sim::study;

constexpr std::size_t sizes[] = {1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072};
constexpr std::size_t quick_sizes[] = {1024, 4096};
constexpr unsigned blocks[] = {16, 32, 64, 128, 256, 512, 1024};

void run_block(StudyRun& run) {
  const std::vector<std::size_t> ns = run.sizes(sizes, quick_sizes);
  const int multiprocessors = run.gpu->device(run.options).multiprocessors;
  ResultTable table{
      .name = "block",
      .title = fmt::format("Time of a step by block size p; the GPU has {} multiprocessors", multiprocessors),
      .columns = {{"bodies"},
                  {"block"},
                  {"step", "s", Role::less_is_better},
                  {"blocks N/p", "", Role::remark},
                  {"waves", "", Role::remark},
                  {"occupancy", "%", Role::remark},
                  {"", "", Role::remark}}};
  render::Chart chart{.title = "Time of a step over the best block's",
                      .x = log_axis("block size p"),
                      .y = log_axis("time / that of the best")};
  std::string bests;
  std::map<unsigned, int> wins;
  int rule_right = 0, cases = 0;
  for (const std::size_t n : ns) {
    const sim::Bodies bodies = bodies_of_study(n);
    struct Point {
      unsigned block;
      double time, occupancy;
    };
    std::vector<Point> points;
    for (const unsigned block : blocks) {
      const auto work = make_tile({.tiled = true, .unroll = 8, .block = block}, bodies, setting_of(run));
      if (work == nullptr) continue;
      const Timing timing = run.time(fmt::format("{} bodies, blocks of {}", n, block), *work);
      if (timing.repetitions == 0) return;
      points.push_back({block, timing.median, work->facts().occupancy});
    }
    if (points.empty()) continue;
    const Point best = *std::ranges::min_element(points, {}, &Point::time);
    render::Curve curve = marked_curve(fmt::format("N = {}", n));
    for (const Point& point : points) {
      const double count = std::ceil(static_cast<double>(n) / point.block);
      const double resident = std::max(1.0, std::floor(point.occupancy * 2048 / point.block)) * multiprocessors;
      table.add({static_cast<double>(n), static_cast<double>(point.block), point.time, count, count / resident,
                 point.occupancy, point.block == best.block ? Cell("best") : Cell()});
      curve.x.push_back(point.block);
      curve.y.push_back(point.time / best.time);
    }
    chart.curves.push_back(std::move(curve));
    bests += fmt::format("{}{} for {}", bests.empty() ? "" : ", ", best.block, n);
    ++wins[best.block];
    // The report's rule: the largest block size that gives at least 40 blocks.
    unsigned ruled = blocks[0];
    for (const unsigned block : blocks) {
      if (static_cast<double>(n) / block >= 40) ruled = block;
    }
    ++cases;
    rule_right += ruled == best.block ? 1 : 0;
  }
  run.result.findings.push_back(fmt::format("The best blocks: {}.", bests));
  run.result.findings.push_back(
      fmt::format("The report's rule, the largest p with N/p ≥ 40, names the best block in {} of {} cases. It counts "
                  "blocks against the 40 multiprocessors of its T4 ({} here) and nothing else. As long as there are "
                  "few bodies a step takes as long as one thread's loop over all N: the numbers hardly differ from p = "
                  "64 to 256, whatever N/p is; p = 32 is ahead because a block of one warp never waits at a barrier, "
                  "and 512 and 1024 fall behind because they put 16 and 32 warps on one multiprocessor while others "
                  "have none. Once all multiprocessors are full the sizes from 128 on lie within some per cent, by how "
                  "the last wave is filled. So a number of blocks alone cannot predict p = 128.",
                  rule_right, cases, multiprocessors));
  run.result.method.emplace_back(
      "Tiles of shared memory as wide as the block, whose size the compiler knows, unrolled 8 times; float32. Waves: "
      "blocks / those that are resident at a time, by occupancy.");
  run.result.tables.push_back(std::move(table));
  run.result.charts.push_back({"block", std::move(chart)});
}

}  // namespace

const Study block_study{.name = "block",
                        .question = "Which block size is best for how many bodies, and does a rule on N/p predict it?",
                        .needs_gpu = true,
                        .run = run_block};

}  // namespace orrery::pipeline
