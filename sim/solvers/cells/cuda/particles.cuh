// SPDX-License-Identifier: MIT
// What lies on a device of particles that are kept by cells, and what their kernels are told.
//
// A launch carries out many passes (sim/mover.hpp): between two of them all blocks wait for each other, and whether cells and lists
// must be made anew is read from numbers on the device, so that the host decides nothing.
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
  T low[3], high[3], period[3];
  double length[3];
  std::size_t boundary[3];
};

/// Cells along three axes, `count` of them; the width of each is 1/inverse. Coordinates outside belong to the last ones.
struct CellGrid {
  float low[3], inverse[3];
  int cells[3];
  bool joined[3];
  [[nodiscard]] ORRERY_DEVICE int count() const { return cells[0] * cells[1] * cells[2]; }
};

/// Where things stand: on the device, or of Flat on the host.
struct Progress {
  unsigned long long pass;
  float travelled;  ///< Σ |dt| of drifts since cells were made
  int moves;        ///< passes since then
  int position;     ///< which buffer has the positions,
  int velocity;     ///< which one velocities and numbers,
  int built;        ///< and which one positions as they were when lists were made
  int has_cells;    ///< 0: to be made before forces
};
struct Control {
  Progress progress;
  unsigned
      fastest[2];    ///< bits of a float: no component of a velocity was greater since cells were made; they take turns
  int stale[3];      ///< somebody has come too far for lists: read by pass s at [s % 3], after which it is cleared
  unsigned longest;  ///< list that was ever wanted
  unsigned made;     ///< how often cells were made
};

/// Kicks and drifts in the particles' own numbers.
template <class T>
struct Motion {
  int count;
  bool is_drift[Pass::most];
  T dt[Pass::most];
};

/// Everything that a launch is told. `V` is Flat where cells are searched for neighbours, Solid where lists are kept.
template <class T, class V>
struct Particles {
  unsigned n;
  V *position[3], *velocity[2], *acceleration;  ///< [n]; positions of Flat have two
  std::uint32_t* id[2];                         ///< [n], of Flat
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

  Progress at;  ///< of Flat, which the host keeps
  int slot;     ///< of Control::fastest
  bool drifts;  ///< in this pass
  bool counts;  ///< ranks in the cells that a pass ends in are wanted

  bool forces, keep;
  Motion<T> motion;
  long long times;
};
inline constexpr std::uint16_t too_long = 0xffff;
/// Neighbours for which room is made in lists.
inline constexpr unsigned most_listed = 2000;

/// Threads of a block, and blocks that a multiprocessor shall hold.
inline constexpr unsigned cell_block = 128, cell_blocks_at_once = 8, list_blocks_at_once = 4;
/// Bytes of shared memory that a block makes lists of so many groups in.
constexpr unsigned shared_for_lists(unsigned groups) {
  return 2 * 4 * groups * cell_block * 4;
}
/// Passes between two makings of cells where they are searched.
inline constexpr int passes_of_cells = 8;

/// For a law by its index among those with a cutoff, so many blocks of which fit on the device; and its launch.
template <class T>
unsigned blocks_of_passes(std::size_t law, const Particles<T, Solid<T>>& particles, Stream stream);
template <class T>
void carry_out_pass(std::size_t law, const Particles<T, Flat<T>>& particles, Stream stream);
/// Flat particles in the order of their cells, in the other buffers; `counted`: ranks are there.
std::size_t bytes_of_scan(int cells);
template <class T>
void sort_by_cells(const Particles<T, Flat<T>>& particles, bool counted, unsigned char* scratch, std::size_t bytes,
                   Stream stream);
template <class T>
void carry_out_passes(std::size_t law, const Particles<T, Solid<T>>& particles, unsigned blocks, Stream stream);
/// Potentials and virials of the present positions, by number, where cells or lists are good.
template <class T, class V>
void sum_potentials(std::size_t law, const Particles<T, V>& particles, double* potential, double* virial,
                    Stream stream);

/// The columns of the state, [3][stride] by number.
struct ColumnsOfState {
  double *position, *velocity, *acceleration, *image;
  std::size_t stride;
};
/// Particles from columns, and back; accelerations too where the particles kept them.
template <class T, class V>
void take_columns(const Particles<T, V>& particles, const ColumnsOfState& columns, Stream stream);
template <class T, class V>
void give_columns(const Particles<T, V>& particles, const ColumnsOfState& columns, bool accelerations, Stream stream);

/// Each body and all others in columns, in float64.
struct AllPairs {
  const double *position, *response;
  std::size_t n, stride;
  double period[3], cutoff2;
  LawNumbers numbers;
  double *acceleration, *potential, *virial;  ///< potential, virial: null where they are not wanted
};
void sum_all_pairs(std::size_t law, const AllPairs& pairs, Stream stream);

}  // namespace orrery::sim::cuda
