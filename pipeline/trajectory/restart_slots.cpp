// SPDX-License-Identifier: MIT
// /restart: the state of the simulation, three times.
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {
namespace {

/// An integrator's clock: begin, rest, length, next; steps, refused, evaluations.
struct StoredClock {
  std::array<double, 4> times{};
  std::array<std::int64_t, 3> counts{};
};

/// What was met since the last row, and when the energy went off: as in Row and in sim::Excursion. Files up to format 3
/// have neither.
struct StoredWatch {
  std::int64_t states = 0;
  std::array<double, 8> extremes{};  ///< least and greatest energy, least and greatest angular momentum
  std::array<std::int64_t, 3> excursion{-1, 0, 0};
  std::array<double, 2> excursion_at{};  ///< time, distance
};

/// As it lies in the file; the checksum covers what stands before it here, then positions, velocities, columns, and the
/// clock where an integrator has one, and what was watched where something was: files from before there were clocks read as
/// if it stood still.
struct Header {
  RestartPoint at;
  std::int64_t step = 0;
  double time = 0;
  std::array<double, 11> observables{};  // kinetic and potential energy, momentum, angular momentum, center of mass
  std::uint64_t checksum = 0;
  StoredClock clock;
  StoredWatch watch{};
};

constexpr const char* kWatch = "states";

hdf5::Handle header_type() {
  using hdf5::check, hdf5::type_of;
  const hsize_t count = std::tuple_size_v<decltype(Header::observables)>;
  const hdf5::Handle observables(H5Tarray_create2(type_of<double>(), 1, &count));
  hdf5::Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Header)));
  check(H5Tinsert(type, "sequence", offsetof(Header, at.sequence), type_of<std::uint64_t>()));
  check(H5Tinsert(type, "step", offsetof(Header, step), type_of<std::int64_t>()));
  check(H5Tinsert(type, "time", offsetof(Header, time), type_of<double>()));
  check(H5Tinsert(type, "frames", offsetof(Header, at.frames), type_of<std::int64_t>()));
  check(H5Tinsert(type, "rows", offsetof(Header, at.rows), type_of<std::int64_t>()));
  check(H5Tinsert(type, "seconds", offsetof(Header, at.seconds), type_of<double>()));
  check(H5Tinsert(type, "observables", offsetof(Header, observables), observables));
  check(H5Tinsert(type, "checksum", offsetof(Header, checksum), type_of<std::uint64_t>()));
  const auto insert_array = [&](const char* name, std::size_t offset, hid_t of, hsize_t numbers) {
    check(H5Tinsert(type, name, offset, hdf5::Handle(H5Tarray_create2(of, 1, &numbers))));
  };
  insert_array("clock_times", offsetof(Header, clock.times), type_of<double>(), 4);
  insert_array("clock_counts", offsetof(Header, clock.counts), type_of<std::int64_t>(), 3);
  check(H5Tinsert(type, kWatch, offsetof(Header, watch.states), type_of<std::int64_t>()));
  insert_array("extremes", offsetof(Header, watch.extremes), type_of<double>(), 8);
  insert_array("excursion", offsetof(Header, watch.excursion), type_of<std::int64_t>(), 3);
  insert_array("excursion_at", offsetof(Header, watch.excursion_at), type_of<double>(), 2);
  return type;
}

std::array<double, 11> numbers_of(const sim::Observables& o) {
  return {o.kinetic_energy,   o.potential_energy,   o.momentum.x,         o.momentum.y,
          o.momentum.z,       o.angular_momentum.x, o.angular_momentum.y, o.angular_momentum.z,
          o.center_of_mass.x, o.center_of_mass.y,   o.center_of_mass.z};
}

sim::Observables observables_of(const std::array<double, 11>& n) {
  return {n[0], n[1], {n[2], n[3], n[4]}, {n[5], n[6], n[7]}, {n[8], n[9], n[10]}};
}

StoredClock stored(const sim::Clock& c) {
  return {{c.begin, c.rest, c.length, c.next}, {c.steps, c.refused, c.evaluations}};
}

sim::Clock clock_of(const StoredClock& s) {
  return {s.times[0], s.times[1], s.times[2], s.times[3], s.counts[0], s.counts[1], s.counts[2]};
}

StoredWatch stored(const sim::Extremes& e, const sim::Excursion& x) {
  const auto &low = e.momentum_low, &high = e.momentum_high;
  return {e.states,
          {e.energy_low, e.energy_high, low.x, low.y, low.z, high.x, high.y, high.z},
          {x.step, x.body, x.other},
          {x.time, x.distance}};
}

sim::Extremes extremes_of(const StoredWatch& w) {
  const auto& e = w.extremes;
  return {w.states, e[0], e[1], {e[2], e[3], e[4]}, {e[5], e[6], e[7]}};
}

sim::Excursion excursion_of(const StoredWatch& w) {
  return {w.excursion[0], w.excursion_at[0], w.excursion[1], w.excursion[2], w.excursion_at[1]};
}

/// Whether a file has room for it.
bool watches(hid_t slot) {
  const hdf5::Handle type(H5Dget_type(hdf5::open_dataset(slot, "header")));
  const int count = H5Tget_nmembers(type);
  for (int k = 0; k < count; ++k) {
    const std::unique_ptr<char, decltype(&H5free_memory)> name(H5Tget_member_name(type, static_cast<unsigned>(k)),
                                                               H5free_memory);
    if (name != nullptr && std::string_view(name.get()) == kWatch) return true;
  }
  return false;
}

std::uint64_t checksum_of(const Header& header, const sim::Snapshot& state) {
  Hash hash;
  hash.add(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, checksum)));
  const auto add = [&](const sim::Vectors& v) {
    for (const auto* axis : {&v.x, &v.y, &v.z}) hash.add(std::span<const double>(*axis));
  };
  add(state.position);
  add(state.velocity);
  for (const auto& column : state.columns) add(column);
  if (clock_of(header.clock) != sim::Clock()) hash.add(std::as_bytes(std::span(&header.clock, 1)));
  const sim::Excursion excursion = excursion_of(header.watch);
  if (header.watch.states > 0 || excursion) hash.add(std::as_bytes(std::span(&header.watch, 1)));
  return hash.value();
}

// Positions, velocities, then the columns.
std::vector<std::string> names_of(const Shape& shape) {
  std::vector<std::string> names{"position", "velocity"};
  for (std::size_t k = 0; k < shape.columns; ++k) names.push_back("column_" + std::to_string(k));
  return names;
}

template <class Snapshot>  // const or not
auto vectors_of(Snapshot& state) {
  std::vector<decltype(&state.position)> vectors{&state.position, &state.velocity};
  for (auto& column : state.columns) vectors.push_back(&column);
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

Header read_header(hid_t slot) {
  Header header;
  const hdf5::Handle dataset = hdf5::open_dataset(slot, "header");
  hdf5::require_scalar(dataset);
  hdf5::read_all(dataset, header_type(), &header);
  return header;
}

/// The state that a slot holds, if it is whole.
std::optional<RestartState> read(hid_t slot, const Shape& shape) {
  const Header header = read_header(slot);
  if (header.at.sequence == 0) return std::nullopt;
  RestartState state{.at = header.at, .snapshot = {}};
  sim::Snapshot& snapshot = state.snapshot;
  snapshot.step = header.step;
  snapshot.time = header.time;
  snapshot.observables = observables_of(header.observables);
  snapshot.clock = clock_of(header.clock);
  snapshot.extremes = extremes_of(header.watch);
  snapshot.excursion = excursion_of(header.watch);
  snapshot.position = snapshot.velocity = sim::Vectors(shape.whole);
  snapshot.columns.assign(shape.columns, sim::Vectors(shape.whole));
  const auto names = names_of(shape);
  const auto vectors = vectors_of(snapshot);
  for (std::size_t k = 0; k < names.size(); ++k) read_vectors(slot, names[k], *vectors[k]);
  if (checksum_of(header, snapshot) != header.checksum) return std::nullopt;
  return state;
}

}  // namespace

RestartSlots::RestartSlots(hid_t file, const Shape& shape) : shape_(shape) {
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    slots_[k] = hdf5::open_group(file, std::string("/restart/") + slot_names[k]);
    for (const auto& name : names_of(shape)) hdf5::require_rows(hdf5::open_dataset(slots_[k], name), {shape.whole});
  }
  watches_ = watches(slots_.front());
}

void RestartSlots::create(hid_t file, const Shape& shape) {
  const hdf5::Handle restart = hdf5::create_group(file, "restart");
  for (const char* name : slot_names) {
    const hdf5::Handle slot = hdf5::create_group(restart, name);
    const Header empty;
    hdf5::write_all(hdf5::create_fixed(slot, "header", header_type(), {}), header_type(), &empty);
    for (const auto& vectors : names_of(shape)) {
      hdf5::create_fixed(slot, vectors, hdf5::type_of<double>(), {3, shape.whole});
    }
  }
}

void RestartSlots::write(const RestartPoint& at, const sim::Snapshot& state) {
  if (state.columns.size() != shape_.columns) throw hdf5::Failure("a state must have as many columns as the record");
  const auto names = names_of(shape_);
  const auto vectors = vectors_of(state);
  for (const auto* v : vectors) {
    if (v->size() != shape_.whole) throw hdf5::Failure("a state must have as many bodies as the run");
  }
  Header header{.at = at,
                .step = state.step,
                .time = state.time,
                .observables = numbers_of(state.observables),
                .clock = stored(state.clock)};
  if (watches_) header.watch = stored(state.extremes, state.excursion);
  header.checksum = checksum_of(header, state);
  const std::size_t turn = turns_.next();
  for (std::size_t k = 0; k < names.size(); ++k) write_vectors(slots_[turn], names[k], *vectors[k]);
  hdf5::write_all(hdf5::open_dataset(slots_[turn], "header"), header_type(), &header);
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
  for (const RestartPoint& point : whole()) {
    if (std::cmp_less_equal(point.frames, frames) && std::cmp_less_equal(point.rows, rows))
      return state(point.sequence);
  }
  return std::nullopt;
}

RestartMark RestartSlots::mark() const {
  RestartMark newest;
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
