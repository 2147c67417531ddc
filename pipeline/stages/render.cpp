// SPDX-License-Identifier: MIT
// orrery render: draw the figures and films of a trajectory, as its own scenario says or as --set changes it.
#include <fmt/format.h>

#include "pipeline/interrupt.hpp"
#include "pipeline/pictures.hpp"
#include "pipeline/stages/stages.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::output, Flag::set, Flag::quiet};

int render(const Request& request) {
  const std::filesystem::path file = request.operands.front();
  const TrajectoryReader trajectory(file);
  const Scenario scenario = scenario_of(trajectory, file, request.overrides);
  const Pictures pictures(scenario, set_up(scenario));
  if (pictures.count() == 0) throw Error(file.string() + ": its scenario asks for no [[figure]] and no [[film]]", 2);
  const std::filesystem::path folder = request.output ? *request.output : file.parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw Error(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  const Interrupt interrupt;
  const auto drawn = pictures.draw(trajectory, folder, request.quiet);
  for (const auto& picture : drawn) {
    if (!request.quiet) fmt::print("{}\n", picture.string());
  }
  return drawn.size() < pictures.count() && Interrupt::signal() != 0 ? 128 + Interrupt::signal() : 0;
}

}  // namespace

const Stage render_stage{.name = "render",
                         .meaning = "draw the figures and films of a trajectory again",
                         .operands = "RUN.h5",
                         .least = 1,
                         .most = 1,
                         .flags = flags,
                         .run = render};

}  // namespace orrery::pipeline
