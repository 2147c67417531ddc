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

Bodies plummer_sphere(std::size_t n, std::uint64_t seed) {
  Bodies bodies;
  for (std::size_t i = 0; i < n; ++i) {
    const Random random(seed, static_cast<std::uint32_t>(i));  // a stream each: a rejection draws as often as it must
    std::uint64_t drawn = 0;
    const auto uniform = [&] { return random.uniform(drawn++); };
    const auto vector = [&](double length) {
      double x, y, z, square;
      do {
        x = 2 * uniform() - 1, y = 2 * uniform() - 1, z = 2 * uniform() - 1;
        square = x * x + y * y + z * z;
      } while (square > 1 || square < 1e-6);
      const double scale = length / std::sqrt(square);
      return Vec3{x * scale, y * scale, z * scale};
    };
    // The mass within r is (r/√(1 + r²))³, and so is the probability that three uniform numbers are below r/√(1 + r²).
    const double s = std::max({uniform(), uniform(), uniform()});
    const Vec3 x = vector(s / std::sqrt(1 - s * s));
    // The speed is q times that of escape, √2 (1 + r²)^(−1/4); q has the density q²(1 − q²)^(7/2), at most 0.0925.
    double q, p;
    do {
      q = uniform(), p = 1 - q * q;
    } while (0.1 * uniform() > q * q * p * p * p * std::sqrt(p));
    const Vec3 v = vector(q * std::sqrt(2 * std::sqrt(1 - s * s)));
    bodies.mass.push_back(1 / static_cast<double>(n));
    bodies.position.push_back(x.x, x.y, x.z);
    bodies.velocity.push_back(v.x, v.y, v.z);
  }
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

double worst_error(const Bodies& bodies, const Vectors& a, double softening, double G) {
  double worst = 0;
  const std::size_t n = bodies.size();
  for (std::size_t i = 0; i < n; i += std::max<std::size_t>(1, n / 50)) {
    long double sum[3] = {};
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const auto& x = bodies.position;
      const long double d[3] = {static_cast<long double>(x.x[j]) - x.x[i], static_cast<long double>(x.y[j]) - x.y[i],
                                static_cast<long double>(x.z[j]) - x.z[i]};
      const long double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + static_cast<long double>(softening) * softening;
      for (int q = 0; q < 3; ++q) sum[q] += static_cast<long double>(G) * bodies.mass[j] * d[q] / (r2 * std::sqrt(r2));
    }
    const long double error = std::hypot(sum[0] - a.x[i], sum[1] - a.y[i], sum[2] - a.z[i]);
    worst = std::max(worst, static_cast<double>(error / std::hypot(sum[0], sum[1], sum[2])));
  }
  return worst;
}

Vec3 kepler_position(double mu, double a, double e, double t) {
  const long double mean = std::sqrt(static_cast<long double>(mu) / (static_cast<long double>(a) * a * a)) * t;
  long double anomaly = mean;
  for (int k = 0; k < 60; ++k) anomaly -= (anomaly - e * std::sin(anomaly) - mean) / (1 - e * std::cos(anomaly));
  return {static_cast<double>(a * (std::cos(anomaly) - e)),
          static_cast<double>(a * std::sqrt(1 - static_cast<long double>(e) * e) * std::sin(anomaly)), 0};
}

}  // namespace orrery::sim::testing
