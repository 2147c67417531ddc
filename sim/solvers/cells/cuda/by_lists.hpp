// SPDX-License-Identifier: MIT
// Particles with lists of neighbours: cycles of passes, each of which begins with new lists and ends when they are too old.
#pragma once

#include "sim/solvers/cells/cuda/on_particles.hpp"

namespace orrery::sim::cuda {

/// What neighbours are listed beyond the cutoff: with less, lists are made more often; with more, they are longer.
inline double skin_of(const System& system) {
  const double cutoff = system.forces.front().law->cutoff(system.forces.front().numbers);
  const double spacing = cutoff / std::cbrt(std::max(1.0, neighbours_within(system, cutoff) / 4.2));
  return 0.48 * std::min(cutoff, 1.2 * spacing);
}

template <class T>
class ByLists final : public OnParticles<T, Solid<T>> {
  using Base = OnParticles<T, Solid<T>>;
  using Base::law_, Base::stream_, Base::s_;

 public:
  ByLists(const System& system, Stream& stream, State& state) : Base(system, stream, state, skin_of(system), 0) {
    const double skin = skin_of(system);
    s_.most_moved2 = static_cast<T>(skin * skin / 4 * (1 - 1e-3));
    const PairForce& force = system.forces.front();
    s_.margin = static_cast<T>(force.law->cutoff(force.numbers) * 1.001);
    const double expected = 1.6 * neighbours_within(system, static_cast<double>(s_.reach)) + 12;
    s_.groups = static_cast<unsigned>(std::min(expected, 400.0) + 3) / 4;
    s_.near = Base::template room_for<Solid<float>>(s_.n);
    s_.length = Base::template room_for<std::uint16_t>(s_.n);
    make_room();
    blocks_ = blocks_of_cells(s_, stream.get());
    s_.part = Base::template room_for<std::uint32_t>(blocks_);
    remaining_ = DeviceArray<Control::Remaining, Place::pinned>(stream.device(), 1);
  }
  [[nodiscard]] std::string kernel() const override { return "lists"; }

 private:
  static constexpr int cycles_of_a_graph = 2;

  void start(const Pass& pass, std::int64_t times) override {
    Base::tell(pass);
    if (pass.forces && pass.drifts() && times > 1) return take_cycles(pass, times);
    make_room_for_longest();
    s_.cycle = 0;
    for (; times > 0; --times) take_one();
  }
  void take_one() {
    make_lists(s_, blocks_, stream_.get());
    carry_out_passes(law_, s_, stream_.get());
  }
  static std::int64_t left_at(const Control& control) { return control.remaining.left - control.remaining.passed; }

  /// How many passes a cycle comes to, only the device knows; so it is asked until all are done.
  void take_cycles(const Pass& pass, std::int64_t times) {
    *remaining_.get() = {.left = times, .passed = 0};
    stream_.copy_in(&s_.control->remaining, remaining_.get(), sizeof(Control::Remaining));
    for (std::int64_t left = times; left > 0; left = left_at(Base::seen())) {
      make_room_for_longest();
      const unsigned made = Base::seen().made;
      const auto graphs = std::max<std::int64_t>(1, left / (cycles_of_a_graph * cycle_));
      for (std::int64_t k = 0; k < graphs; ++k) replay(pass);
      Base::look();
      stream_.wait();
      const std::int64_t done = left - left_at(Base::seen());
      tune(static_cast<double>(done) / std::max(1U, Base::seen().made - made), graphs);
    }
  }
  /// A pass that is not done costs a tenth of one that is, and lists that are still good are made for nothing.
  void tune(double passes, std::int64_t graphs) {
    if (graphs < 3) return;
    if (passes > cycle_ - 0.5) cycle_ = std::min(cycle_ + std::max(1, cycle_ / 4), longest_cycle);
    if (passes < cycle_ - 2.5) cycle_ = std::max(static_cast<int>(passes + 1.5), 2);
  }
  struct Recorded {
    Pass pass;
    int cycle;
    unsigned groups;
    friend bool operator==(const Recorded&, const Recorded&) = default;
  };
  void replay(const Pass& pass) {
    const Recorded outputs{pass, cycle_, s_.groups};
    if (!graph_ || recorded_ != outputs) {
      s_.cycle = cycle_;
      graph_ = Graph(stream_, [&] {
        for (int k = 0; k < cycles_of_a_graph; ++k) take_one();
      });
      recorded_ = outputs;
    }
    graph_.launch(stream_);
  }

  /// By what was wanted at the last look, which is soon enough: who is not on a list is found in the cells.
  void make_room_for_longest() {
    if (Base::seen().longest <= 4 * s_.groups || 4 * s_.groups >= most_listed) return;
    stream_.wait();
    s_.groups = std::min((Base::seen().longest * 5 / 4 + 3) / 4, most_listed / 4);
    make_room();
    const int none = 0;
    stream_.copy_in(&s_.control->has_cells, &none, sizeof(none));
    stream_.wait();
  }
  void make_room() {
    const std::size_t room = static_cast<std::size_t>(s_.groups) * s_.n;
    constexpr unsigned most_shared = 32 * 1024;
    const bool shared = shared_for_lists(s_.groups) <= most_shared;
    lists_ = DeviceArray<Four>(stream_.device(), shared ? room : 3 * room);
    s_.list = lists_.get();
    s_.found = shared ? nullptr : reinterpret_cast<std::uint32_t*>(s_.list + room);
  }

  DeviceArray<Four> lists_;
  DeviceArray<Control::Remaining, Place::pinned> remaining_;
  unsigned blocks_ = 0;
  int cycle_ = 10;
  Graph graph_;
  Recorded recorded_{};
};

}  // namespace orrery::sim::cuda
