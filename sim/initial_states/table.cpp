// SPDX-License-Identifier: MIT
// Bodies one by one; whoever reads the scenario turns a file named there into the same records.
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
     .kind = Kind::records,
     .example = "[{ name = \"Sun\", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] }]",
     .meaning = "one table a body",
     .fields = fields,
     .optional = true},
    {.name = "file",
     .kind = Kind::text,
     .example = "\"bodies.csv\"",
     .meaning = "or a CSV file beside the scenario: name,mass,x,y,z,vx,vy,vz,charge",
     .optional = true},
};

InitialConditions make(const Arguments& arguments, const Environment&) {
  if (!arguments.has("bodies")) throw ArgumentError("kind", "a table needs `bodies = […]` or `file = \"….csv\"`");
  InitialConditions made;
  Bodies& bodies = made.bodies;
  bool named = false, charged = false;
  for (const Arguments& body : arguments.records("bodies")) {
    const auto &x = body.numbers("position"), &v = body.numbers("velocity");
    bodies.mass.push_back(body.number("mass"));
    bodies.position.push_back(x[0], x[1], x[2]);
    bodies.velocity.push_back(v[0], v[1], v[2]);
    bodies.names.push_back(body.text("name"));
    named = named || !bodies.names.back().empty();
    bodies.charge.push_back(body.has("charge") ? body.number("charge") : 0.0);
    charged = charged || body.has("charge");
  }
  if (bodies.size() == 0) throw ArgumentError("bodies", "a table needs at least one body");
  if (!named) bodies.names.clear();
  if (!charged) bodies.charge.clear();
  return made;
}

}  // namespace

const InitialState table{.name = "table",
                         .meaning = "bodies one by one, from the scenario or from a CSV file",
                         .parameters = parameters,
                         .make = make};

}  // namespace orrery::sim
