// SPDX-License-Identifier: MIT
// One attribute a dataset, and the module that says which strings they are.
#include "pipeline/trajectory/units.hpp"

#include <array>
#include <cstdint>
#include <string>

#include "pipeline/physical_unit.hpp"
#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::trajectory {

using hdf5::Handle;

void write_units(hid_t file, const RunRecord& record, bool velocities) {
  const PhysicalUnit length(record.length_unit), time(record.time_unit), mass(record.mass_unit);
  if (length.empty() && time.empty() && mass.empty()) return;
  const Handle module = hdf5::create_group(hdf5::create_group(hdf5::open_group(file, "/h5md"), "modules"), "units");
  constexpr std::array<std::int32_t, 2> version{1, 0};
  hdf5::write_attribute(module, "version", hdf5::type_of<std::int32_t>(), {2}, version.data());
  hdf5::write_ascii_attribute(module, "system", record.units == "si" ? "SI" : record.units);
  const auto say = [&](const std::string& dataset, const PhysicalUnit& unit) {
    if (!unit.empty()) hdf5::write_ascii_attribute(hdf5::open_dataset(file, dataset), "unit", unit.h5md());
  };
  const std::string all = "/particles/all/", seen = "/observables/";
  const PhysicalUnit speed = length / time, energy = mass * speed * speed;
  say(all + "position/value", length);
  say(all + "position/time", time);
  say(all + "mass", mass);
  if (velocities) say(all + "velocity/value", speed);
  say(seen + "kinetic_energy/time", time);
  say(seen + "center_of_mass/value", length);
  for (const char* kind : {"kinetic_energy", "potential_energy", "total_energy"}) say(seen + kind + "/value", energy);
  say(seen + "momentum/value", mass * speed);
  say(seen + "angular_momentum/value", mass * length * speed);
  if (record.virial) {
    for (const char* kind : {"virial", "temperature"}) say(seen + kind + "/value", energy);
    const PhysicalUnit area = length * length;
    if (record.domain.volume() > 0)
      say(seen + "pressure/value", energy / (record.domain.dimensions == 2 ? area : area * length));
  }
  if (!hdf5::exists(file, seen + "states")) return;
  say(seen + "total_energy_range/value", energy);
  say(seen + "angular_momentum_range/value", mass * length * speed);
}

}  // namespace orrery::pipeline::trajectory
