// SPDX-License-Identifier: MIT
// Models: their tables, given one by one or read from a scenario.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>

#include "common/new_file.hpp"
#include "pipeline/named.hpp"
#include "pipeline/pictures/picture.hpp"
#include "pipeline/public/handles.hpp"
#include "pipeline/quantity.hpp"
#include "pipeline/run/carried_runs.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/given_tables.hpp"
#include "pipeline/scenario/key_error.hpp"
#include "pipeline/scenario/scenario_text.hpp"
#include "sim/orbit.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

/// The place of keys that a function was given.
std::string place_of_table(std::string_view header, std::string_view kind = "") {
  return kind.empty() ? std::string(header) : fmt::format("{} {}", header, kind);
}

/// Throws unless there is a plug-in of that name.
template <class List>
void check_kind(const List& list, std::string_view header, std::string_view what, const std::string& kind) {
  const auto names = names_of(list);
  if (std::ranges::find(names, kind) != names.end()) return;
  throw KeyError(std::string(header), "kind",
                 fmt::format("there is no {} \"{}\"{} (there are: {})", what, kind, suggestion(kind, names),
                             fmt::join(names, ", ")));
}

/// `own` with the keys of `more`.
Arguments joined(Arguments own, const Arguments& more) {
  for (const auto& [key, value] : more) own.set(key, value);
  return own;
}

/// The system of units that the model has.
const sim::Units& units_of(const orrery_model& model) {
  return units_in(model.tables.top);
}

/// Throws if a key has been converted to the units that the model has.
void refuse_other_units(const orrery_model& model) {
  const auto check = [](const Section& table, std::string_view name) {
    if (!table.has_quantities()) return;
    throw KeyError(fmt::format("{}", name), "units",
                   "has numbers with units, which were converted to those that the model has: set `units` before them");
  };
  const ScenarioTables& tables = model.tables;
  for (const auto& initial : tables.initial) check(initial.section, "[[initial]]");
  for (const Section& table : tables.perturbations) check(table, "[[perturb]]");
  check(tables.force, "[[force]]");
  for (const Section& table : tables.fields) check(table, "[[force]]");
  check(tables.integrator, "[integrator]");
  check(tables.domain, "[domain]");
}

void set_force(orrery_model& model, const std::string& kind, Arguments keys) {
  model.tables.force =
      given_table("force", kind, std::move(keys), place_of_table("[[force]]", kind), *model.plug_ins, units_of(model));
  model.touch();
}

/// Whether a key of a pair force is about how it is computed.
bool is_of_solver(std::string_view key) {
  return key == "method" || sim::solver_with(key) != nullptr;
}

/// Sets keys of a table that has no plug-ins, besides those that it has.
void set_keys(Section& table, const std::string& name, const Arguments& keys) {
  table = given_table(name, "", joined(given_keys(table), keys),
                      place_of_table(name.empty() ? "the model" : fmt::format("[{}]", name)));
}

orrery_model* model_of(const SharedContext& context, ScenarioText source, std::vector<std::string> overrides) {
  source.partial = true;
  if (source.plug_ins == nullptr) source.plug_ins = context->plug_ins;
  if (!members_of(source, overrides).members.empty()) {
    throw Error(source.name +
                    ": has a [sweep], whose members are models of their own: give the keys of one as "
                    "overrides, and leave the table out",
                Fault::request);
  }
  Scenario scenario = parse_scenario(source, overrides);
  report_notes(scenario.document, *context);
  return new orrery_model{.context = context,
                          .plug_ins = scenario.document.plug_ins(),
                          .tables = std::move(scenario.tables),
                          .text = source.text,
                          .name = source.name,
                          .overrides = std::move(overrides),
                          .changed = false};
}

/// Writes a file; one of another content is replaced only if that is asked for.
void save_text(const std::filesystem::path& path, const std::string& text, bool replace) {
  std::ifstream stream(path, std::ios::binary);
  if (stream && std::string(std::istreambuf_iterator<char>(stream), {}) == text) return;
  if (!may_replace(path, replace ? Replacing::anything : Replacing::nothing, nullptr))
    throw Error(path.string() + ": exists and is another one; `replace` replaces it", Fault::request);
  try {
    NewFile file(path);
    file.write(text);
    file.rename_to(path, replace ? Replacing::anything : Replacing::nothing, nullptr);
  } catch (const std::system_error& error) {
    throw Error(path.string() + ": cannot be written: " + error.code().message());
  }
}

/// A table of bodies from arrays.
SharedColumns columns_of(const orrery_bodies& from) {
  const std::size_t n = from.count;
  auto table = std::make_shared<Columns>();
  table->rows = n;
  const auto scalars = [&](const double* data, std::ptrdiff_t stride, const char* name) {
    std::vector<double> all(n);
    if (n > 0) (void)needed(data, name);
    for (std::size_t i = 0; i < n; ++i) all[i] = data[static_cast<std::ptrdiff_t>(i) * (stride == 0 ? 1 : stride)];
    return all;
  };
  const auto rows = [&](const orrery_vectors& vectors, const char* name) {
    const sim::Vectors all = vectors_of(vectors, n, name);
    std::vector<double> numbers;
    numbers.reserve(3 * n);
    for (std::size_t i = 0; i < n; ++i) numbers.insert(numbers.end(), {all.x[i], all.y[i], all.z[i]});
    return numbers;
  };
  table->numbers["mass"] = scalars(from.mass, from.mass_stride, "mass");
  const bool on_orbits = from.element_count > 0;
  if (!on_orbits || from.position.x != nullptr) {
    table->numbers["position"] = rows(from.position, "position");
    std::vector<double>& velocity = table->numbers["velocity"];
    velocity = from.velocity.x == nullptr ? std::vector<double>(3 * n) : rows(from.velocity, "velocity");
    for (std::size_t k = 0; on_orbits && k < 3 * n; ++k)  // not at rest, but on an orbit
      if (from.velocity.x == nullptr && std::isnan(table->numbers["position"][k])) velocity[k] = std::nan("");
  }
  for (std::size_t k = 0; k < from.element_count; ++k) {
    if (k == 0) (void)needed(from.elements, "elements");
    const orrery_element& element = from.elements[k];
    const std::string name = needed_text(element.name, "elements[].name");
    const auto* known = std::ranges::find_if(orrery::sim::orbital_element_list,
                                             [&](const auto& one) { return one.name == name || one.symbol == name; });
    if (known == std::end(orrery::sim::orbital_element_list))
      throw Misuse(fmt::format("there is no element `{}` of orbits", name));
    if (table->numbers.contains(known->name)) throw Misuse(fmt::format("the element `{}` is given twice", name));
    table->numbers[std::string(known->name)] = scalars(element.values, element.stride, "elements[].values");
  }
  const auto texts = [&](const char* const* from_texts, const char* name) {
    std::vector<std::string> all;
    for (std::size_t i = 0; from_texts != nullptr && i < n; ++i)
      all.emplace_back(from_texts[i] == nullptr ? "" : from_texts[i]);
    if (!std::ranges::all_of(all, &std::string::empty)) table->texts[name] = std::move(all);
  };
  texts(from.around, "around");
  texts(from.planes, "plane");
  if (from.charge != nullptr) table->numbers["charge"] = scalars(from.charge, from.charge_stride, "charge");
  if (from.radius != nullptr) table->numbers["radius"] = scalars(from.radius, from.radius_stride, "radius");
  if (from.names != nullptr) {
    std::vector<std::string>& names = table->texts["name"];
    for (std::size_t i = 0; i < n; ++i) names.emplace_back(from.names[i] == nullptr ? "" : from.names[i]);
  }
  for (const auto& [key, numbers] : table->numbers) {
    const std::size_t width = numbers.size() / std::max<std::size_t>(n, 1);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const bool absent = on_orbits && std::isnan(numbers[k]) && key != "mass" && key != "charge" && key != "radius";
      if (!std::isfinite(numbers[k]) && !absent)
        throw KeyError(fmt::format("body {}", k / width), key, fmt::format("`{}` must be finite", key));
      if ((key == "mass" || key == "radius") && numbers[k] < 0)
        throw KeyError(fmt::format("body {}", k), key, fmt::format("`{}` = {} must be at least 0", key, numbers[k]));
    }
  }
  return table;
}

}  // namespace
}  // namespace orrery::pipeline

using namespace orrery::pipeline;
using orrery::Arguments;
using orrery::Error;
using orrery::Fault;
using orrery::SharedColumns;

Scenario orrery_model::scenario(Purpose purpose) const {
  if (tables.initial.empty()) {
    throw Error("there are no bodies: add some, or an initial state", Fault::request);
  }
  ScenarioTables all = tables;
  if (purpose != Purpose::run) all.integrator = stepped(tables.integrator, purpose == Purpose::look, *plug_ins);
  Document document(text, name, overrides, plug_ins);
  if (!changed) return scenario_of(std::move(all), std::move(document), text, overrides);
  return scenario_of(std::move(all), std::move(document), written().toml);
}

ModelText orrery_model::written(const std::string& file) const {
  const bool with_files = !file.empty() && needs_files(tables);
  if (!changed && overrides.empty() && !with_files) return {.toml = text};
  ModelText all = orrery::pipeline::to_toml(tables, file);
  for (const Picture& picture : read_pictures(Document(text, name, overrides, plug_ins)))
    all.toml += "\n" + orrery::pipeline::to_toml(picture);
  return all;
}

const orrery::sim::Model& orrery_model::model() {
  if (!made) made = set_up_to_step(scenario(Purpose::look), context->resources).model;
  return *made;
}

orrery_status orrery_model_create(orrery_context* context, orrery_model** model) {
  return answer_of(context, [&](orrery_context&) {
    (void)needed(model, "model");  // before anything is made
    *model = new orrery_model{
        .context = context->context, .plug_ins = context->context->plug_ins, .tables = default_tables()};
  });
}

orrery_status orrery_model_from_toml(orrery_context* context, const char* text, const char* name, const char* folder,
                                     const char* const* overrides, size_t count, orrery_model** model) {
  return answer_of(context, [&](orrery_context& c) {
    (void)needed(model, "model");
    *model = model_of(c.context,
                      {.text = needed_text(text, "text"),
                       .name = name == nullptr ? "scenario" : name,
                       .folder = folder == nullptr ? "" : folder},
                      texts_of(overrides, count, "overrides"));
  });
}

orrery_status orrery_model_from_file(orrery_context* context, const char* file, const char* const* overrides,
                                     size_t count, orrery_model** model) {
  return answer_of(context, [&](orrery_context& c) {
    (void)needed(model, "model");
    const std::filesystem::path path = needed_text(file, "file");
    const auto changes = texts_of(overrides, count, "overrides");
    if (names_scenario(path)) {
      *model = model_of(c.context, scenario_text(path, *c.context), changes);
    } else {
      const TrajectoryReader trajectory(path);
      *model = model_of(c.context, scenario_text(trajectory, path, c.context->plug_ins), changes);
    }
  });
}

orrery_status orrery_model_copy(orrery_model* model, orrery_model** copy) {
  return answer_of(model, [&](orrery_model& m) {
    (void)needed(copy, "copy");
    auto made = std::make_unique<orrery_model>(m);
    made->names.clear();  // views of the other
    *copy = made.release();
  });
}

void orrery_model_free(orrery_model* model) {
  delete model;
}

orrery_status orrery_model_add_bodies(orrery_model* model, const orrery_bodies* bodies) {
  return answer_of(model, [&](orrery_model& m) {
    const orrery_bodies given = given_struct(&needed(bodies, "bodies"), "bodies");
    Arguments keys{{"recentre", false}};
    if (given.component != nullptr) keys.set("component", std::string(given.component));
    const std::string place = fmt::format("[[initial]] {}", m.tables.initial.size());
    Section table = given_table("initial", "table", std::move(keys), place);
    const SharedColumns columns = columns_of(given);
    load_bodies(table, 0, {.text = "", .name = place, .bodies = [&](std::size_t) { return columns; }}, {});
    table.set_columns("bodies", columns, [](std::size_t i) { return fmt::format("body {}", i); });
    m.tables.initial.push_back({&named(orrery::sim::initial_states(), "table", "initial"), std::move(table)});
    m.touch();
  });
}

orrery_status orrery_model_add_initial(orrery_model* model, const char* kind, const orrery_key* keys, size_t count) {
  return answer_of(model, [&](orrery_model& m) {
    const std::string name = needed_text(kind, "kind");
    check_kind(orrery::sim::initial_states(), "[[initial]]", "initial", name);
    Section table =
        given_table("initial", name, arguments_of(keys, count), place_of_table("[[initial]]", name), {}, units_of(m));
    const auto& plug_in = named(orrery::sim::initial_states(), name, "initial");
    if (lists_bodies(plug_in)) load_bodies(table, 0, {}, file_use(m.tables.top, false));
    m.tables.initial.push_back({&plug_in, std::move(table)});
    m.touch();
  });
}

orrery_status orrery_model_perturb(orrery_model* model, const orrery_key* keys, size_t count) {
  return answer_of(model, [&](orrery_model& m) {
    m.tables.perturbations.push_back(
        given_table("perturb", "", arguments_of(keys, count), "[[perturb]]", {}, units_of(m)));
    m.touch();
  });
}

orrery_status orrery_model_set_force(orrery_model* model, const char* kind, const orrery_key* keys, size_t count) {
  return answer_of(model, [&](orrery_model& m) {
    const std::string name = needed_text(kind, "kind");
    m.see_plug_ins();
    check_kind(m.plug_ins->laws(), "[[force]]", "force", name);
    Arguments all;
    for (const auto& [key, value] : given_keys(m.tables.force))
      if (is_of_solver(key)) all.set(key, value);
    set_force(m, name, joined(std::move(all), arguments_of(keys, count)));
  });
}

orrery_status orrery_model_set_solver(orrery_model* model, const char* name, const orrery_key* keys, size_t count) {
  return answer_of(model, [&](orrery_model& m) {
    const std::string method = needed_text(name, "name");
    check_kind(orrery::sim::force_solvers(), "[[force]]", "method", method);
    Arguments all;
    for (const auto& [key, value] : given_keys(m.tables.force))
      if (!is_of_solver(key)) all.set(key, value);
    all.set("method", method);
    set_force(m, kind_of(m.tables.force), joined(std::move(all), arguments_of(keys, count)));
  });
}

orrery_status orrery_model_add_field(orrery_model* model, const char* kind, const orrery_key* keys, size_t count) {
  return answer_of(model, [&](orrery_model& m) {
    const std::string name = needed_text(kind, "kind");
    m.see_plug_ins();
    check_kind(m.plug_ins->fields(), "[[force]]", "field", name);
    m.tables.fields.push_back(given_table("force", name, arguments_of(keys, count), place_of_table("[[force]]", name),
                                          *m.plug_ins, units_of(m)));
    m.touch();
  });
}

orrery_status orrery_model_set_integrator(orrery_model* model, const char* kind, const orrery_key* keys, size_t count) {
  return answer_of(model, [&](orrery_model& m) {
    Section& own = m.tables.integrator;
    const std::string name = kind == nullptr ? kind_of(own) : kind, place = place_of_table("[integrator]", name);
    m.see_plug_ins();
    own.set_units(units_of(m), own.has_quantities());
    check_kind(m.plug_ins->integrators(), "[integrator]", "integrator", name);
    Arguments given = arguments_of(keys, count);
    own = kind == nullptr ? changed_integrator(own, std::move(given), place, *m.plug_ins)
                          : other_integrator(own, name, std::move(given), place, *m.plug_ins);
    m.touch();
  });
}

orrery_status orrery_model_set_steps(orrery_model* model, double dt, int64_t steps) {
  return answer_of(model, [&](orrery_model& m) {
    Arguments all = given_keys(m.tables.integrator);
    all.erase("time");
    all.set("dt", dt);
    all.set("steps", steps);
    const std::string& kind = kind_of(m.tables.integrator);
    m.tables.integrator =
        given_table("integrator", kind, std::move(all), place_of_table("[integrator]", kind), *m.plug_ins);
    m.touch();
  });
}

orrery_status orrery_model_set_domain(orrery_model* model, const orrery_key* keys, size_t count) {
  return answer_of(model, [&](orrery_model& m) {
    m.tables.domain = given_table("domain", "", arguments_of(keys, count), "[domain]", {}, units_of(m));
    m.touch();
  });
}

orrery_status orrery_model_set_units(orrery_model* model, const char* name) {
  return answer_of(model, [&](orrery_model& m) {
    refuse_other_units(m);
    set_keys(m.tables.top, "", {{"units", needed_text(name, "name")}});
    m.touch();
  });
}

orrery_status orrery_model_quantity(orrery_model* model, const char* text, const char* dimension, double* value) {
  return answer_of(model, [&](orrery_model& m) {
    const std::string unit = needed_text(dimension, "dimension");
    if (!has_dimension(unit))
      throw Error(fmt::format("\"{}\" is no dimension: length, mass, time, length/time, …", unit), Fault::request);
    try {
      needed(value, "value") = quantity_in(needed_text(text, "text"), unit, units_of(m));
    } catch (const std::invalid_argument& error) {
      throw Error(fmt::format("`{}` {}", unit, error.what()), Fault::request);
    }
  });
}

orrery_status orrery_model_set_precision(orrery_model* model, const char* name) {
  return answer_of(model, [&](orrery_model& m) {
    const std::string kind = kind_of(m.tables.backend);
    m.tables.backend = given_table(
        "backend", kind, joined(given_keys(m.tables.backend), {{"precision", needed_text(name, "name")}}), "[backend]");
    m.touch();
  });
}

orrery_status orrery_model_set_seed(orrery_model* model, int64_t seed) {
  return answer_of(model, [&](orrery_model& m) {
    set_keys(m.tables.top, "", {{"seed", seed}});
    m.touch();
  });
}

orrery_status orrery_model_set_epoch(orrery_model* model, const char* epoch) {
  return answer_of(model, [&](orrery_model& m) {
    Section top = m.tables.top;
    set_keys(top, "", {{"epoch", needed_text(epoch, "epoch")}});
    (void)epoch_of(top);
    m.tables.top = std::move(top);
    m.touch();
  });
}

orrery_status orrery_model_set_title(orrery_model* model, const char* title) {
  return answer_of(model, [&](orrery_model& m) {
    set_keys(m.tables.top, "", {{"title", needed_text(title, "title")}});
    m.touch();
  });
}

orrery_status orrery_model_bodies(orrery_model* model, orrery_bodies_view* bodies) {
  return answer_of(model, [&](orrery_model& m) {
    const orrery::sim::Bodies& all = m.model().bodies;
    m.names.assign(all.size(), "");
    for (std::size_t i = 0; i < all.names.size(); ++i) m.names[i] = all.names[i].c_str();
    orrery_bodies_view view = ORRERY_INIT(orrery_bodies_view);
    view.count = all.size();
    view.mass = view_of(all.mass);
    view.charge = view_of(all.charge);
    view.position = view_of(all.position);
    view.velocity = view_of(all.velocity);
    view.names = m.names.data();
    view.radius = view_of(all.radius);
    fill(bodies, view, "bodies");
  });
}

orrery_status orrery_model_toml(orrery_model* model, const char** text) {
  return answer_of(model, [&](orrery_model& m) {
    m.toml = m.written().toml;
    needed(text, "text") = m.toml.c_str();
  });
}

orrery_status orrery_model_save(orrery_model* model, const char* file, int replace) {
  return answer_of(model, [&](orrery_model& m) {
    const std::filesystem::path path = needed_text(file, "file");
    if (path.extension() != ".toml")
      throw Error(path.string() + ": the name of a scenario ends with .toml", Fault::request);
    const auto [toml, tables] = m.written(path.stem().string());
    for (const auto& [name, csv] : tables) save_text(path.parent_path() / name, csv, replace != 0);
    save_text(path, toml, replace != 0);
  });
}

orrery_status orrery_model_equal(orrery_model* a, orrery_model* b, int* equal) {
  return answer_of(a, [&](orrery_model& m) {
    needed(equal, "equal") = orrery::sim::same(m.model(), needed(b, "b").model()) ? 1 : 0;
  });
}
