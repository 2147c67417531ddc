// SPDX-License-Identifier: MIT
// The rows of /observables: one moment of the whole system each, with a checksum of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/trajectory/hash.hpp"
#include "pipeline/trajectory/hdf5.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/analysis/thermodynamics.hpp"
#include "sim/snapshot.hpp"

namespace orrery::pipeline::trajectory {

/// What rows have besides the six observables that all of them have.
struct RowParts {
  bool extremes = false;
  bool virial = false;    ///< and the temperature
  bool pressure = false;  ///< beside these two
};

/// One row, in the order that its checksum covers: XXH3 over 112 bytes, then the 72 of the extremes, 16 of virial and
/// temperature and 8 of the pressure, of which those that are not kept are left out.
struct Row {
  std::int64_t step = 0;
  double time = 0;
  double kinetic_energy = 0, potential_energy = 0, total_energy = 0;
  std::array<double, 3> momentum{}, angular_momentum{}, center_of_mass{};
  std::int64_t states = 0;  ///< that were drawn since the row before; the ranges run over them and this row
  std::array<double, 2> energy_range{};
  std::array<double, 6> momentum_range{};
  double virial = 0, temperature = 0, pressure = 0;

  void set(const sim::Extremes& extremes);
  [[nodiscard]] std::uint64_t checksum(const RowParts& with) const;
};
static_assert(offsetof(Row, states) == 112 && offsetof(Row, virial) == 184 && offsetof(Row, pressure) == 200 &&
              sizeof(Row) == 208);

Row row_of(const sim::Snapshot& snapshot, const sim::Ensemble& ensemble);

/// The datasets of /observables. `step` is the commit record here too: a row exists when its step is there.
/// They are plain (no filter), so that writing a part-filled chunk again leaves the rows that it holds as they are.
class RowSeries {
 public:
  explicit RowSeries(hid_t file);
  static void create(hid_t file, std::size_t expected_rows, const RowParts& parts);

  /// Which rows keep; files up to format 3 have no extremes.
  [[nodiscard]] const RowParts& parts() const { return parts_; }

  [[nodiscard]] std::size_t committed() const { return hdf5::length(step_); }
  [[nodiscard]] std::size_t index_chunk() const { return hdf5::chunk_rows(step_); }
  [[nodiscard]] std::vector<const hdf5::Handle*> datasets() const;
  /// Whether every dataset has so many rows and no more.
  [[nodiscard]] bool are(std::size_t rows) const;
  /// Rows [first, first + rows.size()): everything but the step.
  void write(std::size_t first, std::span<const Row> rows);
  /// Their steps; what was written must have been flushed before.
  void publish(std::size_t first, std::span<const std::int64_t> steps);
  /// Rows [first, first + count); one that does not match its checksum is refused.
  [[nodiscard]] std::vector<Row> read(std::size_t first, std::size_t count) const;
  /// How many of the first `count` rows come before one that is not whole; the first `sure` are not looked at. No commit
  /// makes sure of the others: a loss of power leaves any of them, a writer killed while it took them away leaves zeros.
  [[nodiscard]] std::size_t whole(std::size_t sure, std::size_t count) const;
  /// Of a series that is not empty.
  [[nodiscard]] std::int64_t last_step() const;
  void shrink(std::size_t rows);

 private:
  RowParts parts_;
  hdf5::Handle step_, time_, checksum_;
  std::array<hdf5::Handle, 3> energies_, vectors_;
  hdf5::Handle states_, energy_range_, momentum_range_;
  std::array<hdf5::Handle, 3> thermal_;  ///< virial, temperature, pressure
};

History history_of(std::span<const Row> rows, const RowParts& parts);

}  // namespace orrery::pipeline::trajectory
