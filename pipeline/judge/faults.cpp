// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pipeline/judge/programs.hpp"

namespace orrery::pipeline::judging {
namespace {

constexpr double four_pi2 = 4 * std::numbers::pi * std::numbers::pi;

using Change = std::function<void(Program&, Problem&)>;

Change law(std::function<void(Law&)> change) {
  return [change](Program& program, const Problem&) { change(program.law); };
}

/// Gives a law sources and answers of its own, which may then be changed.
void fill(Law& law, const Problem& problem) {
  if (law.source.empty()) law.source = problem.source;
  if (law.answer.empty()) law.answer = problem.answer;
}

std::string axis(int k) {
  return std::string(1, static_cast<char>('x' + k));
}

bool extends(const Problem& problem, std::size_t k) {
  for (std::size_t i = 0; i < problem.bodies(); ++i)
    if (problem.start.x[3 * i + k] != problem.start.x[k] || problem.start.v[3 * i + k] != 0) return true;
  return false;
}

void add_softenings(std::vector<Mistake>& list, const Problem& problem) {
  if (problem.softening == 0) return;
  const auto add = [&](std::string key, std::string name, std::string looks, Softening soft) {
    list.push_back({std::move(key), std::move(name), std::move(looks), law([soft](Law& one) { one.soft = soft; })});
  };
  add("softening-forgotten", "the softening is forgotten",
      "close encounters are too hard, and bodies are thrown out by them", Softening::forgotten);
  add("softening-not-squared", "ε stands for ε²: the divisor is (r² + ε)^(3/2)",
      "forces are too weak wherever r is not much more than the root of ε", Softening::not_squared);
  add("softening-added", "ε is added to r: the divisor is (r + ε)³",
      "forces are too weak at all distances, by about 3ε/r", Softening::added);
  add("softening-added-to-square", "ε is added to r in r² only: the divisor is (r + ε)² r",
      "forces are too weak at all distances, by about 2ε/r", Softening::added_to_square);
  add("direction-not-softened",
      "the force is m/(r² + ε²), but its direction is divided by r: the divisor is (r² + ε²) r",
      "close encounters are too hard", Softening::hard_direction);
  add("softening-added-to-cube", "ε is added to r³", "forces are too weak where r³ is not much more than ε",
      Softening::added_to_cube);
  add("softening-cube-added", "ε³ is added to r³", "close encounters differ, distant ones do not",
      Softening::cube_added);
  add("softening-square-added-to-cube", "ε² is added to r³", "forces are too weak where r³ is not much more than ε²",
      Softening::square_added);
}

void add_laws(std::vector<Mistake>& list, const Problem& problem) {
  for (const auto& [power, name] :
       {std::pair(1.0, "the difference of positions is divided by r: the force does not fall with distance"),
        std::pair(2.0, "the difference of positions is divided by r²: the force falls as 1/r"),
        std::pair(4.0, "the difference of positions is divided by r⁴: the force falls as 1/r³"),
        std::pair(1.5, "the root of r² + ε² is forgotten twice over: the divisor is r^(3/2)"),
        std::pair(6.0, "the root is forgotten: the divisor is r⁶")})
    list.push_back({fmt::format("power-{}", power), name,
                    "orbits are not closed, and periods grow otherwise with distance",
                    law([p = power](Law& one) { one.power = p; })});
  for (int k = 0; k < 3; ++k) {
    if (!extends(problem, static_cast<std::size_t>(k))) continue;
    const auto at = static_cast<std::size_t>(k);
    list.push_back({"sign-" + axis(k), fmt::format("the force along {} has the wrong sign", axis(k)),
                    fmt::format("bodies repel each other along {} and attract along the others", axis(k)),
                    law([at](Law& one) { one.axis[at] = -1; })});
    list.push_back({"no-force-" + axis(k), fmt::format("the force along {} is missing", axis(k)),
                    fmt::format("velocities along {} stay as they are", axis(k)),
                    law([at](Law& one) { one.axis[at] = 0; })});
    list.push_back({"distance-without-" + axis(k), fmt::format("distances are computed without {}", axis(k)),
                    "forces are too strong, most for bodies above each other along that axis",
                    law([at](Law& one) { one.measure[at] = 0; })});
    list.push_back({"distance-minus-" + axis(k),
                    fmt::format("d{0}² is subtracted in distances instead of added", axis(k)),
                    "forces are too strong, and may be no numbers", law([at](Law& one) { one.measure[at] = -1; })});
    list.push_back({"no-motion-" + axis(k), fmt::format("nothing moves along {}", axis(k)),
                    fmt::format("all bodies keep their {}", axis(k)),
                    [at](Program& program, Problem&) { program.held[at] = 0; }});
  }
  list.push_back({"no-reaction", "forces act on the first body of each pair only (no reaction on the second)",
                  "momentum is not conserved, and the last body moves straight on",
                  law([](Law& one) { one.pairs = Pairs::later_only; })});
  list.push_back({"no-action", "forces act on the second body of each pair only",
                  "momentum is not conserved, and the first body moves straight on",
                  law([](Law& one) { one.pairs = Pairs::earlier_only; })});
  list.push_back({"reaction-same-sign",
                  "the reaction on the second body of a pair has the sign of the action on the first",
                  "bodies chase each other, and the centre of mass is accelerated",
                  law([](Law& one) { one.pairs = Pairs::same_sign; })});
  list.push_back({"reaction-same-size",
                  "the second body of a pair gets the acceleration of the first, whatever the masses",
                  "heavy bodies are moved too much, and momentum is not conserved",
                  law([](Law& one) { one.pairs = Pairs::reaction_as_large; })});
}

/// Forces of one body alone: with three bodies or more, in which that is another problem.
void add_lonely(std::vector<Mistake>& list, const Problem& problem) {
  const std::size_t n = problem.bodies();
  if (n < 3) return;
  list.push_back({"forces-overwritten", "forces are set instead of added: each body feels only the last of the others",
                  "bodies fall towards the last one", law([](Law& one) { one.pairs = Pairs::last_only; })});
  const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(problem.mass) - problem.mass.begin());
  list.push_back({"only-heaviest", fmt::format("only {}, the heaviest, attracts", problem.labels[heaviest]),
                  "the others do not disturb each other, and orbits about it are exact ellipses if it hardly moves",
                  [heaviest](Program& program, Problem& given) {
                    fill(program.law, given);
                    for (std::size_t j = 0; j < given.bodies(); ++j)
                      if (j != heaviest) program.law.source[j] = 0;
                  }});
}

/// Sources and answers in which masses are mistaken. Charges keep their signs.
void add_masses(std::vector<Mistake>& list, const Problem& problem) {
  const bool by_mass = problem.source == problem.mass;
  const auto add = [&](const char* key, const char* name, const char* looks,
                       const std::function<void(Law&, std::size_t)>& change) {
    list.push_back({key, name, looks, [change](Program& program, Problem& given) {
                      fill(program.law, given);
                      for (std::size_t i = 0; i < given.bodies(); ++i) change(program.law, i);
                    }});
  };
  const std::vector<double>& m = problem.mass;
  const char* uneven = "light and heavy bodies are accelerated in the wrong proportion";
  add("not-divided-by-mass", "the force is not divided by the body's own mass", uneven,
      [m](Law& one, std::size_t i) { one.answer[i] *= m[i]; });
  if (!by_mass) return;
  add("own-mass", "the acceleration has the body's own mass instead of the other's", uneven,
      [m](Law& one, std::size_t i) {
        one.answer[i] *= m[i];
        one.source[i] = 1;
      });
  if (std::ranges::find(m, 0.0) == m.end())
    add("divided-twice", "the acceleration is divided by the body's own mass once more", uneven,
        [m](Law& one, std::size_t i) { one.answer[i] /= m[i]; });
  add("no-masses", "the other body's mass is forgotten: all masses are 1", uneven,
      [](Law& one, std::size_t i) { one.source[i] = 1; });
  add("mass-squared", "the other body's mass is counted twice", uneven,
      [m](Law& one, std::size_t i) { one.source[i] *= m[i]; });
}

void add_bodies(std::vector<Mistake>& list, const Problem& problem) {
  const std::size_t n = problem.bodies();
  std::vector<std::size_t> some;
  for (std::size_t b = 0; b < n; ++b)
    if (n <= 12 || b == 0 || b == n - 1) some.push_back(b);
  for (const std::size_t b : some) {
    if (problem.source[b] != 0)
      list.push_back({fmt::format("no-source-{}", b),
                      fmt::format("{} exerts no force{}", problem.labels[b],
                                  b + 1 == n ? " (a loop ends one body early)"
                                  : b == 0   ? " (a loop begins one body late)"
                                             : ""),
                      "the others move as if it were not there", [b](Program& program, Problem& given) {
                        fill(program.law, given);
                        program.law.source[b] = 0;
                      }});
    list.push_back({fmt::format("no-force-on-{}", b), fmt::format("no force acts on {}", problem.labels[b]),
                    "it moves straight on", [b](Program& program, Problem& given) {
                      fill(program.law, given);
                      program.law.answer[b] = 0;
                    }});
    list.push_back({fmt::format("fixed-{}", b), fmt::format("{} does not move", problem.labels[b]),
                    "it stays where it was, and momentum is not conserved",
                    [b](Program& program, Problem&) { program.fixed = static_cast<int>(b); }});
  }
}

/// "a factor 39.4784 (4π²)".
std::string factor_in_words(double f, double G, double dt, std::size_t n) {
  struct Known {
    double value;
    std::string words;
  };
  const double count = static_cast<double>(n);
  for (const Known& one :
       {Known{2, "2: each pair is counted twice, or a half is forgotten"}, Known{0.5, "1/2: a half too many"},
        Known{-1, "−1: the sign is wrong, bodies repel each other"},
        Known{-2, "−2: the sign is wrong, and each pair is counted twice"}, Known{four_pi2, "4π²: G of other units"},
        Known{1 / four_pi2, "1/(4π²): G = 1 in place of 4π²"}, Known{2 * std::numbers::pi, "2π"},
        Known{1 / (2 * std::numbers::pi), "1/(2π)"}, Known{1 / G, "1/G: G is forgotten"},
        Known{G, "G: it is multiplied twice"}, Known{1 / dt, "1/dt: a factor dt is forgotten"},
        Known{dt, "dt: a factor dt too many"}, Known{count, "N"}, Known{1 / count, "1/N"}}) {
    if (one.value != 1 && std::abs(f / one.value - 1) < 1e-4)
      return fmt::format("by a factor {:.7g} ({})", f, one.words);
  }
  return std::abs(f) < 1e-7 ? fmt::format("by a factor {:.3g}: there are next to none (is G that of other units?)", f)
                            : fmt::format("by a factor {:.7g}", f);
}

}  // namespace

std::vector<Mistake> faults(const Problem& problem) {
  std::vector<Mistake> list;
  add_softenings(list, problem);
  add_laws(list, problem);
  add_lonely(list, problem);
  add_masses(list, problem);
  add_bodies(list, problem);
  return list;
}

std::vector<Knob> knobs(const Problem& problem, double G, double dt) {
  const std::size_t n = problem.bodies();
  std::vector<Knob> list;
  list.push_back({"force-factor",
                  [=](double f) {
                    return fmt::format("all forces (G, the masses or the units) are off {}",
                                       factor_in_words(f, G, dt, n));
                  },
                  "orbits are too narrow and fast if it is above 1, too wide and slow below",
                  [](Program& program, Problem&, double f) { program.law.factor *= f; },
                  {1, 2, 0.5, -1, 0, four_pi2, 1 / four_pi2, 1 / G}});
  list.push_back(
      {"step-factor",
       [=](double f) { return fmt::format("the step dt (or the time of frames) is off by a factor {:.7g}", f); },
       "the same orbits at other times",
       [](Program& program, Problem&, double f) { program.h *= f; },
       {1, 2, 0.5}});
  list.push_back({"drift-factor",
                  [=](double f) { return fmt::format("positions move by the velocities times a factor {:.7g}", f); },
                  "bodies move faster or slower than their velocities say",
                  [](Program& program, Problem&, double f) { program.drift *= f; },
                  {1, 2, 0.5}});
  list.push_back({"velocity-factor",
                  [=](double f) { return fmt::format("the initial velocities are off by a factor {:.7g}", f); },
                  "orbits are wider if it is above 1, narrower below",
                  [](Program&, Problem& given, double f) {
                    for (double& v : given.start.v) v *= f;
                  },
                  {1, 0, 2 * std::numbers::pi, 1 / (2 * std::numbers::pi)}});
  if (problem.softening != 0)
    list.push_back({"softening-factor",
                    [=](double f) { return fmt::format("the softening ε is off by a factor {:.7g}", f); },
                    "close encounters are too soft or too hard",
                    [](Program& program, Problem&, double f) { program.law.softening *= f; },
                    {1, 2, 0.5}});
  for (std::size_t b = 0; b < n && n <= 12; ++b) {
    if (problem.source[b] == 0) continue;
    list.push_back({fmt::format("mass-{}", b),
                    [label = problem.labels[b]](double f) {
                      return fmt::format("the mass of {} is off by a factor {:.7g}", label, f);
                    },
                    "the others are attracted by it too strongly or too weakly",
                    [b](Program& program, Problem& given, double f) {
                      fill(program.law, given);
                      program.law.source[b] *= f;
                    },
                    {1}});
  }
  return list;
}

}  // namespace orrery::pipeline::judging
