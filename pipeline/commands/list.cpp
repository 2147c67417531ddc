// SPDX-License-Identifier: MIT
// orrery list: list plug-ins, sections and commands, and print a block of TOML for one of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/export.hpp"
#include "pipeline/formats/body_format.hpp"
#include "pipeline/named.hpp"
#include "pipeline/named_unit.hpp"
#include "pipeline/plug_in_lists.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/scenario/shipped_scenarios.hpp"

namespace orrery::pipeline {
namespace {

struct Topic {
  std::string_view name;
  std::string_view header{};  ///< of the block to paste; empty: there is none
  std::vector<PlugIn> entries{};
};

PlugIn sweep() {
  return {"sweep",
          "runs of the scenario with different values, each in its own folder",
          {{.name = "\"integrator.dt\"", .example = "[0.01, 0.005]", .meaning = "a key as in --set, and its values"},
           {.name = "combine",
            .fallback = "\"product\"",
            .meaning = "product: every combination, the last list varies fastest; zip: lists of equal length together",
            .optional = true}},
          "any keys, each with a list of values written as in the scenario"};
}

/// What a number may have as a unit; beside each, what it is in SI.
std::vector<PlugIn> named_unit_list() {
  static constexpr std::string_view si[] = {"s", "m", "kg", "C", "rad", "J", "N", "W"};  // in the order of Dimension
  std::vector<PlugIn> all;
  for (const NamedUnit& unit : named_units())
    all.push_back({std::string(unit.symbol), fmt::format("{}, {} {}", unit.name, shortest_text(unit.si.value()),
                                                         si[static_cast<std::size_t>(unit.dimension)])});
  return all;
}

std::vector<Topic> topics() {
  Topic force{"force", "[[force]]", pair_force_list()}, scenario{"scenario"}, command{"command"}, format{"format"},
      section{"section", "[…]", table_list()}, boundary{"boundary", "", boundary_list()};
  for (PlugIn& field : field_list()) {
    field.note.insert(0, fmt::format("an additional [[force]] besides that of pairs, which is gravity by default{}",
                                     field.note.empty() ? "" : "; "));
    force.entries.push_back(std::move(field));
  }
  for (const auto& s : shipped_scenarios()) {
    const auto begin = s.text.find_first_not_of("# ");
    scenario.entries.push_back({std::string(s.name), std::string(s.text.substr(begin, s.text.find('\n') - begin))});
  }
  for (const auto* c : commands())
    command.entries.push_back({std::string(c->name),
                               std::string(c->meaning),
                               {},
                               fmt::format("orrery {} [OPTIONS] {}", c->name, c->operands)});
  for (const auto* f : export_formats())
    format.entries.push_back(
        {std::string(f->name), std::string(f->meaning), {}, fmt::format("orrery export RUN.h5 --format {}", f->name)});
  Topic import{"import"};
  for (const BodyFormat* f : body_formats())
    import.entries.push_back({std::string(f->name), std::string(f->meaning), {}, "`file` of `kind = \"table\"`"});
  section.entries.push_back(sweep());
  for (PlugIn& kind : boundary.entries) kind.note = fmt::format("boundary = \"{}\" in [domain]", kind.name);
  return {{"initial", "[[initial]]", initial_state_list()},
          force,
          {"integrator", "[integrator]", integrator_list()},
          {"backend", "[backend]", backend_list()},
          {"figure", "[[figure]]", figure_list("figure")},
          scenario,
          command,
          format,
          import,
          section,
          {"film", "[[film]]", figure_list("film")},
          boundary,
          {"units", "", unit_list()},
          {"unit", "", named_unit_list()}};
}

std::string meaning_of(const Parameter& p) {
  std::string words(p.meaning);
  if (!p.unit.empty()) words += fmt::format(" [{}]", p.unit);
  const bool low = std::isfinite(p.range.low), high = std::isfinite(p.range.high);
  if (low && high) {
    words += fmt::format("; {} {} … {} {}", p.range.low_open ? ">" : "≥", shortest_text(p.range.low),
                         p.range.high_open ? "<" : "≤", shortest_text(p.range.high));
  } else if (low) {
    words += fmt::format("; {} {}", p.range.low_open ? ">" : "≥", shortest_text(p.range.low));
  }
  if (!p.choices.empty()) words += fmt::format("; {}", fmt::join(p.choices, " | "));
  return words;
}

/// Returns a valid value, so that the block can be read back even if keys are uncommented.
std::string value_of(const Parameter& p) {
  if (!p.fallback.empty()) return std::string(p.fallback);
  return p.example.empty() ? fmt::format("\"{}\"", p.choices.front()) : std::string(p.example);
}

/// Prints a block of TOML with a comment on every key; optional keys are commented out.
void print_block(const Topic& topic, const PlugIn& entry) {
  if (topic.name == "scenario")  // a whole one
    return say_lines(named(shipped_scenarios(), entry.name, topic.name).text);
  say("# {}\n", entry.meaning);
  if (!entry.note.empty()) say("# {}\n", entry.note);
  if (topic.header.empty()) return;
  const bool plug_in = topic.name != "section";
  std::vector<std::pair<std::string, std::string>> lines;
  if (plug_in) lines.emplace_back(fmt::format("kind = \"{}\"", entry.name), "");
  for (const Parameter& p : entry.parameters) {
    if (plug_in && p.name == "kind") continue;
    // Keys that are formally optional, but without which the block does nothing.
    const bool needed = p.name == "time" || p.name == "other" || (topic.name == "initial" && p.name == "bodies") ||
                        (entry.name == "perturb" && p.name == "position");
    lines.emplace_back(fmt::format("{}{} = {}", p.optional && !needed ? "# " : "", p.name, value_of(p)), meaning_of(p));
  }
  std::size_t width = 0;
  for (const auto& [key, words] : lines) width = std::max(width, key.size() > 40 ? 0 : key.size());
  const std::string header = entry.name == "perturb" ? "[[perturb]]" : fmt::format("[{}]", entry.name);
  if (entry.name != "top") say("{}\n", plug_in ? std::string(topic.header) : header);
  for (const auto& [key, words] : lines) {
    if (words.empty()) {
      say("{}\n", key);
    } else {
      say("{:<{}}  # {}\n", key, width, words);
    }
  }
}

void print_names(const Topic& topic) {
  std::size_t width = 0;
  for (const PlugIn& entry : topic.entries) width = std::max(width, entry.name.size());
  say("{}\n", topic.name);
  for (const PlugIn& entry : topic.entries) say("  {:<{}}  {}\n", entry.name, width, entry.meaning);
}

int list(const CommandLine& line) {
  const auto all = topics();
  if (line.operands.empty()) {
    for (const Topic& topic : all) print_names(topic);
    return 0;
  }
  const Topic& topic = named(all, line.operands[0], "list");
  if (line.operands.size() == 1) {
    print_names(topic);
  } else {
    print_block(topic, named(topic.entries, line.operands[1], topic.name));
  }
  return 0;
}

}  // namespace

const Command list_command{
    .name = "list",
    .meaning = "list initial, force, integrator, backend, figure, film, …; with a name, print a block to paste",
    .operands = "WHAT",
    .min_operands = 0,
    .max_operands = 2,
    .add = [](CLI::App&) -> Action { return list; }};

}  // namespace orrery::pipeline
