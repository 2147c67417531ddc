// SPDX-License-Identifier: MIT
// Particles in a plane that search for their neighbours: a launch a pass, and cells anew every few passes.
#pragma once

#include <bit>

#include "sim/solvers/cells/cuda/on_particles.hpp"

namespace orrery::sim::cuda {

template <class T>
class BySearch final : public OnParticles<T, Flat<T>> {
  using Base = OnParticles<T, Flat<T>>;
  using Base::law_, Base::queue_, Base::s_;

 public:
  BySearch(const System& system, Queue& queue, State& state)
      : Base(system, queue, state, 0, 2.25 * system.forces.front().law->cutoff(system.forces.front().numbers)) {
    for (auto& id : s_.id) id = Base::template room_for<std::uint32_t>(s_.n);
    scan_bytes_ = bytes_of_scan(s_.grid.count());
    scan_ = Base::template room_for<unsigned char>(scan_bytes_);
    for (const auto* axis : {&system.bodies.velocity.x, &system.bodies.velocity.y}) {
      for (const double v : *axis) fastest_ = std::max(fastest_, std::abs(v));
    }
  }
  [[nodiscard]] std::string kernel() const override { return "cells"; }

 private:
  void start(const Pass& pass, std::int64_t times) override {
    Base::tell(pass);
    way_ = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(pass.count); ++k) {
      if (s_.motion.is_drift[k]) way_ += std::abs(pass.parts[k].dt) * 1.0001;
    }
    s_.drifts = way_ > 0;
    const int cycle = passes_of_a_cycle();
    const bool whole = pass.forces && way_ > 0;
    while (times > 0) {
      // Two cycles come back to the buffers that they began with.
      if (whole && times >= 2 * cycle && s_.at.has_cells != 0 && s_.at.moves == 0 && !counted_) {
        replay(pass, cycle);
        times -= 2 * cycle;
      } else {
        take_one(cycle);
        --times;
      }
    }
  }

  /// Few enough that a search does not reach beyond two cells or so, by how fast somebody was when last seen.
  [[nodiscard]] int passes_of_a_cycle() const {
    const unsigned bits = std::max(Base::seen().fastest[0], Base::seen().fastest[1]);
    const double fastest = bits != 0 ? static_cast<double>(std::bit_cast<float>(bits)) : fastest_;
    const double width = 1 / static_cast<double>(std::max(s_.grid.inverse[0], s_.grid.inverse[1]));
    const double most = (2 * width - static_cast<double>(s_.reach)) / (1.5 * way_ * fastest);
    return most >= passes_of_cells ? passes_of_cells : most > 1 ? static_cast<int>(most) : 1;
  }

  void take_one(int cycle) {
    if (s_.forces && s_.at.has_cells == 0) make_cells();
    s_.counts = s_.forces && way_ > 0 && s_.at.moves + 1 >= cycle;
    carry_out_pass(law_, s_, queue_.get());
    if (way_ > 0) {
      s_.at.position = 1 - s_.at.position;
      s_.at.travelled += static_cast<float>(way_);
      ++s_.at.moves;
    }
    counted_ = s_.counts;
    if (s_.counts || (way_ > 0 && s_.at.moves > 4 * passes_of_cells)) make_cells();
  }
  void make_cells() {
    sort_by_cells(s_, counted_, scan_, scan_bytes_, queue_.get());
    s_.at.position = 1 - s_.at.position;
    s_.at.velocity = 1 - s_.at.velocity;
    s_.at.travelled = 0;
    s_.at.moves = 0;
    s_.at.has_cells = 1;
    s_.slot = 1 - s_.slot;
    counted_ = false;
  }

  struct Recorded {
    Pass pass;
    int cycle, position, velocity, slot;
    friend bool operator==(const Recorded&, const Recorded&) = default;
  };
  void replay(const Pass& pass, int cycle) {
    const Recorded wanted{pass, cycle, s_.at.position, s_.at.velocity, s_.slot};
    if (!graph_ || recorded_ != wanted) {
      graph_ = Graph(queue_, [&] {
        for (int k = 0; k < 2 * cycle; ++k) take_one(cycle);
      });
      recorded_ = wanted;
    }
    graph_.launch(queue_);
  }

  double way_ = 0;      ///< of the present pass: Σ |dt| of its drifts
  double fastest_ = 0;  ///< at the start
  bool counted_ = false;
  unsigned char* scan_ = nullptr;
  std::size_t scan_bytes_ = 0;
  Graph graph_;
  Recorded recorded_{};
};

}  // namespace orrery::sim::cuda
