// SPDX-License-Identifier: MIT
// Fluids against published results: energy, pressure and diffusion. docs/boxes.md has the longer runs of the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "boxes.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/initial_states/list.hpp"

namespace orrery::sim::testing {
namespace {

/// A mean over correlated samples, and its error, from the means of twenty blocks.
struct Mean {
  double value = 0, error = 0;
};

Mean mean_of(const std::vector<double>& samples) {
  constexpr std::size_t stretches = 20;
  const std::size_t length = samples.size() / stretches;
  std::vector<double> means;
  for (std::size_t k = 0; k < stretches; ++k) {
    double sum = 0;
    for (std::size_t i = k * length; i < (k + 1) * length; ++i) sum += samples[i];
    means.push_back(sum / static_cast<double>(length));
  }
  Mean mean;
  for (const double m : means) mean.value += m / stretches;
  for (const double m : means) mean.error += (m - mean.value) * (m - mean.value);
  mean.error = std::sqrt(mean.error / (stretches * (stretches - 1)));
  return mean;
}

/// n bodies of mass 1 on an fcc lattice that fills a periodic cube, under a law with σ = ε = 1.
System fluid(const char* name, std::size_t n, double density, double temperature) {
  const ForceLaw& law = **std::ranges::find(force_laws(), name, &ForceLaw::name);
  Arguments arguments = defaults(law);
  if (std::string_view(name) == "lennard-jones") {
    arguments.set("cutoff", 3.0);
    arguments.set("truncation", std::string("cut"));
  }
  const Domain box = box_of(Periodic::kind, 3, std::cbrt(static_cast<double>(n) / density));
  const Bodies bodies = lattice
                            .make({{"lattice", std::string("fcc")},
                                   {"n", static_cast<std::int64_t>(n)},
                                   {"density", density},
                                   {"mass", 1.0},
                                   {"temperature", temperature}},
                                  {.random = Random(1, 0), .domain = box})
                            .bodies;
  System system = in_box(box, system_of({&law, law.parameters_of(arguments)}, bodies, 0));
  add_requirements(system, integrator("langevin"));
  return system;
}

/// Quantities per body, from moments of a fluid in a bath.
struct Samples {
  std::vector<double> temperature, energy, pressure;
  std::vector<double> pairs;  ///< at most `reach` apart
};

double pairs_within(const Vectors& x, double edge, double reach) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const double dx = nearest_image(x.x[j] - x.x[i], edge), dy = nearest_image(x.y[j] - x.y[i], edge),
                   dz = nearest_image(x.z[j] - x.z[i], edge);
      pairs += dx * dx + dy * dy + dz * dz <= reach * reach ? 1 : 0;
    }
  }
  return static_cast<double>(pairs);
}

/// One every 40 steps, after a time of 40 in which the crystal melts. The ideal part of the pressure is that of the bath.
Samples in_a_bath(Backend& backend, double density, double temperature, double dt, int count, double reach) {
  KeyValues keys;
  keys.at = {temperature, 1, 1};
  Simulation simulation(backend, integrator("langevin"), dt, keys);
  simulation.advance(std::lround(40 / dt));
  Samples samples;
  for (int k = 0; k < count; ++k) {
    simulation.advance(40, true);
    const Snapshot now = simulation.observe();
    const auto n = static_cast<double>(now.size());
    samples.temperature.push_back(2 * now.observables.kinetic_energy / (3 * n));
    samples.energy.push_back(now.observables.potential_energy / n);
    samples.pressure.push_back(density * (temperature + now.observables.virial / (3 * n)));
    if (reach > 0) samples.pairs.push_back(pairs_within(now.position, std::cbrt(n / density), reach));
  }
  return samples;
}

/// The value corrected to the nominal temperature of the bath; `slope` is the derivative at constant volume.
Mean at_temperature(const std::vector<double>& samples, const Samples& all, double temperature, double slope) {
  std::vector<double> moved = samples;
  for (std::size_t k = 0; k < moved.size(); ++k) moved[k] -= slope * (all.temperature[k] - temperature);
  return mean_of(moved);
}

double covariance(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean_of(a).value, mean_b = mean_of(b).value;
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - mean_a) * (b[k] - mean_b);
  return sum / static_cast<double>(a.size());
}

/// A row of the table of Monte Carlo runs of 500 bodies with potentials cut at 3 σ and the usual tail corrections.
struct Row {
  double temperature, density, energy, energy_error, pressure, pressure_error;
  double energy_slope, pressure_slope;  ///< over the temperature, from the row of the other isotherm
};

/// NIST Standard Reference Simulation Website, Lennard-Jones fluid properties, NVT Monte Carlo. There the jump of the
/// potential at the cutoff affects the distribution of pairs, while here it exerts no force: the difference is linear
/// in the height of the jump.
TEST(Published, EnergyAndPressureOfTheLennardJonesFluidSlow) {
  constexpr double cutoff = 3, jump = 4 * (1 / 531441.0 - 1 / 729.0);
  const Row rows[] = {{0.90, 0.776, -5.4689, 4.20e-4, 0.24056, 2.74e-3, 0.864, 4.68 - 0.776},
                      {0.85, 0.860, -6.0305, 2.38e-3, 1.2660, 1.36e-2, 1.104, 6.24 - 0.860}};
  for (const Row& row : rows) {
    const double density = row.density, temperature = row.temperature, s = 1 / (cutoff * cutoff * cutoff);
    const auto cpu = make_cpu_backend(fluid("lennard-jones", 500, density, temperature), 2, 0);
    const Samples samples = in_a_bath(*cpu, density, temperature, 0.0025, 2500, cutoff);
    Mean energy = at_temperature(samples.energy, samples, temperature, row.energy_slope);
    Mean pressure = at_temperature(samples.pressure, samples, temperature, row.pressure_slope);
    energy.value += 8.0 / 3 * std::numbers::pi * density * (s * s * s / 3 - s);
    pressure.value += 16.0 / 3 * std::numbers::pi * density * density * (2 * s * s * s / 3 - s);
    energy.value -= jump / temperature * covariance(samples.energy, samples.pairs);
    pressure.value -= jump / temperature * covariance(samples.pressure, samples.pairs);
    EXPECT_LT(energy.error, 3e-3);
    EXPECT_LT(pressure.error, 1.5e-2);
    EXPECT_NEAR(energy.value, row.energy, 3 * std::hypot(energy.error, row.energy_error)) << temperature;
    EXPECT_NEAR(pressure.value, row.pressure, 3 * std::hypot(pressure.error, row.pressure_error)) << temperature;
  }
}

/// Mirzaeinia, Feyzi and Hashemianzadeh 2017, supplementary table I: Monte Carlo of 500 bodies, with three digits and
/// no errors given.
TEST(Published, EnergyAndPressureOfTheWcaFluidSlow) {
  const double temperature = 0.9, density = 0.4 * 6 / std::numbers::pi;  // a packing fraction of 0.4
  const auto cpu = make_cpu_backend(fluid("wca", 500, density, temperature), 2, 0);
  const Samples samples = in_a_bath(*cpu, density, temperature, 0.002, 2500, 0);
  const Mean energy = mean_of(samples.energy), pressure = mean_of(samples.pressure);
  EXPECT_NEAR(energy.value, 0.655, 0.005);
  EXPECT_NEAR(pressure.value / (density * temperature), 7.613, 0.04);
}

/// Half the slope of the mean square displacement along an axis between two lags, in readbacks `steps` apart, of a run
/// without a bath, relative to the centre of mass, which a bath leaves in motion; and the temperature of the run.
struct Diffusion {
  Mean d, temperature;
};

Diffusion diffusion(Backend& backend, double density, double dt, int steps, std::size_t looks, std::size_t least,
                    std::size_t most) {
  Simulation simulation(backend, integrator("leapfrog"), dt);
  std::vector<Vectors> paths;
  std::vector<double> temperature;
  for (std::size_t k = 0; k < looks; ++k) {
    simulation.advance(steps, true);
    const Snapshot now = simulation.observe();
    const double edge = std::cbrt(static_cast<double>(now.size()) / density);
    Vectors whole = now.position;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      whole.x[i] += edge * now.image.x[i];
      whole.y[i] += edge * now.image.y[i];
      whole.z[i] += edge * now.image.z[i];
    }
    paths.push_back(std::move(whole));
    temperature.push_back(2 * now.observables.kinetic_energy / (3 * (static_cast<double>(now.size()) - 1)));
  }
  const auto moved = [&](std::size_t from, std::size_t to) {
    const Vectors &a = paths[from], &b = paths[to];
    Vec3 mean;
    double sum = 0;
    const auto n = static_cast<double>(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double dx = b.x[i] - a.x[i], dy = b.y[i] - a.y[i], dz = b.z[i] - a.z[i];
      sum += (dx * dx + dy * dy + dz * dz) / n;
      mean.x += dx / n, mean.y += dy / n, mean.z += dz / n;
    }
    return sum - mean.x * mean.x - mean.y * mean.y - mean.z * mean.z;
  };
  std::vector<double> slopes;
  for (std::size_t from = 0; from + most < looks; ++from)
    slopes.push_back((moved(from, from + most) - moved(from, from + least)) /
                     (6 * dt * steps * static_cast<double>(most - least)));
  return {mean_of(slopes), mean_of(temperature)};
}

/// Steps until the energy is near that of the published run, given by its temperature: in a bath it fluctuates.
void come_near(Backend& backend, double temperature, double energy) {
  KeyValues keys;
  keys.at = {temperature, 1, 1};
  Simulation simulation(backend, integrator("langevin"), 0.005, keys);
  simulation.advance(8000);
  for (int k = 0; k < 2000; ++k) {
    simulation.advance(20, true);
    const double found = simulation.observe().observables.total_energy() / 500;
    if (std::abs(found - energy - 1.5 * temperature) < 0.003) return;
  }
  ADD_FAILURE() << "never at that energy";
}

/// The same website's molecular dynamics of 500 bodies, with two digits of diffusion and no errors; neighbouring
/// densities (0.063 at 0.780 beside 0.061 at 0.776) indicate the error. Temperatures and energies have an error of
/// 0.001.
TEST(Published, DiffusionOfTheLennardJonesFluidSlow) {
  constexpr double s = 1 / 27.0;
  const double rows[][4] = {{0.851, 0.776, -5.517, 0.061}, {0.849, 0.860, -6.027, 0.035}};
  for (const auto& [temperature, density, energy, published] : rows) {
    const auto cpu = make_cpu_backend(fluid("lennard-jones", 500, density, temperature), 2, 0);
    come_near(*cpu, temperature, energy - 8.0 / 3 * std::numbers::pi * density * (s * s * s / 3 - s));
    const Diffusion seen = diffusion(*cpu, density, 0.005, 40, 1000, 10, 50);
    EXPECT_NEAR(seen.temperature.value, temperature, 3 * std::hypot(0.0025, seen.temperature.error)) << density;
    EXPECT_LT(seen.d.error, 0.0015);
    EXPECT_NEAR(seen.d.value, published, 0.003) << density;
  }
}

/// Cold WCA bodies are hard spheres with the Barker-Henderson diameter, whose diffusion in simulations follows a
/// formula of Speedy (Mol. Phys. 62, 509, 1987). It gives no errors; 500 bodies are 2 % slower than 2048, including the
/// long-time tail.
TEST(Published, DiffusionOfTheColdWcaFluidSlow) {
  constexpr double density = 0.45;
  const auto cpu = make_cpu_backend(fluid("wca", 500, density, 0.001), 2, 0);
  Simulation melts(*cpu, integrator("leapfrog"), 0.02);
  melts.advance(20'000);
  const Diffusion seen = diffusion(*cpu, density, 0.02, 500, 600, 4, 12);
  const double temperature = seen.temperature.value;
  double diameter = 0;
  constexpr int shells = 100'000;
  const double width = std::pow(2, 1.0 / 6) / shells;
  for (int k = 0; k < shells; ++k) {
    const double s = std::pow((k + 0.5) * width, -6);
    diameter += width * (1 - std::exp(-(4 * s * (s - 1) + 1) / temperature));
  }
  const double n = density * diameter * diameter * diameter;
  const double hard = 3 / (8 * density * diameter * diameter) * std::sqrt(temperature / std::numbers::pi) *
                      (1 - n / 1.09) * (1 + n * n * (0.4 - 0.83 * n * n));
  EXPECT_LT(seen.d.error, 0.015 * hard);
  EXPECT_NEAR(seen.d.value / hard, 1, 0.04);
}

}  // namespace
}  // namespace orrery::sim::testing
