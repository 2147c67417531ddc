// SPDX-License-Identifier: MIT
// The toy solver on a GPU, for gravity only: one thread a body.
#include "common/error.hpp"
#include "sim/backends/cuda/real.cuh"
#include "sim/backends/cuda/solver.hpp"
#include "sim/forces/gravity.hpp"
#include "sim/scaling.hpp"
#include "tests/sim/toys/ascending/ascending.hpp"
#include "tests/sim/toys/ascending/meet.hpp"

namespace orrery::sim::testing::ascending {
namespace {

using namespace cuda;
using std::size_t;

constexpr unsigned block = 128;

/// Columns [3][stride].
struct ParticleView {
  const double *position, *velocity, *weight, *target_factor;
  size_t n, stride;
  double softening2;
  Outputs outputs;
  double *acceleration, *potential, *jerk;
};

__global__ void sum_up(const ParticleView f) {
  const size_t i = blockIdx.x * size_t{block} + threadIdx.x;
  if (i >= f.n) return;
  const auto apart = [&](const double* of, size_t p) {
    const auto along = [&](size_t row) { return Real(of[row + p]) - Real(of[row + i]); };
    return Triple<Real>{along(0), along(f.stride), along(2 * f.stride)};
  };
  const Gravity law(LawParameters{});
  Sums<Real> sums;
  for (size_t j = 0; j < f.n; ++j) {
    const double w = f.weight[j];
    if (j == i || w == 0) continue;
    sums.interact(law, apart(f.position, j), apart(f.velocity, j), Real(w), Real(f.softening2), f.outputs);
  }
  const Real s(f.target_factor[i]);
  const auto store = [&](double* to, const Real& x, const Real& y, const Real& z) {
    to[i] = (s * x).value;
    to[i + f.stride] = (s * y).value;
    to[i + 2 * f.stride] = (s * z).value;
  };
  store(f.acceleration, sums.x, sums.y, sums.z);
  if (f.outputs == Outputs::potential) f.potential[i] = (s * sums.u).value;
  if (f.outputs == Outputs::jerk) store(f.jerk, sums.jerk.x, sums.jerk.y, sums.jerk.z);
}

class OnCuda final : public Solver {
 public:
  OnCuda(const System& system, Stream& stream)
      : n_(system.bodies.size()), weight_(stream.device(), n_), target_factor_(stream.device(), n_) {
    const PairForce& force = system.forces.front();
    if (force.law != &Gravity::law) throw Error("ascending: on a GPU it knows gravity alone");
    softening2_ = force.softening2;
    min_r2_ = min_r2_in(Precision::float64, force, {});
    stream.copy_in(weight_.get(), force.source.data(), n_ * sizeof(double));
    stream.copy_in(target_factor_.get(), force.target_factor.data(), n_ * sizeof(double));
    stream.wait();
  }

  void evaluate(State& state, const Operation& evaluation, DeferredOps& deferred, Stream& stream) override {
    deferred.carry_out(stream.get());
    const ParticleView field{.position = state.at(Column::position),
                             .velocity = state.at(Column::velocity),
                             .weight = weight_.get(),
                             .target_factor = target_factor_.get(),
                             .n = n_,
                             .stride = state.stride,
                             .softening2 = softening2_,
                             .outputs = evaluation.outputs,
                             .acceleration = state.at(Column::acceleration),
                             .potential = state.potential.get(),
                             .jerk = evaluation.outputs == Outputs::jerk ? state.at(evaluation.column) : nullptr};
    sum_up<<<static_cast<unsigned>((n_ + block - 1) / block), block, 0, stream.get().stream>>>(field);
    check(cudaGetLastError(), "starting the sums in ascending order");
  }

  [[nodiscard]] double min_r2() const override { return min_r2_; }
  [[nodiscard]] std::string kernel() const override { return "ascending"; }

 private:
  size_t n_;
  double softening2_ = 0, min_r2_ = 0;
  DeviceArray<double> weight_, target_factor_;
};

std::unique_ptr<Solver> make(const System& system, const BackendOptions&, Stream& stream, State&) {
  return std::make_unique<OnCuda>(system, stream);
}

}  // namespace

const MakeOnCuda on_cuda = make;

size_t bytes_on_cuda(size_t bodies) {
  return 2 * bodies * sizeof(double);  // weight and target_factor
}

}  // namespace orrery::sim::testing::ascending
