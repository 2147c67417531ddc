// SPDX-License-Identifier: MIT
// The header of a state: its type, what it is made of, and its checksum.
#include "pipeline/trajectory/restart_header.hpp"

#include <bit>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "pipeline/trajectory/hash.hpp"

namespace orrery::pipeline::trajectory {
namespace {

using Header = RestartHeader;
static_assert(offsetof(Header, virial) == 312, "files without a virial keep the headers that they ever had");

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

}  // namespace

hdf5::Handle restart_header_type(bool virial) {
  using hdf5::check, hdf5::type_of;
  const hsize_t count = std::tuple_size_v<decltype(Header::observables)>;
  const hdf5::Handle observables(H5Tarray_create2(type_of<double>(), 1, &count));
  hdf5::Handle type(H5Tcreate(H5T_COMPOUND, virial ? sizeof(Header) : offsetof(Header, virial)));
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
  check(H5Tinsert(type, watch_member, offsetof(Header, watch.states), type_of<std::int64_t>()));
  insert_array("extremes", offsetof(Header, watch.extremes), type_of<double>(), 8);
  insert_array("excursion", offsetof(Header, watch.excursion), type_of<std::int64_t>(), 3);
  insert_array("excursion_at", offsetof(Header, watch.excursion_at), type_of<double>(), 2);
  if (virial) check(H5Tinsert(type, virial_member, offsetof(Header, virial), type_of<double>()));
  return type;
}

bool has_member(hid_t slot, const char* name) {
  const hdf5::Handle type(H5Dget_type(hdf5::open_dataset(slot, "header")));
  const int count = H5Tget_nmembers(type);
  for (int k = 0; k < count; ++k) {
    const std::unique_ptr<char, decltype(&H5free_memory)> member(H5Tget_member_name(type, static_cast<unsigned>(k)),
                                                                 H5free_memory);
    if (member != nullptr && std::string_view(member.get()) == name) return true;
  }
  return false;
}

RestartHeader read_restart_header(hid_t slot) {
  Header header;
  const hdf5::Handle dataset = hdf5::open_dataset(slot, "header");
  hdf5::require_scalar(dataset);
  // In the type that the file has: to convert it, the library would fill megabytes with zeros.
  const bool virial = H5Tget_size(hdf5::Handle(H5Dget_type(dataset))) > offsetof(Header, virial);
  hdf5::read_all(dataset, restart_header_type(virial), &header);
  return header;
}

RestartHeader header_of(const RestartPoint& at, const sim::Snapshot& state, bool watches, bool virial) {
  Header header{.at = at,
                .step = state.step,
                .time = state.time,
                .observables = numbers_of(state.observables),
                .clock = stored(state.clock)};
  if (watches) header.watch = stored(state.extremes, state.excursion);
  if (virial) header.virial = state.observables.virial;
  return header;
}

sim::Snapshot state_of(const RestartHeader& header) {
  sim::Snapshot state;
  state.step = header.step;
  state.time = header.time;
  state.observables = observables_of(header.observables);
  state.observables.virial = header.virial;
  state.clock = clock_of(header.clock);
  state.extremes = extremes_of(header.watch);
  state.excursion = excursion_of(header.watch);
  return state;
}

std::uint64_t checksum_of(const RestartHeader& header, const sim::Snapshot& state, bool images) {
  Hash hash;
  hash.add(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, checksum)));
  const auto add = [&](const sim::Vectors& v) {
    for (const auto* axis : {&v.x, &v.y, &v.z}) hash.add(std::span<const double>(*axis));
  };
  add(state.position);
  add(state.velocity);
  for (const auto& column : state.columns) add(column);
  if (images) add(state.image);
  if (clock_of(header.clock) != sim::Clock()) hash.add(std::as_bytes(std::span(&header.clock, 1)));
  const sim::Excursion excursion = excursion_of(header.watch);
  if (header.watch.states > 0 || excursion) hash.add(std::as_bytes(std::span(&header.watch, 1)));
  if (std::bit_cast<std::uint64_t>(header.virial) != 0) hash.add(std::span(&header.virial, 1));
  return hash.value();
}

}  // namespace orrery::pipeline::trajectory
