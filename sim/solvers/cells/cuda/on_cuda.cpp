// SPDX-License-Identifier: MIT
// Forces with a cutoff on a GPU: how the particles are kept, and passes over them.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sim/backends/cuda/solver.hpp"
#include "sim/solvers/cells/cells.hpp"
#include "sim/solvers/cells/cuda/particles.cuh"

namespace orrery::sim {
namespace cuda {
namespace {

using std::size_t;

/// Where the bodies are along an axis, of which the domain may know the ends.
struct Stretch {
  double low, length;
};
Stretch stretch_of(const System& system, size_t axis) {
  if (system.domain.edges[axis] > 0) return {system.domain.low[axis], system.domain.edges[axis]};
  const auto& x = *std::array{&system.bodies.position.x, &system.bodies.position.y, &system.bodies.position.z}[axis];
  if (x.empty()) return {0, 0};
  const auto [low, high] = std::ranges::minmax(x);
  return {low, high - low};
}

/// How many others are within a distance, were all spread evenly.
double neighbours_within(const System& system, double distance) {
  const bool flat = system.domain.dimensions == 2;
  double volume = 1;
  for (size_t axis = 0; axis < (flat ? 2 : 3); ++axis) volume *= std::max(stretch_of(system, axis).length, distance);
  const double ball = flat ? 3.1416 * distance * distance : 4.1888 * distance * distance * distance;
  return static_cast<double>(system.bodies.size()) * std::min(1.0, ball / volume);
}

/// In a plane without joined ends where a particle has a neighbour or two, to search for them takes less than lists.
bool is_searched(const System& system) {
  const double cutoff = system.forces.front().law->cutoff(system.forces.front().numbers);
  return system.domain.dimensions == 2 && !system.domain.is_joined() && neighbours_within(system, cutoff) < 3;
}

/// Cells of that width or wider, few enough for so many particles.
CellGrid grid_of(const System& system, double width) {
  const size_t axes = system.domain.dimensions == 2 ? 2 : 3;
  const double most = 2.0 * static_cast<double>(system.bodies.size()) + 64;
  CellGrid grid{.low = {}, .inverse = {}, .cells = {1, 1, 1}, .joined = {}};
  for (;; width *= 1.25) {
    double count = 1;
    for (size_t axis = 0; axis < axes; ++axis) {
      const auto [low, length] = stretch_of(system, axis);
      // What floats cannot tell apart needs no cells of its own.
      const double fine = std::max(width, 1e-6 * std::max(std::abs(low), std::abs(low + length)));
      const double cells = std::max(1.0, std::min(std::floor(length / fine), 1e6));
      grid.cells[axis] = static_cast<int>(cells);
      grid.low[axis] = static_cast<float>(low);
      grid.inverse[axis] = length > 0 ? static_cast<float>(cells / length) : 0.0F;
      grid.joined[axis] = system.domain.boundary[axis]->joined;
      count *= cells;
    }
    if (count <= most) return grid;
  }
}

template <class T>
Space<T> space_of(const Domain& domain) {
  Space<T> space{};
  for (size_t axis = 0; axis < 3; ++axis) {
    const Boundary& boundary = *domain.boundary[axis];
    const double low = domain.low[axis], length = domain.edges[axis];
    space.boundary[axis] = boundary_index(boundary);
    space.low[axis] = boundary.bounded ? static_cast<T>(low) : -std::numeric_limits<T>::infinity();
    space.high[axis] = boundary.bounded ? static_cast<T>(low + length) : std::numeric_limits<T>::infinity();
    // In floats the box ends at floats.
    space.length[axis] = !boundary.bounded           ? 0
                         : std::is_same_v<T, double> ? length
                                                     : static_cast<double>(space.high[axis]) - space.low[axis];
    space.period[axis] = boundary.joined ? static_cast<T>(space.length[axis]) : T(0);
  }
  return space;
}

/// What it takes on a device, so that `check` and who makes it agree.
template <class T, class V>
constexpr size_t bytes_of(size_t n, size_t cells, int groups) {
  const bool lists = V::axes == 3;
  const size_t vectors = (lists ? 3 : 2) + 2 + 1, numbers = lists ? 0 : 2;
  return n * (vectors * sizeof(V) + (numbers + 1) * 4 +
              (lists ? 3 * sizeof(Solid<float>) + sizeof(std::uint16_t) : 0)) +
         cells * 8 + 3 * static_cast<size_t>(groups) * n * sizeof(Four);
}

template <class T, class V>
class OnCuda final : public Solver, public Mover {
 public:
  OnCuda(const System& system, Queue& queue, State& state)
      : queue_(queue), state_(state), law_(law_index(*system.forces.front().law)) {
    const PairForce& force = system.forces.front();
    const auto n = static_cast<unsigned>(state.n);
    const double cutoff = force.law->cutoff(force.numbers);
    const bool has_lists = V::axes == 3;
    const double spacing = has_lists ? cutoff / std::cbrt(std::max(1.0, neighbours_within(system, cutoff) / 4.2)) : 0;
    const double skin =
        has_lists ? (std::getenv("SKIN") ? std::atof(std::getenv("SKIN")) : 0.45) * std::min(cutoff, 1.2 * spacing) : 0;
    double largest = 0;
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto [low, length] = stretch_of(system, axis);
      largest = std::max({largest, std::abs(low), std::abs(low + length)});
    }
    s_.n = n;
    s_.space = space_of<T>(system.domain);
    s_.numbers = force.numbers;
    s_.cutoff2 = static_cast<T>(cutoff) * static_cast<T>(cutoff);
    // Positions are rounded to floats where neighbours are looked for.
    s_.space_in_floats = space_of<float>(system.domain);
    const double rounding = largest * 4.8e-7;
    s_.near_cutoff2 = static_cast<float>((cutoff * 1.0001 + rounding) * (cutoff * 1.0001 + rounding));
    s_.reach = static_cast<float>((cutoff + skin) * 1.0001 + rounding);
    s_.most_moved2 = static_cast<T>(skin * skin / 4 * (1 - 1e-3));
    const double width = has_lists ? static_cast<double>(s_.reach) * 1.0001 : 2.25 * cutoff;
    s_.grid = grid_of(system, width);
    s_.most_reach = static_cast<float>(2 * width);
    if (has_lists)
      s_.groups = (static_cast<int>(std::min(1.6 * neighbours_within(system, cutoff + skin) + 12, 400.0)) + 3) / 4;

    const Device& device = queue.device();
    const size_t cells = static_cast<size_t>(s_.grid.count());
    for (int k = 0; k < (has_lists ? 3 : 2); ++k) s_.position[k] = take<V>(device, n);
    for (auto& velocity : s_.velocity) velocity = take<V>(device, n);
    s_.acceleration = take<V>(device, n);
    if (!has_lists) s_.id[0] = take<std::uint32_t>(device, n), s_.id[1] = take<std::uint32_t>(device, n);
    s_.count = take<std::uint32_t>(device, cells);
    s_.start = take<std::uint32_t>(device, cells + 1);
    s_.rank = take<std::uint32_t>(device, n);
    if (has_lists) {
      for (auto& floats : s_.floats) floats = std::is_same_v<T, double> ? take<Solid<float>>(device, n) : nullptr;
      s_.length = take<std::uint16_t>(device, n);
      make_lists();
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      if (system.domain.boundary[axis]->joined) s_.image[axis] = take<int>(device, n);
    }
    image_ = system.domain.is_joined() ? state.columns.back().get() : nullptr;
    s_.same_response = force.response.empty() ? T(0) : static_cast<T>(force.response.front());
    if (std::ranges::any_of(force.response, [&](double r) { return r != force.response.front(); })) {
      double* const response = take<double>(device, n);
      queue.copy_in(response, force.response.data(), n * sizeof(double));
      queue.wait();
      s_.response = response;
    }
    s_.control = take<Control>(device, 1);
    seen_ = Array<Control, Place::pinned>(device, 1);
    blocks_ = blocks_of_passes(law_, s_, queue.get());
    s_.part = take<std::uint32_t>(device, blocks_);
  }

  void evaluate(State&, const Evaluation& evaluation, Waiting&, Queue&) override {
    take();
    carry_out({.forces = true, .wanted = evaluation.wanted, .keep_accelerations = true});
    give();
  }
  Mover* mover() override { return this; }
  [[nodiscard]] double least_r2() const override { return 0; }
  [[nodiscard]] std::string kernel() const override { return V::axes == 3 ? "lists" : "cells"; }

  void carry_out(const Pass& pass) override { carry_out(pass, 1); }
  void carry_out(const Pass& pass, std::int64_t times) override {
    if (s_.n == 0) return;
    has_accelerations_ = pass.keep_accelerations;
    if (pass.forces && pass.wanted == Wanted::potential) {
      for (; times > 0; --times) {
        start({.forces = true, .keep_accelerations = true}, 1);
        sum_potentials(law_, s_, state_.potential.get(), state_.virial.get(), queue_.get());
        if (pass.count == 0) continue;
        Pass rest = pass;
        rest.forces = false;
        start(rest, 1);
      }
    } else {
      start(pass, times);
    }
  }
  /// Some milliseconds' work, so that who waits for signals does not wait long.
  [[nodiscard]] std::int64_t most_at_once() const override { return 1 + 20'000'000 / (s_.n + 20'000); }

  void take() override {
    if (s_.n > 0) take_columns(s_, columns(), queue_.get());
  }
  void give() override {
    if (s_.n == 0) return;
    give_columns(s_, columns(), has_accelerations_, queue_.get());
    queue_.copy_out(seen_.get(), s_.control, sizeof(Control));
  }

 private:
  void start(const Pass& pass, std::int64_t times) {
    // As it was at some earlier look, which is soon enough: where a list has no room cells are searched.
    if (V::axes == 3 && static_cast<int>(seen_.get()->longest) > 4 * s_.groups) widen_lists();
    s_.forces = pass.forces;
    s_.keep = pass.keep_accelerations;
    s_.times = times;
    s_.motion.count = pass.count;
    for (size_t k = 0; k < static_cast<size_t>(pass.count); ++k) {
      s_.motion.is_drift[k] = pass.parts[k].verb == Pass::Part::Verb::drift;
      s_.motion.dt[k] = static_cast<T>(pass.parts[k].dt);
    }
    carry_out_passes(law_, s_, blocks_, queue_.get());
  }

  void widen_lists() {
    queue_.wait();
    const int wanted = (static_cast<int>(seen_.get()->longest) * 5 / 4 + 3) / 4;
    if (wanted > 500) return;
    s_.groups = wanted;
    make_lists();
    const int none = 0;
    queue_.copy_in(&s_.control->progress.has_cells, &none, sizeof(none));
    queue_.wait();
    blocks_ = std::min(blocks_, blocks_of_passes(law_, s_, queue_.get()));
  }
  void make_lists() {
    const size_t room = static_cast<size_t>(s_.groups) * s_.n;
    constexpr unsigned most_shared = 50 * 1024;  // so that four blocks have room on a multiprocessor
    const bool shared = shared_for_lists(s_.groups) <= most_shared;
    lists_ = Array<Four>(queue_.device(), shared ? room : 3 * room);
    s_.list = lists_.get();
    s_.found = shared ? nullptr : reinterpret_cast<std::uint32_t*>(s_.list + room);
  }

  template <class Number>
  Number* take(const Device& device, size_t n) {
    memory_.emplace_back(device, n * sizeof(Number));
    return reinterpret_cast<Number*>(memory_.back().get());
  }
  [[nodiscard]] ColumnsOfState columns() const {
    return {state_.at(Column::position), state_.at(Column::velocity), state_.at(Column::acceleration), image_,
            state_.stride};
  }

  Queue& queue_;
  State& state_;
  size_t law_;
  Particles<T, V> s_{};
  std::vector<Array<unsigned char>> memory_;
  Array<Four> lists_;
  Array<Control, Place::pinned> seen_;  ///< at the last look that has ended
  double* image_ = nullptr;
  unsigned blocks_ = 0;
  bool has_accelerations_ = false;
};

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
  [[nodiscard]] double least_r2() const override { return 0; }
  [[nodiscard]] std::string kernel() const override { return "ascending"; }

 private:
  size_t law_;
  Array<double> response_;
  AllPairs pairs_{};
};

template <class T>
std::unique_ptr<Solver> make_of(const System& system, Queue& queue, State& state) {
  if (is_searched(system)) return std::make_unique<OnCuda<T, Flat<T>>>(system, queue, state);
  return std::make_unique<OnCuda<T, Solid<T>>>(system, queue, state);
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
  constexpr int usual_groups = 14;
  return in_floats(precision) ? cuda::bytes_of<float, cuda::Solid<float>>(bodies, 2 * bodies, usual_groups)
                              : cuda::bytes_of<double, cuda::Solid<double>>(bodies, 2 * bodies, usual_groups);
}

}  // namespace cells
}  // namespace orrery::sim
