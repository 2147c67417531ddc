// SPDX-License-Identifier: MIT
// Bodies listed as columns, which the scenario reader fills from its text, a CSV file or a trajectory.
#include "sim/initial_states/list.hpp"
#include "sim/initial_states/listed_orbits.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::sim {
namespace {

constexpr Parameter element_key(std::size_t k) {
  const OrbitalElement& element = orbital_element_list[k];
  return {.name = element.name, .meaning = element.meaning, .unit = element.unit, .optional = true};
}

constexpr Parameter fields[] = {
    {.name = "name", .kind = Kind::text, .fallback = "\"\"", .meaning = "shown in legends and messages"},
    {.name = "mass", .meaning = "0 is a test particle", .unit = "mass", .range = not_negative},
    {.name = "position",
     .kind = Kind::numbers,
     .meaning = "[x, y, z]; [x, y] in a plane; or an orbit in its place, by the keys from `around` on",
     .unit = "length",
     .count = 3,
     .optional = true},
    {.name = "velocity",
     .kind = Kind::numbers,
     .meaning = "[vx, vy, vz]; [vx, vy] in a plane",
     .unit = "length/time",
     .count = 3,
     .optional = true},
    {.name = "charge", .meaning = "for the force coulomb; default: 0", .unit = "charge", .optional = true},
    {.name = "radius",
     .meaning = "of a solid sphere, which figures use, not forces; default: 0",
     .unit = "length",
     .range = not_negative,
     .optional = true},
    {.name = "component", .kind = Kind::text, .fallback = "\"\"", .meaning = "name of its group of bodies"},
    {.name = "around",
     .kind = Kind::text,
     .example = "\"Sun\"",
     .meaning = "of an orbit: a body above, the barycentre of several, \"A + B\", or of all above; default: \"all\"",
     .optional = true},
    {.name = "plane",
     .kind = Kind::text,
     .example = "\"equatorial\"",
     .meaning = "of an orbit: \"ecliptic\", which is x-y, or \"equatorial\", of J2000; default: \"ecliptic\"",
     .optional = true},
    element_key(0),
    element_key(1),
    element_key(2),
    element_key(3),
    element_key(4),
    element_key(5),
    element_key(6),
    element_key(7),
    element_key(8),
    element_key(9),
    element_key(10),
    element_key(11),
    element_key(12),
    element_key(13),
};

constexpr Parameter parameters[] = {
    {.name = "bodies",
     .kind = Kind::columns,
     .example = "[{ name = \"Sun\", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] }]",
     .meaning = "one table per body",
     .fields = fields,
     .optional = true},
    {.name = "file",
     .kind = Kind::text,
     .example = "\"bodies.csv\"",
     .meaning = "or a file beside the scenario, of a format in `orrery list import`, for example CSV: name,mass,x,y,z,"
                "vx,vy,vz,charge,radius,component or the keys of an orbit, or what `export` wrote",
     .optional = true},
    {.name = "format",
     .kind = Kind::text,
     .example = "\"csv\"",
     .meaning = "of that file, if its contents do not tell",
     .optional = true},
    {.name = "frame",
     .kind = Kind::integer,
     .example = "0",
     .meaning = "which frame of that file, if it has several; negative: counted from the end; default: -1, the last; "
                "\"run.h5#0\" is the same",
     .optional = true},
    {.name = "columns",
     .kind = Kind::texts,
     .example = "[\"mass\", \"x\", \"y\", \"z\", \"-\"]",
     .meaning = "of a table of text, in place of its own names; \"-\" leaves one out",
     .optional = true},
    {.name = "length_unit",
     .kind = Kind::text,
     .example = "\"kpc\"",
     .meaning = "of the file's lengths, if that does not state it",
     .optional = true},
    {.name = "mass_unit",
     .kind = Kind::text,
     .example = "\"1e10 Msun\"",
     .meaning = "of the file's masses",
     .optional = true},
    {.name = "velocity_unit",
     .kind = Kind::text,
     .example = "\"km/s\"",
     .meaning = "of the file's velocities",
     .optional = true},
    {.name = "hubble",
     .example = "0.6774",
     .meaning = "h, if the file has units per h: the Hubble constant in 100 km/s/Mpc; 1: none",
     .range = positive,
     .optional = true},
    {.name = "comoving",
     .kind = Kind::boolean,
     .example = "true",
     .meaning = "whether the file's lengths are comoving, if that does not tell",
     .optional = true},
    {.name = "scale_factor",
     .example = "0.5",
     .meaning = "by which comoving lengths are multiplied, if the file does not state it",
     .range = positive,
     .optional = true},
    {.name = "mass",
     .example = "1.0",
     .meaning = "of each body, if the file has no masses",
     .unit = "mass",
     .range = not_negative,
     .optional = true},
    {.name = "components",
     .kind = Kind::texts,
     .example = "[\"disk\", \"halo\"]",
     .meaning = "of the file, or its types of particles; default: all",
     .optional = true},
    {.name = "xxh3",
     .kind = Kind::text,
     .example = "\"…\"",
     .meaning = "XXH3 hash of the bodies, 16 hexadecimal digits; other bodies are rejected",
     .optional = true},
};

/// The component index of each body, in order of first appearance, and appends their names; bodies without one belong
/// to the component "table".
std::vector<std::int32_t> species_of(const std::vector<std::string>& components, std::vector<std::string_view>& names) {
  constexpr std::size_t most = 1000;
  std::map<std::string_view, std::int32_t> numbers;
  std::vector<std::int32_t> species;
  species.reserve(components.size());
  for (const std::string_view component : components) {
    const std::string_view name = component.empty() ? "table" : component;
    const auto [found, fresh] = numbers.emplace(name, static_cast<std::int32_t>(names.size()));
    if (fresh) names.push_back(name);
    if (names.size() > most) throw ArgumentError("bodies", "a table has at most 1000 components");
    species.push_back(found->second);
  }
  return species;
}

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  if (!arguments.has("bodies")) throw ArgumentError("kind", "a table needs `bodies = […]` or `file = \"….csv\"`");
  const Columns& table = arguments.columns("bodies");
  if (table.rows == 0) throw ArgumentError("bodies", "a table needs at least one body");
  const auto names = table.texts.find("name");
  const auto numbers = [&](const char* name) {
    const auto found = table.numbers.find(name);
    return found == table.numbers.end() ? std::vector<double>() : found->second;
  };
  const auto components = table.texts.find("component");
  std::vector<std::string_view> component_names;
  std::vector<std::int32_t> species;
  if (components != table.texts.end()) species = species_of(components->second, component_names);
  ListedStates states = states_of(table, environment.G, environment.before);
  return {.bodies = {.mass = table.numbers.at("mass"),
                     .charge = numbers("charge"),
                     .radius = numbers("radius"),
                     .position = std::move(states.position),
                     .velocity = std::move(states.velocity),
                     .species = std::move(species),
                     .names = names == table.texts.end() ? std::vector<std::string>() : names->second},
          .components = std::move(component_names)};
}

}  // namespace

const InitialState table{
    .name = "table",
    .meaning = "bodies listed in the scenario or in a file, by position and velocity or by orbital elements",
    .parameters = parameters,
    .make = make};

}  // namespace orrery::sim
