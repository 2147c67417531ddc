// SPDX-License-Identifier: MIT
// orrery list: what there is to choose from, and a block to paste for each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
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

/// One thing that can be named in a scenario.
struct Entry {
  std::string_view name, meaning;
  std::vector<Parameter> parameters;
  std::string note;
  std::string_view text{};  ///< a whole scenario, in place of a block
};

struct Topic {
  std::string_view name;
  std::string_view header;  ///< of the block to paste; empty: there is none
  std::vector<Entry> entries;
};

/// The keys of a plug-in, and those that every plug-in of its section has besides.
std::vector<Parameter> keys(std::string_view section, std::span<const Parameter> own) {
  std::vector<Parameter> all(own.begin(), own.end());
  for (Parameter p : section_keys(section)) {
    if (p.name == "kind" || std::ranges::find(own, p.name, &Parameter::name) != own.end()) continue;
    p.optional = p.optional || !p.fallback.empty();
    all.push_back(p);
  }
  return all;
}

constexpr std::array sweep_keys{
    Parameter{
        .name = "\"integrator.dt\"", .example = "[0.01, 0.005]", .meaning = "a key as --set has it, and its values"},
    Parameter{.name = "combine",
              .fallback = "\"product\"",
              .meaning = "product: every combination, the last list changing first; zip: lists of one length together",
              .optional = true},
};

/// With the kind, which every [backend] may leave out.
std::vector<Parameter> backend_keys() {
  std::vector<Parameter> all = keys("backend", {});
  all.insert(all.begin(), {.name = "kind",
                           .kind = Kind::text,
                           .fallback = "\"auto\"",
                           .meaning = "who computes them, or auto: the fastest here; `orrery list backend` has all",
                           .optional = true});
  return all;
}

std::vector<Topic> topics() {
  std::vector<Topic> all{{"initial", "[[initial]]", {}},
                         {"force", "[[force]]", {}},
                         {"integrator", "[integrator]", {}},
                         {"backend", "[backend]", {}},
                         {"figure", "[[figure]]", {}},
                         {"scenario", "", {}},
                         {"command", "", {}},
                         {"format", "", {}},
                         {"section", "[…]", {}},
                         {"film", "[[film]]", {}},
                         {"boundary", "", {}}};
  for (const auto* p : sim::initial_states())
    all[0].entries.push_back({p->name, p->meaning, keys("initial", p->parameters), ""});
  for (const auto* p : sim::force_laws())
    all[1].entries.push_back({p->name, p->meaning, keys("force", p->parameters), ""});
  for (const auto* p : sim::field_laws())
    all[1].entries.push_back({p->name, p->meaning, keys("force", p->parameters),
                              "one [[force]] more, besides that of pairs, which is gravity unless another is named"});
  for (const auto* p : sim::integrators()) {
    const std::string note = fmt::format(
        "order {}, {}{}, {}{} force evaluation{} a step; {}", p->order, p->symplectic ? "symplectic" : "not symplectic",
        p->symmetric ? ", symmetric in time" : "", p->step == nullptr ? "at least " : "", p->evaluations,
        p->evaluations == 1 ? "" : "s", p->reference);
    all[2].entries.push_back({p->name, p->meaning, keys("integrator", p->parameters), note});
  }
  all[3].entries.push_back({"auto", "the fastest that can be used here; the default", keys("backend", {}), ""});
  for (const auto* p : sim::backend_kinds())
    all[3].entries.push_back({p->name, p->meaning, keys("backend", {}), p->absence()});
  for (const auto& d : figure_descriptions()) all[4].entries.push_back({d.name, d.meaning, d.parameters, ""});
  for (const auto& d : figure_descriptions("film")) all[9].entries.push_back({d.name, d.meaning, d.parameters, ""});
  for (const auto* b : sim::boundaries())
    all[10].entries.push_back({b->name, b->meaning, {}, fmt::format("boundary = \"{}\" in [domain]", b->name)});
  for (const auto& s : shipped_scenarios()) {
    const auto begin = s.text.find_first_not_of("# ");
    all[5].entries.push_back({s.name, s.text.substr(begin, s.text.find('\n') - begin), {}, "", s.text});
  }
  for (const auto* s : commands())
    all[6].entries.push_back({s->name, s->meaning, {}, fmt::format("orrery {} [OPTIONS] {}", s->name, s->operands)});
  for (const auto* f : export_formats())
    all[7].entries.push_back({f->name, f->meaning, {}, fmt::format("orrery export RUN.h5 --format {}", f->name)});
  all[8].entries.push_back(
      {"top", "what is of the whole scenario", keys("", {}), "at the top of the file, before the first table"});
  all[8].entries.push_back({"backend", "what computes the steps, and how", backend_keys(), ""});
  all[8].entries.push_back(
      {"perturb", "moves one body a little, after all are made and their centre of mass is at rest: the others stay",
       keys("perturb", {}), "there may be several, [[perturb]]; they are applied in turn"});
  all[8].entries.push_back(
      {"domain", "the space that bodies move in; without this table it has no end", keys("domain", {}), ""});
  all[8].entries.push_back({"trajectory", "which frames of which bodies the file keeps", keys("trajectory", {}), ""});
  all[8].entries.push_back({"observables", "when energies and momenta are kept", keys("observables", {}), ""});
  all[8].entries.push_back({"sweep",
                            "runs of one scenario with other values, each in a folder of its own",
                            {sweep_keys.begin(), sweep_keys.end()},
                            "any keys, each with a list; a value stands there as it would in the scenario"});
  return all;
}

std::string meaning_of(const Parameter& p) {
  std::string words(p.meaning);
  if (!p.unit.empty()) words += fmt::format(" [{}]", p.unit);
  const bool low = std::isfinite(p.range.low), high = std::isfinite(p.range.high);
  if (low && high) {
    words += fmt::format("; {} {} … {} {}", p.range.low_open ? ">" : "≥", in_digits(p.range.low),
                         p.range.high_open ? "<" : "≤", in_digits(p.range.high));
  } else if (low) {
    words += fmt::format("; {} {}", p.range.low_open ? ">" : "≥", in_digits(p.range.low));
  }
  if (!p.choices.empty()) words += fmt::format("; {}", fmt::join(p.choices, " | "));
  return words;
}

/// So that the block reads back, also where its # is taken away.
std::string value_of(const Parameter& p) {
  if (!p.fallback.empty()) return std::string(p.fallback);
  return p.example.empty() ? fmt::format("\"{}\"", p.choices.front()) : std::string(p.example);
}

/// A block of TOML with a comment on every key; optional ones are commented out.
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
    // What a block does nothing without, though no rule of one key says so.
    const bool needed = p.name == "time" || p.name == "other" || (topic.name == "initial" && p.name == "bodies") ||
                        (entry.name == "perturb" && p.name == "position");
    const bool wanted = !p.optional || needed;
    lines.emplace_back(fmt::format("{}{} = {}", wanted ? "" : "# ", p.name, value_of(p)), meaning_of(p));
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
    .meaning = "what there is: initial, force, integrator, backend, figure, film, …; with a name, a block to paste",
    .operands = "WHAT",
    .least = 0,
    .most = 2,
    .add = [](CLI::App&) -> Action { return list; }};

}  // namespace orrery::pipeline
