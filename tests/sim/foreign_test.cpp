// SPDX-License-Identifier: MIT
// Laws, external fields and integrators of the program that uses the library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

#include "common/error.hpp"
#include "laws.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/columns.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/foreign.hpp"
#include "sim/scalar.hpp"
#include "sim/solver.hpp"
#include "support.hpp"
#include "tests/complaint.hpp"

namespace orrery::sim::testing {
namespace {

void gravity_of_pairs(std::size_t n, const double* r2, double* c, double* u, double* slope, const double* /*none*/) {
  for (std::size_t k = 0; k < n; ++k) {
    c[k] = inverse_cube(Scalar(r2[k])).value;
    if (u != nullptr) u[k] = (Scalar(0) - inverse_root(Scalar(r2[k]))).value;
    if (slope != nullptr) slope[k] = inverse_cube_slope(Scalar(r2[k])).value;
  }
}

ForeignLaw described(std::string name = "mine", bool slope = true, ActsBy by = ActsBy::mass) {
  ForeignLaw law;
  law.name = std::move(name);
  law.acts_by = by;
  law.slope = slope;
  return law;
}

System with_law(const ForceLaw& law, const Bodies& bodies, double softening, double strength = 1) {
  System system = system_of(bodies, softening);
  system.jerk = law.force_over_r_slope != nullptr;
  system.forces = {make_pair_force(law, bodies, softening, strength)};
  return system;
}

/// All backends of this machine for a system, with 1, 2 and 3 threads.
template <class Use>
void on_each_backend(const System& system, const Use& use) {
  use(*reference(system));
  for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
    for (const int threads : {1, 2, 3}) {
      if (threads > 1 && system.bodies.size() <= 512) continue;  // one thread does all the work
      const auto cpu = make_cpu_backend(system, threads, target);
      SCOPED_TRACE(cpu->hardware());
      use(*cpu);
    }
  }
}

Bodies few_sources(std::size_t n) {
  Bodies bodies = cloud(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 9 != 4) bodies.mass[i] = 0;
  }
  return bodies;
}

TEST(Foreign, GravityOfAProgramHasTheBitsOfTheBuiltIn) {
  const auto mine = make_law(described(), gravity_of_pairs);
  const ForceLaw& gravity = *force_laws().front();
  for (const Bodies& bodies : {cloud(1), cloud(2), cloud(33), cloud(257), cloud(700), few_sources(300)}) {
    for (const double softening : {0.0, 0.05}) {
      const std::int64_t steps = bodies.size() < 300 ? 4 : 1;
      const auto expected =
          fingerprint(run(*reference(with_law(gravity, bodies, softening)), integrator("leapfrog"), 1e-3, steps));
      SCOPED_TRACE(std::to_string(bodies.size()) + " bodies, softening " + std::to_string(softening));
      on_each_backend(with_law(*mine, bodies, softening), [&](Backend& backend) {
        EXPECT_EQ(fingerprint(run(backend, integrator("leapfrog"), 1e-3, steps)), expected);
      });
    }
  }
}

TEST(Foreign, JerksOfAProgramHaveTheBitsOfTheBuiltIn) {
  const auto mine = make_law(described(), gravity_of_pairs);
  for (const Bodies& bodies : {cloud(3), cloud(257), few_sources(300)}) {
    const auto after = [&](Backend& backend) { return fingerprint(run(backend, integrator("hermite4"), 1e-3, 2)); };
    const auto expected = after(*reference(with_law(*force_laws().front(), bodies, 0.01)));
    on_each_backend(with_law(*mine, bodies, 0.01), [&](Backend& backend) { EXPECT_EQ(after(backend), expected); });
  }
}

TEST(Foreign, ChargesAndNumbersAct) {
  const Bodies charged = charged_cloud(150);
  const auto mine = make_law(described("mine", true, ActsBy::charge), gravity_of_pairs);
  const auto after = [](Backend& backend) { return fingerprint(run(backend, integrator("leapfrog"), 1e-3, 2)); };
  const auto expected = after(*reference(with_law(*law("coulomb").law, charged, 0.1, 0.7)));
  on_each_backend(with_law(*mine, charged, 0.1, 0.7), [&](Backend& backend) { EXPECT_EQ(after(backend), expected); });

  // The same force on both of a pair, whatever they weigh.
  Bodies two = cloud(2);
  two.mass = {1, 4};
  const auto springs = make_law(described("spring", false, ActsBy::number),
                                [](std::size_t n, const double* r2, double* c, double* u, double*, const double* p) {
                                  for (std::size_t k = 0; k < n; ++k) {
                                    c[k] = p[0];
                                    if (u != nullptr) u[k] = 0.5 * p[0] * r2[k];
                                  }
                                });
  System system = with_law(*springs, two, 0, 3);
  system.forces.front().parameters.at[0] = 0.25;
  on_each_backend(system, [&](Backend& backend) {
    backend.accelerate();
    const Vectors x = backend.download(Column::position), a = backend.download(Column::acceleration);
    EXPECT_EQ(a.x[0], 3.0 * (0.25 * (x.x[1] - x.x[0])));
    EXPECT_EQ(4 * a.x[1], -a.x[0]);
  });
}

/// The engine's own powers, for functions of programs: the same bits on every processor, in arrays of any length and place.
TEST(Foreign, PowersOfTheEngineAreThoseOfItsLaws) {
  const Bodies bodies = cloud(70);
  for (const simd::Target target : simd::available_targets()) {
    const simd::ColumnKernels& kernels = simd::column_kernels(target);
    for (std::size_t n = 0; n < 36; ++n) {
      std::vector<double> x, found(n + 3, 7.0), cubes(n + 3, 7.0);
      for (std::size_t k = 0; k <= n; ++k) x.push_back(1.5 + bodies.position.x[k]);
      kernels.inverse_root(x.data() + 1, found.data() + 1, n);
      kernels.inverse_cube(x.data() + 1, cubes.data() + 1, n);
      for (std::size_t k = 1; k <= n; ++k) {
        EXPECT_EQ(found[k], inverse_root(Scalar(x[k])).value);
        EXPECT_EQ(cubes[k], inverse_cube(Scalar(x[k])).value);
      }
      EXPECT_EQ(found[0] + found[n + 1] + cubes[0] + cubes[n + 2], 28);
    }
  }
}

/// What a function gets: many pairs at once on the cpu, and only what is needed.
TEST(Foreign, PairsComeInBlocks) {
  static std::atomic<std::size_t> calls, pairs, with_u, with_slope;
  const auto counting = make_law(
      described(), [](std::size_t n, const double* r2, double* c, double* u, double* slope, const double* none) {
        ++calls, pairs += n, with_u += u != nullptr, with_slope += slope != nullptr;
        gravity_of_pairs(n, r2, c, u, slope, none);
      });
  const auto cpu = make_cpu_backend(with_law(*counting, cloud(1000), 0.1), 1, 0);
  cpu->accelerate();
  EXPECT_GE(pairs, 1000U * 999 / 2);
  EXPECT_LE(pairs, 1000U * 1000);
  EXPECT_GE(pairs / calls, 32U);
  EXPECT_EQ(with_u, 0U);
  EXPECT_EQ(with_slope, 0U);
  (void)cpu->observe();
  EXPECT_GT(with_u, 0U);
  EXPECT_EQ(with_slope, 0U);
}

ForeignBodies halo_of_bodies() {
  return [](std::size_t n, const double* const(&x)[3], double* const(&g)[3], double* phi, const double* p) {
    for (std::size_t i = 0; i < n; ++i) {
      const Scalar dx = Scalar(p[1]) - Scalar(x[0][i]), dy = Scalar(p[2]) - Scalar(x[1][i]),
                   dz = Scalar(p[3]) - Scalar(x[2][i]);
      const Scalar r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, Scalar(p[4])))), k = Scalar(p[0]) * inverse_cube(r2);
      g[0][i] = (k * dx).value, g[1][i] = (k * dy).value, g[2][i] = (k * dz).value;
      if (phi != nullptr) phi[i] = (Scalar(p[0]) * (Scalar(0) - inverse_root(r2))).value;
    }
  };
}

ForeignField halo_described() {
  ForeignField halo;
  halo.name = "halo";
  for (const char* key : {"mu", "x", "y", "z", "a2"}) halo.parameters.push_back({.name = key, .fallback = 0.0});
  return halo;
}

TEST(Foreign, AFieldOfAProgramHasTheBitsOfTheBuiltIn) {
  const auto halo = make_field(halo_described(), halo_of_bodies());
  const FieldLaw& plummer = **std::ranges::find(field_laws(), "plummer-halo", &FieldLaw::name);
  for (const std::size_t n : {1U, 257U, 1100U}) {
    System with_plummer = system_of(cloud(n), 0.05);
    with_plummer.fields = {field(plummer)};
    const LawParameters& numbers = with_plummer.fields.front().parameters;  // μ, a², centre
    System with_mine = system_of(cloud(n), 0.05);
    with_mine.jerk = false;
    with_mine.fields = {{halo.get(), {{numbers.at[0], numbers.at[2], numbers.at[3], numbers.at[4], numbers.at[1]}}}};
    if (n > 300) with_plummer.forces.clear(), with_mine.forces.clear();
    const auto after = [](Backend& backend) { return fingerprint(run(backend, integrator("leapfrog"), 1e-2, 5)); };
    const auto expected = after(*reference(with_plummer));
    on_each_backend(with_mine, [&](Backend& backend) { EXPECT_EQ(after(backend), expected); });
  }
}

ForeignIntegrator leapfrog_described() {
  ForeignIntegrator own;
  own.name = "my-leapfrog";
  own.order = 2;
  own.symplectic = own.symmetric = true;
  return own;
}

void leap(Backend& bodies, const Step& step) {
  bodies.accelerate();
  bodies.kick(step.dt / 2);
  bodies.drift(step.dt);
  bodies.accelerate();
  bodies.kick(step.dt / 2);
}

TEST(Foreign, AnIntegratorOfAProgramHasTheBitsOfTheBuiltIn) {
  const auto mine = make_integrator(leapfrog_described(), leap);
  EXPECT_TRUE(mine->uses_time);  // so that no GPU records its steps
  ForeignIntegrator same = leapfrog_described();
  same.same_each_step = true;
  EXPECT_FALSE(make_integrator(same, leap)->uses_time);
  for (const std::size_t n : {2U, 257U}) {
    const System system = system_of(cloud(n), 0.01);
    const auto expected = fingerprint(run(*reference(system), integrator("leapfrog"), 1e-3, 3));
    on_each_backend(system, [&](Backend& backend) { EXPECT_EQ(fingerprint(run(backend, *mine, 1e-3, 3)), expected); });
  }
}

/// Columns, parameters and a start of its own: the Adams–Bashforth method of second order, whose last forces a column keeps.
TEST(Foreign, AnIntegratorHasColumnsAndParameters) {
  ForeignIntegrator own;
  own.name = "adams-bashforth";
  own.order = 2;
  own.parameters = {{.name = "weight", .fallback = 0.5, .low = 0, .high = 1}};
  own.columns = {{"before", true}};
  const auto method = make_integrator(
      own,
      [](Backend& bodies, const Step& step) {
        const double w = step.keys.at[0];
        bodies.accelerate();
        bodies.combine(Column::position, {{1, Column::position}, {step.dt, Column::velocity}});
        bodies.combine(
            Column::velocity,
            {{1, Column::velocity}, {(1 + w) * step.dt, Column::acceleration}, {-w * step.dt, scratch_column(0)}});
        bodies.combine(scratch_column(0), {{1, Column::acceleration}});
      },
      [](Backend& bodies) {
        bodies.accelerate();
        bodies.combine(scratch_column(0), {{1, Column::acceleration}});
      });
  ASSERT_EQ(method->columns.size(), 1U);
  EXPECT_TRUE(method->columns[0].persistent);
  EXPECT_EQ(method->keys({{"weight", 0.25}}), KeyValues(0.25));
  System system = system_of(cloud(5), 0.1);
  add_requirements(system, *method);
  const auto backend = reference(system);
  Simulation simulation(*backend, *method, 1e-3, 0.25);
  simulation.advance(3);
  EXPECT_EQ(simulation.state().columns.size(), 1U);
  EXPECT_NE(simulation.state().columns[0].x[1], 0);
}

TEST(Foreign, ExceptionsOfFunctionsArriveAndNothingIsBroken) {
  static std::atomic<bool> fails;
  fails = false;
  const auto moody = make_law(
      described(), [](std::size_t n, const double* r2, double* c, double* u, double* slope, const double* none) {
        if (fails) throw std::runtime_error("no force today");
        gravity_of_pairs(n, r2, c, u, slope, none);
      });
  on_each_backend(with_law(*moody, cloud(600), 0.1), [](Backend& backend) {
    fails = true;
    EXPECT_THROW(backend.accelerate(), std::runtime_error);
    fails = false;
    backend.accelerate();
    EXPECT_TRUE(std::isfinite(backend.download(Column::acceleration).x[7]));
  });
}

TEST(Foreign, WhatCannotBeComputedIsRefused) {
  const auto mine = make_law(described("mine", false), gravity_of_pairs);
  System system = with_law(*mine, cloud(5), 0.1);
  system.integrator = "hermite4";
  const ForceSolver& direct = *force_solvers().front();
  EXPECT_EQ(refusal_of(direct, system, Precision::float64), Refusal());
  EXPECT_EQ(refusal_of(direct, system, Precision::mixed).key, "backend.precision");
  System second = system;
  second.forces.insert(second.forces.begin(), system_of(cloud(5), 0.1).forces.front());
  EXPECT_EQ(refusal_of(direct, second, Precision::mixed).key, "backend.precision");
  system.jerk = true;
  EXPECT_EQ(refusal_of(direct, system, Precision::float64).key, "integrator.kind");
  EXPECT_THAT(refusal_of(direct, system, Precision::float64).why,
              ::testing::HasSubstr("the law \"mine\" gives no slope"));
  system.jerk = false;
  for (const ForceSolver* solver : force_solvers()) {
    system.solver = solver;
    EXPECT_EQ(refusal_of(*solver, system, Precision::float64).key, solver == &direct ? "" : "force.method");
  }
  system.solver = nullptr;
  BackendKind gpu{.name = "gpu", .meaning = "", .kernels = {}, .precisions = {}, .absence = nullptr, .make = nullptr};
  EXPECT_EQ(refusal_of_foreign(system, gpu, {}), "");
  EXPECT_THAT(refusal_of_foreign(system, gpu, {.helpers = {1}}), ::testing::HasSubstr("other processes"));
  gpu.device = [](const BackendOptions&) { return DeviceFacts(); };
  EXPECT_THAT(refusal_of_foreign(system, gpu, {}), ::testing::HasSubstr("which a GPU cannot call"));

  System with_field = system_of(cloud(2), 0.1);
  const auto halo = make_field(halo_described(), halo_of_bodies());
  with_field.fields = {{halo.get(), {}}};
  with_field.jerk = true;
  EXPECT_EQ(refusal_of(direct, with_field, Precision::float64).key, "integrator.kind");
  EXPECT_EQ(refusal_of_foreign(with_field, gpu, {}), "");
  EXPECT_THAT(refusal_of_foreign(with_field, gpu, {.helpers = {1}}), ::testing::HasSubstr("one GPU"));
}

TEST(Foreign, NamesAreChecked) {
  PlugIns plug_ins;
  EXPECT_EQ(plug_ins.law("mine"), nullptr);
  const auto mine = make_law(described(), gravity_of_pairs);
  plug_ins.add(mine);
  EXPECT_EQ(plug_ins.law("mine"), mine.get());
  EXPECT_EQ(plug_ins.laws().back(), mine.get());
  EXPECT_EQ(mine->foreign->name, "mine");
  EXPECT_EQ(force_laws().front()->foreign, nullptr);
  const PlugIns others;  // of another use of the library
  EXPECT_EQ(others.law("mine"), nullptr);

  const auto refusal = [](const std::function<void()>& act) { return complaint(act, 2); };
  using ::testing::HasSubstr;
  const auto again = make_law(described(), gravity_of_pairs);
  const PlugIns before = plug_ins;
  plug_ins.add(again);
  EXPECT_EQ(plug_ins.law("mine"), again.get());
  EXPECT_EQ(before.law("mine"), mine.get());
  EXPECT_EQ(plug_ins.laws().size(), before.laws().size());
  EXPECT_THAT(refusal([&] { plug_ins.add(make_law(described("gravity"), gravity_of_pairs)); }), HasSubstr("gravity"));
  EXPECT_THAT(refusal([&] { plug_ins.add(make_law(described("plummer-halo"), gravity_of_pairs)); }),
              HasSubstr("plummer-halo"));
  ForeignIntegrator leapfrog = leapfrog_described();
  leapfrog.name = "leapfrog";
  EXPECT_THAT(refusal([&] { plug_ins.add(make_integrator(leapfrog, leap)); }), HasSubstr("an integrator \"leapfrog\""));
  for (const char* name : {"", "Mine", "2d", "a b", "a_b", "ä", "x\n"}) {
    EXPECT_THAT(refusal([&] { (void)make_law(described(name), gravity_of_pairs); }), HasSubstr("its name must be"))
        << name;
  }
  for (const char* key : {"softening", "strength", "kind", "accuracy", "Q", "a-b", ""}) {
    ForeignLaw law = described();
    law.parameters = {{.name = key}};
    EXPECT_THAT(refusal([&] { (void)make_law(law, gravity_of_pairs); }), HasSubstr("of a parameter")) << key;
  }
  ForeignLaw law = described();
  law.parameters.assign(9, {.name = "p"});
  EXPECT_THAT(refusal([&] { (void)make_law(law, gravity_of_pairs); }), HasSubstr("more than 8"));
  law.parameters = {{.name = "p", .fallback = 2.0, .low = 3}};
  EXPECT_THAT(refusal([&] { (void)make_law(law, gravity_of_pairs); }), HasSubstr("not in its range"));
}

TEST(Foreign, PlugInsOutliveTheirList) {
  std::shared_ptr<const ForceLaw> kept;
  {
    PlugIns plug_ins;
    plug_ins.add(make_law(described("short-lived"), gravity_of_pairs));
    PlugIns copy = plug_ins;
    EXPECT_EQ(copy.law("short-lived"), plug_ins.law("short-lived"));
    kept = make_law(described("kept"), gravity_of_pairs);
    plug_ins.add(kept);
  }
  EXPECT_EQ(kept->name, "kept");
  EXPECT_EQ(kept->force_over_r(4, {}), 0.125);
}

}  // namespace
}  // namespace orrery::sim::testing
