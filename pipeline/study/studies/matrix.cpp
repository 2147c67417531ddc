// SPDX-License-Identifier: MIT
// The matrix of all pairs by block size, compared with the memory bandwidth.
#include <fmt/format.h>

#include "common/error.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/study/sweep.hpp"
#include "sim/matrix/pair_matrix.hpp"
#include "sim/study/peak.hpp"
#include "sim/study/tiles.hpp"

namespace orrery::pipeline {
namespace {

using namespace sim::study;

// Some are not multiples of a block, and the last has more than 2³² elements.
constexpr std::size_t sizes[] = {4096, 16384, 32768, 40001, 70001};
constexpr std::size_t quick_sizes[] = {1003};
constexpr unsigned blocks[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

void run_matrix(StudyRun& run) {
  const std::vector<std::size_t> ns = run.sizes(sizes, quick_sizes);
  ResultTable table{.name = "matrix",
                    .title =
                        "Float32 elements m_i m_j / r written to memory; a block computes 32 rows of as many columns "
                        "as it has threads",
                    .columns = {{"bodies"},
                                {"block"},
                                {"compile-time block size"},
                                {"time", "s", Role::less_is_better},
                                {"rate", "flop/s", Role::more_is_better},
                                {"written", "B/s", Role::more_is_better},
                                {"of filling memory", "%", Role::remark},
                                {"occupancy", "%", Role::remark},
                                {"", "", Role::remark}}};
  render::Chart chart{.title = "Share of the speed of filling memory",
                      .x = log_axis("threads of a block"),
                      .y = {.name = "written / filled"}};
  const double fill = gpu_peaks(run.options.device).fill_bytes;
  unsigned best_block = 0;
  double best_share = 0, known_time = 0, unknown_time = 0;
  for (const std::size_t n : ns) {
    const sim::Bodies bodies = bodies_of_study(n);
    const double elements = pairs_of(n);
    for (const bool known : {true, false}) {
      render::Curve curve = marked_curve(fmt::format("N = {}{}", n, known ? "" : ", run-time block"));
      for (const unsigned block : blocks) {
        if (block < 32 && elements > 2e9) continue;  // takes seconds just to start the blocks
        const auto work = make_matrix_tiles(block, known, bodies, setting_of(run));
        if (work == nullptr) continue;
        const Timing timing = run.time(fmt::format("{} bodies, blocks of {}", n, block), *work, 5);
        if (timing.repetitions == 0) return;
        const double written = 4 * elements / timing.median;
        table.add({static_cast<double>(n), static_cast<double>(block), known ? "yes" : "no", timing.median,
                   flops_of_an_element * elements / timing.median, written, written / fill, work->facts().occupancy,
                   Cell()});
        curve.x.push_back(block);
        curve.y.push_back(written / fill);
        if (n == 32768 && block == 128) (known ? known_time : unknown_time) = timing.median;
        if (known && written / fill > best_share && elements > 1e8) {
          best_share = written / fill;
          best_block = block;
        }
      }
      if (known || n == ns.back()) chart.curves.push_back(std::move(curve));
    }
  }
  // The kernels of `orrery matrix`: filling memory, 16 bytes per thread, and row sums without storing the matrix.
  const std::size_t own = run.quick() ? 4096 : 32768;
  const double pairs = pairs_of(own);
  const auto filled = make_matrix_fill(run.options.device, own, true);
  const Timing fill_time = run.time("orrery matrix, filling memory", *filled, 5);
  const auto reduced = make_matrix_reduce(run.options.device, own, true, sim::Quantity::inverse_power);
  const Timing reduce_time = run.time("orrery matrix, sums of rows", *reduced, 5);
  if (fill_time.repetitions == 0 || reduce_time.repetitions == 0) return;
  sim::BackendOptions options = run.options;
  options.precision = sim::Precision::float32;
  const double operations = pairs * matrix_reduce_operations(sim::Quantity::inverse_power) / reduce_time.median;
  ResultTable ours{.name = "orrery",
                   .title = fmt::format("`orrery matrix` on this device, float32, N = {}", own),
                   .columns = {{"what"},
                               {"time", "s", Role::less_is_better},
                               {"elements", "/s", Role::more_is_better},
                               {"of its limit", "%", Role::remark},
                               {"limit", "", Role::remark}}};
  ours.add({"distances kept in memory", fill_time.median, pairs / fill_time.median, 4 * pairs / fill_time.median / fill,
            fmt::format("filling memory, {}B/s", with_prefix(fill))});
  ours.add({"1/r² summed row by row, not kept", reduce_time.median, pairs / reduce_time.median,
            operations / run.gpu->fma_rate(options),
            fmt::format("fused multiply-adds, {}/s", with_prefix(run.gpu->fma_rate(options)))});
  run.result.findings.push_back(
      fmt::format("Blocks of {} threads write fastest, at {:.0f} % of the rate of filling memory: with {} flops and 4 "
                  "bytes per element the matrix is limited by memory, not by arithmetic.",
                  best_block, 100 * best_share, flops_of_an_element));
  run.result.findings.emplace_back(
      "The report found 128 best. Below 32 threads a warp is partly empty and writes less than a line of 128 bytes at "
      "a time; from 64 on every size has enough writes in progress, and they differ little.");
  if (known_time > 0 && unknown_time > 0)
    run.result.findings.push_back(
        fmt::format("A compile-time block size gains {:.1f} % at 128 threads: it is used only to compute an address.",
                    100 * (unknown_time / known_time - 1)));
  run.result.findings.push_back(
      fmt::format("`orrery matrix` keeps distances at {:.0f} % of filling memory, and sums rows without keeping them "
                  "at {:.0f} % of the rate of fma.",
                  100 * 4 * pairs / fill_time.median / fill, 100 * operations / run.gpu->fma_rate(options)));
  run.result.limit = fmt::format("{:.0f} % of filling memory ({}B/s)", 100 * best_share, with_prefix(fill));
  run.result.method.emplace_back(
      "Some numbers of bodies are not multiples of a block, and the matrix of one has more than 2³² elements (19.6 "
      "GB). 12 flops per element.");
  run.result.tables.push_back(std::move(table));
  run.result.tables.push_back(std::move(ours));
  run.result.charts.push_back({"matrix", std::move(chart)});
}

}  // namespace

const Study matrix_study{.name = "matrix",
                         .question = "Which block size is best for a matrix of all pairs, and what limits it?",
                         .needs_gpu = true,
                         .run = run_matrix};

}  // namespace orrery::pipeline
