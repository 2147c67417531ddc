// SPDX-License-Identifier: MIT
// Scenarios as seeds, words from the descriptions of all plug-ins, and the set-up of mutated scenarios.
#include <algorithm>
#include <array>
#include <sstream>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/pictures/subject.hpp"
#include "pipeline/run/sweep.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/scenario_text.hpp"
#include "pipeline/scenario/shipped_scenarios.hpp"
#include "tests/fuzz/readers.hpp"

namespace orrery::fuzz {
namespace {

using namespace pipeline;

const std::array<std::string, 34> values{"0",
                                         "-1",
                                         "1",
                                         "3",
                                         "0.5",
                                         "1e-5",
                                         "1e9",
                                         "1e15",
                                         "1e308",
                                         "-1e308",
                                         "1e-320",
                                         "nan",
                                         "inf",
                                         "true",
                                         "[]",
                                         "[0, 1]",
                                         "[1, 1, 1]",
                                         "[[0, 1], 2]",
                                         "{}",
                                         "\"\"",
                                         "\"auto\"",
                                         "\"log\"",
                                         "\"a\"",
                                         "\"1 period\"",
                                         "\"1/0 period\"",
                                         "\"1e300 periods\"",
                                         "\"0\"",
                                         "\"0:9\"",
                                         "\"\\u0000\"",
                                         "\"\\u001b[31m\"",
                                         "[\"0\", \"a\"]",
                                         "[nan, 1e308]",
                                         "[-1e308, 1e308]",
                                         "9223372036854775807"};

void add_keys(std::vector<std::string>& words, std::span<const Parameter> parameters) {
  for (const Parameter& parameter : parameters) {
    const std::string key = "\n" + std::string(parameter.name) + " = ";
    words.push_back(key);
    if (!parameter.fallback.empty()) words.push_back(key + std::string(parameter.fallback));
    if (!parameter.example.empty()) words.push_back(key + std::string(parameter.example));
    for (const auto choice : parameter.choices) words.push_back(key + "\"" + std::string(choice) + "\"");
    add_keys(words, {parameter.fields.begin(), parameter.fields.end()});
  }
}

/// A table of that kind with each key's default or example, as `orrery list` prints it.
std::string block(const std::string& header, std::string_view kind, std::span<const Parameter> parameters) {
  std::string text = header + "\nkind = \"" + std::string(kind) + "\"\n";
  for (const Parameter& p : parameters) {
    const std::string value = !p.fallback.empty()  ? std::string(p.fallback)
                              : !p.example.empty() ? std::string(p.example)
                              : !p.choices.empty() ? "\"" + std::string(p.choices.front()) + "\""
                                                   : "";
    if (p.name != "kind" && !value.empty() && value.find("…") == std::string::npos)
      text += (p.optional ? "# " : "") + std::string(p.name) + " = " + value + "\n";
  }
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void change_line(std::vector<std::string>& lines, const std::vector<std::string>& others,
                 const std::vector<std::string>& words, Random& random) {
  const std::size_t at = below(random, lines.size()), to = below(random, lines.size() + 1);
  const auto place = [&](std::size_t k) { return lines.begin() + static_cast<std::ptrdiff_t>(k); };
  if (lines.empty()) return lines.push_back(any(words, random).substr(1));
  switch (random() % 8) {
    case 0:
      lines.erase(place(at));
      return;
    case 1:
      lines.insert(place(to), std::string(lines[at]));
      return;
    case 2:
      if (!others.empty()) lines.insert(place(to), any(others, random));
      return;
    case 3:
      std::swap(lines[at], lines[below(random, lines.size())]);
      return;
    case 4: {
      std::string line = any(words, random);
      if (line.ends_with("= ")) line += any(values, random);
      lines.insert(place(to), line);
      return;
    }
    case 5:
      if (lines[at].starts_with("# ")) lines[at].erase(0, 2);
      return;
    default:
      if (const auto equals = lines[at].find("= "); equals != std::string::npos)
        lines[at].replace(equals + 2, std::string::npos, any(values, random));
  }
}

bool is_small(const Scenario& scenario) {
  double bodies = 0;
  for (const auto& choice : scenario.tables.initial) {
    for (const char* key : {"n", "disk_n", "bulge_n"})
      if (choice.section->has(key)) bodies += static_cast<double>(choice.section->integer(key));
  }
  return bodies <= 3000;
}

}  // namespace

std::vector<std::string> scenarios() {
  std::vector<std::string> texts;
  const std::string end = "[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 20\n";
  const std::string bodies = "[[initial]]\nkind = \"two-body\"\neccentricity = 0.5\n";
  for (const auto& scenario : shipped_scenarios()) texts.emplace_back(scenario.text);
  for (const auto* p : sim::initial_states()) texts.push_back(block("[[initial]]", p->name, p->parameters) + end);
  const std::string box =
      "[[initial]]\nkind = \"random-cube\"\nn = 9\nrecentre = false\n[domain]\nboundary = [\"periodic\", "
      "\"reflecting\", "
      "\"periodic\"]\nedges = [40, 40, 40]\nlow = [-20, -20, -20]\n";
  for (const auto* p : sim::force_laws()) {
    // No orbit is known for laws with a cutoff, the only ones allowed in a periodic box.
    texts.push_back((p->cutoff != nullptr ? box : bodies) + end + block("[[force]]", p->name, p->parameters));
  }
  for (const auto* p : sim::field_laws()) texts.push_back(bodies + end + block("[[force]]", p->name, p->parameters));
  for (const auto* p : sim::integrators())
    texts.push_back(bodies + block("[integrator]", p->name, p->parameters) + "dt = 0.01\nsteps = 20\n");
  for (const char* table : {"figure", "film"}) {
    for (const auto& d : figure_descriptions(table)) {
      texts.push_back(bodies + end + block(std::string("[[") + table + "]]", d.name, d.parameters) + "file = \"a." +
                      (table == std::string("film") ? "mp4" : "svg") + "\"\n");
    }
  }
  texts.push_back(
      bodies + end +
      "[trajectory]\nframes = 10\nspacing = \"log\"\nfirst = 0.01\n[observables]\ntimes = [0, 0.1, \"1/2 "
      "period\"]\n[[perturb]]\nbody = 0\nposition = [1e-3, 0, 0]\n[sweep]\n\"integrator.dt\" = [0.01, 0.02]\n"
      "seed = [1, 2, 3]\n");
  texts.push_back(
      "units = \"si\"\n[[initial]]\nkind = \"table\"\nbodies = [\n  { name = \"a\", mass = 1, position = [0, "
      "0, 0], velocity = [0, 0, 0] },\n  { name = \"b\", mass = 1e3, position = [1, 0, 0], velocity = [0, 1, 0] "
      "},\n]\n" +
      end + "[trajectory]\nbodies = [\"a\", \"1\"]\n");
  texts.push_back("title = \"\"\"\nseveral\\u0020lines\n\"\"\"\nseed = 0xff\n" + bodies + end +
                  "[[figure]]\nkind = "
                  "\"panels\"\nfile = 'p.png'\n[[figure.part]]\nkind = \"view3d\"\n[[figure.part]]\nkind = "
                  "\"energy-error\"\ntitle = \"E\"\n");
  return texts;
}

std::vector<std::string> scenario_words() {
  std::vector<std::string> words;
  for (const char* header :
       {"[[initial]]", "[[force]]", "[integrator]", "[backend]", "[trajectory]", "[observables]", "[[figure]]",
        "[[film]]", "[[figure.part]]", "[[film.part]]", "[[perturb]]", "[domain]", "[sweep]"})
    words.push_back(std::string("\n") + header + "\n");
  for (const char* section :
       {"", "initial", "perturb", "domain", "force", "integrator", "backend", "trajectory", "observables"})
    add_keys(words, section_keys(section));
  for (const auto* p : sim::initial_states()) add_keys(words, p->parameters);
  for (const auto* p : sim::force_laws()) add_keys(words, p->parameters);
  for (const auto* p : sim::field_laws()) add_keys(words, p->parameters);
  for (const auto* p : sim::integrators()) add_keys(words, p->parameters);
  for (const char* table : {"figure", "film"}) {
    for (const auto& d : figure_descriptions(table)) {
      words.push_back("\nkind = \"" + std::string(d.name) + "\"");
      add_keys(words, d.parameters);
    }
  }
  for (const char* piece : {"\n\"\"\"",
                            "'''",
                            "[",
                            "]",
                            "{",
                            "}",
                            "[[",
                            "]]",
                            "\"",
                            "\\u001b",
                            "\\U0010FFFF",
                            "= [[[[",
                            "{ a = { a = ",
                            ", ",
                            "#",
                            ".",
                            "\"a.b\".c = 1",
                            "\n[a.b.c]\n",
                            "\xEF\xBB\xBF",
                            "\r\n"})
    words.emplace_back(piece);
  return words;
}

std::string mutated_scenario(std::string text, const std::string& other, const std::vector<std::string>& words,
                             Random& random) {
  std::vector<std::string> lines = lines_of(text);
  const std::vector<std::string> others = lines_of(other);
  const std::size_t changes = 1 + below(random, std::size_t{1} << random() % 4);
  for (std::size_t k = 0; k < changes; ++k) change_line(lines, others, words, random);
  std::string result;
  for (const std::string& line : lines) result += line + "\n";
  return random() % 4 == 0 ? mutated(result, other, words, random) : result;
}

void read_scenario(const pipeline::ScenarioText& source) {
  const Sweep sweep = parse_sweep(source.text, source.name);
  const Scenario scenario =
      parse_scenario(source, sweep.members.empty() ? std::vector<std::string>{} : sweep.members.back().overrides);
  if (!is_small(scenario)) return;
  const Setup setup = set_up(scenario);
  (void)sim::system_of(setup.model);
  (void)resolved(scenario);
  (void)physics(scenario, setup);
  const Pictures pictures(scenario, setup);
  (void)pictures.plan();
  ScenarioText again = source;
  again.text = resolved(scenario) + pictures.resolved();
  (void)parse_scenario(again);
}

}  // namespace orrery::fuzz
