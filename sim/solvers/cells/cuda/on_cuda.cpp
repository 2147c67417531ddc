// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>

#include "sim/backends/cuda/exchange.hpp"
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
  AllOnCuda(const System& system, Ranks* ranks, Stream& stream, const State& state)
      : law_(law_index(*system.forces.front().law)), target_factor_(stream.device(), system.bodies.size()) {
    const PairForce& force = system.forces.front();
    const double cutoff = force.law->cutoff(force.parameters);
    pairs_.n = system.bodies.size();
    pairs_.stride = state.stride;
    if (ranks != nullptr)
      shared_ = std::make_unique<SharedColumns>(*ranks, stream.device(), pairs_.n, state.stride, max_columns);
    pairs_.cutoff2 = cutoff * cutoff;
    pairs_.parameters = force.parameters;
    min_r2_ = force.law->min_r2(force.parameters).in_doubles;
    std::ranges::copy(system.domain.periods(), pairs_.period);
    stream.copy_in(target_factor_.get(), force.target_factor.data(), pairs_.n * sizeof(double));
    stream.wait();
    pairs_.target_factor = target_factor_.get();
  }
  void evaluate(State& state, const Operation& evaluation, DeferredOps& deferred, Stream& stream) override {
    deferred.carry_out(stream.get());
    const bool with_potential = evaluation.outputs == Outputs::potential;
    double* const acceleration = state.at(Column::acceleration);
    pairs_.position = state.at(Column::position);
    const RankRange mine = shared_ ? shared_->part() : RankRange{0, pairs_.n};
    pairs_.first = mine.first, pairs_.last = mine.last;
    pairs_.acceleration = shared_ ? shared_->mine() : acceleration;
    pairs_.potential = !with_potential ? nullptr : shared_ ? shared_->mine() + 3 * state.stride : state.potential.get();
    pairs_.virial = !with_potential ? nullptr : shared_ ? shared_->mine() + 4 * state.stride : state.virial.get();
    sum_all_pairs(law_, pairs_, stream.get());
    if (!shared_) return;
    const double* const all = shared_->complete(with_potential ? max_columns : 3, stream);
    stream.copy(acceleration, all, 3 * state.stride * sizeof(double));
    if (!with_potential) return;
    stream.copy(state.potential.get(), all + 3 * state.stride, state.stride * sizeof(double));
    stream.copy(state.virial.get(), all + 4 * state.stride, state.stride * sizeof(double));
  }
  /// Kernels that wait for other GPUs count their messages.
  [[nodiscard]] bool waits() const override { return shared_ != nullptr; }
  [[nodiscard]] double min_r2() const override { return min_r2_; }
  [[nodiscard]] std::string kernel() const override { return "ascending"; }

 private:
  static constexpr size_t max_columns = 5;
  size_t law_;
  double min_r2_ = 0;
  std::unique_ptr<SharedColumns> shared_;  ///< null for a single rank
  DeviceArray<double> target_factor_;
  AllPairs pairs_{};
};

template <class T>
std::unique_ptr<Solver> make_of(const System& system, Ranks* ranks, Stream& stream, State& state) {
  if (is_searched(system)) return std::make_unique<BySearch<T>>(system, ranks, stream, state);
  return std::make_unique<ByLists<T>>(system, ranks, stream, state);
}

std::unique_ptr<Solver> make_cells(const System& system, const BackendOptions& options, Stream& stream, State& state) {
  if (in_floats(options.precision)) return make_of<float>(system, options.ranks.get(), stream, state);
  return make_of<double>(system, options.ranks.get(), stream, state);
}
std::unique_ptr<Solver> make_all(const System& system, const BackendOptions& options, Stream& stream, State& state) {
  return std::make_unique<AllOnCuda>(system, options.ranks.get(), stream, state);
}

}  // namespace
}  // namespace cuda

namespace cells {

const MakeOnCuda on_cuda = cuda::make_cells, all_on_cuda = cuda::make_all;

std::size_t bytes_on_cuda(std::size_t bodies, Precision precision, int ranks) {
  // Positions and velocities three times, accelerations; lists of about fifty, ranks, and cells. If shared: images twice,
  // potentials and virials, in which other ranks write.
  const std::size_t vector = in_floats(precision) ? sizeof(cuda::Solid<float>) : sizeof(cuda::Solid<double>);
  const std::size_t shared = ranks > 1 ? 6 * sizeof(int) + 2 * sizeof(double) : 0;
  return bodies * (7 * vector + sizeof(cuda::Solid<float>) + (48 + 1 + 4) * sizeof(std::uint32_t) + shared);
}

}  // namespace cells
}  // namespace orrery::sim
