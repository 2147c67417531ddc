// SPDX-License-Identifier: MIT
// A model writes itself as a scenario that reads back as the same model, bit by bit: every law, solver, field, integrator and
// boundary, at generic values.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "pipeline/scenario/model_toml.hpp"
#include "sim/boundaries/list.hpp"
#include "sim/solver.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

/// The value of a key, moved off its default.
double moved(double value, const Parameter& key) {
  const double generic = value == 0 ? std::sqrt(2) / 7 : value * (1 + std::sqrt(3) / 31);
  const bool whole = key.kind == Kind::integer || key.kind == Kind::boolean;
  return !whole && key.range.contains(generic) ? generic : value;
}

template <class Plugin>
void move(sim::Chosen<Plugin>& force) {
  for (const Parameter& key : force.plugin->parameters) {
    const Value* value = force.values.find(key.name);
    if (value == nullptr) continue;
    if (const auto* number = std::get_if<double>(value)) {
      force.values.set(key.name, moved(*number, key));
    } else if (auto numbers = std::get_if<std::vector<double>>(value)) {
      std::vector<double> all = *numbers;
      for (double& each : all) each = moved(each, key);
      force.values.set(key.name, all);
    }
  }
}

/// The model of a scenario at generic values, with −0 among its coordinates.
sim::Model generic(const std::string& text) {
  sim::Model model = setup_of(text).model;
  move(model.force);
  if (const auto decided = model.units->coupling(model.force.plugin->coupling); decided && !model.units->length.empty())
    model.force.values.set(model.force.plugin->coupling_key, *decided);
  if (model.force.plugin->coupling == sim::Coupling::gravitational) model.G = model.coupling();
  for (auto& field : model.fields) move(field);
  const auto parameters = model.integrator->parameters;
  for (std::size_t k = 0; k < parameters.size(); ++k) model.keys.at.at(k) = moved(model.keys.at.at(k), parameters[k]);
  model.dt *= -(1 + std::sqrt(5) / 100);
  model.bodies.velocity.x.at(0) = -0.0;
  model.bodies.velocity.y.at(1) = -0.0;
  model.bodies.velocity.y.at(2) = 0.0;
  if (model.domain.is_open()) model.bodies.position.y.at(1) = -0.0;
  return model;
}

/// Reads a written model back.
sim::Model read_back(const ModelText& written) {
  const Folder folder;
  for (const auto& [name, text] : written.tables) std::ofstream(folder / name) << text;
  return set_up(parse_scenario(written.toml, (folder / "model.toml").string())).model;
}

void expect_round_trip(const sim::Model& model) {
  const ModelText written = to_toml(model);
  EXPECT_TRUE(written.tables.empty());
  try {
    const sim::Model again = read_back(written);
    EXPECT_TRUE(same(model, again)) << written.toml;
    EXPECT_EQ(to_toml(again).toml, written.toml);
    sim::Model other = again;
    other.bodies.velocity.x.at(0) = 0;
    EXPECT_FALSE(same(model, other)) << "0 is not −0";
    EXPECT_EQ(hash_of(model), hash_of(again));
    EXPECT_NE(hash_of(model), hash_of(other));
  } catch (const Error& error) {
    ADD_FAILURE() << error.what() << "\n" << written.toml;
  }
}

const std::string cube = "[[initial]]\nkind = \"random-cube\"\nn = 7\nhalf_width = 3.5\ncharge = [-0.5, 2]\n";
const std::string steps = "[integrator]\nkind = \"leapfrog\"\ndt = 0.003\nsteps = 11\n";
const std::string box = "[domain]\nboundary = \"{}\"\nedges = [17.5, 18.25, 19.0]\nlow = [-8.5, -9.0, -9.25]\n";

TEST(ModelToml, EveryLawWithEverySolverReadsBack) {
  std::size_t count = 0;
  for (const sim::ForceLaw* law : sim::force_laws()) {
    const std::string text = cube + fmt::format("[force]\nkind = \"{}\"\n", law->name) + steps;
    for (const sim::ForceSolver* solver : sim::force_solvers()) {
      sim::Model model = generic(text);
      model.solver = solver;
      model.solver_values.assign(solver->parameters.size(), std::nullopt);
      for (std::size_t k = 0; k < solver->parameters.size(); ++k) {
        const Parameter& key = solver->parameters[k];
        model.solver_values[k] = std::stod(std::string(key.fallback.empty() ? key.example : key.fallback));
      }
      for (const sim::Precision precision : sim::every_precision) {
        model.precision = precision;
        if (!refusal_of(*solver, sim::system_of(model), precision).why.empty()) continue;
        SCOPED_TRACE(fmt::format("{} {} {}", law->name, solver->name, static_cast<int>(precision)));
        expect_round_trip(model);
        ++count;
      }
    }
  }
  EXPECT_GE(count, sim::force_laws().size() * 2);
}

TEST(ModelToml, EveryFieldIntegratorAndBoundaryReadsBack) {
  for (const sim::FieldLaw* field : sim::field_laws()) {
    SCOPED_TRACE(field->name);
    expect_round_trip(generic("units = \"galactic\"\n" + cube +
                              fmt::format("[[force]]\nkind = \"{0}\"\n[[force]]\nkind = \"gravity\"\n", field->name) +
                              steps));
  }
  for (const sim::Integrator* integrator : sim::integrators()) {
    SCOPED_TRACE(integrator->name);
    expect_round_trip(generic(cube + with(steps, "leapfrog", std::string(integrator->name))));
  }
  const std::string own = "[integrator]\nkind = \"ias15\"\ntime = 2.5\n";  // dt is that of the outputs
  expect_round_trip(generic(cube + own));
  for (const sim::Boundary* boundary : sim::boundaries()) {
    SCOPED_TRACE(boundary->name);
    const std::string domain = fmt::format(fmt::runtime(box), boundary->name);
    expect_round_trip(generic(domain + cube + "[force]\nkind = \"wca\"\n" + steps));
  }
  expect_round_trip(
      generic("[domain]\ndimensions = 2\nboundary = [\"reflecting\", \"open\"]\nedges = [0.5, 0.25]\n"
              "[initial]\nkind = \"short-range-box\"\nn = 9\n[force]\nkind = \"repulsive\"\n" +
              steps));
}

TEST(ModelToml, ComponentsAndNamesReadBack) {
  expect_round_trip(
      generic("[[initial]]\nkind = \"galaxy\"\nn = 300\n[[initial]]\nkind = \"outer-solar-system\"\n"
              "[[initial]]\nkind = \"random-cube\"\nn = 3\ncomponent = \"a \\\"quoted\\\" name\"\n"
              "[[initial]]\nkind = \"random-cube\"\nn = 3\n[[initial]]\nkind = \"random-cube\"\nn = 3\n" +
              steps));
}

TEST(ModelToml, ManyBodiesAreInAFileBesideIt) {
  const auto of = [](int n) { return generic(with(cube, "n = 7", fmt::format("n = {}", n)) + steps); };
  EXPECT_TRUE(to_toml(of(1000)).tables.empty());
  sim::Model model = of(1001);
  model.bodies.names.assign(1001, "");
  model.bodies.names[1] = "one, \"quoted\"";
  const ModelText written = to_toml(model, "m");
  EXPECT_THAT(written.tables, ::testing::ElementsAre(::testing::Key("m.csv")));
  EXPECT_LT(written.toml.size(), 1000U);
  EXPECT_TRUE(same(model, read_back(written)));
}

TEST(ModelToml, AConstantThatNoScenarioHasIsRefused) {
  sim::Model earth = setup_of("units = \"si\"\n" + cube + steps).model;
  earth.force.values.set("G", 1.0), earth.G = 1;
  EXPECT_EQ(complaint([&] { (void)to_toml(earth); }),
            "G = 1 of gravity in units = \"si\" cannot be written: they set G = 6.6743e-11");
  sim::Model model = setup_of(cube + "[force]\nkind = \"coulomb\"\n" + steps).model;
  model.G = 0.25;
  EXPECT_EQ(complaint([&] { (void)to_toml(model); }),
            "G = 0.25 beside coulomb and units = \"nbody\" cannot be written: a scenario has G = 1 there");
}

}  // namespace
}  // namespace orrery::pipeline::testing
