// SPDX-License-Identifier: MIT
// /restart: the state of the simulation, three times.
#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/trajectory/restart_header.hpp"
#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {
namespace {

// Positions, velocities, then the columns, then images where there are any.
std::vector<std::string> names_of(const Shape& shape) {
  std::vector<std::string> names{"position", "velocity"};
  for (std::size_t k = 0; k < shape.columns; ++k) names.push_back("column_" + std::to_string(k));
  if (shape.images) names.emplace_back("image");
  return names;
}

template <class Snapshot>  // const or not
auto vectors_of(const Shape& shape, Snapshot& state) {
  std::vector<decltype(&state.position)> vectors{&state.position, &state.velocity};
  for (auto& column : state.columns) vectors.push_back(&column);
  if (shape.images) vectors.push_back(&state.image);
  return vectors;
}

void write_vectors(hid_t slot, const std::string& name, const sim::Vectors& v) {
  const hdf5::Handle dataset = hdf5::open_dataset(slot, name);
  hdf5::write_rows(dataset, hdf5::type_of<double>(), 0, 1, v.x.data());
  hdf5::write_rows(dataset, hdf5::type_of<double>(), 1, 1, v.y.data());
  hdf5::write_rows(dataset, hdf5::type_of<double>(), 2, 1, v.z.data());
}

void read_vectors(hid_t slot, const std::string& name, sim::Vectors& v) {
  const hdf5::Handle dataset = hdf5::open_dataset(slot, name);
  hdf5::read_rows(dataset, hdf5::type_of<double>(), 0, 1, v.x.data());
  hdf5::read_rows(dataset, hdf5::type_of<double>(), 1, 1, v.y.data());
  hdf5::read_rows(dataset, hdf5::type_of<double>(), 2, 1, v.z.data());
}

/// The state that a slot holds, if it is whole.
std::optional<RestartState> read(hid_t slot, const Shape& shape) {
  const RestartHeader header = read_restart_header(slot);
  if (header.at.sequence == 0) return std::nullopt;
  RestartState state{.at = header.at, .snapshot = state_of(header)};
  sim::Snapshot& snapshot = state.snapshot;
  snapshot.position = snapshot.velocity = sim::Vectors(shape.whole);
  snapshot.columns.assign(shape.columns, sim::Vectors(shape.whole));
  if (shape.images) snapshot.image = sim::Vectors(shape.whole);
  const auto names = names_of(shape);
  const auto vectors = vectors_of(shape, snapshot);
  for (std::size_t k = 0; k < names.size(); ++k) read_vectors(slot, names[k], *vectors[k]);
  if (checksum_of(header, snapshot, shape.images) != header.checksum) return std::nullopt;
  return state;
}

}  // namespace

RestartSlots::RestartSlots(hid_t file, const Shape& shape) : shape_(shape) {
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    slots_[k] = hdf5::open_group(file, std::string("/restart/") + slot_names[k]);
    for (const auto& name : names_of(shape)) hdf5::require_rows(hdf5::open_dataset(slots_[k], name), {shape.whole});
  }
  watches_ = has_member(slots_.front(), watch_member);
  virial_ = has_member(slots_.front(), virial_member);
}

void RestartSlots::create(hid_t file, const Shape& shape, bool virial) {
  const hdf5::Handle restart = hdf5::create_group(file, "restart");
  for (const char* name : slot_names) {
    const hdf5::Handle slot = hdf5::create_group(restart, name);
    const RestartHeader empty;
    const hdf5::Handle type = restart_header_type(virial);
    hdf5::write_all(hdf5::create_fixed(slot, "header", type, {}), type, &empty);
    for (const auto& vectors : names_of(shape)) {
      hdf5::create_fixed(slot, vectors, hdf5::type_of<double>(), {3, shape.whole});
    }
  }
}

void RestartSlots::write(const RestartPoint& at, const sim::Snapshot& state) {
  if (state.columns.size() != shape_.columns) throw hdf5::Failure("a state must have as many columns as the record");
  const auto names = names_of(shape_);
  const auto vectors = vectors_of(shape_, state);
  for (const auto* v : vectors) {
    if (v->size() != shape_.whole) throw hdf5::Failure("a state must have as many bodies as the run");
  }
  RestartHeader header = header_of(at, state, watches_, virial_);
  header.checksum = checksum_of(header, state, shape_.images);
  const std::size_t turn = turns_.next();
  for (std::size_t k = 0; k < names.size(); ++k) write_vectors(slots_[turn], names[k], *vectors[k]);
  hdf5::write_all(hdf5::open_dataset(slots_[turn], "header"), restart_header_type(virial_), &header);
  turns_.wrote(turn, at.sequence);
}

std::vector<RestartPoint> RestartSlots::whole() const {
  std::vector<RestartPoint> points;
  for (const auto& slot : slots_) {
    const auto state = read(slot, shape_);
    if (state && state->at.frames >= 0 && state->at.rows >= 0) points.push_back(state->at);
  }
  std::ranges::sort(points, std::greater(), &RestartPoint::sequence);
  return points;
}

bool RestartSlots::ever_synced() const {
  return read_restart_header(slots_.front()).at.sequence > 0;
}

std::optional<RestartState> RestartSlots::state(std::uint64_t sequence) const {
  for (const auto& slot : slots_) {
    if (read_restart_header(slot).at.sequence != sequence) continue;
    if (auto state = read(slot, shape_)) return state;
  }
  return std::nullopt;
}

std::optional<RestartState> RestartSlots::newest(std::size_t frames, std::size_t rows) const {
  for (const RestartPoint& point : whole()) {
    if (std::cmp_less_equal(point.frames, frames) && std::cmp_less_equal(point.rows, rows))
      return state(point.sequence);
  }
  return std::nullopt;
}

RestartMark RestartSlots::mark() const {
  RestartMark newest;
  for (const auto& slot : slots_) {
    const RestartHeader header = read_restart_header(slot);
    if (header.at.sequence > newest.at.sequence) newest = {header.at, header.step};
  }
  return newest;
}

std::uint64_t RestartSlots::last_sequence() const {
  std::uint64_t last = 0;
  for (const auto& slot : slots_) {
    if (const auto state = read(slot, shape_)) last = std::max(last, state->at.sequence);
  }
  return last;
}

void RestartSlots::went_on_from(std::uint64_t sequence) {
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const auto state = read(slots_[k], shape_);
    if (state && state->at.sequence <= sequence) turns_.wrote(k, state->at.sequence);
  }
  turns_.synced();
}

std::size_t Turns::next() const {
  std::size_t oldest = safe_ == 0 ? 1 : 0;
  for (std::size_t k = oldest + 1; k < sequences_.size(); ++k) {
    if (k != safe_ && sequences_[k] < sequences_[oldest]) oldest = k;
  }
  return oldest;
}

}  // namespace orrery::pipeline::trajectory
