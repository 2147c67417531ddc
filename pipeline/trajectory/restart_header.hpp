// SPDX-License-Identifier: MIT
// What a slot of /restart says of a state besides its arrays, as it lies in the file.
#pragma once

#include <array>
#include <cstdint>

#include "pipeline/trajectory/hdf5.hpp"
#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {

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

/// The checksum covers what stands before it here, then positions, velocities, columns, images where there are any, the clock
/// where an integrator has one, what was watched where something was, and a virial that is not 0: files from before there were
/// such things read as if there were none.
struct RestartHeader {
  RestartPoint at;
  std::int64_t step = 0;
  double time = 0;
  std::array<double, 11> observables{};  ///< kinetic and potential energy, momentum, angular momentum, center of mass
  std::uint64_t checksum = 0;
  StoredClock clock;
  StoredWatch watch{};
  double virial = 0;
};

/// What a file has room for that some files have not.
inline constexpr const char *watch_member = "states", *virial_member = "virial";

/// A file has room for the virial, at the end, or not.
hdf5::Handle restart_header_type(bool virial);
/// Whether the header of a slot has such a member.
bool has_member(hid_t slot, const char* name);
RestartHeader read_restart_header(hid_t slot);

/// Of a state, all but the checksum; `watches`, `virial`: the file has room for them.
RestartHeader header_of(const RestartPoint& at, const sim::Snapshot& state, bool watches, bool virial);
/// The other way; without arrays.
sim::Snapshot state_of(const RestartHeader& header);
std::uint64_t checksum_of(const RestartHeader& header, const sim::Snapshot& state, bool images);

}  // namespace orrery::pipeline::trajectory
