// SPDX-License-Identifier: MIT
// Temperature and pressure: their definition, and the rows that store them.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstddef>

#include "pipeline/trajectory/rows.hpp"
#include "sim/analysis/thermodynamics.hpp"
#include "sim/boundaries/list.hpp"
#include "sim/random.hpp"
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const sim::Domain box{.boundary = {&sim::Periodic::kind, &sim::Periodic::kind, &sim::Periodic::kind},
                      .edges = {1, 2, 3}};
const sim::Domain square{.dimensions = 2,
                         .boundary = {&sim::Reflecting::kind, &sim::Reflecting::kind, &sim::Open::kind},
                         .edges = {2, 3, 0}};

sim::Observables moving(double kinetic_energy, const sim::Vec3& momentum = {}, double virial = 0) {
  sim::Observables seen;
  seen.kinetic_energy = kinetic_energy;
  seen.momentum = momentum;
  seen.virial = virial;
  return seen;
}

TEST(Temperature, OfTwoBodiesByHand) {
  // Masses 1 and 3 with v = (2, 0, 0) and (−1, 0, 1): K = 2 + 3, P = (−1, 0, 3), P²/2M = 10/8.
  const sim::Observables seen = moving(5, {-1, 0, 3}, 6);
  EXPECT_EQ(sim::temperature(seen, sim::ensemble_of(2, 4, box)), 2 * 3.75 / 3);
  EXPECT_EQ(sim::temperature(seen, sim::ensemble_of(2, 4, square)), 2 * 3.75 / 2);
  EXPECT_EQ(sim::pressure(seen, sim::ensemble_of(2, 4, box)), (2 * 2.5 + 2) / 6);
  EXPECT_EQ(sim::pressure(seen, sim::ensemble_of(2, 4, square)), (2 * 3.75 + 3) / 6);
}

TEST(Temperature, OfBodiesWithoutRelativeMotionIsZeroOrAbsent) {
  EXPECT_EQ(sim::temperature(moving(5), sim::ensemble_of(1, 1, box)), 0);
  EXPECT_EQ(sim::pressure(moving(5), sim::ensemble_of(1, 1, box)), 0);
  const double v = 0.1, m = 0.7;
  const sim::Observables seen = moving(3 * (m * v * v / 2), {3 * m * v, 0, 0});
  const double rest = sim::temperature(seen, sim::ensemble_of(3, 3 * m, box));
  EXPECT_GE(rest, 0);
  EXPECT_LT(rest, 1e-17);
}

/// A Maxwell distribution gives its temperature T, and p V = n T; repulsion increases the pressure, attraction lowers
/// it.
TEST(Temperature, OfAnIdealGas) {
  constexpr std::size_t n = 20'000;
  constexpr double T = 2.5, m = 0.5, drift = 10;
  sim::Observables seen;
  const sim::Random random(1, 0);
  std::uint64_t drawn = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, 3> v{};
    for (double& along : v) {
      double sum = -6;
      for (int k = 0; k < 12; ++k) sum += random.uniform(drawn++);
      along = std::sqrt(T / m) * sum;
    }
    v[0] += drift;
    seen.kinetic_energy += m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
    seen.momentum.x += m * v[0], seen.momentum.y += m * v[1], seen.momentum.z += m * v[2];
  }
  const auto gas = sim::ensemble_of(n, n * m, box);
  const double found = sim::temperature(seen, gas), ideal = sim::pressure(seen, gas);
  EXPECT_NEAR(found, T, 5 * T * std::sqrt(2 / (3.0 * n)));
  EXPECT_NEAR(ideal, n * found / 6, 1e-12 * ideal);
  seen.virial = 7;
  EXPECT_GT(sim::pressure(seen, gas), ideal);
  seen.virial = -7;
  EXPECT_LT(sim::pressure(seen, gas), ideal);
}

class ThermalRows : public ::testing::Test {
 protected:
  Folder folder_;
  std::filesystem::path path_ = folder_ / "run.h5";
};

TEST_F(ThermalRows, AreReadBackWithOrWithoutExtremesAndPressure) {
  for (const sim::Domain& domain : {box, square, sim::Domain()}) {
    for (const bool extremes : {true, false}) {
      std::filesystem::remove(path_);
      const SyntheticRun run{
          .bodies = 5, .frames = 30, .options = {.extremes = extremes}, .domain = domain, .virial = true};
      run.write(path_);
      const TrajectoryReader reader(path_);
      EXPECT_TRUE(reader.record().virial);
      const History history = reader.history();
      const auto ensemble = sim::ensemble_of(5, 3, domain);  // the mass stored in the run's record
      ASSERT_EQ(history.virial.size(), 30U);
      ASSERT_EQ(history.temperature.size(), 30U);
      ASSERT_EQ(history.pressure.size(), domain.volume() > 0 ? 30U : 0U);
      EXPECT_EQ(history.states.empty(), !extremes);
      for (std::size_t i = 0; i < 30; ++i) {
        const sim::Observables seen = run.at(static_cast<std::int64_t>(i)).observables;
        EXPECT_EQ(history.virial[i], seen.virial);
        EXPECT_EQ(history.temperature[i], sim::temperature(seen, ensemble));
        if (domain.volume() > 0) {
          EXPECT_EQ(history.pressure[i], sim::pressure(seen, ensemble));
        }
      }
    }
  }
}

TEST_F(ThermalRows, PressureIsAbsentForLongRangeForces) {
  SyntheticRun{.frames = 3, .domain = square}.write(path_);
  const TrajectoryReader reader(path_);
  EXPECT_FALSE(reader.record().virial);
  EXPECT_THAT(reader.history().virial, IsEmpty());
  EXPECT_THAT(reader.history().temperature, IsEmpty());
  EXPECT_THAT(reader.history().pressure, IsEmpty());
  for (const std::string& name : objects(path_, "/observables"))
    EXPECT_THAT(name, ::testing::Not(::testing::AnyOf(HasSubstr("virial"), HasSubstr("pressure"))));
}

/// As specified in docs/trajectory.md, parts that are not stored are left out of the checksum.
TEST_F(ThermalRows, ChecksumsCoverThem) {
  trajectory::Row row = trajectory::row_of(SyntheticRun{.virial = true}.at(3), sim::ensemble_of(3, 3, box));
  row.states = 7;
  const auto bytes = std::as_bytes(std::span(&row, 1));
  EXPECT_EQ(row.checksum({}), trajectory::hash_of(bytes.first(112)));
  EXPECT_EQ(row.checksum({.extremes = true}), trajectory::hash_of(bytes.first(184)));
  EXPECT_EQ(row.checksum({.extremes = true, .virial = true}), trajectory::hash_of(bytes.first(200)));
  EXPECT_EQ(row.checksum({.extremes = true, .virial = true, .pressure = true}), trajectory::hash_of(bytes.first(208)));
  EXPECT_EQ(row.checksum({.extremes = true, .virial = true, .pressure = true, .approach = true}),
            trajectory::hash_of(bytes));
  EXPECT_EQ(row.checksum({.extremes = true, .approach = true}),
            trajectory::Hash().add(bytes.first(184)).add(bytes.last(24)).value());
  EXPECT_EQ(row.checksum({.virial = true, .pressure = true}),
            trajectory::Hash().add(bytes.first(112)).add(bytes.subspan(184, 24)).value());
  EXPECT_EQ(row.checksum({.pressure = true}), row.checksum({}));
}

TEST_F(ThermalRows, DamageIsDetected) {
  for (const char* name : {"virial", "temperature", "pressure"}) {
    std::filesystem::remove(path_);
    SyntheticRun{.frames = 30, .domain = box, .virial = true}.write(path_);
    flip(path_, place_of(path_, std::string("/observables/") + name + "/value", 0, 8 * 17 + 3));
    EXPECT_THAT(complaint([&] { (void)TrajectoryReader(path_).history(); }),
                EndsWith("observables row 17 (step 17) does not match its checksum"));
  }
}

TEST_F(ThermalRows, HaveUnits) {
  for (const auto& [domain, unit] : {std::pair(box, "Msun au-1 yr-2"), {square, "Msun yr-2"}}) {
    std::filesystem::remove(path_);
    SyntheticRun{.frames = 3, .domain = domain, .virial = true}.write(path_);
    const hdf5::Handle file(open_plain(path_));
    const auto unit_of = [&](const char* name) {
      return hdf5::read_text_attribute(hdf5::open_dataset(file, std::string("/observables/") + name + "/value"),
                                       "unit");
    };
    EXPECT_EQ(unit_of("virial"), "Msun au+2 yr-2");
    EXPECT_EQ(unit_of("temperature"), "Msun au+2 yr-2");
    EXPECT_EQ(unit_of("pressure"), unit);
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
