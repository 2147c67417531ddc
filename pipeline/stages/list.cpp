// SPDX-License-Identifier: MIT
// orrery list: what there is to choose from, and a block to paste for each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "pipeline/export.hpp"
#include "pipeline/pictures.hpp"
#include "pipeline/scenario.hpp"
#include "pipeline/shipped_scenarios.hpp"
#include "pipeline/stages/stages.hpp"

namespace orrery::pipeline {
namespace {

/// One thing that can be named in a scenario.
struct Entry {
  std::string_view name, meaning;
  std::vector<Parameter> parameters;
  std::string note;
  std::string_view text{};  ///< a whole scenario, in place of a block
};

struct Shelf {
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

std::vector<Shelf> shelves() {
  std::vector<Shelf> all{{"initial", "[[initial]]", {}},
                         {"force", "[[force]]", {}},
                         {"integrator", "[integrator]", {}},
                         {"backend", "[backend]", {}},
                         {"figure", "[[figure]]", {}},
                         {"scenario", "", {}},
                         {"command", "", {}},
                         {"format", "", {}},
                         {"section", "[…]", {}},
                         {"film", "[[film]]", {}}};
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
  for (const auto& s : shipped_scenarios()) {
    const auto begin = s.text.find_first_not_of("# ");
    all[5].entries.push_back({s.name, s.text.substr(begin, s.text.find('\n') - begin), {}, "", s.text});
  }
  for (const auto* s : stages())
    all[6].entries.push_back({s->name, s->meaning, {}, fmt::format("orrery {} [OPTIONS] {}", s->name, s->operands)});
  for (const auto* f : export_formats())
    all[7].entries.push_back({f->name, f->meaning, {}, fmt::format("orrery export RUN.h5 --format {}", f->name)});
  all[8].entries.push_back(
      {"perturb", "moves one body a little, after all are made and their centre of mass is at rest: the others stay",
       keys("perturb", {}), "there may be several, [[perturb]]; they are applied in turn"});
  all[8].entries.push_back({"trajectory", "which frames of which bodies the file keeps", keys("trajectory", {}), ""});
  all[8].entries.push_back({"observables", "when energies and momenta are kept", keys("observables", {}), ""});
  return all;
}

std::string in_words(const Parameter& p) {
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

/// `value`, or what of the range is nearest to it; half of the high end where that is not allowed.
double within(const Range& range, double value) {
  return std::clamp(value, range.low, range.high_open ? range.high / 2 : range.high);
}

/// As many as an array must have, low and high in turn: [-1.0, 1.0, -1.0, 1.0]; a tenth and a fifth of a range that ends.
std::string some_numbers(const Parameter& p) {
  const bool ends = std::isfinite(p.range.low) && std::isfinite(p.range.high);
  const double tenth = ends ? (p.range.high - p.range.low) / 10 : 0, least = p.count == 0 ? 0 : -1;
  const double low = ends ? p.range.low + tenth : p.range.contains(least) ? least : within(p.range, 1);
  const double high = ends ? low + tenth : within(p.range, 1);
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < std::max<std::size_t>(p.count, 2); ++i)
    entries.push_back(fmt::format("{:.1f}", i % 2 == 0 ? low : high));
  return fmt::format("[{}]", fmt::join(entries, ", "));
}

/// What stands for a value that has no default, so that the block reads back, also where its # is taken away.
std::string placeholder(const Parameter& p, std::string_view shelf) {
  const bool of_bodies = p.name == "bodies" || p.name == "around" || p.name == "body";
  const bool picture = shelf == "figure" || shelf == "film";
  if (p.name == "width") return "\"8.6 cm\"";
  if (p.name == "fps") return "30";
  if (p.name == "other") return "\"run.h5\"";
  if (p.name == "others") return "[\"other.h5\"]";
  if (p.name == "columns") return "2";
  if (picture && of_bodies) return p.kind == Kind::texts ? "[\"0\", \"1\"]" : "\"0\"";
  if (picture && p.name == "follow") return "\"center-of-mass\"";
  if (picture && p.name == "component") return "\"disk\"";
  if (picture && p.name == "size") return "[1280, 720]";
  if (shelf == "section" && (p.name == "position" || p.name == "velocity")) return "[0.001, 0.0, 0.0]";
  switch (p.kind) {
    case Kind::text:
      return !p.choices.empty()   ? fmt::format("\"{}\"", p.choices.front())
             : p.name != "file"   ? "\"…\""
             : shelf == "initial" ? "\"bodies.csv\""
             : shelf == "film"    ? "\"name.mp4\""
                                  : "\"name.png\"";
    case Kind::number_or_text:
      return p.name == "dt" ? "\"1/1000 period\"" : p.name == "body" ? "0" : "\"10 periods\"";
    case Kind::records:
      if (p.name == "part") return "[{ kind = \"view3d\" }, { kind = \"energy-error\" }]";
      if (p.name == "key") return "[{ at = 0, azimuth = -58 }, { at = 1, azimuth = 32, zoom = 2 }]";
      return "[{ name = \"Sun\", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] }]";
    case Kind::numbers:
    case Kind::numbers_or_texts:
      return some_numbers(p);
    case Kind::texts:
      return "[\"…\"]";
    case Kind::boolean:
      return "true";
    default:
      if (p.range.high >= 1000) return "1000";
      // Some number in between, rather a low one.
      if (p.range.low >= 1) return in_digits(std::round(std::sqrt(p.range.low * p.range.high)));
      return in_digits((p.range.low + p.range.high) / 2);
  }
}

/// A block of TOML with a comment on every key; optional ones are commented out.
void print_block(const Shelf& shelf, const Entry& entry) {
  if (!entry.text.empty()) {
    fmt::print("{}", entry.text);
    return;
  }
  fmt::print("# {}\n", entry.meaning);
  if (!entry.note.empty()) fmt::print("# {}\n", entry.note);
  if (shelf.header.empty()) return;
  const bool plug_in = shelf.name != "section";
  std::vector<std::pair<std::string, std::string>> lines;
  if (plug_in) lines.emplace_back(fmt::format("kind = \"{}\"", entry.name), "");
  for (const Parameter& p : entry.parameters) {
    if (p.name == "kind") continue;
    const std::string value = p.fallback.empty() ? placeholder(p, shelf.name) : std::string(p.fallback);
    // What a block does nothing without, though no rule of one key says so.
    const bool needed = p.name == "time" || p.name == "other" || (shelf.name == "initial" && p.name == "bodies") ||
                        (entry.name == "perturb" && p.name == "position");
    const bool wanted = !p.optional || needed;
    lines.emplace_back(fmt::format("{}{} = {}", wanted ? "" : "# ", p.name, value), in_words(p));
  }
  std::size_t width = 0;
  for (const auto& [key, words] : lines) width = std::max(width, key.size() > 40 ? 0 : key.size());
  const std::string header = entry.name == "perturb" ? "[[perturb]]" : fmt::format("[{}]", entry.name);
  fmt::print("{}\n", plug_in ? std::string(shelf.header) : header);
  for (const auto& [key, words] : lines) {
    if (words.empty()) {
      fmt::print("{}\n", key);
    } else {
      fmt::print("{:<{}}  # {}\n", key, width, words);
    }
  }
}

void print_names(const Shelf& shelf) {
  std::size_t width = 0;
  for (const Entry& entry : shelf.entries) width = std::max(width, entry.name.size());
  fmt::print("{}\n", shelf.name);
  for (const Entry& entry : shelf.entries) fmt::print("  {:<{}}  {}\n", entry.name, width, entry.meaning);
}

template <class List>
const auto& find(const List& list, const std::string& name, std::string_view what) {
  const auto found = std::ranges::find(list, name, [](const auto& entry) { return entry.name; });
  if (found != list.end()) return *found;
  std::vector<std::string_view> names;
  for (const auto& entry : list) names.push_back(entry.name);
  throw Error(
      fmt::format("there is no {} `{}`{} (there are: {})", what, name, suggestion(name, names), fmt::join(names, ", ")),
      2);
}

int list(const Request& request) {
  const auto all = shelves();
  if (request.operands.empty()) {
    for (const Shelf& shelf : all) print_names(shelf);
    return 0;
  }
  const Shelf& shelf = find(all, request.operands[0], "list");
  if (request.operands.size() == 1) {
    print_names(shelf);
  } else {
    print_block(shelf, find(shelf.entries, request.operands[1], shelf.name));
  }
  return 0;
}

}  // namespace

const Stage list_stage{
    .name = "list",
    .meaning = "what there is: initial, force, integrator, backend, figure, film, …; with a name, a block to paste",
    .operands = "WHAT",
    .least = 0,
    .most = 2,
    .flags = {},
    .run = list};

}  // namespace orrery::pipeline
