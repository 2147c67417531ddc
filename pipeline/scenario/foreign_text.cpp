// SPDX-License-Identifier: MIT
#include "pipeline/scenario/foreign_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view acts_by_names[] = {"mass", "charge", "number"};  // in the order of ActsBy

constexpr Parameter number_keys[] = {
    {.name = "name", .kind = Kind::text, .meaning = ""},
    {.name = "meaning", .kind = Kind::text, .fallback = "\"\"", .meaning = ""},
    {.name = "unit", .kind = Kind::text, .fallback = "\"\"", .meaning = ""},
    {.name = "fallback", .meaning = "", .optional = true},
    {.name = "low", .meaning = "", .optional = true},
    {.name = "high", .meaning = "", .optional = true},
};
constexpr Parameter column_keys[] = {
    {.name = "name", .kind = Kind::text, .meaning = ""},
    {.name = "persistent", .kind = Kind::boolean, .meaning = ""},
};
constexpr Parameter name_key{.name = "name", .kind = Kind::text, .meaning = ""};
constexpr Parameter meaning_key{.name = "meaning", .kind = Kind::text, .fallback = "\"\"", .meaning = ""};
constexpr Parameter parameters_key{
    .name = "parameters", .kind = Kind::records, .meaning = "", .fields = number_keys, .optional = true};
constexpr Parameter law_keys[] = {
    name_key,
    meaning_key,
    parameters_key,
    {.name = "acts_by", .kind = Kind::text, .meaning = "", .choices = acts_by_names},
    {.name = "slope", .kind = Kind::boolean, .meaning = ""},
};
constexpr Parameter field_keys[] = {name_key, meaning_key, parameters_key};
constexpr Parameter described_integrator_keys[] = {
    name_key,
    meaning_key,
    parameters_key,
    {.name = "reference", .kind = Kind::text, .fallback = "\"\"", .meaning = ""},
    {.name = "order", .kind = Kind::integer, .meaning = "", .range = {.low = 1, .high = 1000}},
    {.name = "evaluations", .kind = Kind::integer, .meaning = "", .range = {.low = 1, .high = 1000000}},
    {.name = "symplectic", .kind = Kind::boolean, .meaning = ""},
    {.name = "symmetric", .kind = Kind::boolean, .meaning = ""},
    {.name = "drifts_first", .kind = Kind::boolean, .meaning = ""},
    {.name = "jerk", .kind = Kind::boolean, .meaning = ""},
    {.name = "same_each_step", .kind = Kind::boolean, .meaning = ""},
    {.name = "columns", .kind = Kind::records, .meaning = "", .fields = column_keys, .optional = true},
};

std::string records(std::string_view key, std::vector<Arguments> all) {
  return all.empty() ? "" : toml_line(key, std::move(all));
}

std::string common_text(std::string_view table, const sim::ForeignPlugIn& plug_in) {
  std::vector<Arguments> numbers;
  for (const sim::ForeignParameter& parameter : plug_in.parameters) {
    Arguments& one = numbers.emplace_back(
        Arguments{{"name", parameter.name}, {"meaning", parameter.meaning}, {"unit", parameter.unit}});
    if (parameter.fallback) one.set("fallback", *parameter.fallback);
    if (std::isfinite(parameter.low)) one.set("low", parameter.low);
    if (std::isfinite(parameter.high)) one.set("high", parameter.high);
  }
  return fmt::format("[[{}]]\n", table) + toml_line("name", plug_in.name) + toml_line("meaning", plug_in.meaning) +
         records("parameters", std::move(numbers));
}

std::string text_of(const sim::ForeignLaw* law) {
  if (law == nullptr) return "";
  return common_text("law", *law) +
         toml_line("acts_by", std::string(acts_by_names[static_cast<std::size_t>(law->acts_by)])) +
         toml_line("slope", law->slope);
}

std::string text_of(const sim::ForeignField* field) {
  return field == nullptr ? "" : common_text("field", *field);
}

std::string text_of(const sim::ForeignIntegrator* integrator) {
  if (integrator == nullptr) return "";
  std::vector<Arguments> columns;
  for (const auto& [name, persistent] : integrator->columns)
    columns.push_back({{"name", name}, {"persistent", persistent}});
  return common_text("integrator", *integrator) + toml_line("reference", integrator->reference) +
         toml_line("order", std::int64_t{integrator->order}) +
         toml_line("evaluations", std::int64_t{integrator->evaluations}) +
         toml_line("symplectic", integrator->symplectic) + toml_line("symmetric", integrator->symmetric) +
         toml_line("drifts_first", integrator->drifts_first) + toml_line("jerk", integrator->jerk) +
         toml_line("same_each_step", integrator->same_each_step) + records("columns", std::move(columns));
}

/// What all plug-ins have. `what` is "law", "field" or "integrator".
template <class Plugin>
Plugin plug_in_of(const Section& table, std::string_view what, const std::string& file) {
  Plugin plug_in;
  plug_in.name = table->text("name");
  plug_in.meaning = table->text("meaning");
  plug_in.absent = fmt::format(
      "{}: its {} \"{}\" was registered by the program that made the run, and only its description is in the file: "
      "verify "
      "or resume it there",
      file, what, plug_in.name);
  if (!table->has("parameters")) return plug_in;
  for (const Arguments& one : table->records("parameters")) {
    auto& parameter = plug_in.parameters.emplace_back();
    parameter.name = one.text("name");
    parameter.meaning = one.text("meaning");
    parameter.unit = one.text("unit");
    if (one.has("fallback")) parameter.fallback = one.number("fallback");
    if (one.has("low")) parameter.low = one.number("low");
    if (one.has("high")) parameter.high = one.number("high");
  }
  return plug_in;
}

}  // namespace

std::string foreign_text(const sim::Model& model) {
  std::string text = text_of(model.force.plugin->foreign);
  for (std::size_t k = 0; k < model.fields.size(); ++k) {
    const auto* field = model.fields[k].plugin->foreign;
    bool first = true;  // one field may act twice, with other parameters
    for (std::size_t before = 0; before < k; ++before) first = first && model.fields[before].plugin->foreign != field;
    if (first) text += text_of(field);
  }
  return text + text_of(model.integrator->foreign);
}

std::string foreign_names(const std::string& text) {
  const Keys keys = Document(text, foreign_key, {}).values();
  std::string all;
  for (const char* table : {"law", "field", "integrator"}) {
    for (std::size_t i = 0;; ++i) {
      const auto name = keys.find(fmt::format("{}[{}].name", table, i));
      if (name == keys.end()) break;
      all += fmt::format("{} {}, ", table, to_toml(name->second));
    }
  }
  return all + "of the program that made the run";
}

std::shared_ptr<const sim::PlugIns> with_described(const std::shared_ptr<const sim::PlugIns>& known,
                                                   const std::string& text, const std::string& file) {
  auto all = known != nullptr ? std::make_shared<sim::PlugIns>(*known) : std::make_shared<sim::PlugIns>();
  const Document document(text, file + ":plug_ins", {});
  const auto each = [&](std::string_view name, const auto& keys, const auto& use) {
    for (std::size_t i = 0; i < document.count(name); ++i)
      use(document.table(name, i, {std::begin(keys), std::end(keys)}));
  };
  const auto is_registered = [](const auto* found) { return found != nullptr && found->foreign != nullptr; };
  each("law", law_keys, [&](const Section& table) {
    if (is_registered(all->law(table->text("name")))) return;
    auto law = plug_in_of<sim::ForeignLaw>(table, "law", file);
    for (std::size_t k = 0; k < std::size(acts_by_names); ++k)
      if (table->text("acts_by") == acts_by_names[k]) law.acts_by = static_cast<sim::ActsBy>(k);
    law.slope = table->boolean("slope");
    all->add(sim::make_law(std::move(law)));
  });
  each("field", field_keys, [&](const Section& table) {
    if (is_registered(all->field(table->text("name")))) return;
    all->add(sim::make_field(plug_in_of<sim::ForeignField>(table, "field", file)));
  });
  each("integrator", described_integrator_keys, [&](const Section& table) {
    if (is_registered(all->integrator(table->text("name")))) return;
    auto method = plug_in_of<sim::ForeignIntegrator>(table, "integrator", file);
    method.reference = table->text("reference");
    method.order = static_cast<int>(table->integer("order"));
    method.evaluations = static_cast<int>(table->integer("evaluations"));
    method.symplectic = table->boolean("symplectic");
    method.symmetric = table->boolean("symmetric");
    method.drifts_first = table->boolean("drifts_first");
    method.jerk = table->boolean("jerk");
    method.same_each_step = table->boolean("same_each_step");
    if (table->has("columns")) {
      for (const Arguments& column : table->records("columns"))
        method.columns.push_back({column.text("name"), column.boolean("persistent")});
    }
    all->add(sim::make_integrator(std::move(method)));
  });
  return all;
}

}  // namespace orrery::pipeline
