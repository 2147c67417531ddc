// SPDX-License-Identifier: MIT
// One-sided kernels in many shapes, each as a solver, so that whole steps are timed.
#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "sim/backends/cuda/solver.hpp"
#include "sim/forces/gravity.hpp"
#include "sim/scaling.hpp"
#include "sim/solvers/direct/cuda/one_sided.cuh"
#include "sim/solvers/direct/direct.hpp"
#include "sim/study/study.hpp"

namespace orrery::sim::study {
namespace {

using namespace cuda;
using std::size_t;

constexpr unsigned most_threads = 512, block_sizes = most_threads / lanes;
constexpr size_t many = 8193;  ///< bodies, from which on floats keep to one order
constexpr Precision precisions[] = {Precision::float64, Precision::float32};

/// With sums that do not wait for a kernel of the engine's own.
BackendOptions pair_once(BackendOptions options) {
  options.kernel = "pair-once";
  return options;
}
Order order_for(bool floats, size_t n) {
  return order_of(floats, std::max(n, many));
}
/// Numbers in the partial sums: three a body and chunk.
size_t sums_for(bool floats, size_t n) {
  const size_t chunk = order_for(floats, n).chunk, chunks = (n + chunk - 1) / chunk;
  return chunks * chunks * chunk * sums_of(Outputs::forces);
}

/// Bodies where they lie.
template <class P>
struct Direct {
  const ParticleView<typename P::Number>& field;
  size_t first = 0;
  __device__ __forceinline__ void load(size_t from, unsigned) { first = from; }
  __device__ __forceinline__ Body<P, Outputs::forces> operator[](unsigned k) const {
    return Body<P, Outputs::forces>::at(field, first + k);
  }
};

/// Of all chunks.
template <class P, Others others, int unroll>
__global__ void __launch_bounds__(most_threads, 1)
    one_sided_kernel(ParticleView<typename P::Number> field, Slots<typename P::Number> slots) {
  constexpr unsigned R = P::floats ? 8 : bodies_per_lane;
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if constexpr (others == Others::tiled) {
    __shared__ SharedTile<P, Outputs::forces, lanes * R> tile;
    sum_chunk<P, Gravity, Outputs::forces, R, unroll>(field, Tiled<P, Outputs::forces, lanes * R>{field, tile}, i,
                                                      blockIdx.y, slots);
  } else {
    sum_chunk<P, Gravity, Outputs::forces, R, unroll>(field, Direct<P>{field}, i, blockIdx.y, slots);
  }
}

template <class P>
auto kernel_of(const Shape& shape) {
  using enum Others;
  static constexpr decltype(&one_sided_kernel<P, tiled, 1>) all[2][4] = {
      {one_sided_kernel<P, tiled, 1>, one_sided_kernel<P, tiled, 2>, one_sided_kernel<P, tiled, 4>,
       one_sided_kernel<P, tiled, 8>},
      {one_sided_kernel<P, direct, 1>, one_sided_kernel<P, direct, 2>, one_sided_kernel<P, direct, 4>,
       one_sided_kernel<P, direct, 8>}};
  return all[static_cast<int>(shape.others)][std::countr_zero(static_cast<unsigned>(shape.unroll))];
}

template <class P>
class OnOneSide final : public Solver {
  using Number = typename P::Number;

 public:
  OnOneSide(const Shape& shape, const System& system, const BackendOptions& options, Stream& stream, State& state)
      : shape_(shape),
        engine_(sim::direct::on_cuda(system, pair_once(options), stream, state)),
        n_(system.bodies.size()),
        stride_(state.stride),
        order_(order_for(P::floats, n_)),
        softening2_(system.forces.front().softening2),
        scaling_(P::floats ? scaling_of(system.bodies, system.forces.front()) : Scaling()),
        response_(stream.device(), n_),
        weight_(stream.device(), n_),
        partial_(stream.device(), sums_for(P::floats, n_)),
        floats_(stream.device(), P::floats ? 6 * stride_ : 0) {
    const PairForce& force = system.forces.front();
    std::vector<Number> weights;
    for (const double w : force.source) weights.push_back(static_cast<Number>(w * scaling_.weight));
    stream.copy_in(response_.get(), force.response.data(), n_ * sizeof(double));
    stream.copy_in(weight_.get(), weights.data(), n_ * sizeof(Number));
    stream.wait();
  }

  void evaluate(State& state, const Evaluation& evaluation, DeferredOps& deferred, Stream& stream) override {
    deferred.floats_are_old();  // the engine has floats of its own
    if (evaluation.outputs != Outputs::forces) return engine_->evaluate(state, evaluation, deferred, stream);
    const double* x = state.at(Column::position);
    ParticleView<Number> field{};
    field.source = weight_.get(), field.n = n_, field.order = order_;
    field.softening2 = static_cast<Number>(softening2_ * scaling_.length * scaling_.length);
    if constexpr (P::floats) {
      float *high = floats_.get(), *rest = high + 3 * stride_;
      deferred.make_floats(x, {high, rest, scaling_.length});
      field.x = high, field.y = high + stride_, field.z = high + 2 * stride_;
    } else {
      field.x = x, field.y = x + stride_, field.z = x + 2 * stride_;
    }
    deferred.carry_out(stream.get());
    const auto chunks = static_cast<unsigned>(field.chunks());
    const Slots<Number> slots{partial_.get(), {0, 0, 0, 0, chunks}, order_.chunk};
    const dim3 grid(static_cast<unsigned>((n_ + shape_.block - 1) / shape_.block), chunks);
    launch_close_behind(kernel_of<P>(shape_), grid, shape_.block, stream.get(), field, slots);
    deferred.add({.values = partial_.get(),
                  .single = P::floats,
                  .first = true,
                  .outputs = Outputs::forces,
                  .parts = chunks,
                  .shift = static_cast<unsigned>(std::countr_zero(order_.chunk)),
                  .row = order_.chunk,
                  .response = response_.get(),
                  .unit = scaling_.acceleration,
                  .potential_unit = scaling_.potential,
                  .acceleration = state.at(Column::acceleration),
                  .potential = nullptr,
                  .jerk = nullptr});
  }

  [[nodiscard]] double least_r2() const override { return engine_->least_r2(); }
  [[nodiscard]] std::string kernel() const override {
    return std::string(shape_.others == Others::tiled ? "tiled" : "direct") + ", block " +
           std::to_string(shape_.block) + ", unroll " + std::to_string(shape_.unroll);
  }

 private:
  Shape shape_;
  std::unique_ptr<Solver> engine_;
  size_t n_, stride_;
  Order order_;
  double softening2_;
  Scaling scaling_;
  DeviceArray<double> response_;
  DeviceArray<Number> weight_, partial_;
  DeviceArray<float> floats_;
};

std::string refusal(const System& system, Precision) {
  if (system.forces.size() == 1 && system.forces.front().law == &Gravity::law) return "";
  return "a kernel that is kept for study knows one force alone, gravity: take solver = \"direct\"";
}

template <Others others, int unroll, unsigned block>
std::unique_ptr<Solver> make(const System& system, const BackendOptions& options, Stream& stream, State& state) {
  if (const std::string why = refusal(system, options.precision); !why.empty()) throw Error(why);
  constexpr Shape shape{others, unroll, block};
  if (options.precision == Precision::float64)
    return std::make_unique<OnOneSide<OnGpu<Precision::float64>>>(shape, system, options, stream, state);
  if (options.precision == Precision::float32)
    return std::make_unique<OnOneSide<OnGpu<Precision::float32>>>(shape, system, options, stream, state);
  throw Error("a kernel that is kept for study knows float64 and float32 alone");
}

SolverBytes bytes(size_t bodies, Outputs most, const BackendOptions& options) {
  const bool floats = in_floats(options.precision);
  SolverBytes all = direct_solver.bytes(bodies, most, options);
  all.device += sums_for(floats, bodies) * (floats ? sizeof(float) : sizeof(double)) +
                bodies * (2 * sizeof(double) + (floats ? 6 * sizeof(float) : 0));
  return all;
}

template <Others others, int unroll, unsigned... k>
void add_blocks(std::vector<OneSided>& all, std::integer_sequence<unsigned, k...>) {
  ForceSolver solver = direct_solver;
  solver.name = others == Others::tiled ? "tiled" : "direct";
  solver.meaning = "all pairs, each from both sides: for study";
  solver.precisions = precisions;
  solver.has_jerk = true;
  solver.refusal = refusal;
  solver.bytes = bytes;
  const auto add = [&](unsigned block, decltype(ForceSolver::on_cuda) make) {
    solver.on_cuda = make;
    all.push_back({{others, unroll, block}, solver});
  };
  (add(lanes * (k + 1), make<others, unroll, lanes*(k + 1)>), ...);
}

template <int... unroll>
std::vector<OneSided> all_of(std::integer_sequence<int, unroll...>) {
  std::vector<OneSided> all;
  constexpr auto blocks = std::make_integer_sequence<unsigned, block_sizes>();
  (add_blocks<Others::tiled, unroll>(all, blocks), ...);
  (add_blocks<Others::direct, unroll>(all, blocks), ...);
  return all;
}

}  // namespace

std::span<const OneSided> one_sided() {
  static const std::vector<OneSided> all = all_of(std::integer_sequence<int, 1, 2, 4, 8>());
  return all;
}

}  // namespace orrery::sim::study
