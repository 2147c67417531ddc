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
#include "pipeline/named.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/shipped_scenarios.hpp"

namespace orrery::pipeline {
namespace {

/// Something that can be named in a scenario or on the command line.
struct Entry {
  std::string_view name, meaning;
  std::vector<Parameter> parameters{};
  std::string note{};
  std::string_view text{};  ///< a whole scenario, printed instead of a block
};

struct Topic {
  std::string_view name;
  std::string_view header{};  ///< of the block to paste; empty: there is none
  std::vector<Entry> entries{};
};

/// Returns the keys of a plug-in followed by those that all plug-ins of its section have.
std::vector<Parameter> keys(std::string_view section, std::span<const Parameter> own = {}) {
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
  std::vector<Parameter> all = keys("backend");
  all.insert(all.begin(), {.name = "kind",
                           .kind = Kind::text,
                           .fallback = "\"auto\"",
                           .meaning = "a backend of `orrery list backend`, or auto: the fastest on this machine",
                           .optional = true});
  return all;
}

std::vector<Parameter> sweep_keys() {
  return {{.name = "\"integrator.dt\"", .example = "[0.01, 0.005]", .meaning = "a key as in --set, and its values"},
          {.name = "combine",
           .fallback = "\"product\"",
           .meaning = "product: every combination, the last list varies fastest; zip: lists of equal length together",
           .optional = true}};
}

/// Returns the keys of an integrator; `dt` is optional if by default its steps are adaptive.
std::vector<Parameter> integrator_keys(const sim::Integrator& integrator) {
  std::vector<Parameter> all = keys("integrator", integrator.parameters);
  const bool adaptive = integrator.advance_to != nullptr && integrator.parameters.front().fallback != "0" &&
                        integrator.parameters.front().fallback != "0.0";
  std::ranges::find(all, "dt", &Parameter::name)->optional = adaptive;
  return all;
}

std::string describe(const sim::Integrator& integrator) {
  return fmt::format("order {}, {}{}, {}{} force evaluation{} per step; {}", integrator.order,
                     integrator.symplectic ? "symplectic" : "not symplectic",
                     integrator.symmetric ? ", symmetric in time" : "", integrator.step == nullptr ? "at least " : "",
                     integrator.evaluations, integrator.evaluations == 1 ? "" : "s", integrator.reference);
}

std::vector<Topic> topics() {
  Topic initial{"initial", "[[initial]]"}, force{"force", "[[force]]"}, integrator{"integrator", "[integrator]"},
      backend{"backend", "[backend]"}, figure{"figure", "[[figure]]"}, scenario{"scenario"}, command{"command"},
      format{"format"}, film{"film", "[[film]]"}, boundary{"boundary"};
  for (const auto* p : sim::initial_states())
    initial.entries.push_back({p->name, p->meaning, keys("initial", p->parameters)});
  for (const auto* p : sim::force_laws()) force.entries.push_back({p->name, p->meaning, keys("force", p->parameters)});
  for (const auto* p : sim::field_laws())
    force.entries.push_back({p->name, p->meaning, keys("force", p->parameters),
                             "an additional [[force]] besides that of pairs, which is gravity by default"});
  for (const auto* p : sim::integrators())
    integrator.entries.push_back({p->name, p->meaning, integrator_keys(*p), describe(*p)});
  backend.entries.push_back({"auto", "the fastest on this machine; the default", keys("backend")});
  for (const auto* p : sim::backend_kinds())
    backend.entries.push_back({p->name, p->meaning, keys("backend"), p->absence()});
  for (const auto& d : figure_descriptions()) figure.entries.push_back({d.name, d.meaning, d.parameters});
  for (const auto& d : figure_descriptions("film")) film.entries.push_back({d.name, d.meaning, d.parameters});
  for (const auto* b : sim::boundaries())
    boundary.entries.push_back({b->name, b->meaning, {}, fmt::format("boundary = \"{}\" in [domain]", b->name)});
  for (const auto& s : shipped_scenarios()) {
    const auto begin = s.text.find_first_not_of("# ");
    scenario.entries.push_back({s.name, s.text.substr(begin, s.text.find('\n') - begin), {}, "", s.text});
  }
  for (const auto* c : commands())
    command.entries.push_back({c->name, c->meaning, {}, fmt::format("orrery {} [OPTIONS] {}", c->name, c->operands)});
  for (const auto* f : export_formats())
    format.entries.push_back({f->name, f->meaning, {}, fmt::format("orrery export RUN.h5 --format {}", f->name)});
  const Topic section{
      "section",
      "[…]",
      {{"top", "keys of the whole scenario", keys(""), "at the top of the file, before the first table"},
       {"backend", "the device and kernel that compute the steps", backend_keys()},
       {"perturb", "moves one body after all are made and their centre of mass is at rest; the others stay",
        keys("perturb"), "there may be several [[perturb]]; they are applied in order"},
       {"domain", "the space of the bodies; infinite without this table", keys("domain")},
       {"trajectory", "the frames and bodies that the file stores", keys("trajectory")},
       {"observables", "when energies and momenta are stored", keys("observables")},
       {"sweep", "runs of the scenario with different values, each in its own folder", sweep_keys(),
        "any keys, each with a list of values written as in the scenario"}}};
  return {initial, force, integrator, backend, figure, scenario, command, format, section, film, boundary};
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
void print_block(const Topic& topic, const Entry& entry) {
  if (!entry.text.empty()) {
    say_lines(entry.text);
    return;
  }
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
  for (const Entry& entry : topic.entries) width = std::max(width, entry.name.size());
  say("{}\n", topic.name);
  for (const Entry& entry : topic.entries) say("  {:<{}}  {}\n", entry.name, width, entry.meaning);
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
