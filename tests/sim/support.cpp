// SPDX-License-Identifier: MIT
// What several tests of the sim room need.
#include "support.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/backends/reference.hpp"
#include "sim/initial_states/random_cube.hpp"
#include "sim/initial_states/two_body.hpp"

namespace orrery::sim::testing {

Bodies cloud(std::size_t n, std::uint64_t seed) {
  const Arguments arguments{{"n", static_cast<std::int64_t>(n)},
                            {"half_width", 1.0},
                            {"mass", std::vector<double>{0.5 / static_cast<double>(n), 1.5 / static_cast<double>(n)}},
                            {"velocity", std::vector<double>{-0.5, 0.5}}};
  Bodies bodies = random_cube.make(arguments, {.G = 1, .random = Random(seed, 0)}).bodies;
  for (std::size_t i = 7; i < n; i += 7) bodies.mass[i] = 0;
  return bodies;
}

System system_of(const Bodies& bodies, double softening, double G) {
  System system;
  system.bodies = bodies;
  system.forces.push_back(make_pair_force(*force_laws().front(), bodies, softening, G));
  return system;
}

Bodies kepler(double eccentricity, double* period) {
  const Arguments arguments{
      {"masses", std::vector<double>{1.0, 0.25}}, {"semi_major_axis", 1.3}, {"eccentricity", eccentricity}};
  auto made = two_body.make(arguments, {});
  *period = made.timescale;
  return made.bodies;
}

const Integrator& integrator(std::string_view name) {
  return **std::ranges::find(integrators(), name, &Integrator::name);
}

std::unique_ptr<Backend> reference(System system) {
  return reference_backend.make(std::move(system), {});
}

std::uint64_t fingerprint(const Snapshot& s) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](double value) {
    for (std::uint64_t bits = std::bit_cast<std::uint64_t>(value), k = 0; k < 8; ++k, bits >>= 8) {
      hash = (hash ^ (bits & 255)) * 0x100000001b3;
    }
  };
  for (const Vectors* v : {&s.position, &s.velocity}) {
    for (const auto* axis : {&v->x, &v->y, &v->z}) std::ranges::for_each(*axis, add);
  }
  const Observables& o = s.observables;
  add(o.kinetic_energy), add(o.potential_energy);
  for (const Vec3& v : {o.momentum, o.angular_momentum, o.center_of_mass}) add(v.x), add(v.y), add(v.z);
  return hash;
}

Snapshot run(Backend& backend, const Integrator& integrator, double dt, std::int64_t steps) {
  Simulation simulation(backend, integrator, dt);
  simulation.advance(steps, true);
  return simulation.observe();
}

Vec3 kepler_position(double mu, double a, double e, double t) {
  const long double mean = std::sqrt(static_cast<long double>(mu) / (static_cast<long double>(a) * a * a)) * t;
  long double anomaly = mean;
  for (int k = 0; k < 60; ++k) anomaly -= (anomaly - e * std::sin(anomaly) - mean) / (1 - e * std::cos(anomaly));
  return {static_cast<double>(a * (std::cos(anomaly) - e)),
          static_cast<double>(a * std::sqrt(1 - static_cast<long double>(e) * e) * std::sin(anomaly)), 0};
}

}  // namespace orrery::sim::testing
