// SPDX-License-Identifier: MIT
// Three bodies: a run that is watched every hundred steps, its file, and a figure of it.
#include <orrery/orrery.hpp>

#include <cstdio>
#include <vector>

int main() try {
  const orrery::Context context;
  orrery::Model model(context);
  const std::vector<double> mass{1, 1e-3, 1e-4};
  const std::vector<orrery::Vec3> position{{0, 0, 0}, {1, 0, 0}, {0, -2, 0.1}};
  const std::vector<orrery::Vec3> velocity{{0, 0, 0}, {0, 1, 0}, {0.7, 0, 0}};
  model.add_bodies({.mass = mass, .position = position, .velocity = velocity, .names = {"A", "B", "C"}});
  model.set_integrator("yoshida4");
  model.set_steps(0.01, 1000);

  orrery::RunOptions options;
  options.trajectory = {{"every", 10}};
  options.observe_every = 100;
  options.observe = [](const orrery::State& state, const orrery::Observables& now) {
    std::printf("t = %4.1f  B at %8.5f %8.5f  energy error %9.2e\n", state.time, state.position.x[1],
                state.position.y[1], now.energy_error);
    return true;  // go on
  };
  orrery::run(model, "three.h5", options);
  orrery::draw_figure(context, "three.h5", "projection", "three.svg");
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
