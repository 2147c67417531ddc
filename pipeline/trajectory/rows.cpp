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

constexpr std::array kEnergies{"kinetic_energy", "potential_energy", "total_energy"};
constexpr std::array kVectors{"momentum", "angular_momentum", "center_of_mass"};
constexpr const char *kStates = "states", *kEnergyRange = "total_energy_range",
                     *kMomentumRange = "angular_momentum_range", *kApproach = "closest_approach",
                     *kApproachBodies = "closest_bodies";
constexpr std::array kThermal{"virial", "temperature", "pressure"};
constexpr std::array kThermalMembers{&Row::virial, &Row::temperature, &Row::pressure};
constexpr std::array kEnergyMembers{&Row::kinetic_energy, &Row::potential_energy, &Row::total_energy};
constexpr std::array kVectorMembers{&Row::momentum, &Row::angular_momentum, &Row::center_of_mass};

template <class T>
hid_t type_of(T Row::*) {
  return hdf5::type_of<T>();
}
template <class T, std::size_t n>
hid_t type_of(std::array<T, n> Row::*) {
  return hdf5::type_of<T>();
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

/// How many of virial, temperature and pressure are stored.
std::size_t thermal_count(const RowParts& parts) {
  return parts.stores_pressure() ? 3 : parts.virial ? 2 : 0;
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
  add(offsetof(Row, virial), offsetof(Row, virial) + thermal_count(parts) * sizeof(double));
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
  const auto value = [&](const char* name) { return hdf5::open_uncached(group, std::string(name) + "/value"); };
  step_ = hdf5::open_uncached(group, "kinetic_energy/step");
  time_ = hdf5::open_uncached(group, "kinetic_energy/time");
  checksum_ = hdf5::open_uncached(group, "checksum");
  for (std::size_t k = 0; k < 3; ++k) {
    energies_[k] = value(kEnergies[k]);
    vectors_[k] = value(kVectors[k]);
    hdf5::require_rows(energies_[k], {});
    hdf5::require_rows(vectors_[k], {3});
  }
  for (const auto* dataset : {&step_, &time_, &checksum_}) hdf5::require_rows(*dataset, {});
  parts_ = {.extremes = hdf5::exists(group, kStates),
            .virial = hdf5::exists(group, kThermal[0]),
            .pressure = hdf5::exists(group, kThermal[2]),
            .approach = hdf5::exists(group, kApproach)};
  for (std::size_t k = 0; k < thermal_count(parts_); ++k) {
    thermal_[k] = value(kThermal[k]);
    hdf5::require_rows(thermal_[k], {});
  }
  if (!parts_.extremes) return;
  states_ = value(kStates);
  energy_range_ = value(kEnergyRange);
  momentum_range_ = value(kMomentumRange);
  hdf5::require_rows(states_, {});
  hdf5::require_rows(energy_range_, {2});
  hdf5::require_rows(momentum_range_, {2, 3});
  if (!parts_.stores_approach()) return;
  closest_approach_ = value(kApproach);
  closest_bodies_ = value(kApproachBodies);
  hdf5::require_rows(closest_approach_, {});
  hdf5::require_rows(closest_bodies_, {2});
}

void RowSeries::create(hid_t file, std::size_t expected_rows, const RowParts& parts) {
  using hdf5::type_of;
  const hsize_t chunk = hdf5::chunk_for(expected_rows);
  const hdf5::Handle group = hdf5::create_group(file, "observables");
  hdf5::create_growing(group, "checksum", type_of<std::uint64_t>(), {0}, {chunk}, false);
  hdf5::Handle first;
  const auto add = [&](const char* name, hid_t type, const hdf5::Extents& extents, const hdf5::Extents& rows) {
    hdf5::Handle series = hdf5::create_group(group, name);
    hdf5::create_growing(series, "value", type, extents, rows, false);
    if (first < 0) {
      hdf5::create_growing(series, "step", type_of<std::int64_t>(), {0}, {chunk}, false);
      hdf5::create_growing(series, "time", type_of<double>(), {0}, {chunk}, false);
      first = std::move(series);
    } else {
      hdf5::hard_link(first, "step", series, "step");
      hdf5::hard_link(first, "time", series, "time");
    }
  };
  for (const char* name : kEnergies) add(name, type_of<double>(), {0}, {chunk});
  for (const char* name : kVectors) add(name, type_of<double>(), {0, 3}, {chunk, 3});
  for (std::size_t k = 0; k < thermal_count(parts); ++k) add(kThermal[k], type_of<double>(), {0}, {chunk});
  if (!parts.extremes) return;
  add(kStates, type_of<std::int64_t>(), {0}, {chunk});
  add(kEnergyRange, type_of<double>(), {0, 2}, {chunk, 2});
  add(kMomentumRange, type_of<double>(), {0, 2, 3}, {chunk, 2, 3});
  if (!parts.stores_approach()) return;
  add(kApproach, type_of<double>(), {0}, {chunk});
  add(kApproachBodies, type_of<std::int64_t>(), {0, 2}, {chunk, 2});
}

// In the order in which they are written.
template <class Visit>
void RowSeries::for_each_column(Visit visit) const {
  visit(time_, &Row::time);
  for (std::size_t k = 0; k < 3; ++k) {
    visit(energies_[k], kEnergyMembers[k]);
    visit(vectors_[k], kVectorMembers[k]);
  }
  for (std::size_t k = 0; k < thermal_count(parts_); ++k) visit(thermal_[k], kThermalMembers[k]);
  if (!parts_.extremes) return;
  visit(states_, &Row::states);
  visit(energy_range_, &Row::energy_range);
  visit(momentum_range_, &Row::momentum_range);
  if (!parts_.stores_approach()) return;
  visit(closest_approach_, &Row::closest_approach);
  visit(closest_bodies_, &Row::closest_bodies);
}

void RowSeries::write(std::size_t first, std::span<const Row> rows) {
  for_each_column([&](hid_t dataset, auto member) { write_column(dataset, first, rows, member); });
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
  for (const auto& energy : energies_) all.push_back(&energy);
  for (const auto& vector : vectors_) all.push_back(&vector);
  for (std::size_t k = 0; k < thermal_count(parts_); ++k) all.push_back(&thermal_[k]);
  if (parts_.extremes) all.insert(all.end(), {&states_, &energy_range_, &momentum_range_});
  if (parts_.stores_approach()) all.insert(all.end(), {&closest_approach_, &closest_bodies_});
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
  for_each_column([&](hid_t dataset, auto member) { read_column(dataset, first, rows, member); });
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
