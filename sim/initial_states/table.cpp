// SPDX-License-Identifier: MIT
// Bodies one by one, given as columns; whoever reads the scenario fills them from its text, a CSV file or a trajectory.
#include "sim/initial_states/table.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter fields[] = {
    {.name = "name", .kind = Kind::text, .fallback = "\"\"", .meaning = "shown in legends and messages"},
    {.name = "mass", .meaning = "0 is a test particle", .unit = "mass", .range = not_negative},
    {.name = "position", .kind = Kind::numbers, .meaning = "[x, y, z]", .unit = "length", .count = 3},
    {.name = "velocity", .kind = Kind::numbers, .meaning = "[vx, vy, vz]", .unit = "length/time", .count = 3},
    {.name = "charge", .meaning = "for the force coulomb; 0 where it is left out", .unit = "charge", .optional = true},
};

constexpr Parameter parameters[] = {
    {.name = "bodies",
     .kind = Kind::columns,
     .example = "[{ name = \"Sun\", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] }]",
     .meaning = "one table a body",
     .fields = fields,
     .optional = true},
    {.name = "file",
     .kind = Kind::text,
     .example = "\"bodies.csv\"",
     .meaning = "or a CSV file beside the scenario: name,mass,x,y,z,vx,vy,vz,charge",
     .optional = true},
    {.name = "xxh3",
     .kind = Kind::text,
     .example = "\"…\"",
     .meaning = "XXH3 of the bodies, 16 hexadecimal digits: other bodies are refused",
     .optional = true},
};

/// Numbers of three a row as vectors.
Vectors vectors_of(const std::vector<double>& numbers) {
  Vectors vectors(numbers.size() / 3);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    vectors.x[i] = numbers[3 * i];
    vectors.y[i] = numbers[3 * i + 1];
    vectors.z[i] = numbers[3 * i + 2];
  }
  return vectors;
}

InitialConditions make(const Arguments& arguments, const Environment&) {
  if (!arguments.has("bodies")) throw ArgumentError("kind", "a table needs `bodies = […]` or `file = \"….csv\"`");
  const Columns& table = arguments.columns("bodies");
  if (table.rows == 0) throw ArgumentError("bodies", "a table needs at least one body");
  const auto names = table.texts.find("name");
  const auto charges = table.numbers.find("charge");
  return {.bodies = {.mass = table.numbers.at("mass"),
                     .charge = charges == table.numbers.end() ? std::vector<double>() : charges->second,
                     .position = vectors_of(table.numbers.at("position")),
                     .velocity = vectors_of(table.numbers.at("velocity")),
                     .species = {},
                     .names = names == table.texts.end() ? std::vector<std::string>() : names->second}};
}

}  // namespace

const InitialState table{.name = "table",
                         .meaning = "bodies one by one, from the scenario or from a CSV file",
                         .parameters = parameters,
                         .make = make};

}  // namespace orrery::sim
