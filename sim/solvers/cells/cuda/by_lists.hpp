// SPDX-License-Identifier: MIT
// Particles with neighbour lists: cycles of passes, each beginning with new lists and ending when they are invalid.
#pragma once

#include "sim/solvers/cells/cuda/particle_solver.hpp"

namespace orrery::sim::cuda {

/// Returns the skin of lists: a smaller one means more frequent rebuilds, a larger one longer lists.
inline double skin_of(const System& system) {
  const double cutoff = system.forces.front().law->cutoff(system.forces.front().parameters);
  const double spacing = cutoff / std::cbrt(std::max(1.0, neighbours_within(system, cutoff) / 4.2));
  return 0.48 * std::min(cutoff, 1.2 * spacing);
}

template <class T>
class ByLists final : public ParticleSolver<T, Solid<T>> {
  using Base = ParticleSolver<T, Solid<T>>;
  using Base::law_, Base::stream_, Base::s_, Base::shared_;

 public:
  ByLists(const System& system, Ranks* ranks, Stream& stream, State& state)
      : Base(system, ranks, stream, state, skin_of(system), 0) {
    const double skin = skin_of(system);
    s_.max_moved2 = static_cast<T>(skin * skin / 4 * (1 - 1e-3));
    const PairForce& force = system.forces.front();
    s_.margin = static_cast<T>(force.law->cutoff(force.parameters) * 1.001);
    const double expected = 1.6 * neighbours_within(system, static_cast<double>(s_.reach)) + 12;
    s_.groups = static_cast<unsigned>(std::min(expected, 400.0) + 3) / 4;
    s_.near = Base::template room_for<Solid<float>>(s_.n);
    s_.length = Base::template room_for<std::uint16_t>(s_.n);
    add_requirements();
    blocks_ = blocks_of_cells(s_, stream.get());
    s_.part = Base::template room_for<std::uint32_t>(blocks_);
    remaining_ = DeviceArray<Control::Remaining, Place::pinned>(stream.device(), 1);
  }
  [[nodiscard]] std::string kernel() const override { return "lists"; }

 private:
  static constexpr int cycles_of_a_graph = 2;

  void start(const Pass& pass, std::int64_t times) override {
    Base::set_pass(pass);
    if (shared_) return Base::start_shared(pass, times);
    if (pass.forces && pass.drifts() && times > 1) return take_cycles(pass, times);
    make_room_for_longest();
    s_.cycle = 0;
    for (; times > 0; --times) take_one();
  }
  void take_one() {
    make_lists(s_, blocks_, stream_.get());
    carry_out_passes(law_, s_, stream_.get());
  }
  /// As many as lists were valid for the last time, then a few.
  [[nodiscard]] std::int64_t passes_at_once() const override { return std::max(valid_passes_ - s_.search.moves, 2); }
  [[nodiscard]] Places places() const override {
    const int at = position_of(s_.search.moves);
    return {at, at};
  }
  [[nodiscard]] Places sorted_places() const override { return {0, 0}; }
  void sorted() override {
    s_.search.moves = 0;
    make_room_for_longest();
    list_neighbours(s_, stream_.get());
  }
  void start_one() override { carry_out_passes(law_, s_, stream_.get()); }
  void drifted() override { ++s_.search.moves; }
  [[nodiscard]] bool is_to_sort(bool) override {
    const bool far = shared_->were_far();
    if (far) valid_passes_ = s_.search.moves;
    return far;
  }

  static std::int64_t left_at(const Control& control) { return control.remaining.left - control.remaining.passed; }

  /// Only the device knows how many passes a cycle has done, so the host reads it back until all are done.
  void take_cycles(const Pass& pass, std::int64_t times) {
    *remaining_.get() = {.left = times, .passed = 0};
    stream_.copy_in(&s_.control->remaining, remaining_.get(), sizeof(Control::Remaining));
    for (std::int64_t left = times; left > 0; left = left_at(Base::control())) {
      make_room_for_longest();
      const unsigned made = Base::control().made;
      const auto graphs = std::max<std::int64_t>(1, left / (cycles_of_a_graph * std::int64_t{cycle_}));
      for (std::int64_t k = 0; k < graphs; ++k) replay(pass);
      Base::read_control();
      stream_.wait();
      const std::int64_t done = left - left_at(Base::control());
      tune(static_cast<double>(done) / std::max(1U, Base::control().made - made), graphs);
    }
  }
  /// Adapts the length of cycles: a skipped pass costs a tenth of a full one, and rebuilding valid lists is wasted.
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
    const Recorded key{pass, cycle_, s_.groups};
    if (!graph_ || recorded_ != key) {
      s_.cycle = cycle_;
      graph_ = Graph(stream_, [&] {
        for (int k = 0; k < cycles_of_a_graph; ++k) take_one();
      });
      recorded_ = key;
    }
    graph_.launch(stream_);
  }

  /// Grows lists to the length needed at the last readback. Until then particles with longer lists search the cells.
  void make_room_for_longest() {
    const unsigned longest = Base::control().longest;
    if (longest <= 4 * s_.groups || 4 * s_.groups >= max_listed) return;
    stream_.wait();
    s_.groups = std::min((longest * 5 / 4 + 3) / 4, max_listed / 4);
    add_requirements();
    const int none = 0;
    stream_.copy_in(&s_.control->has_cells, &none, sizeof(none));
    stream_.wait();
  }
  void add_requirements() {
    const std::size_t room = static_cast<std::size_t>(s_.groups) * s_.stride;
    constexpr unsigned max_shared = 32 * 1024;
    const bool shared = shared_for_lists(s_.groups) <= max_shared;
    lists_ = DeviceArray<Four>(stream_.device(), shared ? room : 3 * room);
    s_.list = lists_.get();
    s_.found = shared ? nullptr : reinterpret_cast<std::uint32_t*>(s_.list + room);
  }

  DeviceArray<Four> lists_;
  DeviceArray<Control::Remaining, Place::pinned> remaining_;
  unsigned blocks_ = 0;
  int valid_passes_ = 0;
  int cycle_ = 10;
  Graph graph_;
  Recorded recorded_{};
};

}  // namespace orrery::sim::cuda
