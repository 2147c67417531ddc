// SPDX-License-Identifier: MIT
#include "pipeline/plug_in_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "pipeline/literature.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

/// Returns the keys of a plug-in followed by those that all plug-ins of its section have.
std::vector<Parameter> keys_shared(std::string_view section, std::span<const Parameter> own = {}) {
  std::vector<Parameter> all(own.begin(), own.end());
  for (Parameter p : section_keys(section)) {
    if (p.name == "kind" || std::ranges::find(own, p.name, &Parameter::name) != own.end()) continue;
    p.optional = p.optional || !p.fallback.empty();
    all.push_back(p);
  }
  return all;
}

/// Returns all keys of [backend], including the optional `kind`.
std::vector<Parameter> backend_keys() {
  std::vector<Parameter> all = keys_shared("backend");
  all.insert(all.begin(), {.name = "kind",
                           .kind = Kind::text,
                           .fallback = "\"auto\"",
                           .meaning = "a backend of `orrery list backend`, or auto: the fastest on this machine",
                           .optional = true});
  return all;
}

/// Returns the keys of an integrator; `dt` is optional if by default its steps are adaptive.
std::vector<Parameter> integrator_keys(const sim::Integrator& integrator) {
  std::vector<Parameter> all = keys_shared("integrator", integrator.parameters);
  const bool adaptive = integrator.advance_to != nullptr && integrator.parameters.front().fallback != "0" &&
                        integrator.parameters.front().fallback != "0.0";
  std::ranges::find(all, "dt", &Parameter::name)->optional = adaptive;
  return all;
}

std::string describe(const sim::Integrator& integrator) {
  return fmt::format("order {}{}, {}{}, {}{} force evaluation{} per step", integrator.order,
                     integrator.bath ? " without friction" : "",
                     integrator.symplectic ? "symplectic" : "not symplectic",
                     integrator.symmetric ? ", symmetric in time" : "", integrator.step == nullptr ? "at least " : "",
                     integrator.evaluations, integrator.evaluations == 1 ? "" : "s");
}

/// One entry for each plug-in; keys and note are made by functions. References come after the note.
template <class List, class Keys, class Note>
std::vector<PlugIn> list_of_plug_ins(const List& plug_ins, const Keys& keys, const Note& note) {
  std::vector<PlugIn> all;
  for (const auto* p : plug_ins) {
    PlugIn& one = all.emplace_back(std::string(p->name), std::string(p->meaning), keys(*p), note(*p));
    if constexpr (requires { p->references; }) {
      const std::string references = brief_text(p->references);
      one.note += (one.note.empty() || references.empty() ? "" : "; ") + references;
    }
  }
  return all;
}

constexpr auto no_keys = [](const auto&) { return std::vector<Parameter>(); };
constexpr auto no_note = [](const auto&) { return std::string(); };
/// Those of a section, after its own.
constexpr auto with_keys_of(std::string_view section) {
  return [section](const auto& plug_in) { return keys_shared(section, plug_in.parameters); };
}

}  // namespace

std::vector<PlugIn> initial_state_list() {
  return list_of_plug_ins(sim::initial_states(), with_keys_of("initial"), no_note);
}

std::vector<PlugIn> pair_force_list() {
  return list_of_plug_ins(sim::force_laws(), with_keys_of("force"), no_note);
}

std::vector<PlugIn> field_list() {
  return list_of_plug_ins(sim::field_laws(), with_keys_of("force"), no_note);
}

std::vector<PlugIn> solver_list() {
  return list_of_plug_ins(
      sim::force_solvers(),
      [](const sim::ForceSolver& solver) {
        return std::vector<Parameter>(solver.parameters.begin(), solver.parameters.end());
      },
      [](const sim::ForceSolver& solver) { return std::string(solver.discontinuity); });
}

std::vector<PlugIn> integrator_list() {
  return list_of_plug_ins(sim::integrators(), integrator_keys, describe);
}

std::vector<PlugIn> boundary_list() {
  return list_of_plug_ins(sim::boundaries(), no_keys, no_note);
}

std::vector<PlugIn> backend_list() {
  const auto keys = [](const auto&) { return keys_shared("backend"); };
  std::vector<PlugIn> all =
      list_of_plug_ins(sim::backend_kinds(), keys, [](const sim::BackendKind& kind) { return kind.absence(); });
  all.insert(all.begin(), {"auto", "the fastest on this machine; the default", keys_shared("backend")});
  return all;
}

std::vector<PlugIn> unit_list() {
  std::vector<PlugIn> all;
  for (const sim::Units& units : sim::all_units()) {
    const bool named = !units.length.empty();
    all.push_back({std::string(units.name),
                   named ? fmt::format("length {}, time {}, mass {}", units.length, units.time, units.mass)
                         : "without dimensions",
                   {},
                   fmt::format("G = {}{}", units.G, units.k > 0 ? fmt::format(", k = {}", units.k) : "")});
  }
  return all;
}

std::vector<PlugIn> figure_list(std::string_view section) {
  std::vector<PlugIn> all;
  for (const auto& d : figure_descriptions(section))
    all.push_back({std::string(d.name), std::string(d.meaning), d.parameters});
  return all;
}

std::vector<PlugIn> table_list() {
  return {{"top", "keys of the whole scenario", keys_shared(""), "at the top of the file, before the first table"},
          {"backend", "the device and kernel that compute the steps", backend_keys()},
          {"perturb", "moves one body after all are made and their centre of mass is at rest; the others stay",
           keys_shared("perturb"), "there may be several [[perturb]]; they are applied in order"},
          {"domain", "the space of the bodies; infinite without this table", keys_shared("domain")},
          {"trajectory", "the frames and bodies that the file stores", keys_shared("trajectory")},
          {"observables", "when energies and momenta are stored", keys_shared("observables")}};
}

}  // namespace orrery::pipeline
