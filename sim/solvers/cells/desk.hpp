// SPDX-License-Identifier: MIT
// What a thread needs while it is at work on a block of bodies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/mover.hpp"
#include "sim/solvers/cells/room.hpp"

namespace orrery::sim::cells {

/// Room for pairs that grows with what is found.
template <class T>
class Pairs : public simd::PairRoom<T> {
 public:
  using Index = typename simd::PairRoom<T>::Index;

  Pairs() {
    this->grow = [](simd::PairRoom<T>& room, std::size_t pairs) { static_cast<Pairs&>(room).widen(pairs); };
    this->sort = [](Index* begin, Index* end, const std::uint32_t* id) {
      std::sort(begin, end, [id](Index a, Index b) { return id[a] < id[b]; });
    };
    widen(4096);
  }
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;

 private:
  void widen(std::size_t pairs) {
    bodies_.resize(2 * pairs);
    others_.resize(2 * pairs);
    this->i = bodies_.data(), this->j = others_.data(), this->size = bodies_.size();
  }
  std::vector<Index> bodies_, others_;
};

/// Lists of one block, which grow with what is found.
class Lists : public simd::ListRoom {
 public:
  Lists() : ListRoom{} {
    grow = [](ListRoom& room, std::size_t outputs) {
      auto& lists = static_cast<Lists&>(room);
      lists.all_.resize(outputs + outputs / 4);
      lists.entries = lists.all_.data(), lists.size = lists.all_.size();
    };
  }
  Lists(const Lists&) = delete;
  Lists& operator=(const Lists&) = delete;

 private:
  std::vector<std::uint32_t> all_;
};

template <class T>
struct Desk {
  Pairs<T> pairs;
  Room<T> sums[5], response{simd::cell_block};
  std::uint32_t outside[simd::cell_block + simd::cell_padding];
  /// Of this pass: how fast bodies were at each of its parts, and whether somebody was put elsewhere.
  simd::Fastest<T> fastest[Pass::most]{};
  bool jumped = false;

  Desk() {
    for (auto& one : sums) one.widen(simd::cell_block);
  }
};

}  // namespace orrery::sim::cells
