// SPDX-License-Identifier: MIT
// The rows of /observables.
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

/// Optional columns of rows.
struct RowParts {
  bool extremes = false;
  bool virial = false;    ///< virial and temperature
  bool pressure = false;  ///< ignored unless `virial`
  bool approach = false;  ///< closest approach and its bodies; ignored unless `extremes`

  [[nodiscard]] bool stores_pressure() const { return virial && pressure; }
  [[nodiscard]] bool stores_approach() const { return extremes && approach; }
  /// Bytes of a row with its checksum.
  [[nodiscard]] std::size_t row_bytes() const {
    return 120 + (extremes ? 72U : 0U) + (virial ? 16U : 0U) + (stores_pressure() ? 8U : 0U) +
           (stores_approach() ? 24U : 0U);
  }
};

/// The observables of one state. The checksum is XXH3 over the members in this order: 112 bytes, then 72 of the extremes, 16 of
/// virial and temperature, 8 of the pressure and 24 of the closest approach if they are stored.
struct Row {
  std::int64_t step = 0;
  double time = 0;
  double kinetic_energy = 0, potential_energy = 0, total_energy = 0;
  std::array<double, 3> momentum{}, angular_momentum{}, center_of_mass{};
  std::int64_t states = 0;  ///< sampled since the previous row; the ranges cover them and this row
  std::array<double, 2> energy_range{};
  std::array<double, 6> momentum_range{};
  double virial = 0, temperature = 0, pressure = 0;
  double closest_approach = 0;  ///< least distance of two bodies in the states that the ranges cover
  std::array<std::int64_t, 2> closest_bodies{};

  [[nodiscard]] std::uint64_t checksum(const RowParts& parts) const;
};
static_assert(offsetof(Row, states) == 112 && offsetof(Row, virial) == 184 && offsetof(Row, pressure) == 200 &&
              offsetof(Row, closest_approach) == 208 && sizeof(Row) == 232);

Row row_of(const sim::Snapshot& snapshot, const sim::Ensemble& ensemble);

/// The datasets of /observables. `step` is the commit record: a row exists once its step is stored. They have no filter, so that
/// writing to a partial chunk does not rewrite the rows in it.
class RowSeries {
 public:
  explicit RowSeries(hid_t file);
  static void create(hid_t file, std::size_t expected_rows, const RowParts& parts);

  [[nodiscard]] const RowParts& parts() const { return parts_; }

  [[nodiscard]] std::size_t committed() const { return hdf5::length(step_); }
  [[nodiscard]] std::size_t index_chunk() const { return hdf5::chunk_rows(step_); }
  [[nodiscard]] std::vector<const hdf5::Handle*> datasets() const;
  /// Whether every dataset has exactly this many rows.
  [[nodiscard]] bool have_length(std::size_t rows) const;
  /// Writes rows [first, first + rows.size()) except their steps.
  void write(std::size_t first, std::span<const Row> rows);
  /// Writes their steps. The rest must have been flushed before.
  void publish(std::size_t first, std::span<const std::int64_t> steps);
  /// Reads rows [first, first + count). Throws Failure if one does not match its checksum.
  [[nodiscard]] std::vector<Row> read(std::size_t first, std::size_t count) const;
  /// Number of leading intact rows among the first `count`; the first `known` are not verified. Uncommitted rows may be missing
  /// after a power loss, or zero after a kill during shrink().
  [[nodiscard]] std::size_t count_intact(std::size_t known, std::size_t count) const;
  /// The step of the last row. The series must not be empty.
  [[nodiscard]] std::int64_t last_step() const;
  void shrink(std::size_t rows);

 private:
  RowParts parts_;
  hdf5::Handle step_, time_, checksum_;
  std::vector<hdf5::Handle> columns_;  ///< in the order of the members of Row, without those that are not stored
};

History history_of(std::span<const Row> rows, const RowParts& parts);

}  // namespace orrery::pipeline::trajectory
