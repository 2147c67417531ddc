// SPDX-License-Identifier: MIT
// The time of a step by kernel, copy and driver call.
#include <fmt/format.h>

#include <algorithm>

#include "pipeline/run/backend_choice.hpp"
#include "pipeline/study/sweep.hpp"
#include "sim/study/ladder.hpp"
#include "sim/study/profile.hpp"

namespace orrery::pipeline {
namespace {

using namespace sim::study;

constexpr std::size_t sizes[] = {256, 1024, 4096, 16384, 65536};
constexpr std::size_t quick_sizes[] = {1024};
constexpr int steps = 20;

/// Steps of the engine on the GPU. `take` does not measure their time.
class EngineSteps : public Work {
 public:
  EngineSteps(const StudyRun& run, std::size_t n, sim::Precision precision) {
    sim::BackendOptions options = run.options;
    options.precision = precision;
    backend_ = run.gpu->make(gravity_system(bodies_of_study(n), study_softening), options);
  }
  double take(std::int64_t times) override {
    for (std::int64_t k = 0; k < times; ++k) {
      backend_->accelerate();
      backend_->kick(study_step);
      backend_->drift(study_step);
    }
    wait_for(*backend_, sim::Column::velocity);
    return 0;
  }

 private:
  std::unique_ptr<sim::Backend> backend_;
};

void run_profile(StudyRun& run) {
  const std::vector<std::size_t> ns = run.sizes(sizes, quick_sizes);
  ResultTable table{.name = "profile",
                    .title = fmt::format("Shares of the time of {} steps; kernels may overlap, and calls of the driver "
                                         "run beside them, so that parts may add up to more than the whole",
                                         steps),
                    .columns = {{"program"},
                                {"bodies"},
                                {"part"},
                                {"kind", "", Role::remark},
                                {"time per step", "s", Role::remark},
                                {"of the whole", "%", Role::remark},
                                {"times per step", "", Role::remark}}};
  render::Chart chart{.title = "Share of a step's time in which a kernel runs",
                      .x = log_axis("bodies"),
                      .y = {.name = "share of time"}};
  const auto profile_one = [&](const std::string& name, const std::function<std::unique_ptr<Work>(std::size_t)>& make) {
    render::Curve curve = marked_curve(name);
    for (const std::size_t n : ns) {
      if (run.stopped(fmt::format("{}, {} bodies", name, n))) return false;
      const auto work = make(n);
      work->take(2);
      const Profile profile = profile_of([&] { work->take(steps); });
      if (profile.parts.empty()) return false;
      for (const ProfiledPart& part : profile.parts) {
        if (part.seconds < 0.01 * profile.seconds) continue;
        const char* kinds[] = {"kernel", "copy", "call"};
        table.add({name, static_cast<double>(n), part.name, kinds[static_cast<std::size_t>(part.kind)],
                   part.seconds / steps, part.seconds / profile.seconds, static_cast<double>(part.count) / steps});
      }
      curve.x.push_back(static_cast<double>(n));
      curve.y.push_back(profile.busy / profile.seconds);
    }
    if (!curve.y.empty())
      run.result.findings.push_back(
          fmt::format("{}: kernels run in {:.0f} % of the time with {} bodies, {:.0f} % with {}.", name,
                      100 * curve.y.front(), ns.front(), 100 * curve.y.back(), ns.back()));
    chart.curves.push_back(std::move(curve));
    return true;
  };
  bool known = true;
  for (const Rung& rung : gpu_ladder()) {
    if (!known || (rung.name != "update on host" && rung.name != "unrolled" && rung.name != "fused")) continue;
    known = profile_one(std::string(rung.name),
                        [&](std::size_t n) { return rung.make(bodies_of_study(n), setting_of(run)); });
  }
  if (known)
    known = profile_one("orrery, float32",
                        [&](std::size_t n) { return std::make_unique<EngineSteps>(run, n, sim::Precision::float32); });
  if (known)
    known = profile_one("orrery, float64",
                        [&](std::size_t n) { return std::make_unique<EngineSteps>(run, n, sim::Precision::float64); });
  if (!known)
    run.result.findings.emplace_back(
        "CUPTI, which tells kernels, copies and calls apart, is not installed here; `bench` has the times of whole "
        "steps.");
  run.result.method.emplace_back(
      "Records of CUPTI, the library under NVIDIA's profilers, of the rungs of the ladder and of the engine's steps. "
      "What takes less than 1 % is left out.");
  if (table.rows.empty()) return;
  run.result.tables.push_back(std::move(table));
  run.result.charts.push_back({"profile", std::move(chart)});
}

}  // namespace

const Study profile_study{.name = "profile",
                          .question = "Where does the time of a step go: kernels, copies, or calls of the driver?",
                          .needs_gpu = true,
                          .run = run_profile};

}  // namespace orrery::pipeline
