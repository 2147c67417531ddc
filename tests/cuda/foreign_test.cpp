// SPDX-License-Identifier: MIT
// Fields and integrators of the program on a GPU: the bits of the cpu. Laws of the program are refused there.
#include <algorithm>
#include <string>

#include "gpu.hpp"
#include "sim/foreign.hpp"
#include "sim/scalar.hpp"
#include "tests/complaint.hpp"

namespace orrery::sim::testing {
namespace {

class CudaForeign : public Gpu {};

std::shared_ptr<const FieldLaw> well() {
  ForeignField field;
  field.name = "well";
  return make_field(field,
                    [](std::size_t n, const double* const(&x)[3], double* const(&g)[3], double* phi, const double*) {
                      for (std::size_t i = 0; i < n; ++i) {
                        Scalar r2(0);
                        for (std::size_t q = 0; q < 3; ++q) {
                          g[q][i] = -0.3 * x[q][i];
                          r2 = fma(Scalar(x[q][i]), Scalar(x[q][i]), r2);
                        }
                        if (phi != nullptr) phi[i] = 0.15 * r2.value;
                      }
                    });
}

std::shared_ptr<const Integrator> leapfrog_of_program(bool same_each_step) {
  ForeignIntegrator own;
  own.name = "mine";
  own.order = 2;
  own.same_each_step = same_each_step;
  return make_integrator(own, [](Backend& bodies, const Step& step) {
    bodies.accelerate();
    bodies.kick(step.dt / 2);
    bodies.drift(step.dt);
    bodies.accelerate();
    bodies.kick(step.dt / 2);
  });
}

TEST_F(CudaForeign, FieldsHaveTheBitsOfTheCpu) {
  const auto field = well();
  for (const std::size_t n : {1U, 33U, 257U, 1100U}) {
    for (const bool alone : {false, true}) {
      System system = system_of(cloud(n), 0.05);
      system.jerk = false;
      system.fields = {{field.get(), {}}};
      if (alone) system.forces.clear();
      const auto gpu = on_gpu(system), cpu = on_cpu(system);
      // More steps than a graph of recorded ones has.
      EXPECT_EQ(fingerprint(run(*gpu, integrator("leapfrog"), 1e-3, 70)),
                fingerprint(run(*cpu, integrator("leapfrog"), 1e-3, 70)))
          << n;
    }
  }
}

TEST_F(CudaForeign, IntegratorsHaveTheBitsOfTheCpu) {
  for (const bool recorded : {false, true}) {
    const auto mine = leapfrog_of_program(recorded);
    for (const std::size_t n : {2U, 257U, 1100U}) {
      const System system = system_of(cloud(n), 0.05);
      const auto gpu = on_gpu(system), cpu = on_cpu(system);
      EXPECT_EQ(fingerprint(run(*gpu, *mine, 1e-3, 70)), fingerprint(run(*cpu, integrator("leapfrog"), 1e-3, 70))) << n;
    }
  }
}

TEST_F(CudaForeign, LawsAreRefused) {
  ForeignLaw law;
  law.name = "mine";
  const auto mine = make_law(
      law, [](std::size_t n, const double*, double* c, double*, double*, const double*) { std::fill_n(c, n, 1.0); });
  System system = system_of(cloud(3), 0.1);
  system.jerk = false;
  system.forces = {make_pair_force(*mine, system.bodies, 0.1, 1)};
  EXPECT_NE(complaint([&] { (void)make_backend(cuda_backend, system, {}); }, 2)
                .find("the law \"mine\" is a function of the program, which a GPU cannot call"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::sim::testing
