// SPDX-License-Identifier: MIT
// /restart: the state of the simulation, three times.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/trajectory/hash.hpp"
#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {
namespace {

/// As stored in the file.
struct Header {
  RestartPoint at;
  std::int64_t step = 0;
  double time = 0;
  std::array<double, 11> observables{};  ///< kinetic and potential energy, momentum, angular momentum, center of mass
  std::uint64_t checksum = 0;
  sim::Clock clock{};
  std::int64_t states = 0;         ///< of the extremes
  std::array<double, 8> ranges{};  ///< least energy, greatest energy; least angular momentum, greatest angular momentum
  std::array<std::int64_t, 3> energy_violation{-1, 0, 0};  ///< step, two bodies
  std::array<double, 2> energy_violation_at{};             ///< time, distance
  double virial = 0;
  sim::Approach approach{};
};
static_assert(offsetof(Header, clock.steps) == 176 && offsetof(Header, states) == 200 &&
              offsetof(Header, energy_violation) == 272 && offsetof(Header, virial) == 312 &&
              offsetof(Header, approach) == 320 && sizeof(Header) == 344);

std::array<double, 11> numbers_of(const sim::Observables& o) {
  return {o.kinetic_energy,   o.potential_energy,   o.momentum.x,         o.momentum.y,
          o.momentum.z,       o.angular_momentum.x, o.angular_momentum.y, o.angular_momentum.z,
          o.center_of_mass.x, o.center_of_mass.y,   o.center_of_mass.z};
}

sim::Observables observables_of(const std::array<double, 11>& n) {
  return {n[0], n[1], {n[2], n[3], n[4]}, {n[5], n[6], n[7]}, {n[8], n[9], n[10]}};
}

std::array<double, 8> numbers_of(const sim::Extremes& e) {
  const auto &low = e.momentum_low, &high = e.momentum_high;
  return {e.energy_low, e.energy_high, low.x, low.y, low.z, high.x, high.y, high.z};
}

sim::Extremes extremes_of(const Header& header) {
  const auto& n = header.ranges;
  return {header.states, n[0], n[1], {n[2], n[3], n[4]}, {n[5], n[6], n[7]}, header.approach};
}

hdf5::Handle header_type() {
  using hdf5::type_of;
  hdf5::Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Header)));
  const auto insert = [&](const char* name, std::size_t offset, hid_t member) {
    hdf5::check(H5Tinsert(type, name, offset, member));
  };
  const auto insert_array = [&](const char* name, std::size_t offset, hid_t element, hsize_t count) {
    insert(name, offset, hdf5::Handle(H5Tarray_create2(element, 1, &count)));
  };
  insert("sequence", offsetof(Header, at.sequence), type_of<std::uint64_t>());
  insert("step", offsetof(Header, step), type_of<std::int64_t>());
  insert("time", offsetof(Header, time), type_of<double>());
  insert("frames", offsetof(Header, at.frames), type_of<std::int64_t>());
  insert("rows", offsetof(Header, at.rows), type_of<std::int64_t>());
  insert("seconds", offsetof(Header, at.seconds), type_of<double>());
  insert_array("observables", offsetof(Header, observables), type_of<double>(), 11);
  insert("checksum", offsetof(Header, checksum), type_of<std::uint64_t>());
  insert_array("clock_times", offsetof(Header, clock), type_of<double>(), 4);
  insert_array("clock_counts", offsetof(Header, clock.steps), type_of<std::int64_t>(), 3);
  insert("states", offsetof(Header, states), type_of<std::int64_t>());
  insert_array("extremes", offsetof(Header, ranges), type_of<double>(), 8);
  insert_array("excursion", offsetof(Header, energy_violation), type_of<std::int64_t>(), 3);
  insert_array("excursion_at", offsetof(Header, energy_violation_at), type_of<double>(), 2);
  insert("virial", offsetof(Header, virial), type_of<double>());
  insert("approach", offsetof(Header, approach.r2), type_of<double>());
  insert_array("approach_bodies", offsetof(Header, approach.body), type_of<std::int64_t>(), 2);
  return type;
}

Header read_header(hid_t slot) {
  Header header;
  const hdf5::Handle dataset = hdf5::open_dataset(slot, "header");
  hdf5::require_scalar(dataset);
  // Read with the type of the file: for a conversion the library would zero megabytes.
  hdf5::read_all(dataset, header_type(), &header);
  return header;
}

/// The snapshot of a header, without arrays.
sim::Snapshot state_of(const Header& header) {
  sim::Snapshot state;
  state.step = header.step;
  state.time = header.time;
  state.observables = observables_of(header.observables);
  state.observables.virial = header.virial;
  state.clock = header.clock;
  state.extremes = extremes_of(header);
  const auto& [step, body, other] = header.energy_violation;
  state.energy_violation = {step, header.energy_violation_at[0], body, other, header.energy_violation_at[1]};
  return state;
}

/// XXH3 of the header up to the checksum, positions, velocities, columns and images, then of the rest of the header.
std::uint64_t checksum_of(const Header& header, const sim::Snapshot& state, bool images) {
  Hash hash;
  const auto bytes = std::as_bytes(std::span(&header, 1));
  const auto add = [&](const sim::Vectors& v) {
    for (const auto* axis : {&v.x, &v.y, &v.z}) hash.add(std::span<const double>(*axis));
  };
  hash.add(bytes.first(offsetof(Header, checksum)));
  add(state.position);
  add(state.velocity);
  for (const auto& column : state.columns) add(column);
  if (images) add(state.image);
  hash.add(bytes.subspan(offsetof(Header, clock)));
  return hash.value();
}

// The arrays of a state, in the order of vectors_of.
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

constexpr std::array components{&sim::Vectors::x, &sim::Vectors::y, &sim::Vectors::z};

void write_vectors(hid_t slot, const std::string& name, const sim::Vectors& v) {
  const hdf5::Handle dataset = hdf5::open_dataset(slot, name);
  for (std::size_t k = 0; k < 3; ++k)
    hdf5::write_rows(dataset, hdf5::type_of<double>(), k, 1, (v.*components[k]).data());
}

void read_vectors(hid_t slot, const std::string& name, sim::Vectors& v) {
  const hdf5::Handle dataset = hdf5::open_dataset(slot, name);
  for (std::size_t k = 0; k < 3; ++k)
    hdf5::read_rows(dataset, hdf5::type_of<double>(), k, 1, (v.*components[k]).data());
}

/// The state in a slot, if it is intact.
std::optional<RestartState> read(hid_t slot, const Shape& shape) {
  const Header header = read_header(slot);
  if (header.at.sequence == 0) return std::nullopt;
  RestartState state{.at = header.at, .snapshot = state_of(header)};
  sim::Snapshot& snapshot = state.snapshot;
  snapshot.position = snapshot.velocity = sim::Vectors(shape.total_bodies);
  snapshot.columns.assign(shape.columns, sim::Vectors(shape.total_bodies));
  if (shape.images) snapshot.image = sim::Vectors(shape.total_bodies);
  const auto names = names_of(shape);
  const auto vectors = vectors_of(shape, snapshot);
  for (std::size_t k = 0; k < names.size(); ++k) read_vectors(slot, names[k], *vectors[k]);
  if (checksum_of(header, snapshot, shape.images) != header.checksum) return std::nullopt;
  return state;
}

}  // namespace

RestartSlots::RestartSlots(hid_t file, const Shape& shape) : Slots(file, "/restart", shape) {
  for (const auto& slot : slots_) {
    for (const auto& name : names_of(shape)) hdf5::require_rows(hdf5::open_dataset(slot, name), {shape.total_bodies});
  }
}

void RestartSlots::create(hid_t file, const Shape& shape) {
  const hdf5::Handle restart = hdf5::create_group(file, "restart");
  for (const char* slot_name : slot_names) {
    const hdf5::Handle slot = hdf5::create_group(restart, slot_name);
    const Header empty;
    const hdf5::Handle type = header_type();
    hdf5::write_all(hdf5::create_fixed(slot, "header", type, {}), type, &empty);
    for (const auto& name : names_of(shape))
      hdf5::create_fixed(slot, name, hdf5::type_of<double>(), {3, shape.total_bodies});
  }
}

void RestartSlots::write(const RestartPoint& at, const sim::Snapshot& state) {
  if (state.columns.size() != shape_.columns) throw hdf5::Failure("a state must have as many columns as the record");
  const auto names = names_of(shape_);
  const auto vectors = vectors_of(shape_, state);
  for (const auto* v : vectors) {
    if (v->size() != shape_.total_bodies) throw hdf5::Failure("a state must have as many bodies as the run");
  }
  Header header{.at = at, .step = state.step, .time = state.time, .observables = numbers_of(state.observables)};
  header.clock = state.clock;
  const sim::EnergyViolation& x = state.energy_violation;
  header.states = state.extremes.states;
  header.ranges = numbers_of(state.extremes);
  header.energy_violation = {x.step, x.body, x.other};
  header.energy_violation_at = {x.time, x.distance};
  header.virial = state.observables.virial;
  header.approach = state.extremes.approach;
  header.checksum = checksum_of(header, state, shape_.images);
  const std::size_t slot = rotation_.next();
  for (std::size_t k = 0; k < names.size(); ++k) write_vectors(slots_[slot], names[k], *vectors[k]);
  hdf5::write_all(hdf5::open_dataset(slots_[slot], "header"), header_type(), &header);
  rotation_.wrote(slot, at.sequence);
}

std::vector<RestartPoint> RestartSlots::intact_points() const {
  std::vector<RestartPoint> points;
  for (const auto& slot : slots_) {
    const auto state = read(slot, shape_);
    if (state && state->at.frames >= 0 && state->at.rows >= 0) points.push_back(state->at);
  }
  std::ranges::sort(points, std::greater(), &RestartPoint::sequence);
  return points;
}

bool RestartSlots::ever_synced() const {
  return read_header(slots_.front()).at.sequence > 0;
}

std::optional<RestartState> RestartSlots::state(std::uint64_t sequence) const {
  for (const auto& slot : slots_) {
    if (read_header(slot).at.sequence != sequence) continue;
    if (auto state = read(slot, shape_)) return state;
  }
  return std::nullopt;
}

std::optional<RestartState> RestartSlots::newest(std::size_t frames, std::size_t rows) const {
  for (const RestartPoint& point : intact_points()) {
    if (std::cmp_greater(point.frames, frames) || std::cmp_greater(point.rows, rows)) continue;
    if (auto found = state(point.sequence)) return found;  // unless a writer has just replaced it
  }
  return std::nullopt;
}

RestartSummary RestartSlots::summary() const {
  RestartSummary newest;
  for (const auto& slot : slots_) {
    const Header header = read_header(slot);
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

void RestartSlots::resume_from(std::uint64_t sequence) {
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const auto state = read(slots_[k], shape_);
    if (state && state->at.sequence <= sequence) rotation_.wrote(k, state->at.sequence);
  }
  rotation_.synced();
}

std::size_t SlotRotation::next() const {
  std::size_t oldest = safe_ == 0 ? 1 : 0;
  for (std::size_t k = oldest + 1; k < sequences_.size(); ++k) {
    if (k != safe_ && sequences_[k] < sequences_[oldest]) oldest = k;
  }
  return oldest;
}

}  // namespace orrery::pipeline::trajectory
