// SPDX-License-Identifier: MIT
// Particles with lists of neighbours: many passes are one launch, which makes lists anew when they are too old.
#pragma once

#include "sim/solvers/cells/cuda/on_particles.hpp"

namespace orrery::sim::cuda {

/// What neighbours are listed beyond the cutoff: with less, lists are made more often; with more, they are longer.
inline double skin_of(const System& system) {
  const double cutoff = system.forces.front().law->cutoff(system.forces.front().numbers);
  const double spacing = cutoff / std::cbrt(std::max(1.0, neighbours_within(system, cutoff) / 4.2));
  return 0.36 * std::min(cutoff, 1.2 * spacing);
}

template <class T>
class ByLists final : public OnParticles<T, Solid<T>> {
  using Base = OnParticles<T, Solid<T>>;
  using Base::law_, Base::queue_, Base::s_;

 public:
  ByLists(const System& system, Queue& queue, State& state) : Base(system, queue, state, skin_of(system), 0) {
    const double skin = skin_of(system);
    s_.most_moved2 = static_cast<T>(skin * skin / 4 * (1 - 1e-3));
    const double expected = 1.6 * neighbours_within(system, static_cast<double>(s_.reach)) + 12;
    s_.groups = static_cast<unsigned>(std::min(expected, 400.0) + 3) / 4;
    s_.near = Base::template room_for<Solid<float>>(s_.n);
    s_.length = Base::template room_for<std::uint16_t>(s_.n);
    make_room();
    blocks_ = blocks_of_passes(law_, s_, queue.get());
    s_.part = Base::template room_for<std::uint32_t>(blocks_);
  }
  [[nodiscard]] std::string kernel() const override { return "lists"; }

 private:
  void start(const Pass& pass, std::int64_t times) override {
    // As it was at some earlier look, which is soon enough: who is not on a list is found in the cells.
    if (Base::seen().longest > 4 * s_.groups && Base::seen().longest < most_listed) widen();
    Base::tell(pass);
    s_.times = times;
    carry_out_passes(law_, s_, blocks_, queue_.get());
  }

  void widen() {
    queue_.wait();
    s_.groups = (Base::seen().longest * 5 / 4 + 3) / 4;
    make_room();
    const int none = 0;
    queue_.copy_in(&s_.control->progress.has_cells, &none, sizeof(none));
    queue_.wait();
    blocks_ = std::min(blocks_, blocks_of_passes(law_, s_, queue_.get()));
  }
  void make_room() {
    const std::size_t room = static_cast<std::size_t>(s_.groups) * s_.n;
    constexpr unsigned most_shared = 50 * 1024;  // so that four blocks have room on a multiprocessor
    const bool shared = shared_for_lists(s_.groups) <= most_shared;
    lists_ = Array<Four>(queue_.device(), shared ? room : 3 * room);
    s_.list = lists_.get();
    s_.found = shared ? nullptr : reinterpret_cast<std::uint32_t*>(s_.list + room);
  }

  Array<Four> lists_;
  unsigned blocks_ = 0;
};

}  // namespace orrery::sim::cuda
