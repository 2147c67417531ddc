// SPDX-License-Identifier: MIT
// Forces with a cutoff on a GPU: who has lists, who searches, and all pairs to compare with.
#include <algorithm>
#include <memory>
#include <string>

#include "sim/solvers/cells/cells.hpp"
#include "sim/solvers/cells/cuda/by_lists.hpp"
#include "sim/solvers/cells/cuda/by_search.hpp"

namespace orrery::sim {
namespace cuda {
namespace {

using std::size_t;

/// Each body and all others, where the columns lie.
class AllOnCuda final : public Solver {
 public:
  AllOnCuda(const System& system, Queue& queue)
      : law_(law_index(*system.forces.front().law)), response_(queue.device(), system.bodies.size()) {
    const PairForce& force = system.forces.front();
    const double cutoff = force.law->cutoff(force.numbers);
    pairs_.n = system.bodies.size();
    pairs_.cutoff2 = cutoff * cutoff;
    pairs_.numbers = force.numbers;
    least_r2_ = force.law->least_r2(force.numbers).in_doubles;
    std::ranges::copy(system.domain.periods(), pairs_.period);
    queue.copy_in(response_.get(), force.response.data(), pairs_.n * sizeof(double));
    queue.wait();
    pairs_.response = response_.get();
  }
  void evaluate(State& state, const Evaluation& evaluation, Waiting& waiting, Queue& queue) override {
    waiting.carry_out(queue.get());
    const bool wanted = evaluation.wanted == Wanted::potential;
    pairs_.position = state.at(Column::position);
    pairs_.stride = state.stride;
    pairs_.acceleration = state.at(Column::acceleration);
    pairs_.potential = wanted ? state.potential.get() : nullptr;
    pairs_.virial = wanted ? state.virial.get() : nullptr;
    sum_all_pairs(law_, pairs_, queue.get());
  }
  [[nodiscard]] double least_r2() const override { return least_r2_; }
  [[nodiscard]] std::string kernel() const override { return "ascending"; }

 private:
  size_t law_;
  double least_r2_ = 0;
  Array<double> response_;
  AllPairs pairs_{};
};

template <class T>
std::unique_ptr<Solver> make_of(const System& system, Queue& queue, State& state) {
  if (is_searched(system)) return std::make_unique<BySearch<T>>(system, queue, state);
  return std::make_unique<ByLists<T>>(system, queue, state);
}

std::unique_ptr<Solver> make_cells(const System& system, const BackendOptions& options, Queue& queue, State& state) {
  if (in_floats(options.precision)) return make_of<float>(system, queue, state);
  return make_of<double>(system, queue, state);
}
std::unique_ptr<Solver> make_all(const System& system, const BackendOptions&, Queue& queue, State&) {
  return std::make_unique<AllOnCuda>(system, queue);
}

}  // namespace
}  // namespace cuda

namespace cells {

const MakeOnCuda on_cuda = cuda::make_cells, all_on_cuda = cuda::make_all;

std::size_t bytes_on_cuda(std::size_t bodies, Precision precision) {
  // Positions and velocities thrice, accelerations; lists of some fifty, ranks, and cells.
  const std::size_t vector = in_floats(precision) ? sizeof(cuda::Solid<float>) : sizeof(cuda::Solid<double>);
  return bodies * (7 * vector + sizeof(cuda::Solid<float>) + (48 + 1 + 4) * sizeof(std::uint32_t));
}

}  // namespace cells
}  // namespace orrery::sim
