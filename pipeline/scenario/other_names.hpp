// SPDX-License-Identifier: MIT
// Names that courses and other programs use for what has another name here.
#pragma once

#include <span>
#include <string_view>

namespace orrery::pipeline {

struct OtherName {
  std::string_view other, ours;
};

/// Read by `suggestion`, where `ours` is one of the names that are possible.
inline std::span<const OtherName> other_names() {
  static constexpr OtherName all[] = {
      // integrators
      {"verlet", "leapfrog"},
      {"velocity-verlet", "leapfrog"},
      {"velocity_verlet", "leapfrog"},
      {"stormer-verlet", "leapfrog"},
      {"kdk", "leapfrog"},
      {"position-verlet", "leapfrog-dkd"},
      {"dkd", "leapfrog-dkd"},
      {"euler", "symplectic-euler"},
      {"semi-implicit-euler", "symplectic-euler"},
      {"euler-cromer", "symplectic-euler"},
      {"rk", "rk4"},
      {"runge-kutta", "rk4"},
      {"dopri5", "rk45"},
      {"hermite", "hermite4"},
      // backends
      {"gpu", "cuda"},
      // keys and columns of bodies
      {"m", "mass"},
      {"masses", "mass"},
      {"px", "x"},
      {"py", "y"},
      {"pz", "z"},
      {"pos_x", "x"},
      {"pos_y", "y"},
      {"pos_z", "z"},
      {"x_pos", "x"},
      {"y_pos", "y"},
      {"z_pos", "z"},
      {"vel_x", "vx"},
      {"vel_y", "vy"},
      {"vel_z", "vz"},
      {"pos", "position"},
      {"r", "position"},
      {"vel", "velocity"},
      {"v", "velocity"},
      {"q", "charge"},
      {"label", "name"},
      // keys of steps
      {"timestep", "dt"},
      {"time_step", "dt"},
      {"delta_t", "dt"},
      {"h", "dt"},
      {"t_end", "time"},
      {"t_max", "time"},
      {"tmax", "time"},
      {"end", "time"},
      {"duration", "time"},
      // the kind of a table
      {"type", "kind"},
      {"method", "kind"},
      {"law", "kind"},
      {"name", "kind"},
      // keys of forces
      {"eps", "softening"},
      {"epsilon", "softening"},
      // keys of initial states
      {"particles", "n"},
      {"num_particles", "n"},
      {"count", "n"},
      {"M", "mass"},
      {"total_mass", "mass"},
      {"m1", "masses"},
      {"radius", "virial_radius"},
      {"Q", "virial_ratio"},
      {"a", "semi_major_axis"},
      {"e", "eccentricity"},
      // keys of outputs
      {"interval", "every"},
      {"output_every", "every"},
      {"step", "every"},
      {"output", "file"},
      // tables
      {"bodies", "initial"},
      {"particles", "initial"},
      {"simulation", "integrator"},
      {"time", "integrator"},
      {"box", "domain"},
      {"output", "trajectory"},
      {"plot", "figure"},
      {"animation", "film"},
      {"movie", "film"},
      {"video", "film"},
      // keys of the box
      {"length", "edges"},
      {"lengths", "edges"},
      {"size", "edges"},
      {"box", "edges"},
      {"L", "edges"},
      {"dim", "dimensions"},
      // parts of a figure
      {"panel", "part"},
      {"panels", "part"},
      // units of time
      {"a", "yr"},
      {"ka", "kyr"},
      {"Ma", "Myr"},
      {"Ga", "Gyr"},
      {"y", "yr"},
      {"sec", "s"},
      {"hr", "h"},
  };
  return all;
}

}  // namespace orrery::pipeline
