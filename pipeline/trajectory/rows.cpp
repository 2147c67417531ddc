// SPDX-License-Identifier: MIT
// Observables: H5MD time series that share one step and one time.
#include "pipeline/trajectory/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

namespace orrery::pipeline::trajectory {
namespace {

/// Calls visit(name, member of Row) for each column of these parts, in the order in which they are written, except step, time
/// and checksum.
template <class Visit>
void each_column(const RowParts& parts, const Visit& visit) {
  visit("kinetic_energy", &Row::kinetic_energy);
  visit("potential_energy", &Row::potential_energy);
  visit("total_energy", &Row::total_energy);
  visit("momentum", &Row::momentum);
  visit("angular_momentum", &Row::angular_momentum);
  visit("center_of_mass", &Row::center_of_mass);
  if (parts.virial) visit("virial", &Row::virial);
  if (parts.virial) visit("temperature", &Row::temperature);
  if (parts.stores_pressure()) visit("pressure", &Row::pressure);
  if (parts.extremes) visit("states", &Row::states);
  if (parts.extremes) visit("total_energy_range", &Row::energy_range);
  if (parts.extremes) visit("angular_momentum_range", &Row::momentum_range);
  if (parts.stores_approach()) visit("closest_approach", &Row::closest_approach);
  if (parts.stores_approach()) visit("closest_bodies", &Row::closest_bodies);
}

template <class T>
hid_t type_of(T Row::*) {
  return hdf5::type_of<T>();
}
template <class T, std::size_t n>
hid_t type_of(std::array<T, n> Row::*) {
  return hdf5::type_of<T>();
}

/// The shape of a row of a column; six numbers are the minimum and maximum of a vector.
template <class T>
hdf5::Extents shape_of(T Row::*) {
  return {};
}
template <class T, std::size_t n>
hdf5::Extents shape_of(std::array<T, n> Row::*) {
  return n == 6 ? hdf5::Extents{2, 3} : hdf5::Extents{n};
}

template <class T>
void write_column(hid_t dataset, std::size_t first, std::span<const Row> rows, T Row::*member) {
  std::vector<T> column;
  column.reserve(rows.size());
  for (const Row& row : rows) column.push_back(row.*member);
  hdf5::write_rows(dataset, type_of(member), first, rows.size(), column.data());
}

template <class T>
void read_column(hid_t dataset, std::size_t first, std::vector<Row>& rows, T Row::*member) {
  std::vector<T> column(rows.size());
  hdf5::read_rows(dataset, type_of(member), first, rows.size(), column.data());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].*member = column[i];
}

/// Maximum of Row::states, so that sums over all rows do not overflow.
constexpr std::int64_t max_states = std::int64_t{1} << 40;

std::array<double, 3> array_of(const sim::Vec3& v) {
  return {v.x, v.y, v.z};
}

}  // namespace

std::uint64_t Row::checksum(const RowParts& parts) const {
  std::array<std::byte, sizeof(Row)> bytes;
  std::size_t size = 0;
  const auto add = [&](std::size_t from, std::size_t to) {
    std::memcpy(bytes.data() + size, reinterpret_cast<const std::byte*>(this) + from, to - from);
    size += to - from;
  };
  add(0, offsetof(Row, states));
  if (parts.extremes) add(offsetof(Row, states), offsetof(Row, virial));
  if (parts.virial) add(offsetof(Row, virial), offsetof(Row, pressure));
  if (parts.stores_pressure()) add(offsetof(Row, pressure), offsetof(Row, closest_approach));
  if (parts.stores_approach()) add(offsetof(Row, closest_approach), sizeof(Row));
  return hash_of(std::span(bytes).first(size));
}

Row row_of(const sim::Snapshot& snapshot, const sim::Ensemble& ensemble) {
  const sim::Observables& seen = snapshot.observables;
  const sim::Extremes extremes = snapshot.extremes.with(seen.total_energy(), seen.angular_momentum, snapshot.closest);
  const auto &low = extremes.momentum_low, &high = extremes.momentum_high;
  return {.step = snapshot.step,
          .time = snapshot.time,
          .kinetic_energy = seen.kinetic_energy,
          .potential_energy = seen.potential_energy,
          .total_energy = seen.total_energy(),
          .momentum = array_of(seen.momentum),
          .angular_momentum = array_of(seen.angular_momentum),
          .center_of_mass = array_of(seen.center_of_mass),
          .states = extremes.states,
          .energy_range = {extremes.energy_low, extremes.energy_high},
          .momentum_range = {low.x, low.y, low.z, high.x, high.y, high.z},
          .virial = seen.virial,
          .temperature = sim::temperature(seen, ensemble),
          .pressure = ensemble.volume > 0 ? sim::pressure(seen, ensemble) : 0,
          .closest_approach = std::sqrt(extremes.approach.r2),
          .closest_bodies = {extremes.approach.body, extremes.approach.other}};
}

RowSeries::RowSeries(hid_t file) {
  const hdf5::Handle group = hdf5::open_group(file, "/observables");
  const auto open = [&](const std::string& name, const hdf5::Extents& row) {
    hdf5::Handle dataset = hdf5::open_uncached(group, name);
    hdf5::require_rows(dataset, row);
    return dataset;
  };
  step_ = open("kinetic_energy/step", {});
  time_ = open("kinetic_energy/time", {});
  checksum_ = open("checksum", {});
  parts_ = {.extremes = hdf5::exists(group, "states"),
            .virial = hdf5::exists(group, "virial"),
            .pressure = hdf5::exists(group, "pressure"),
            .approach = hdf5::exists(group, "closest_approach")};
  each_column(parts_, [&](const std::string& name, auto member) {
    columns_.push_back(open(name + "/value", shape_of(member)));
  });
}

void RowSeries::create(hid_t file, std::size_t expected_rows, const RowParts& parts) {
  const hsize_t chunk = hdf5::chunk_for(expected_rows);
  const hdf5::Handle group = hdf5::create_group(file, "observables");
  const auto create = [&](hid_t where, const char* name, hid_t type, const hdf5::Extents& row) {
    hdf5::Extents extents{0}, rows{chunk};
    for (hdf5::Extents* shape : {&extents, &rows}) shape->insert(shape->end(), row.begin(), row.end());
    hdf5::create_growing(where, name, type, extents, rows, false);
  };
  create(group, "checksum", hdf5::type_of<std::uint64_t>(), {});
  hdf5::Handle first;
  each_column(parts, [&](const char* name, auto member) {
    hdf5::Handle series = hdf5::create_group(group, name);
    create(series, "value", type_of(member), shape_of(member));
    if (first < 0) {
      create(series, "step", hdf5::type_of<std::int64_t>(), {});
      create(series, "time", hdf5::type_of<double>(), {});
      first = std::move(series);
    } else {
      hdf5::hard_link(first, "step", series, "step");
      hdf5::hard_link(first, "time", series, "time");
    }
  });
}

void RowSeries::write(std::size_t first, std::span<const Row> rows) {
  write_column(time_, first, rows, &Row::time);
  auto dataset = columns_.begin();
  each_column(parts_, [&](const char*, auto member) { write_column(*dataset++, first, rows, member); });
  std::vector<std::uint64_t> checksums;
  checksums.reserve(rows.size());
  for (const Row& row : rows) checksums.push_back(row.checksum(parts_));
  hdf5::write_rows(checksum_, hdf5::type_of<std::uint64_t>(), first, rows.size(), checksums.data());
}

void RowSeries::publish(std::size_t first, std::span<const std::int64_t> steps) {
  hdf5::write_rows(step_, hdf5::type_of<std::int64_t>(), first, steps.size(), steps.data());
}

std::vector<const hdf5::Handle*> RowSeries::datasets() const {
  std::vector<const hdf5::Handle*> all{&step_, &time_, &checksum_};
  for (const hdf5::Handle& column : columns_) all.push_back(&column);
  return all;
}

bool RowSeries::have_length(std::size_t rows) const {
  return std::ranges::all_of(datasets(), [&](const auto* dataset) { return hdf5::length(*dataset) == rows; });
}

std::int64_t RowSeries::last_step() const {
  std::int64_t step = 0;
  hdf5::read_rows(step_, hdf5::type_of<std::int64_t>(), committed() - 1, 1, &step);
  return step;
}

std::vector<Row> RowSeries::read(std::size_t first, std::size_t count) const {
  std::vector<Row> rows(count);
  read_column(step_, first, rows, &Row::step);
  read_column(time_, first, rows, &Row::time);
  auto dataset = columns_.begin();
  each_column(parts_, [&](const char*, auto member) { read_column(*dataset++, first, rows, member); });
  std::vector<std::uint64_t> checksums(rows.size());
  hdf5::read_rows(checksum_, hdf5::type_of<std::uint64_t>(), first, rows.size(), checksums.data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool same = rows[i].checksum(parts_) == checksums[i];
    const bool possible = rows[i].step >= 0 && rows[i].states >= 0 && rows[i].states <= max_states;
    if (same && possible) continue;
    throw hdf5::Failure("observables row " + std::to_string(first + i) + " (step " + std::to_string(rows[i].step) +
                        (same ? ") has counts that no run has" : ") does not match its checksum"));
  }
  return rows;
}

std::size_t RowSeries::count_intact(std::size_t known, std::size_t count) const {
  for (std::size_t at_once = 1024; at_once > 0 && known < count;) {
    const std::size_t next = std::min(at_once, count - known);
    try {
      known += read(known, next).size();
    } catch (const hdf5::Failure&) {
      at_once = next / 2;
    }
  }
  return known;
}

void RowSeries::shrink(std::size_t rows) {  // NOLINT(readability-make-member-function-const): it changes the file
  for (const auto* dataset : datasets()) hdf5::resize(*dataset, rows);
}

History history_of(std::span<const Row> rows, const RowParts& parts) {
  History history;
  for (const Row& row : rows) {
    history.step.push_back(row.step);
    history.time.push_back(row.time);
    history.kinetic_energy.push_back(row.kinetic_energy);
    history.potential_energy.push_back(row.potential_energy);
    history.total_energy.push_back(row.total_energy);
    history.momentum.push_back(row.momentum);
    history.angular_momentum.push_back(row.angular_momentum);
    history.center_of_mass.push_back(row.center_of_mass);
    if (parts.virial) history.virial.push_back(row.virial), history.temperature.push_back(row.temperature);
    if (parts.stores_pressure()) history.pressure.push_back(row.pressure);
    if (!parts.extremes) continue;
    history.states.push_back(row.states);
    history.energy_range.push_back(row.energy_range);
    history.momentum_range.push_back(row.momentum_range);
    if (!parts.approach) continue;
    history.closest_approach.push_back(row.closest_approach);
    history.closest_bodies.push_back(row.closest_bodies);
  }
  return history;
}

}  // namespace orrery::pipeline::trajectory

namespace orrery::pipeline {

History history_of(const sim::Snapshot& snapshot, const sim::Ensemble& ensemble) {
  const trajectory::Row row = trajectory::row_of(snapshot, ensemble);
  return trajectory::history_of({&row, 1},
                                {.extremes = true, .virial = true, .pressure = ensemble.volume > 0, .approach = true});
}

}  // namespace orrery::pipeline
