// SPDX-License-Identifier: MIT
// Runs in boxes whose fingerprints are committed (docs/canonical-order.md, "Committed bits").
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/boundary.hpp"
#include "sim/random.hpp"
#include "tests/sim/laws.hpp"

namespace orrery::sim::testing {

/// A line that begins with a law, optionally with its truncation.
struct BoxCase {
  std::string law, truncation;
  std::size_t n;
  int dimensions;
  std::string boundaries;  ///< of each axis, comma-separated
  std::int64_t steps;
  const Integrator* method;
  std::uint64_t hash;

  [[nodiscard]] Domain domain(double spacing) const {
    std::size_t side = 6;
    while (side * side * (dimensions == 3 ? side : 1) < n) ++side;
    Domain box{.dimensions = dimensions};
    std::istringstream words(boundaries);
    std::string word;
    for (std::size_t q = 0; q < static_cast<std::size_t>(dimensions); ++q) {
      std::getline(words, word, ',');
      box.boundary[q] = *std::ranges::find(sim::boundaries(), word, &Boundary::name);
      box.low[q] = std::array{-0.7, 0.3, 1.1}[q];
      box.edges[q] = spacing * static_cast<double>(side);
    }
    return box;
  }

  [[nodiscard]] System system() const {
    const struct {
      std::string_view law;
      Arguments arguments;
      double strength, spacing;
    } all[] = {{"repulsive", {{"cutoff", 1.1}}, 0.8, 0.7},
               {"lennard-jones", {{"sigma", 0.9}, {"cutoff", 2.3}, {"truncation", truncation}}, 1.2, 1.0},
               {"wca", {{"sigma", 0.9}}, 1.2, 0.9},
               {"soft", {{"cutoff", 1.3}}, 3.7, 0.8}};
    const auto& [name, arguments, strength, a] = *std::ranges::find(all, law, [](const auto& one) { return one.law; });
    const Random random(1, 0);
    System made;
    made.domain = domain(a);
    Vectors x(n), v(n);
    const auto side = static_cast<std::size_t>(made.domain.edges[0] / a + 0.5);
    for (std::size_t i = 0; i < n; ++i) {
      made.bodies.mass.push_back(random.between(0.5, 1.5, 7 * i));
      const std::size_t sites[] = {i % side, i / side % side, i / (side * side)};
      for (std::size_t q = 0; q < static_cast<std::size_t>(dimensions); ++q) {
        const auto axis = std::array{&Vectors::x, &Vectors::y, &Vectors::z}[q];
        const double site = static_cast<double>(sites[q]) + random.between(0.0, 0.1, 7 * i + 1 + q);
        (x.*axis)[i] = made.domain.low[q] + a * site;
        (v.*axis)[i] = random.between(-4.0, 4.0, 7 * i + 4 + q);
      }
    }
    made.bodies.position = x, made.bodies.velocity = v;
    const ForceLaw& force = *testing::law(law).law;
    made.forces.push_back(make_pair_force(force, made.bodies, 0, strength, force.parameters_of(arguments)));
    add_requirements(made, *method);
    return made;
  }
  /// Pairs visited in the whole run by a loop over all pairs.
  [[nodiscard]] double interactions() const {
    return static_cast<double>(steps * method->evaluations + 1) * static_cast<double>(n) * static_cast<double>(n);
  }
  /// The fingerprint of the whole run on a backend that was made with `system()`.
  [[nodiscard]] std::uint64_t found_on(Backend& backend) const {
    Snapshot end = run(backend, *method, 1.0 / 250, steps);
    if (steps == 0) end.velocity = backend.download(Column::acceleration);
    const Observables& o = end.observables;
    std::vector<double> measured{o.kinetic_energy, o.potential_energy};
    for (const Vec3& of : {o.momentum, o.angular_momentum, o.center_of_mass})
      measured.insert(measured.end(), {of.x, of.y, of.z});
    measured.push_back(o.virial);
    const auto &x = end.position, &v = end.velocity, &images = end.image;
    return fingerprint({&x.x, &x.y, &x.z, &v.x, &v.y, &v.z, &measured, &images.x, &images.y, &images.z});
  }
};

inline std::ostream& operator<<(std::ostream& out, const BoxCase& c) {
  return out << c.law << ' ' << c.truncation << ' ' << c.n << ", " << c.boundaries << ", " << c.method->name << ", "
             << c.steps << " steps";
}

inline std::vector<BoxCase> committed_box_cases() {
  std::vector<BoxCase> cases;
  std::ifstream file(ORRERY_SOURCE_DIR "/tests/canonical_hashes.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || std::isalpha(static_cast<unsigned char>(line.front())) == 0) continue;
    std::istringstream words(line);
    BoxCase c{};
    std::string method;
    words >> c.law >> c.n >> c.dimensions >> c.boundaries >> c.steps >> method >> std::hex >> c.hash;
    if (!words) throw std::runtime_error("tests/canonical_hashes.txt: cannot read \"" + line + '"');
    if (const auto colon = c.law.find(':'); colon != std::string::npos) {
      c.truncation = c.law.substr(colon + 1);
      c.law.resize(colon);
    }
    c.method = &integrator(method);
    cases.push_back(c);
  }
  if (cases.empty()) throw std::runtime_error("tests/canonical_hashes.txt: no cases can be read");
  return cases;
}

}  // namespace orrery::sim::testing
