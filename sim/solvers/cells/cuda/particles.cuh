// SPDX-License-Identifier: MIT
// What lies on a device of particles that are kept by cells, and what their kernels are told. Which cells and lists are too old is
// read from numbers on the device, so that nothing waits for the host between two passes.
#pragma once

#include <cstdint>

#include "sim/backends/cuda/kernels.cuh"
#include "sim/mover.hpp"

namespace orrery::sim::cuda {

/// A vector in a plane, and one in space with the number of its body.
template <class T>
struct alignas(2 * sizeof(T)) Flat {
  static constexpr int axes = 2;
  T x, y;
};
template <class T>
struct alignas(16) Solid {
  static constexpr int axes = 3;
  T x, y, z;
  std::uint32_t id;
};

/// Places of four neighbours.
struct alignas(16) Four {
  std::uint32_t x, y, z, w;
};

/// The domain as particles feel it, in their own numbers: low ≤ x < high where there is anything to cross. An open axis ends at
/// infinity and has the period 0.
template <class T>
struct Space {
  T low[3], high[3], period[3], inverse[3];  ///< inverse: of the period, or 0
  double length[3];
  std::size_t boundary[3];
};

/// Cells along three axes, `count` of them; the width of each is 1/inverse. Coordinates outside belong to the last ones.
struct CellGrid {
  float low[3], inverse[3];
  int cells[3];
  bool joined[3], narrow;  ///< narrow: along some joined axis all cells are neighbours
  [[nodiscard]] ORRERY_DEVICE int count() const { return cells[0] * cells[1] * cells[2]; }
};

/// Passes between two makings of cells where they are searched.
inline constexpr int passes_of_cells = 8;

/// Where a search stands, which the host knows without asking.
struct SearchState {
  int position, velocity;  ///< which buffers have positions, velocities and numbers
  int slot;                ///< of Control::fastest
  int moves;               ///< passes since cells were made
  float travelled;         ///< Σ |dt| of drifts since then
  bool has_cells;
  bool counts;  ///< ranks in the cells that the present pass ends in are wanted
};

/// How passes and sorts by cells follow each other in a search: the same for the host that starts them one by one and for a cluster
/// that does all of them.
struct SortSchedule {
  bool forces, drifts;
  float way;  ///< Σ |dt| of the drifts of a pass
  int cycle;  ///< passes between two sorts

  [[nodiscard]] ORRERY_DEVICE bool sorts_before(const SearchState& search) const { return forces && !search.has_cells; }
  ORRERY_DEVICE void begin(SearchState& search) const { search.counts = forces && drifts && search.moves + 1 >= cycle; }
  ORRERY_DEVICE void end(SearchState& search) const {
    if (!drifts) return;
    search.position = 1 - search.position;
    search.travelled += way;
    ++search.moves;
  }
  /// Never without forces: accelerations that a later kick goes by stay with their particles.
  [[nodiscard]] ORRERY_DEVICE static bool sorts_after(const SearchState& search) { return search.counts; }
  ORRERY_DEVICE static void sorted(SearchState& search) {
    search = {1 - search.position, 1 - search.velocity, 1 - search.slot, 0, 0, true, false};
  }
};

/// Passes between two makings of lists, at most.
inline constexpr int longest_cycle = 40;

/// What a device keeps itself. Lists stand by it alone: passes come in cycles, each of which begins with lists, and who comes too far
/// for them turns the rest of a cycle into nothing. Or a pass comes alone and asks whether lists are still good.
struct Control {
  struct Remaining {
    long long left;    ///< passes that cycles shall do,
    long long passed;  ///< and how many of them the present cycle has done
  } remaining;
  int done;       ///< drifts since lists were made: `position_of` says what that means
  int before;     ///< the same before a pass that comes alone
  int has_cells;  ///< 0: to be made before forces
  int far;        ///< somebody has come too far for lists
  int making;     ///< lists are to be made
  int lost;  ///< when lists were made somebody was outside joined ends, where `cross` leaves who crosses them too often
  int stale[longest_cycle + 1];  ///< the same as `far`, or all is done, before each pass of a cycle
  unsigned longest;              ///< list that was ever wanted
  unsigned made;                 ///< how often cells were made
  /// Of a search, bits of a float: no component of a velocity was greater since the sort. They take turns.
  unsigned fastest[2];
};
/// Which buffer has positions and velocities so many drifts after lists were made.
ORRERY_DEVICE constexpr int position_of(int done) {
  return done == 0 ? 0 : 2 - done % 2;
}

/// Kicks in the particles' own numbers, and the drifts that follow them.
template <class T>
struct Motion {
  int kicks, drifts;
  T kick[Pass::most], drift[Pass::most];
};

/// What a pass of Flat reads and writes.
template <class T>
struct Buffers {
  const Flat<T>* from;
  Flat<T>*to, *velocity;
  const std::uint32_t* id;
  const Flat<float>* rounded;
  Flat<float>* rounded_to;  ///< of doubles
  unsigned *fastest, *fastest_next;
};

/// Everything that a launch is told. `V` is Flat where cells are searched for neighbours, Solid where lists are kept.
template <class T, class V>
struct Particles {
  unsigned n;
  V *position[3], *velocity[3], *acceleration;  ///< [n]; of Flat there are two
  std::uint32_t* id[2];                         ///< [n], of Flat
  Flat<float>* rounded[2];                      ///< [n], of Flat: positions to search by
  std::uint32_t *count, *start, *rank, *part;   ///< [cells], [cells + 1], [n], [blocks]
  Solid<float>* near;                           ///< [n], positions that lists are made of
  std::uint32_t* found;    ///< [2][4·groups][n], while lists are made; null: shared memory has room
  Four* list;              ///< [groups][n], neighbours in ascending number
  std::uint16_t* length;   ///< [n]; too_long where a list has no room
  unsigned groups;         ///< for which lists have room
  int* image[3];           ///< [n] by number; null where an axis is not joined
  const double* response;  ///< [n] by number; null where it is the same for all
  T same_response;
  Control* control;
  Space<T> space;
  CellGrid grid;
  LawNumbers numbers;
  T cutoff2;
  float reach;    ///< the cutoff with what rounding to floats may hide, or that with the skin
  T most_moved2;  ///< the square of half of the skin
  T margin;       ///< a little more than the cutoff
  int cycle;      ///< passes between two makings of lists; 0: one pass that comes alone

  SearchState search;     ///< of Flat
  SortSchedule schedule;  ///< likewise
  Buffers<T> now;         ///< and of a launch that is one pass: those of `search`

  bool forces, keep;
  Motion<T> motion;
  long long times;
};
inline constexpr std::uint16_t too_long = 0xffff;
/// Neighbours for which room is made in lists.
inline constexpr unsigned most_listed = 2000;

/// Threads of a block, and blocks that a multiprocessor shall hold: that search, go by lists, make lists.
inline constexpr unsigned cell_block = 128, search_blocks_at_once = 12, list_blocks_at_once = 4,
                          making_blocks_at_once = 8;
/// Threads that make a list together.
inline constexpr unsigned list_lanes = 4;
/// Blocks of a cluster that does everything, their threads, and for how many particles that is the fastest way.
inline constexpr unsigned cluster_blocks = 8, cluster_block = 128, most_in_a_cluster = 1024;
/// Bytes of shared memory that a block makes lists of so many groups in.
constexpr unsigned shared_for_lists(unsigned groups) {
  return 2 * 4 * groups * (cell_block / list_lanes) * 4;
}
template <class T>
ORRERY_DEVICE inline Buffers<T> buffers_of(const Particles<T, Flat<T>>& s, const SearchState& search) {
  const int to = s.schedule.drifts ? 1 - search.position : search.position;
  return {s.position[search.position],      s.position[to],
          s.velocity[search.velocity],      s.id[search.velocity],
          s.rounded[search.position],       s.rounded[to],
          &s.control->fastest[search.slot], &s.control->fastest[1 - search.slot]};
}

/// Launches, where `law` is an index among those with a cutoff. A pass that searches:
template <class T>
void carry_out_pass(std::size_t law, const Particles<T, Flat<T>>& particles, StreamHandle stream);
/// particles.times of them, with what sorts they need, by one cluster.
template <class T>
void carry_out_in_a_cluster(std::size_t law, const Particles<T, Flat<T>>& particles, StreamHandle stream);
/// Flat particles in the order of their cells, in the other buffers.
std::size_t bytes_of_scan(int cells);
template <class T>
void sort_by_cells(const Particles<T, Flat<T>>& particles, unsigned char* scratch, std::size_t bytes,
                   StreamHandle stream);
/// Cells and lists, if they are wanted; and the passes of a cycle, or one that comes alone.
template <class T>
unsigned blocks_of_cells(const Particles<T, Solid<T>>& particles, StreamHandle stream);
template <class T>
void make_lists(const Particles<T, Solid<T>>& particles, unsigned blocks, StreamHandle stream);
template <class T>
void carry_out_passes(std::size_t law, const Particles<T, Solid<T>>& particles, StreamHandle stream);
/// Potentials and virials of the present positions, by number, where cells or lists are good.
template <class T, class V>
void sum_potentials(std::size_t law, const Particles<T, V>& particles, double* potential, double* virial,
                    StreamHandle stream);

/// The columns of the state, [3][stride] by number.
struct ColumnsOfState {
  double *position, *velocity, *acceleration, *image;
  std::size_t stride;
};
/// Particles from columns, and back; accelerations too where the particles kept them.
template <class T, class V>
void take_columns(const Particles<T, V>& particles, const ColumnsOfState& columns, StreamHandle stream);
template <class T, class V>
void give_columns(const Particles<T, V>& particles, const ColumnsOfState& columns, bool accelerations,
                  StreamHandle stream);

/// Each body and all others in columns, in float64.
struct AllPairs {
  const double *position, *response;
  std::size_t n, stride;
  double period[3], cutoff2;
  LawNumbers numbers;
  double *acceleration, *potential, *virial;  ///< potential, virial: null where they are not wanted
};
void sum_all_pairs(std::size_t law, const AllPairs& pairs, StreamHandle stream);

}  // namespace orrery::sim::cuda
