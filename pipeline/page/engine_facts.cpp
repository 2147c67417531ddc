// SPDX-License-Identifier: MIT
#include "pipeline/page/engine_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

static_assert(std::endian::native == std::endian::little, "pages hold numbers with the lowest byte first");

template <class T>
void append(std::string& bytes, std::span<const T> values) {
  const std::size_t size = bytes.size();
  bytes.resize(size + values.size_bytes());
  if (!values.empty()) std::memcpy(bytes.data() + size, values.data(), values.size_bytes());
}

std::string state_of(const sim::Bodies& bodies, bool charged) {
  std::string bytes;
  append<double>(bytes, bodies.mass);
  if (charged) append<double>(bytes, bodies.charge);
  for (const sim::Vectors* vectors : {&bodies.position, &bodies.velocity}) {
    for (const std::vector<double>* component : {&vectors->x, &vectors->y, &vectors->z})
      append<double>(bytes, *component);
  }
  return bytes;
}

/// Forces as the engine takes them (render/page/engine/engine.cpp): number of the law, length, factor, exponent, centre.
std::vector<std::array<double, 7>> forces_of(const sim::Model& model) {
  const EngineCapabilities& known = engine_capabilities();
  const auto place = [](const auto& names, std::string_view name) {
    return static_cast<double>(std::ranges::find(names, name) - names.begin());
  };
  const auto& [law, values] = model.force;
  std::vector<std::array<double, 7>> forces{
      {place(known.laws, law->name), sim::softening_in(values), model.coupling(), law->parameters_of(values).at[0]}};
  for (const sim::ExternalField& field : sim::fields_of(model)) {
    const auto& p = field.parameters.at;  // a factor, the square of a length, whose root is exact, and the centre
    forces.push_back({static_cast<double>(known.laws.size()) + place(known.fields, field.law->name), std::sqrt(p[1]),
                      p[0], 0, p[2], p[3], p[4]});
  }
  return forces;
}

}  // namespace

const EngineCapabilities& engine_capabilities() {
  static const EngineCapabilities all{{"gravity", "coulomb", "inverse-power"},
                                      {"logarithmic-halo", "plummer-halo"},
                                      {"leapfrog", "leapfrog-dkd", "symplectic-euler", "yoshida4", "yoshida6",
                                       "yoshida8", "ruth3", "forest-ruth", "pefrl", "rk4", "hermite4"},
                                      4096};
  return all;
}

std::string why_not_stepped(const sim::Model& model) {
  const EngineCapabilities& known = engine_capabilities();
  const auto knows = [](const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  if (model.precision != sim::Precision::float64)
    return fmt::format("its forces were computed in {}", sim::name_of(model.precision));
  if (model.force.plugin->foreign != nullptr || !knows(known.laws, model.force.plugin->name))
    return fmt::format("its engine does not know the force \"{}\"", model.force.plugin->name);
  for (const auto& field : model.fields) {
    if (field.plugin->foreign != nullptr || !knows(known.fields, field.plugin->name))
      return fmt::format("its engine does not know the field \"{}\"", field.plugin->name);
  }
  if (model.integrator->foreign != nullptr || !knows(known.integrators, model.integrator->name))
    return fmt::format("its engine does not know the integrator \"{}\"", model.integrator->name);
  if (model.accuracy() > 0) return "its engine takes fixed steps only";
  if (model.solver->linear)
    return fmt::format("its engine computes all pairs, without the method \"{}\"", model.solver->name);
  if (!model.domain.is_open()) return "its engine knows unbounded space only";
  if (model.bodies.size() > known.bodies)
    return fmt::format("it has {} bodies, and its engine holds at most {}", model.bodies.size(), known.bodies);
  return "";
}

EngineFacts engine_facts(const TrajectoryReader& trajectory, const std::vector<std::size_t>& frames,
                         const Context& context) {
  EngineFacts facts;
  if (!imported_from(trajectory.record()).empty()) return {.why_not = "another program computed it"};
  const auto last = trajectory.restart();
  if (!last) return {.why_not = "it has no state yet"};
  sim::Model model;
  try {
    const Scenario scenario = scenario_of(trajectory, trajectory.path(), {}, context.plug_ins);
    model = set_up_to_step(scenario, context.resources).model;
  } catch (const Error& error) {
    return {.why_not = fmt::format("its scenario cannot be set up again here: {}", error.what())};
  }
  if (facts.why_not = why_not_stepped(model); !facts.why_not.empty()) return facts;
  if (model.bodies.size() != trajectory.whole())
    return {.why_not = "its scenario comes to other bodies than the file has"};

  std::vector<std::int64_t> steps;
  for (const std::size_t frame : frames) steps.push_back(trajectory.steps()[frame]);
  const TrajectoryOptions& stored = trajectory.options();
  const bool charged = !model.bodies.charge.empty(), checked = stored.bodies.empty();
  std::vector<std::string> columns{"mass", "x", "y", "z", "vx", "vy", "vz"};
  if (charged) columns.insert(columns.begin() + 1, "charge");
  const auto& methods = engine_capabilities().integrators;
  facts.json = nlohmann::json{{"bodies", model.bodies.size()},
                              {"charged", charged},
                              {"columns", columns},
                              {"dt", model.dt},
                              {"steps", last->step},
                              {"method", std::ranges::find(methods, model.integrator->name) - methods.begin()},
                              {"evaluations", model.integrator->evaluations},
                              {"forces", forces_of(model)},
                              {"hash", state_hash(*last)},
                              {"frameSteps", steps},
                              {"single", stored.single_precision},
                              {"velocities", stored.velocities},
                              {"checked", checked}};
  facts.state = state_of(model.bodies, charged);
  if (checked) {
    std::vector<std::uint64_t> sums;
    for (const std::size_t frame : frames) sums.push_back(trajectory.checksums()[frame]);
    append<std::uint64_t>(facts.checksums, sums);
  }
  return facts;
}

}  // namespace orrery::pipeline
