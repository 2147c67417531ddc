// SPDX-License-Identifier: MIT
// The tree on a GPU: the bits of the processor, whatever has to grow meanwhile, and one clear line if it cannot.
#include <bit>
#include <limits>

#include "gpu.hpp"
#include "tests/complaint.hpp"
#include "tests/sim/tree_cases.hpp"

namespace orrery::sim::testing {
namespace {

using CudaTree = Gpu;

/// The accelerations and the potential energy, bit by bit.
std::vector<std::uint64_t> evaluated(Backend& backend, bool with_potential = true) {
  backend.expect_observation(with_potential);
  backend.accelerate();
  std::vector<std::uint64_t> bits = bits_of(backend.download(Column::acceleration));
  if (with_potential) bits.push_back(std::bit_cast<std::uint64_t>(backend.observe().potential_energy));
  return bits;
}

System tree_system(const Bodies& bodies, double softening, const TreeParameters& parameters = {}) {
  System system = system_of(bodies, softening);
  system.solver = &tree_solver;
  system.solver_values = values_of(parameters);
  system.jerk = false;
  return system;
}

void compare(const System& system, const std::string& what) {
  const auto cpu = on_cpu(system), gpu = on_gpu(system);
  const auto expected = evaluated(*cpu);
  EXPECT_EQ(evaluated(*gpu), expected) << what;
  // Once more with the same object and without potentials.
  gpu->upload(Column::position, system.bodies.position);
  EXPECT_EQ(evaluated(*gpu, false), std::vector(expected.begin(), expected.end() - 1)) << what;
}

TEST_F(CudaTree, BitsAreThoseOfTheProcessorInEachCommittedCase) {
  for (const TreeCase& c : committed_tree_cases()) {
    std::ostringstream what;
    what << c;
    compare(c.system(), what.str());
  }
}

TEST_F(CudaTree, BitsForEachSetAndOrder) {
  for (const char* set : tree_sets) {
    for (const int order : {3, 4, 5, 6}) {
      for (const std::size_t n : {257UL, 3001UL})
        compare(tree_system(tree_set(set, n), 0.03, {.order = order}), set + std::to_string(n));
    }
  }
}

TEST_F(CudaTree, BitsForAnyNumberOfBodies) {
  for (const std::size_t n : {1UL, 2UL, 24UL, 25UL, 32UL, 33UL, 257UL, 1000UL, 100'000UL})
    compare(tree_system(plummer_sphere(n), 0), std::to_string(n));
}
TEST_F(CudaTree, BitsOfAMillionBodiesSlow) {
  for (const auto& parameters : {TreeParameters{}, tree_parameters(1e-4)})
    compare(tree_system(plummer_sphere(1'000'000), 0.01, parameters), "a million");
}
TEST_F(CudaTree, BitsOfTenMillionBodiesSlow) {
  const System system = tree_system(plummer_sphere(10'000'000), 0);
  EXPECT_EQ(evaluated(*on_gpu(system), false), evaluated(*on_cpu(system), false));
}

/// More bytes and list entries than 32 bits count: 41 GB of device memory.
TEST_F(CudaTree, BitsOfAHundredMillionBodiesSlow) {
  const System system = tree_system(plummer_sphere(100'000'000), 0);
  EXPECT_EQ(evaluated(*on_gpu(system), false), evaluated(*on_cpu(system), false));
}

/// Leaves of more bodies than one piece of work has, and segments that end within a cell.
TEST_F(CudaTree, BitsOfLargeLeaves) {
  for (const std::uint32_t leaf : {1U, 47U, 700U, 5000U})
    compare(tree_system(cloud(5000), 0.01, {.leaf = leaf}), std::to_string(leaf));
}

TEST_F(CudaTree, SeveralForcesAndFieldsInARun) {
  System system = with_fields(tree_system(tree_set("cloud", 2500), 0.05));
  for (const char* more : {"coulomb", "inverse-power"})
    system.forces.push_back(system_of(law(more, *more == 'i' ? 1 : 0), system.bodies, 0.02).forces.front());
  const Integrator& leapfrog = integrator("leapfrog");
  const auto fingerprint_on = [&](Backend& backend) { return fingerprint(run(backend, leapfrog, 1e-3, 40)); };
  EXPECT_EQ(fingerprint_on(*on_gpu(system)), fingerprint_on(*on_cpu(system)));
}

TEST_F(CudaTree, ARunContinuesFromASnapshot) {
  const System system = tree_system(cloud(3000), 0.05);
  const auto whole = on_gpu(system), first = on_gpu(system), second = on_gpu(system);
  const Integrator& yoshida = integrator("yoshida4");
  Simulation all(*whole, yoshida, 1e-3), before(*first, yoshida, 1e-3), after(*second, yoshida, 1e-3);
  all.advance(50);
  before.advance(23);
  after.resume(before.state());
  after.advance(27);
  EXPECT_EQ(bits_of(all.state().position), bits_of(after.state().position));
  EXPECT_EQ(bits_of(all.state().velocity), bits_of(after.state().velocity));
}

/// Bodies that are spread evenly at first, then lie in a few cells that take all levels, then far apart in pairs.
TEST_F(CudaTree, ArraysGrowWithTheTree) {
  constexpr std::size_t n = 20'000;
  System system = tree_system(cloud(n), 0.01, {.narrow = 0.2, .wide = 0.2 + tree_angle_range, .leaf = 1});
  const auto gpu = on_gpu(system), cpu = on_cpu(system);
  EXPECT_EQ(evaluated(*gpu), evaluated(*cpu));
  for (const char* set : {"key", "pairs", "line", "cloud"}) {
    const Vectors position = tree_set(set, n).position;
    gpu->upload(Column::position, position);
    cpu->upload(Column::position, position);
    EXPECT_EQ(evaluated(*gpu), evaluated(*cpu)) << set;
  }
}

/// With angles near 0 every body meets every other one.
TEST_F(CudaTree, ListsThatAreTooLongAreRefusedInOneLine) {
  const auto gpu = on_gpu(tree_system(cloud(5000), 0.01, {.narrow = 1e-4, .wide = 1e-4 + tree_angle_range, .leaf = 1}));
  const std::string words = complaint([&] { gpu->accelerate(); }, 1);
  EXPECT_NE(words.find("lists of the tree of 5000 bodies"), std::string::npos) << words;
  EXPECT_NE(words.find("direct"), std::string::npos) << words;
}

TEST_F(CudaTree, PositionsOutOfRangeGiveNoNumbers) {
  constexpr double nowhere[] = {0x1p340, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
  for (const double far : nowhere) {
    System system = tree_system(cloud(300), 0.05);
    system.bodies.position.y[17] = far;
    const auto gpu = on_gpu(system);
    gpu->accelerate();
    EXPECT_TRUE(std::isnan(gpu->download(Column::acceleration).x[17])) << far;
  }
}

}  // namespace
}  // namespace orrery::sim::testing
