// SPDX-License-Identifier: MIT
// Particles in a plane that search for their neighbours: one launch per pass, and a sort by cells every few passes.
#pragma once

#include <bit>
#include <span>

#include "sim/solvers/cells/cuda/particle_solver.hpp"

namespace orrery::sim::cuda {

template <class T>
class BySearch final : public ParticleSolver<T, Flat<T>> {
  using Base = ParticleSolver<T, Flat<T>>;
  using Base::law_, Base::stream_, Base::s_, Base::shared_;

 public:
  BySearch(const System& system, Ranks* ranks, Stream& stream, State& state)
      : Base(system, ranks, stream, state, 0,
             2.25 * system.forces.front().law->cutoff(system.forces.front().parameters)) {
    for (auto& id : s_.id) id = Base::template room_for_all<std::uint32_t>(s_.n);
    for (std::size_t k = 0; k < 2; ++k) {
      if constexpr (std::is_same_v<T, float>) {
        s_.rounded[k] = s_.position[k];
      } else {
        s_.rounded[k] = Base::template room_for_all<Flat<float>>(s_.n);
      }
    }
    scan_bytes_ = bytes_of_scan(s_.grid.count());
    scan_ = Base::template room_for<unsigned char>(scan_bytes_);
    for (const auto* axis : {&system.bodies.velocity.x, &system.bodies.velocity.y}) {
      for (const double v : *axis) fastest_ = std::max(fastest_, std::abs(v));
    }
  }
  [[nodiscard]] std::string kernel() const override { return "cells"; }

 private:
  void start(const Pass& pass, std::int64_t times) override {
    Base::set_pass(pass);
    double way = 0;
    for (const Operation& move : std::span(pass.moves).first(static_cast<std::size_t>(pass.count))) {
      if (move.is_drift()) way += std::abs(move.dt) * 1.0001;
    }
    const int cycle = shared_ ? shared_cycle_ : passes_of_a_cycle(way);
    s_.schedule = {.forces = pass.forces, .drifts = pass.drifts(), .way = static_cast<float>(way), .cycle = cycle};
    if (shared_) return Base::start_shared(pass, times);
    if (is_in_a_cluster()) return take_in_a_cluster(times);
    const bool whole = pass.forces && way > 0;
    const std::int64_t replayed = 2 * std::int64_t{cycle};  // two cycles end with the buffers with which they began
    while (times > 0) {
      if (whole && times >= replayed && s_.search.has_cells && s_.search.moves == 0) {
        replay(pass, cycle);
        times -= replayed;
      } else {
        take_one();
        --times;
      }
    }
  }

  [[nodiscard]] bool is_in_a_cluster() const { return s_.n <= max_in_a_cluster && stream_.get().overlaps; }

  /// Limits a cycle so that searches reach at most about two cells, by the maximum speed at the last readback.
  [[nodiscard]] int passes_of_a_cycle(double way) const {
    const unsigned bits = std::max(Base::control().word.fastest[0], Base::control().word.fastest[1]);
    const double fastest = bits != 0 ? static_cast<double>(std::bit_cast<float>(bits)) : fastest_;
    const double width = 1 / static_cast<double>(std::max(s_.grid.inverse[0], s_.grid.inverse[1]));
    const double most = (2 * width - static_cast<double>(s_.reach)) / (1.5 * way * fastest);
    const int passes = is_in_a_cluster() ? 2 * passes_of_cells : passes_of_cells;
    return most >= passes ? passes : most > 1 ? static_cast<int>(most) : 1;
  }

  void take_one() {
    if (s_.schedule.sorts_before(s_.search)) sort();
    s_.schedule.begin(s_.search);
    s_.now = buffers_of(s_, s_.search);
    carry_out_pass(law_, s_, stream_.get());
    s_.schedule.end(s_.search);
    if (SortSchedule::sorts_after(s_.search)) sort();
  }
  void sort() {
    sort_by_cells(s_, scan_, scan_bytes_, stream_.get());
    SortSchedule::sorted(s_.search);
  }
  void take_in_a_cluster(std::int64_t times) {
    s_.times = times;
    carry_out_in_a_cluster(law_, s_, stream_.get());
    for (; times > 0; --times) {  // mirrors the cluster's schedule
      if (s_.schedule.sorts_before(s_.search)) SortSchedule::sorted(s_.search);
      s_.schedule.begin(s_.search);
      s_.schedule.end(s_.search);
      if (SortSchedule::sorts_after(s_.search)) SortSchedule::sorted(s_.search);
    }
  }

  [[nodiscard]] std::int64_t passes_at_once() const override { return std::max(1, shared_cycle_ - s_.search.moves); }
  [[nodiscard]] Places places() const override { return {s_.search.position, s_.search.velocity}; }
  [[nodiscard]] Places sorted_places() const override { return {1 - s_.search.position, 1 - s_.search.velocity}; }
  void sorted() override { SortSchedule::sorted(s_.search); }
  void start_one() override {
    s_.schedule.cycle = shared_cycle_;
    s_.schedule.begin(s_.search);
    s_.search.counts = s_.search.counts && !s_.keep;  // kept accelerations stay with their particles
    s_.now = buffers_of(s_, s_.search);
    carry_out_pass(law_, s_, stream_.get());
  }
  void drifted() override { s_.schedule.end(s_.search); }
  /// Cycles become as long as they were without particles that move too far.
  [[nodiscard]] bool is_to_sort(bool all_done) override {
    const bool ends =
        s_.search.moves >= shared_cycle_ || is_beyond_halo(s_, s_.search, shared_->fastest(s_.search.slot));
    if (ends) shared_cycle_ = std::clamp(s_.search.moves + (all_done ? 1 : 0), 1, passes_of_cells);
    return ends;
  }

  struct Recorded {
    Pass pass;
    int cycle, position, velocity, slot;
    friend bool operator==(const Recorded&, const Recorded&) = default;
  };
  void replay(const Pass& pass, int cycle) {
    const Recorded key{pass, cycle, s_.search.position, s_.search.velocity, s_.search.slot};
    if (!graph_ || recorded_ != key) {
      graph_ = Graph(stream_, [&] {
        for (int k = 0; k < 2 * cycle; ++k) take_one();
      });
      recorded_ = key;
    }
    graph_.launch(stream_);
  }

  double fastest_ = 0;  ///< initial maximum speed
  int shared_cycle_ = passes_of_cells;
  unsigned char* scan_ = nullptr;
  std::size_t scan_bytes_ = 0;
  Graph graph_;
  Recorded recorded_{};
};

}  // namespace orrery::sim::cuda
