// SPDX-License-Identifier: MIT
// Particles of which each rank has those in some layers of cells, and copies of those in the layers next to them (the
// halo). After each drift ranks give each other the new positions of halos; when they sort by cells, the particles that
// have come into layers of others. After the columns were read or written, each rank has all particles instead, and
// moves all of them alike until the next sort.
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/backends/cuda/exchange.hpp"
#include "sim/backends/cuda/solver.hpp"
#include "sim/solvers/cells/cuda/particles.cuh"
#include "sim/solvers/cells/cuda/set_up.hpp"

namespace orrery::sim::cuda {

template <class T, class V>
class SharedParticles {
 public:
  /// The numbers of the particles and their grid are known.
  SharedParticles(Ranks& ranks, const System& system, Stream& stream, Particles<T, V>& particles, Control* control)
      : ranks_(ranks),
        stream_(stream),
        s_(particles),
        seen_(control),
        layers_(layers_of_ranks(system, s_.grid, ranks.size())),
        exchange_(ranks, stream.device(), bytes_of(s_, ranks.size()) / sizeof(double)),
        words_seen_(stream.device(), static_cast<std::size_t>(ranks.size())),
        scan_bytes_(bytes_of_scan(s_.grid.count())),
        scan_(stream.device(), scan_bytes_) {
    s_.ranks = ranks.size();
    s_.most_reach = (halo_ - 0.01F) / s_.grid.inverse[s_.grid.last_axis];
    s_.potential = room_for<double>(s_.stride);
    s_.virial = room_for<double>(s_.stride);
    words_ = room_for<Control::Word>(2 * static_cast<std::size_t>(s_.ranks));
  }

  /// Memory that other ranks write to. All ranks ask for the same in the same order.
  template <class Number>
  Number* room_for(std::size_t n) {
    auto* const at = reinterpret_cast<std::byte*>(exchange_.buffer()) + used_;
    used_ += (n * sizeof(Number) + alignment - 1) / alignment * alignment;
    return reinterpret_cast<Number*>(at);
  }

  /// This rank has all particles, in the order of the system.
  void hold_all() {
    drop_cells();
    is_counted_ = false;
    has_all_ = true;
    s_.n = s_.known = s_.stride;
  }
  [[nodiscard]] bool has_cells() const { return s_.words != nullptr; }
  /// The cells are out of date.
  void drop_cells() { s_.words = nullptr; }

  /// Counts the particles of this rank in their cells, the first part of a sort.
  void count(const Places& from, const Places& to) {
    const SharedSort sort{from, to, mine(), halo_};
    stream_.clear(s_.count, static_cast<std::size_t>(sort.layers.last - sort.layers.first) *
                                static_cast<std::size_t>(s_.grid.cells_of_layer()) * sizeof(*s_.count));
    stream_.clear(&s_.control->sorted, sizeof(Control::Sorted));
    stream_.clear(&s_.control->lost, sizeof(int));
    count_shared(s_, sort, 0, s_.n, !has_all_, stream_.get());
    is_counted_ = true;
  }
  /// Particles have changed since they were counted, or were not counted.
  void forget_counts() { is_counted_ = false; }

  /// Moves the particles of this rank to their cells in other buffers, and fetches its halo. If they were counted, the
  /// control block was read since then. Waits.
  void sort(const Places& from, const Places& to) {
    const SharedSort sort{from, to, mine(), halo_};
    if (!is_counted_) {
      count(from, to);
      if (!has_all_) read_control();
    }
    is_counted_ = false;
    const unsigned arrived = has_all_ ? 0 : fetch_arrivals(from, to), last = s_.n + arrived;
    count_shared(s_, sort, s_.n, last, false, stream_.get());
    place_shared(s_, sort, last, scan_.get(), scan_bytes_, stream_.get());
    for (std::size_t axis = 0; axis < 3; ++axis) std::swap(s_.image[axis], s_.image_to[axis]);
    has_all_ = false;
    fetch_halo(to);
  }

  /// Gives the new positions of halos, and what the control block says, to the other ranks; and takes theirs.
  void exchange(int position) {
    for (const Given& given : given_) {
      send(given, s_.position[position]);
      if constexpr (V::axes == 2 && sizeof(T) > sizeof(float)) send(given, s_.rounded[position]);
    }
    Control::Word* const words = words_ + (even_ ? 0 : s_.ranks);
    for (int rank = 0; rank < s_.ranks; ++rank)
      send({rank, 0, 1, static_cast<unsigned>(ranks_.rank())}, &s_.control->word, words);
    swap();
    even_ = !even_;
    s_.words = words;
  }
  /// Waits; returns the number of drifts since the sort that were carried out.
  int drifts_done() {
    stream_.copy_out(words_seen_.get(), s_.words, static_cast<std::size_t>(s_.ranks) * sizeof(Control::Word));
    read_control();
    return seen_->done;
  }
  /// Whether particles had moved too far for lists at that time.
  [[nodiscard]] bool were_far() const {
    return std::any_of(words_seen_.get(), words_seen_.get() + s_.ranks,
                       [](const Control::Word& word) { return word.far != 0; });
  }

  /// The maximum velocity component of a search at that time.
  [[nodiscard]] float fastest(int slot) const {
    unsigned bits = 0;
    for (int rank = 0; rank < s_.ranks; ++rank) bits = std::max(bits, words_seen_.get()[rank].fastest[slot]);
    return std::bit_cast<float>(bits);
  }

  /// Gives all ranks all particles.
  void gather(const Places& at, bool accelerations, bool potentials) {
    if (has_all_) return;
    exchange_.barrier(stream_);  // the others do not use their halos any more
    for (int rank = 0; rank < s_.ranks; ++rank) {
      if (rank == ranks_.rank()) continue;
      const Given all{rank, 0, s_.n, own_of(rank) + before_mine(own_, rank)};
      each_array(at, at, s_.image, [&](const auto* from, const auto* to) { send(all, from, to); });
      if (accelerations) send(all, s_.acceleration);
      if (potentials) send(all, s_.potential), send(all, s_.virial);
    }
    swap();
    hold_all();
  }

 private:
  static constexpr std::size_t alignment = 256;
  /// A search reaches over two layers (`most_reach`), lists over one.
  static constexpr int halo_ = V::axes == 2 ? 2 : 1;

  /// What ranks tell each other by their hosts.
  struct Told {
    unsigned own, leaving, low_end, high_begin;
    int lost;
  };
  /// Particles from `begin` on, which another rank has from `to` on.
  struct Given {
    int rank;
    unsigned begin, count, to;
  };

  static std::size_t bytes_of(const Particles<T, V>& s, int ranks) {
    const std::size_t n = s.stride, vectors = V::axes == 3 ? 7 : 5;
    const std::size_t numbers = V::axes == 3 ? 6 * sizeof(int) : 2 * (sizeof(std::uint32_t) + sizeof(Flat<float>));
    return n * (vectors * sizeof(V) + numbers + 2 * sizeof(double)) +
           static_cast<std::size_t>(s.grid.count() + 1) * sizeof(std::uint32_t) +
           2 * static_cast<std::size_t>(ranks) * sizeof(Control::Word) + 32 * alignment;
  }
  [[nodiscard]] Layers mine() const { return layers_[static_cast<std::size_t>(ranks_.rank())]; }
  [[nodiscard]] unsigned own_of(int rank) const { return own_[static_cast<std::size_t>(rank)]; }
  /// Sum over the ranks before this one, without `but`.
  [[nodiscard]] unsigned before_mine(const std::vector<unsigned>& counts, int but) const {
    const auto mine = static_cast<std::size_t>(ranks_.rank()), other = static_cast<std::size_t>(but);
    return std::accumulate(counts.begin(), counts.begin() + ranks_.rank(), 0U) - (other < mine ? counts[other] : 0U);
  }

  template <class Number>
  void send(const Given& given, const Number* from, const Number* to) {
    const auto place =
        reinterpret_cast<const std::byte*>(to + given.to) - reinterpret_cast<const std::byte*>(exchange_.buffer());
    parcels_.push_back({given.rank, from + given.begin, static_cast<std::size_t>(place), given.count * sizeof(Number)});
  }
  template <class Number>
  void send(const Given& given, const Number* array) {
    send(given, array, array);
  }
  void swap() {
    exchange_.swap(parcels_, stream_);
    parcels_.clear();
  }
  /// Calls act(from, to) for the arrays that move with the particles.
  template <class Act>
  void each_array(const Places& from, const Places& to, int* const (&images)[3], const Act& act) {
    act(s_.position[from.position], s_.position[to.position]);
    act(s_.velocity[from.velocity], s_.velocity[to.velocity]);
    if constexpr (V::axes == 2) act(s_.id[from.velocity], s_.id[to.velocity]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (s_.image[axis] != nullptr) act(images[axis], s_.image[axis]);
    }
  }
  void read_control() {
    stream_.copy_out(seen_, s_.control, sizeof(Control));
    stream_.wait();
  }
  /// What the control block said when it was read.
  std::vector<Told> tell_all() {
    const Control::Sorted& sorted = seen_->sorted;
    const Told told{sorted.own, sorted.leaving, sorted.low_end, sorted.high_begin, seen_->lost};
    std::vector<Told> all(static_cast<std::size_t>(s_.ranks), told);
    for (int rank = 0; rank < s_.ranks; ++rank) {
      if (rank != ranks_.rank()) ranks_.send(rank, &told, 1);
    }
    for (int rank = 0; rank < s_.ranks; ++rank) {
      if (rank != ranks_.rank()) ranks_.receive(rank, &all[static_cast<std::size_t>(rank)], 1);
    }
    return all;
  }

  /// Lets each rank have the particles that have left the layers of the others, after its own ones; returns how many.
  unsigned fetch_arrivals(const Places& from, const Places& to) {
    std::vector<unsigned> leaving;
    for (const Told& told : tell_all()) leaving.push_back(told.leaving);
    const unsigned all = std::accumulate(leaving.begin(), leaving.end(), 0U),
                   own = leaving[static_cast<std::size_t>(ranks_.rank())];
    if (all == 0) return 0;
    for (int rank = 0; rank < s_.ranks; ++rank) {
      if (rank == ranks_.rank()) continue;
      const Given given{rank, 0, own, own_of(rank) + before_mine(leaving, rank)};
      each_array(to, from, s_.image_to, [&](const auto* left, const auto* arrived) { send(given, left, arrived); });
    }
    swap();
    return all - own;
  }

  /// The layers of a rank that others may need, and where their particles begin and end.
  struct Segment {
    Layers layers;
    unsigned begin, end;
  };
  std::vector<Segment> segments_of(int rank, const Told& told, bool whole) const {
    const Layers layers = layers_[static_cast<std::size_t>(rank)];
    if (layers.first == layers.last) return {};
    if (whole || layers.last - layers.first <= 2 * halo_) return {{layers, 0, told.own}};
    return {{{layers.first, layers.first + halo_}, 0, told.low_end},
            {{layers.last - halo_, layers.last}, told.high_begin, told.own}};
  }
  [[nodiscard]] bool needs(int rank, const Layers& layers, bool whole) const {
    const Layers own = layers_[static_cast<std::size_t>(rank)];
    if (own.first == own.last) return false;
    const auto meets = [&](int shift) {
      return layers.first + shift < own.last + halo_ && layers.last + shift > own.first - halo_;
    };
    const int period = s_.grid.joined[s_.grid.last_axis] ? s_.grid.layers() : 0;
    return whole || meets(0) || meets(period) || meets(-period);
  }

  /// All ranks know from the numbers of all where halos begin.
  void fetch_halo(const Places& at) {
    read_control();
    const std::vector<Told> told = tell_all();
    own_.clear();
    for (const Told& one : told) own_.push_back(one.own);
    // A particle outside joined ends is met by all others.
    const bool lost = std::ranges::any_of(told, [](const Told& one) { return one.lost != 0; });
    given_.clear();
    std::vector<Halo> halos;
    for (int rank = 0; rank < s_.ranks; ++rank) {
      unsigned known = own_of(rank);
      for (int from = 0; from < s_.ranks; ++from) {
        if (from == rank) continue;
        for (const Segment& segment : segments_of(from, told[static_cast<std::size_t>(from)], lost)) {
          if (!needs(rank, segment.layers, lost)) continue;
          const unsigned count = segment.end - segment.begin;
          if (rank == ranks_.rank()) halos.push_back({segment.layers, known, count, known - segment.begin});
          if (from == ranks_.rank()) give({rank, segment.begin, count, known}, segment.layers, at);
          known += count;
        }
      }
      if (rank == ranks_.rank()) s_.n = own_of(rank), s_.known = known;
    }
    exchange(at.position);
    for (const Halo& halo : halos) adopt_halo(s_, halo, stream_.get());
    static constexpr int yes = 1;
    if (lost) stream_.copy_in(&s_.control->lost, &yes, sizeof yes);
  }
  void give(const Given& given, const Layers& layers, const Places& at) {
    given_.push_back(given);
    if constexpr (V::axes == 2) send(given, s_.id[at.velocity]);
    const auto layer = static_cast<unsigned>(s_.grid.cells_of_layer()),
               first = static_cast<unsigned>(layers.first) * layer, last = static_cast<unsigned>(layers.last) * layer;
    send({given.rank, first, last - first, first}, s_.start);
  }

  Ranks& ranks_;
  Stream& stream_;
  Particles<T, V>& s_;
  Control* seen_;
  std::vector<Layers> layers_;  ///< of each rank
  Exchange exchange_;
  std::size_t used_ = 0;  ///< bytes of its buffer
  DeviceArray<Control::Word, Place::pinned> words_seen_;
  std::size_t scan_bytes_;
  DeviceArray<unsigned char> scan_;
  Control::Word* words_ = nullptr;  ///< of all ranks, for even and odd exchanges: another rank may be one ahead
  bool even_ = false, has_all_ = true, is_counted_ = false;
  std::vector<unsigned> own_;  ///< particles of each rank at the last sort
  std::vector<Given> given_;
  std::vector<Parcel> parcels_;
};

}  // namespace orrery::sim::cuda
