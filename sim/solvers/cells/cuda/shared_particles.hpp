// SPDX-License-Identifier: MIT
// Particles of which each rank has those in some layers of cells, and copies of those in the layers next to them (the
// halo). After each drift ranks give each other the new positions of halos; when they sort by cells, the particles that
// have come into layers of others. After the columns were read or written, each rank has all particles instead, and
// moves all of them alike until the next sort.
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sim/backends/cuda/exchange.hpp"
#include "sim/backends/cuda/solver.hpp"
#include "sim/solvers/cells/cuda/set_up.hpp"
#include "sim/solvers/cells/cuda/shared.cuh"

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
        layers_(layers_of_ranks(bodies_of_layers(system, s_.grid), ranks.size())),
        exchange_(ranks, stream.device(), bytes_of(s_, ranks.size()) / sizeof(double)),
        words_seen_(stream.device(), static_cast<std::size_t>(ranks.size())),
        are_seen_(stream.device()),
        scan_bytes_(bytes_of_scan(s_.grid.count())),
        scan_(stream.device(), scan_bytes_) {
    s_.ranks = ranks.size();
    s_.layers = layers_of(ranks.rank());
    s_.max_reach = (halo_ - 0.01F) / s_.grid.inverse[s_.grid.last_axis];
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
    has_all_ = true;
    s_.n = s_.known = s_.stride;
  }
  [[nodiscard]] bool has_cells() const { return s_.words != nullptr; }
  /// The cells are out of date.
  void drop_cells() { s_.words = nullptr; }

  /// Moves the particles of this rank to their cells in other buffers. `counted`: the last pass has counted them in their
  /// cells; if the GPU has skipped it, it skips the sort, too.
  void begin_sort(const SharedSort& sort, bool counted) {
    if (has_all_ && is_uneven()) divide_layers(sort.from);
    if (!counted) count(sort);
    if (!has_all_) {
      send_words();
      fetch_arrivals(sort);
    }
    Sorting::count_arrivals(s_, sort, stream_.get());
    Sorting::start_cells(s_, halo_, scan_.get(), scan_bytes_, stream_.get());
    send_words();
    look();
    Sorting::place(s_, sort, stream_.get());
  }
  /// Fetches the halo. The GPU moves the particles while the host waits.
  void end_sort(const SharedSort& sort) {
    for (std::size_t axis = 0; axis < 3; ++axis) std::swap(s_.image[axis], s_.image_to[axis]);
    has_all_ = false;
    are_seen_.wait();
    fetch_halo(sort.to);
  }

  /// Gives the new positions of halos, and what the control block says, to the other ranks; and takes theirs.
  void exchange(int position) {
    for (const Given& given : given_) {
      send(given, s_.position[position]);
      if constexpr (V::axes == 2 && sizeof(T) > sizeof(float)) send(given, s_.rounded[position]);
    }
    send_words();
  }
  /// Gives only what the control block says.
  void send_words() {
    Control::Word* const words = words_ + (even_ ? 0 : s_.ranks);
    for (int rank = 0; rank < s_.ranks; ++rank)
      send({rank, 0, 1, static_cast<unsigned>(ranks_.rank())}, &s_.control->word, words);
    swap();
    even_ = !even_;
    s_.words = words;
  }
  /// Queues a copy of the control block, and of the words of all ranks, to the host.
  void look() {
    stream_.copy_out(words_seen_.get(), s_.words, static_cast<std::size_t>(s_.ranks) * sizeof(Control::Word));
    stream_.copy_out(seen_, s_.control, sizeof(Control));
    are_seen_.record(stream_);
  }
  /// Waits for it; returns the number of drifts since the last sort that was carried out.
  int drifts_done() {
    are_seen_.wait();
    return seen_->done;
  }
  /// Whether particles had moved too far for lists at that time.
  [[nodiscard]] bool were_far() const {
    return std::ranges::any_of(words_seen(), [](const Control::Word& word) { return word.far != 0; });
  }

  /// The maximum velocity component of a search at that time.
  [[nodiscard]] float fastest(int slot) const {
    unsigned bits = 0;
    for (const Control::Word& word : words_seen()) bits = std::max(bits, word.fastest[slot]);
    return std::bit_cast<float>(bits);
  }

  /// Gives all ranks all particles.
  void gather(const Places& at, bool accelerations, bool potentials) {
    if (has_all_) return;
    exchange_.barrier(stream_);  // the others do not use their halos any more
    for (int rank = 0; rank < s_.ranks; ++rank) {
      if (rank == ranks_.rank()) continue;
      const Given all{rank, 0, s_.n, own_of(rank) + before_mine(own_, rank)};
      each_array({at, at}, s_.image, [&](const auto* from, const auto* to) { send(all, from, to); });
      if (accelerations) send(all, s_.acceleration);
      if (potentials) send(all, s_.potential), send(all, s_.virial);
    }
    swap();
    hold_all();
  }

 private:
  using Sorting = SharedSorting<T, V>;
  static constexpr std::size_t alignment = 256;
  /// A search reaches over two layers (`max_reach`), lists over one.
  static constexpr int halo_ = V::axes == 2 ? 2 : 1;

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
  [[nodiscard]] Layers layers_of(int rank) const { return layers_[static_cast<std::size_t>(rank)]; }
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
  void each_array(const SharedSort& places, int* const (&images)[3], const Act& act) {
    const auto& [from, to] = places;
    act(s_.position[from.position], s_.position[to.position]);
    act(s_.velocity[from.velocity], s_.velocity[to.velocity]);
    if constexpr (V::axes == 2) act(s_.id[from.velocity], s_.id[to.velocity]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (s_.image[axis] != nullptr) act(images[axis], s_.image[axis]);
    }
  }
  [[nodiscard]] std::span<const Control::Word> words_seen() const {
    return {words_seen_.get(), static_cast<std::size_t>(s_.ranks)};
  }

  /// Whether some rank had a tenth more particles than its part at the last sort.
  [[nodiscard]] bool is_uneven() const {
    return !own_.empty() && 10.0 * std::ranges::max(own_) * s_.ranks > 11.0 * s_.stride;
  }
  /// Divides the layers by the particles that they have now; all ranks have all particles, and find the same.
  void divide_layers(const Places& at) {
    std::vector<std::uint32_t> bodies(static_cast<std::size_t>(s_.grid.layers()));
    stream_.clear(s_.count, bodies.size() * sizeof(bodies.front()));
    Sorting::count_layers(s_, at, stream_.get());
    stream_.copy_out(bodies.data(), s_.count, bodies.size() * sizeof(bodies.front()));
    stream_.wait();
    layers_ = layers_of_ranks(bodies, s_.ranks);
    s_.layers = layers_of(ranks_.rank());
  }

  void count(const SharedSort& sort) {
    const auto layer = static_cast<std::size_t>(s_.grid.cells_of_layer());
    stream_.clear(s_.count + static_cast<std::size_t>(s_.layers.first) * layer,
                  static_cast<std::size_t>(s_.layers.last - s_.layers.first) * layer * sizeof(*s_.count));
    stream_.clear(&s_.control->word.counted, sizeof(Control::Word::Counted));
    Sorting::count(s_, sort, !has_all_, stream_.get());
  }

  /// Lets each rank have the particles that have left the layers of the others, after its own ones.
  void fetch_arrivals(const SharedSort& sort) {
    if (exchange_.is_direct()) {
      Departure departure{.shift = {}, .own = ranks_.rank(), .signals = exchange_.next_signals()};
      for (int rank = 0; rank < s_.ranks; ++rank) departure.shift[rank] = exchange_.bytes_to(rank);
      return Sorting::send_leaving(s_, sort, departure, stream_.get());
    }
    look();
    are_seen_.wait();
    std::vector<unsigned> leaving;
    for (const Control::Word& word : words_seen()) leaving.push_back(word.counted.leaving);
    const unsigned all = std::accumulate(leaving.begin(), leaving.end(), 0U),
                   own = leaving[static_cast<std::size_t>(ranks_.rank())];
    if (all == 0) return;
    Sorting::gather_leaving(s_, sort, own, stream_.get());
    for (int rank = 0; rank < s_.ranks; ++rank) {
      if (rank == ranks_.rank()) continue;
      const Given given{rank, 0, own, own_of(rank) + before_mine(leaving, rank)};
      each_array({sort.to, sort.from}, s_.image_to,
                 [&](const auto* left, const auto* arrived) { send(given, left, arrived); });
    }
    swap();
  }

  /// The layers of a rank that others may need, and where their particles begin and end.
  struct Segment {
    Layers layers;
    unsigned begin, end;
  };
  std::vector<Segment> segments_of(int rank, bool whole) const {
    const Layers layers = layers_of(rank);
    const Control::Word& word = words_seen()[static_cast<std::size_t>(rank)];
    if (layers.first == layers.last) return {};
    if (whole || layers.last - layers.first <= 2 * halo_) return {{layers, 0, word.own}};
    return {{{layers.first, layers.first + halo_}, 0, word.low_end},
            {{layers.last - halo_, layers.last}, word.high_begin, word.own}};
  }
  [[nodiscard]] bool needs(int rank, const Layers& layers, bool whole) const {
    const Layers own = layers_of(rank);
    if (own.first == own.last) return false;
    const auto meets = [&](int shift) {
      return layers.first + shift < own.last + halo_ && layers.last + shift > own.first - halo_;
    };
    const int period = s_.grid.periodic[s_.grid.last_axis] ? s_.grid.layers() : 0;
    return whole || meets(0) || meets(period) || meets(-period);
  }

  /// All ranks know from the numbers of all where halos begin.
  void fetch_halo(const Places& at) {
    own_.clear();
    for (const Control::Word& word : words_seen()) own_.push_back(word.own);
    // A particle outside periodic boundaries is met by all others.
    const bool lost =
        std::ranges::any_of(words_seen(), [](const Control::Word& word) { return word.counted.lost != 0; });
    given_.clear();
    std::vector<Halo> halos;
    for (int rank = 0; rank < s_.ranks; ++rank) {
      unsigned known = own_of(rank);
      for (int from = 0; from < s_.ranks; ++from) {
        if (from == rank) continue;
        for (const Segment& segment : segments_of(from, lost)) {
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
    for (const Halo& halo : halos) Sorting::append_halo(s_, halo, stream_.get());
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
  Event are_seen_;
  std::size_t scan_bytes_;
  DeviceArray<unsigned char> scan_;
  Control::Word* words_ = nullptr;  ///< of all ranks, for even and odd exchanges: another rank may be one ahead
  bool even_ = false, has_all_ = true;
  std::vector<unsigned> own_;  ///< particles of each rank at the last sort
  std::vector<Given> given_;
  std::vector<Parcel> parcels_;
};

}  // namespace orrery::sim::cuda
