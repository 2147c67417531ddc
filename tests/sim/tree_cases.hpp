// SPDX-License-Identifier: MIT
// Sets of bodies on which the tree is tested, and its committed bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/solvers/tree/parameters.hpp"
#include "sim/solvers/tree/tree.hpp"
#include "tests/sim/laws.hpp"

namespace orrery::sim::testing {

/// A named set of n bodies (docs/canonical-order.md, "Committed bits").
inline Bodies tree_set(const std::string& name, std::size_t n) {
  Bodies bodies = cloud(n);
  auto &x = bodies.position.x, &y = bodies.position.y, &z = bodies.position.z;
  const auto put = [&](std::size_t i, double to_x, double to_y, double to_z) { x[i] = to_x, y[i] = to_y, z[i] = to_z; };
  for (std::size_t i = 0; i < n; ++i) {
    if (name == "line") put(i, x[i], 0, 0);
    if (name == "outlier" && i == 0) put(i, 1e5, -3e4, 2e4);
    if (name == "pairs" && i % 2 == 1) put(i, x[i - 1], y[i - 1], z[i - 1]);
    if (name == "place") put(i, x[0], y[0], z[0]);
    if (name == "key" && i > 0) put(i, x[i] * 0x1p-40, y[i] * 0x1p-40, z[i] * 0x1p-40);
    if (name == "clusters") put(i, x[i] / 100 + (i % 2 == 1 ? 10 : 0), y[i] / 100, z[i] / 100);
    if (name == "light" && i % 10 != 0) bodies.mass[i] = 0;
    bodies.charge.push_back(i % 2 == 1 ? -bodies.mass[i] : bodies.mass[i]);
  }
  return bodies;
}

inline constexpr const char* tree_sets[] = {"cloud", "line", "outlier", "pairs", "place", "key", "clusters", "light"};

/// The keys that give these parameters: `order`, `theta` and `leaf`.
inline SolverValues values_of(const TreeParameters& parameters) {
  EXPECT_EQ(parameters.wide, parameters.narrow + tree_angle_range);
  return {{}, parameters.order, parameters.narrow, parameters.leaf};
}

/// With one evaluation of the forces, whose fingerprint is committed in tests/tree_hashes.txt.
struct TreeCase {
  std::string set;
  std::size_t n;
  TreeParameters parameters;
  std::string law;  ///< "inverse-power:5" with its exponent
  double softening;
  std::uint64_t hash;

  [[nodiscard]] System system() const {
    const auto colon = law.find(':');
    const double exponent = colon == std::string::npos ? 0 : std::stod(law.substr(colon + 1));
    System system = system_of(testing::law(law.substr(0, colon), exponent), tree_set(set, n), softening);
    system.solver = &tree_solver;
    system.solver_values = values_of(parameters);
    return system;
  }
};

inline std::ostream& operator<<(std::ostream& out, const TreeCase& c) {
  return out << c.set << ' ' << c.n << ' ' << c.parameters.order << ' ' << c.parameters.narrow << ' '
             << c.parameters.wide << ' ' << c.parameters.leaf << ' ' << c.law << ' ' << c.softening;
}

inline std::vector<TreeCase> committed_tree_cases() {
  std::ifstream file(ORRERY_SOURCE_DIR "/tests/tree_hashes.txt");
  std::vector<TreeCase> cases;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    TreeCase c;
    if (words >> c.set >> c.n >> c.parameters.order >> c.parameters.narrow >> c.parameters.wide >> c.parameters.leaf >>
        c.law >> c.softening >> std::hex >> c.hash)
      cases.push_back(c);
  }
  if (cases.empty()) throw std::runtime_error("tests/tree_hashes.txt: no cases can be read");
  return cases;
}

/// The fingerprint of the accelerations and potentials at the start.
inline std::uint64_t fingerprint_of_forces(HostSolver& solver, const Bodies& bodies, bool with_potential = true) {
  const std::size_t n = bodies.size(), room = n + 32;
  std::vector<std::vector<double>> position{bodies.position.x, bodies.position.y, bodies.position.z};
  std::array<std::vector<double>, 4> found;
  for (auto& column : position) column.resize(room);
  for (auto& column : found) column.resize(room);
  solver.evaluate({.position = {position[0].data(), position[1].data(), position[2].data()},
                   .velocity = {},
                   .n = n,
                   .outputs = with_potential ? Outputs::potential : Outputs::forces,
                   .acceleration = {found[0].data(), found[1].data(), found[2].data()},
                   .potential = with_potential ? found[3].data() : nullptr,
                   .virial = nullptr,
                   .jerk = {}});
  for (auto& column : found) column.resize(n);
  const auto& [x, y, z, u] = found;
  return with_potential ? fingerprint({&x, &y, &z, &u}) : fingerprint({&x, &y, &z});
}

}  // namespace orrery::sim::testing
