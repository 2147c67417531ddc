// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>

#include "common/error.hpp"
#include "sim/solvers/cells/cells.hpp"
#include "sim/solvers/cells/cuda/by_lists.hpp"
#include "sim/solvers/cells/cuda/by_search.hpp"

namespace orrery::sim {
namespace cuda {
namespace {

using std::size_t;

/// All pairs, directly on the columns of the state.
class AllOnCuda final : public Solver {
 public:
  AllOnCuda(const System& system, Stream& stream)
      : law_(law_index(*system.forces.front().law)), response_(stream.device(), system.bodies.size()) {
    const PairForce& force = system.forces.front();
    const double cutoff = force.law->cutoff(force.numbers);
    pairs_.n = system.bodies.size();
    pairs_.cutoff2 = cutoff * cutoff;
    pairs_.numbers = force.numbers;
    least_r2_ = force.law->least_r2(force.numbers).in_doubles;
    std::ranges::copy(system.domain.periods(), pairs_.period);
    stream.copy_in(response_.get(), force.response.data(), pairs_.n * sizeof(double));
    stream.wait();
    pairs_.response = response_.get();
  }
  void evaluate(State& state, const Evaluation& evaluation, DeferredOps& deferred, Stream& stream) override {
    deferred.carry_out(stream.get());
    const bool with_potential = evaluation.outputs == Outputs::potential;
    pairs_.position = state.at(Column::position);
    pairs_.stride = state.stride;
    pairs_.acceleration = state.at(Column::acceleration);
    pairs_.potential = with_potential ? state.potential.get() : nullptr;
    pairs_.virial = with_potential ? state.virial.get() : nullptr;
    sum_all_pairs(law_, pairs_, stream.get());
  }
  [[nodiscard]] double least_r2() const override { return least_r2_; }
  [[nodiscard]] std::string kernel() const override { return "ascending"; }

 private:
  size_t law_;
  double least_r2_ = 0;
  DeviceArray<double> response_;
  AllPairs pairs_{};
};

template <class T>
std::unique_ptr<Solver> make_of(const System& system, Stream& stream, State& state) {
  if (is_searched(system)) return std::make_unique<BySearch<T>>(system, stream, state);
  return std::make_unique<ByLists<T>>(system, stream, state);
}

void refuse_ranks(const BackendOptions& options) {
  if (options.ranks == nullptr) return;
  throw Error(
      "cuda: forces with a cutoff use one GPU: take --device 0 and one process, or the cpu backend, whose "
      "ranks share them",
      2);
}

std::unique_ptr<Solver> make_cells(const System& system, const BackendOptions& options, Stream& stream, State& state) {
  refuse_ranks(options);
  if (in_floats(options.precision)) return make_of<float>(system, stream, state);
  return make_of<double>(system, stream, state);
}
std::unique_ptr<Solver> make_all(const System& system, const BackendOptions& options, Stream& stream, State&) {
  refuse_ranks(options);
  return std::make_unique<AllOnCuda>(system, stream);
}

}  // namespace
}  // namespace cuda

namespace cells {

const MakeOnCuda on_cuda = cuda::make_cells, all_on_cuda = cuda::make_all;

std::size_t bytes_on_cuda(std::size_t bodies, Precision precision) {
  // Positions and velocities three times, accelerations; lists of about fifty, ranks, and cells.
  const std::size_t vector = in_floats(precision) ? sizeof(cuda::Solid<float>) : sizeof(cuda::Solid<double>);
  return bodies * (7 * vector + sizeof(cuda::Solid<float>) + (48 + 1 + 4) * sizeof(std::uint32_t));
}

}  // namespace cells
}  // namespace orrery::sim
