// SPDX-License-Identifier: MIT
// Particles of the cells solver on a device, and the launches of their kernels. Whether cells and lists are out of date
// is decided on the device, so that no pass waits for the host.
#pragma once

#include <cstdint>

#include "sim/backends/cuda/kernels.cuh"
#include "sim/resident.hpp"

namespace orrery::sim::cuda {

/// A vector in a plane, and one in space with the id of its particle.
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

/// Slots of four neighbours.
struct alignas(16) Four {
  std::uint32_t x, y, z, w;
};

/// The domain in the type of coordinates: low ≤ x < high. An open axis has infinite bounds and the period 0.
template <class T>
struct Space {
  T low[3], high[3], period[3], inverse[3];  ///< inverse: 1/period, or 0
  double length[3];
  std::size_t boundary[3];
};

/// Cells along three axes, of width 1/inverse. Coordinates outside belong to the outermost cells. A layer of cells, of
/// which a rank has some, has the same place along the last axis, and ends with one cell that is always empty: the
/// starts of a layer include its end.
struct CellGrid {
  float low[3], inverse[3];
  int cells[3], row, plane;  ///< row, plane: from one cell to the next along the second and third axis
  bool periodic[3], narrow;  ///< narrow: all cells of some periodic axis are neighbours
  int last_axis;
  [[nodiscard]] ORRERY_DEVICE int count() const { return plane * cells[2]; }
  [[nodiscard]] ORRERY_DEVICE int layers() const { return cells[last_axis]; }
  [[nodiscard]] ORRERY_DEVICE int cells_of_layer() const { return last_axis == 2 ? plane : row; }
};
/// Layers [first, last) of cells.
struct Layers {
  int first, last;
};

/// Passes between two sorts by cells of a search.
inline constexpr int passes_of_cells = 8;

/// The state of a search, which the host tracks without readback.
struct SearchState {
  int position, velocity;  ///< index of the buffers of positions; of velocities and ids
  int slot;                ///< index of Control::fastest
  int moves;               ///< passes since the last sort
  float travelled;         ///< Σ |dt| of drifts since then
  bool has_cells;
  bool counts;  ///< the present pass computes ranks in the cells of its final positions
};

/// The order of passes and sorts of a search, for the host, which launches them one by one, and for a cluster.
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
  /// Never after a pass without forces: accelerations kept for a later kick must stay with their particles.
  [[nodiscard]] ORRERY_DEVICE static bool sorts_after(const SearchState& search) { return search.counts; }
  ORRERY_DEVICE static void sorted(SearchState& search) {
    search = {1 - search.position, 1 - search.velocity, 1 - search.slot, 0, 0, true, false};
  }
};

/// Maximum passes between two rebuilds of lists.
inline constexpr int longest_cycle = 40;

/// State that the device updates itself. Passes come in cycles, each of which begins by building lists; when a particle
/// has moved too far for the lists, the remaining passes of the cycle do nothing. A single pass checks whether lists
/// are still valid.
struct Control {
  struct Remaining {
    long long left;    ///< passes that cycles have to do
    long long passed;  ///< passes done by the present cycle
  } remaining;
  int done;          ///< drifts since lists were built, see `position_of`
  int before;        ///< the same before a single pass
  int has_cells;     ///< 0: build them before the next forces
  int making;        ///< lists are to be built
  unsigned arrived;  ///< particles from other ranks during a sort that they share
  int lost;  ///< when lists were built, a particle was outside periodic boundaries, after crossing them too often for `cross`
  int stale[longest_cycle + 1];  ///< before each pass of a cycle: `far`, or all passes are done
  unsigned longest;              ///< maximum length of a list so far
  unsigned made;                 ///< number of builds
  /// What the other ranks are told after each drift and during a sort that they share.
  struct Word {
    /// Of a search, as bits of a float: the maximum velocity component since the sort. Alternating.
    unsigned fastest[2];
    int far;  ///< a particle has moved too far for the lists
    struct Counted {
      unsigned leaving;  ///< particles whose cells other ranks have
      int lost;          ///< as Control::lost, of this rank
    } counted;
    unsigned own;                  ///< particles in the cells of this rank,
    unsigned low_end, high_begin;  ///< and where its first layers end and its last ones begin
  } word;
};
/// Returns the buffer of positions and velocities `done` drifts after lists were built.
ORRERY_DEVICE constexpr int position_of(int done) {
  return done == 0 ? 0 : 2 - done % 2;
}

/// Kicks and the drifts that follow them.
template <class T>
struct Motion {
  int kicks, drifts;
  T kick[Pass::most], drift[Pass::most];
};

/// Input and output of a pass by search.
template <class T>
struct Buffers {
  const Flat<T>* from;
  Flat<T>*to, *velocity;
  const std::uint32_t* id;
  const Flat<float>* rounded;
  Flat<float>* rounded_to;  ///< of doubles
  unsigned *fastest, *fastest_next;
};

/// Parameters of all kernels. `V` is Flat for a search in cells, Solid for lists.
template <class T, class V>
struct Particles {
  unsigned n;                  ///< of this rank
  unsigned stride;             ///< of lists: all particles
  unsigned known;              ///< n and, after them, the particles of other ranks that can be neighbours
  int ranks;                   ///< 0: not shared
  Layers layers;               ///< of this rank
  const Control::Word* words;  ///< of all ranks, after the pass before; null while there are no cells
  double *potential, *virial;  ///< [n], if shared
  V *position[3], *velocity[3], *acceleration;  ///< [n]; two buffers if V is Flat
  std::uint32_t* id[2];                         ///< [n], Flat only
  Flat<float>* rounded[2];                      ///< [n], Flat only: positions for the search
  std::uint32_t *count, *start, *rank, *part;   ///< [cells], [cells + 1], [n], [blocks]
  Solid<float>* near;                           ///< [n], positions for building lists
  std::uint32_t* found;                         ///< [2][4·groups][n], scratch for building lists; null: shared memory
  Four* list;                                   ///< [groups][n], neighbours by ascending id
  std::uint16_t* length;                        ///< [n]; too_long if the list has no room
  unsigned groups;                              ///< capacity of lists in groups of four
  int *image[3], *image_to[3];  ///< [n] by id, if shared by place, alternating; null if an axis is not periodic
  const double* target_factor;  ///< [n] by id; null if it is the same for all
  T same_target_factor;
  Control* control;
  Space<T> space;
  CellGrid grid;
  LawParameters parameters;
  T cutoff2;
  float reach;   ///< search radius: the cutoff, a skin, and the rounding error of floats
  T max_moved2;  ///< the square of half of the skin
  T margin;      ///< a little more than the cutoff
  int cycle;     ///< passes between two rebuilds of lists; 0: a single pass

  SearchState search;     ///< Flat only
  SortSchedule schedule;  ///< Flat only
  float max_reach;        ///< Flat only: the width of the layers of other ranks that are known
  Buffers<T> now;         ///< Flat only: the buffers of `search`, for a launch of one pass

  bool forces, keep;
  Motion<T> motion;
  long long times;
};
inline constexpr std::uint16_t too_long = 0xffff;
/// Maximum capacity of lists.
inline constexpr unsigned max_listed = 2000;

/// Threads per block, and blocks per multiprocessor of kernels that search, use lists, build lists.
inline constexpr unsigned cell_block = 128, search_blocks_at_once = 12, list_blocks_at_once = 4,
                          making_blocks_at_once = 8;
/// Threads that build a list together.
inline constexpr unsigned list_lanes = 4;
/// Blocks of a cluster that does all passes, their threads, and up to how many particles that is fastest.
inline constexpr unsigned cluster_blocks = 8, cluster_block = 128, max_in_a_cluster = 1024;
/// Returns the bytes of shared memory in which a block builds lists of `groups` groups.
constexpr unsigned shared_for_lists(unsigned groups) {
  return 2 * 4 * groups * (cell_block / list_lanes) * 4;
}
template <class T>
ORRERY_DEVICE inline Buffers<T> buffers_of(const Particles<T, Flat<T>>& s, const SearchState& search) {
  const int to = s.schedule.drifts ? 1 - search.position : search.position;
  return {s.position[search.position],
          s.position[to],
          s.velocity[search.velocity],
          s.id[search.velocity],
          s.rounded[search.position],
          s.rounded[to],
          &s.control->word.fastest[search.slot],
          &s.control->word.fastest[1 - search.slot]};
}

/// Returns whether particles of other ranks that are not known may have come within the search radius.
template <class T>
ORRERY_DEVICE inline bool is_beyond_halo(const Particles<T, Flat<T>>& s, const SearchState& search, float fastest) {
  return search.travelled > 0 && !(s.reach + 2 * search.travelled * fastest <= s.max_reach);
}

/// Buffers of positions; of velocities and ids.
struct Places {
  int position, velocity;
};

/// One pass by search. `law` is an index in ShortRangeLaws, here and below.
template <class T>
void carry_out_pass(std::size_t law, const Particles<T, Flat<T>>& particles, StreamHandle stream);
/// particles.times passes by search and the sorts that they need, by one cluster.
template <class T>
void carry_out_in_a_cluster(std::size_t law, const Particles<T, Flat<T>>& particles, StreamHandle stream);
/// Returns the bytes of scratch memory that sort_by_cells needs.
std::size_t bytes_of_scan(int cells);
/// Sorts particles by cells into the other buffers.
template <class T>
void sort_by_cells(const Particles<T, Flat<T>>& particles, unsigned char* scratch, std::size_t bytes,
                   StreamHandle stream);
/// Returns the blocks of a cooperative launch of make_lists.
template <class T>
unsigned blocks_of_cells(const Particles<T, Solid<T>>& particles, StreamHandle stream);
/// Builds cells and lists if they are out of date.
template <class T>
void make_lists(const Particles<T, Solid<T>>& particles, unsigned blocks, StreamHandle stream);
/// Builds lists if the control block says so.
template <class T>
void list_neighbours(const Particles<T, Solid<T>>& particles, StreamHandle stream);
/// The passes of a cycle, or a single pass, by lists. If shared: the pass after s.search.moves drifts.
template <class T>
void carry_out_passes(std::size_t law, const Particles<T, Solid<T>>& particles, StreamHandle stream);
/// Potentials and virials of the present positions, by id; if shared by place. Cells or lists must be valid.
template <class T, class V>
void sum_potentials(std::size_t law, const Particles<T, V>& particles, double* potential, double* virial,
                    StreamHandle stream);

/// The columns of the state, [3][stride] by id.
struct ColumnsOfState {
  double *position, *velocity, *acceleration, *image;
  std::size_t stride;
  double *potential, *virial;
};
/// Copies columns to particles, and back; `accelerations`: these too; `potentials`: these too, if shared.
template <class T, class V>
void load_columns(const Particles<T, V>& particles, const ColumnsOfState& columns, StreamHandle stream);
template <class T, class V>
void store_columns(const Particles<T, V>& particles, const ColumnsOfState& columns, bool accelerations, bool potentials,
                   StreamHandle stream);

/// Forces over all pairs on columns, in float64.
struct AllPairs {
  const double *position, *target_factor;
  std::size_t n, stride;
  std::size_t first, last;  ///< bodies whose sums are computed
  double period[3], cutoff2;
  LawParameters parameters;
  double *acceleration, *potential, *virial;  ///< potential, virial: null if not computed
};
void sum_all_pairs(std::size_t law, const AllPairs& pairs, StreamHandle stream);

}  // namespace orrery::sim::cuda
