// SPDX-License-Identifier: MIT
// The toy on a GPU, for gravity alone: the columns lie there in the reverse of the bodies' order, one thread a body.
#include <vector>

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

/// Columns [3][stride] and the potential in the solver's order, weights and responses in the bodies'.
struct Field {
  const double *position, *velocity, *weight, *response;
  const std::uint32_t* body_at;   ///< a place
  const std::uint32_t* place_of;  ///< a body
  size_t n, stride;
  double softening2;
  Wanted wanted;
  double *acceleration, *potential, *jerk;
};

__global__ void sum_up(const Field f) {
  const size_t k = blockIdx.x * size_t{block} + threadIdx.x;
  if (k >= f.n) return;
  const std::uint32_t i = f.body_at[k];
  const auto apart = [&](const double* of, size_t p) {
    const auto along = [&](size_t row) { return Real(of[row + p]) - Real(of[row + k]); };
    return Triple<Real>{along(0), along(f.stride), along(2 * f.stride)};
  };
  const Gravity law(LawNumbers{});
  Sums<Real> sums;
  for (std::uint32_t j = 0; j < f.n; ++j) {
    const double w = f.weight[j];
    if (j == i || w == 0) continue;
    const size_t p = f.place_of[j];
    sums.meet(law, apart(f.position, p), apart(f.velocity, p), Real(w), Real(f.softening2), f.wanted);
  }
  const Real s(f.response[i]);
  const auto store = [&](double* to, const Real& x, const Real& y, const Real& z) {
    to[k] = (s * x).value;
    to[k + f.stride] = (s * y).value;
    to[k + 2 * f.stride] = (s * z).value;
  };
  store(f.acceleration, sums.x, sums.y, sums.z);
  if (f.wanted == Wanted::potential) f.potential[k] = (s * sums.u).value;
  if (f.wanted == Wanted::jerk) store(f.jerk, sums.jerk.x, sums.jerk.y, sums.jerk.z);
}

class OnCuda final : public Solver {
 public:
  OnCuda(const System& system, Queue& queue, size_t stride)
      : n_(system.bodies.size()),
        weight_(queue.device(), n_),
        response_(queue.device(), n_),
        reverse_(queue.device(), n_),
        spare_(queue.device(), 3 * stride) {
    const PairForce& force = system.forces.front();
    if (force.law != &Gravity::law) throw Error("ascending: on a GPU it knows gravity alone");
    softening2_ = force.softening2;
    least_r2_ = least_r2_in(Precision::float64, force, {});
    std::vector<std::uint32_t> reverse;
    for (size_t k = 0; k < n_; ++k) reverse.push_back(static_cast<std::uint32_t>(n_ - 1 - k));
    queue.copy_in(weight_.get(), force.source.data(), n_ * sizeof(double));
    queue.copy_in(response_.get(), force.response.data(), n_ * sizeof(double));
    queue.copy_in(reverse_.get(), reverse.data(), n_ * sizeof(std::uint32_t));
    queue.wait();
  }

  void evaluate(State& state, const Evaluation& evaluation, Waiting& waiting, Queue& queue) override {
    waiting.carry_out(queue.get());
    if (!is_reversed_) reverse(state, queue);
    const Field field{.position = state.at(Column::position),
                      .velocity = state.at(Column::velocity),
                      .weight = weight_.get(),
                      .response = response_.get(),
                      .body_at = reverse_.get(),
                      .place_of = reverse_.get(),  // the reverse of the reverse
                      .n = n_,
                      .stride = state.stride,
                      .softening2 = softening2_,
                      .wanted = evaluation.wanted,
                      .acceleration = state.at(Column::acceleration),
                      .potential = state.potential.get(),
                      .jerk = evaluation.wanted == Wanted::jerk ? state.at(evaluation.jerk) : nullptr};
    sum_up<<<static_cast<unsigned>((n_ + block - 1) / block), block, 0, queue.get().queue>>>(field);
    check(cudaGetLastError(), "starting the sums in ascending order");
  }

  [[nodiscard]] const std::uint32_t* order() const override { return is_reversed_ ? reverse_.get() : nullptr; }
  [[nodiscard]] double least_r2() const override { return least_r2_; }
  [[nodiscard]] std::string kernel() const override { return "ascending"; }

 private:
  /// All columns and the potentials stay in their memory, to which an evaluation may point.
  void reverse(State& state, Queue& queue) {
    const auto bring = [&](double* column, unsigned rows) {
      take_out_of_order(column, reverse_.get(), spare_.get(), n_, state.stride, rows, queue.get());
      queue.copy(column, spare_.get(), rows * state.stride * sizeof(double));
    };
    for (const Array<double>& column : state.columns) bring(column.get(), 3);
    bring(state.potential.get(), 1);
    is_reversed_ = true;
  }

  size_t n_;
  double softening2_ = 0, least_r2_ = 0;
  Array<double> weight_, response_;
  Array<std::uint32_t> reverse_;  ///< body n − 1 − k is at place k
  Array<double> spare_;           ///< a column
  bool is_reversed_ = false;
};

std::unique_ptr<Solver> make(const System& system, const BackendOptions&, Queue& queue, size_t stride) {
  return std::make_unique<OnCuda>(system, queue, stride);
}

}  // namespace

const MakeOnCuda on_cuda = make;

size_t bytes_on_cuda(size_t bodies) {
  // weight, response, order, and a column
  return bodies * (2 * sizeof(double) + sizeof(std::uint32_t) + 3 * sizeof(double));
}

}  // namespace orrery::sim::testing::ascending
