// SPDX-License-Identifier: MIT
// Programs written here without the textbook, right and wrong, are recognised by their frames.
#include "pipeline/judge/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "pipeline/judge/programs.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/simulation.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using judging::Exercise;
using judging::Finding;
using judging::GivenFrames;
using judging::Judgement;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Bodies in no special places: the first `n` of five.
std::string scenario_text_of(int n, const std::string& integrator = "leapfrog", double softening = 0.1) {
  const char* bodies[] = {"  {mass = 1.0, position = [0.1, -0.2, 0.05], velocity = [0.02, 0.1, 0.03]},\n",
                          "  {mass = 0.3, position = [1.1, 0.3, -0.2], velocity = [-0.1, 0.8, 0.1]},\n",
                          "  {mass = 0.05, position = [-0.7, 1.4, 0.3], velocity = [-0.6, -0.3, -0.2]},\n",
                          "  {mass = 0.2, position = [-1.9, -0.8, 0.6], velocity = [0.3, -0.5, 0.15]},\n",
                          "  {mass = 0.01, position = [2.6, -1.7, -0.4], velocity = [0.3, 0.4, -0.1]},\n"};
  std::string text = "[[initial]]\nkind = \"table\"\nbodies = [\n";
  for (int i = 0; i < n; ++i) text += bodies[i];
  return text + "]\n[force]\nkind = \"gravity\"\nsoftening = " + std::to_string(softening) +
         "\n[integrator]\nkind = \"" + integrator + "\"\ndt = 0.01\nsteps = 200\n[trajectory]\nframes = 21\n";
}

Exercise exercise(int n, const std::string& integrator = "leapfrog", double softening = 0.1) {
  return judging::exercise_of(set_up(parse_scenario(scenario_text_of(n, integrator, softening), "s.toml")), "s.toml");
}

/// A student's program: leapfrog with everything right unless told otherwise.
struct Student {
  explicit Student(const Exercise& exercise)
      : n(exercise.problem.bodies()),
        x(exercise.problem.start.x),
        v(exercise.problem.start.v),
        m(exercise.problem.mass),
        eps(exercise.problem.softening) {}

  std::size_t n;
  std::vector<double> x, v, m;
  double eps, dt = 0.01, G = 1;
  int steps = 200, every = 10;
  bool times = true;
  std::function<double(double r2)> divisor = [this](double r2) { return std::pow(r2 + eps * eps, 1.5); };
  std::function<double(std::size_t i, std::size_t j)> pull = [this](std::size_t, std::size_t j) { return m[j]; };
  double sign_y = 1;
  std::function<void()> step = [this] {
    kick(dt / 2);
    drift(dt);
    kick(dt / 2);
  };
  std::function<double(std::size_t c)> shown_velocity = [this](std::size_t c) { return v[c]; };

  [[nodiscard]] std::vector<double> forces() const {
    std::vector<double> a(3 * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (i == j) continue;
        double r2 = 0;
        for (std::size_t k = 0; k < 3; ++k) r2 += std::pow(x[3 * j + k] - x[3 * i + k], 2);
        for (std::size_t k = 0; k < 3; ++k)
          a[3 * i + k] += (k == 1 ? sign_y : 1) * G * pull(i, j) * (x[3 * j + k] - x[3 * i + k]) / divisor(r2);
      }
    }
    return a;
  }
  void kick(double h) {
    const std::vector<double> a = forces();
    for (std::size_t c = 0; c < 3 * n; ++c) v[c] += h * a[c];
  }
  void drift(double h) {
    for (std::size_t c = 0; c < 3 * n; ++c) x[c] += h * v[c];
  }
  GivenFrames run() {
    GivenFrames frames{.name = "mine.csv", .times = {}, .frames = {}, .names = {}, .all = 0};
    for (int s = 0; s <= steps; ++s) {
      if (s % every == 0) {
        frames.frames.push_back({x, v});
        for (std::size_t c = 0; c < 3 * n; ++c) frames.frames.back().v[c] = shown_velocity(c);
        if (times) frames.times.push_back(s * dt);
      }
      step();
    }
    frames.all = frames.frames.size();
    return frames;
  }
};

Judgement judged(Student& student, const Exercise& exercise) {
  return judging::judge(student.run(), exercise);
}

TEST(Textbook, RightMethodsAreThoseOfTheEngine) {
  for (const char* name : {"symplectic-euler", "leapfrog", "leapfrog-dkd", "ruth3", "yoshida4", "forest-ruth", "rk4"}) {
    for (const int n : {2, 3, 5}) {
      const Scenario scenario = parse_scenario(scenario_text_of(n, name), "s.toml");
      const auto setup = set_up(scenario);
      const Exercise given = judging::exercise_of(setup, "s.toml");
      const auto bodies = sim::make_backend(sim::cpu_backend, sim::system_of(setup.model), {});
      sim::Simulation engine(*bodies, setup.model);
      engine.advance(200);
      const sim::Snapshot end = engine.state();
      const auto program = judging::start({.method = judging::method_of(name), .h = given.dt}, given.problem);
      program->step(200);
      const judging::State mine = program->state();
      for (std::size_t i = 0; i < given.problem.bodies(); ++i) {
        EXPECT_NEAR(mine.x[3 * i], end.position.x[i], 1e-12) << name;
        EXPECT_NEAR(mine.x[3 * i + 1], end.position.y[i], 1e-12) << name;
        EXPECT_NEAR(mine.v[3 * i + 2], end.velocity.z[i], 1e-12) << name;
      }
    }
  }
}

/// Halving the step divides the error by 2^order.
TEST(Textbook, RightMethodsHaveTheirOrder) {
  const Exercise given = exercise(3);
  const auto at = [&](const judging::Method& method, int steps) {
    const auto program = judging::start({.method = &method, .h = 1.0 / steps}, given.problem);
    program->step(steps);
    return program->state().x;
  };
  const auto exact = at(judging::method_named("yoshida4"), 6400);
  const auto error = [&](const judging::Method& method, int steps) {
    const auto x = at(method, steps);
    double sum = 0;
    for (std::size_t c = 0; c < x.size(); ++c) sum += std::pow(x[c] - exact[c], 2);
    return std::sqrt(sum);
  };
  for (const judging::Method& method : judging::methods()) {
    const double order = std::log2(error(method, 200) / error(method, 400));
    if (method.order > 0) {
      EXPECT_NEAR(order, method.order, 0.3) << method.key;
    } else {
      EXPECT_LT(order, 2.5) << method.key;
    }
  }
}

struct Wrong {
  const char* what;
  int bodies;
  std::function<void(Student&)> make;
  const char* key;
};

class EachWrongProgram : public ::testing::TestWithParam<Wrong> {};

TEST_P(EachWrongProgram, IsNamed) {
  const Exercise given = exercise(GetParam().bodies);
  Student student(given);
  GetParam().make(student);
  const Judgement judgement = judged(student, given);
  EXPECT_EQ(judgement.finding, Finding::fault) << judgement.report.table();
  // Where several fit, any of them may be first.
  EXPECT_TRUE(judgement.program.find(GetParam().key) != std::string::npos ||
              judgement.report.table().find(GetParam().key) != std::string::npos)
      << GetParam().key << "\n"
      << judgement.report.table();
}

INSTANTIATE_TEST_SUITE_P(
    Judge, EachWrongProgram,
    ::testing::Values(
        Wrong{"SofteningNotSquared", 3,
              [](Student& s) { s.divisor = [e = s.eps](double r2) { return std::pow(r2 + e, 1.5); }; },
              "ε stands for ε²"},
        Wrong{"NoSoftening", 5, [](Student& s) { s.divisor = [](double r2) { return r2 * std::sqrt(r2); }; },
              "softening is forgotten"},
        Wrong{"SofteningAdded", 2,
              [](Student& s) { s.divisor = [e = s.eps](double r2) { return std::pow(std::sqrt(r2) + e, 3); }; },
              "ε is added to r"},
        Wrong{"DividedBySquare", 3, [](Student& s) { s.divisor = [e = s.eps](double r2) { return r2 + e * e; }; },
              "divided by r²"},
        Wrong{"OwnMass", 5, [](Student& s) { s.pull = [&s](std::size_t i, std::size_t) { return s.m[i]; }; },
              "own mass instead"},
        Wrong{"NotDividedByMass", 3,
              [](Student& s) { s.pull = [&s](std::size_t i, std::size_t j) { return s.m[i] * s.m[j]; }; },
              "not divided by the body's own mass"},
        Wrong{"LoopEndsEarly", 5,
              [](Student& s) { s.pull = [&s](std::size_t, std::size_t j) { return j == 4 ? 0 : s.m[j]; }; },
              "exerts no force (a loop ends one body early)"},
        Wrong{"OnePairOnly", 3,
              [](Student& s) { s.pull = [&s](std::size_t i, std::size_t j) { return j > i ? s.m[j] : 0; }; },
              "no reaction"},
        Wrong{"PairsTwice", 3, [](Student& s) { s.G = 2; }, "each pair is counted twice"},
        Wrong{"OtherG", 5, [](Student& s) { s.G = 1.0431; }, "off by a factor 1.0431"},
        Wrong{"Repulsion", 3, [](Student& s) { s.G = -1; }, "the sign is wrong"},
        Wrong{"SignOfY", 5, [](Student& s) { s.sign_y = -1; }, "along y has the wrong sign"},
        Wrong{"OtherMass", 3, [](Student& s) { s.m[1] *= 1.3; }, "the mass of body 1 is off by a factor 1.3"},
        Wrong{"StaleForces", 5,
              [](Student& s) {
                s.step = [&s] {
                  const std::vector<double> old = s.forces();
                  for (std::size_t c = 0; c < 3 * s.n; ++c) {
                    s.x[c] += s.v[c] * s.dt + old[c] * s.dt * s.dt / 2;
                    s.v[c] += old[c] * s.dt;
                  }
                };
              },
              "the forces of the step's beginning"},
        Wrong{"MovedBodies", 3,
              [](Student& s) {
                s.step = [&s] {
                  for (std::size_t i = 0; i < s.n; ++i) {
                    const std::vector<double> a = s.forces();
                    for (std::size_t c = 3 * i; c < 3 * i + 3; ++c) {
                      s.v[c] += s.dt * a[c];
                      s.x[c] += s.dt * s.v[c];
                    }
                  }
                };
              },
              "each body is kicked and moved before"},
        Wrong{"LostHalfKick", 5,
              [](Student& s) {
                s.step = [&s] {
                  s.kick(s.dt / 2);
                  s.drift(s.dt);
                };
              },
              "second half kick of the leapfrog is lost"},
        Wrong{"LostFirstHalfKick", 3,
              [](Student& s) {
                s.step = [&s, first = true]() mutable {
                  if (!first) s.kick(s.dt / 2);
                  first = false;
                  s.drift(s.dt);
                  s.kick(s.dt / 2);
                };
              },
              "very first half kick"},
        Wrong{"Overwritten", 5,
              [](Student& s) {
                s.pull = [&s](std::size_t i, std::size_t j) { return j == (i == 4 ? 3 : 4) ? s.m[j] : 0; };
              },
              "set instead of added"},
        Wrong{"LateVelocities", 3,
              [](Student& s) { s.shown_velocity = [&s](std::size_t c) { return s.v[c] + s.dt / 2 * s.forces()[c]; }; },
              "half a step later"},
        Wrong{"OneStepLate", 5, [](Student& s) { s.step(); }, "1 step later"},
        Wrong{"FasterStart", 3,
              [](Student& s) {
                for (double& v : s.v) v *= 1.5;
              },
              "initial velocities are off by a factor 1.5"},
        Wrong{"Floats", 5,
              [](Student& s) {
                s.step = [&s] {
                  const auto round = [](std::vector<double>& all) {
                    for (double& x : all) x = static_cast<float>(x);
                  };
                  s.kick(s.dt / 2);
                  round(s.v);
                  s.drift(s.dt);
                  round(s.x);
                  s.kick(s.dt / 2);
                  round(s.v);
                };
              },
              "floats (single precision)"},
        Wrong{"TwoFaults", 5,
              [](Student& s) {
                s.divisor = [e = s.eps](double r2) { return std::pow(r2 + e, 1.5); };
                s.sign_y = -1;
              },
              "along y has the wrong sign"}),
    [](const auto& wrong) { return wrong.param.what; });

TEST(Judge, RightProgramsAreNamedAndNotAccused) {
  const Exercise given = exercise(5);
  Student leapfrog(given);
  EXPECT_EQ(judged(leapfrog, given).finding, Finding::as_scenario);
  Student halved(given);
  halved.dt /= 2;
  halved.steps *= 2;
  halved.every *= 2;
  const Judgement half = judged(halved, given);
  EXPECT_EQ(half.finding, Finding::other_method);
  EXPECT_THAT(half.program, HasSubstr("step dt/2"));
  Student seventh(given);
  seventh.step = [&] {
    for (int k = 0; k < 7; ++k) {
      seventh.kick(seventh.dt / 7);
      seventh.drift(seventh.dt / 7);
    }
  };
  EXPECT_THAT(judged(seventh, given).program, HasSubstr("step dt/7"));
  Student euler(given);
  euler.step = [&] {
    euler.kick(euler.dt);
    euler.drift(euler.dt);
  };
  const Judgement first_order = judged(euler, given);
  EXPECT_EQ(first_order.finding, Finding::other_method);
  EXPECT_THAT(first_order.program, HasSubstr("symplectic Euler"));
  // Adams and Bashforth's second order, which the textbook does not have.
  Student adams(given);
  std::vector<double> old_a, old_v;
  adams.step = [&] {
    const std::vector<double> a = adams.forces(), v = adams.v;
    if (old_a.empty()) {
      adams.kick(adams.dt / 2);
      adams.drift(adams.dt);
      adams.kick(adams.dt / 2);
    } else {
      for (std::size_t c = 0; c < 3 * adams.n; ++c) {
        adams.x[c] += adams.dt * (1.5 * v[c] - 0.5 * old_v[c]);
        adams.v[c] += adams.dt * (1.5 * a[c] - 0.5 * old_a[c]);
      }
    }
    old_a = a;
    old_v = v;
  };
  EXPECT_EQ(judged(adams, given).finding, Finding::other_method);
}

TEST(Judge, ConstantsWithOtherDigitsAreNoFault) {
  const Exercise given = exercise(3);
  Student student(given);
  student.G = 1.0004;
  const Judgement judgement = judged(student, given);
  EXPECT_EQ(judgement.finding, Finding::as_scenario);
  EXPECT_THAT(judgement.report.table(), HasSubstr("off by a factor 1.0004: a constant with other digits?"));
}

TEST(Judge, ForcesThatAreMissingAreSeen) {
  const Exercise given = exercise(3);
  Student student(given);
  student.G = 6.674e-11;
  EXPECT_THAT(judged(student, given).program, HasSubstr("there are next to none"));
}

TEST(Judge, FramesWithoutTimesAreTakenAsTheScenarioKeepsThemOrStepByStep) {
  const Exercise given = exercise(3);
  for (const int every : {10, 1}) {
    Student student(given);
    student.times = false;
    student.every = every;
    const Judgement judgement = judged(student, given);
    EXPECT_EQ(judgement.finding, Finding::as_scenario);
    EXPECT_THAT(judgement.report.table(), HasSubstr(every == 10 ? "as the scenario keeps" : "after each step"));
  }
}

TEST(Judge, TimesThatAreNumbersOfFramesAreAFault) {
  const Exercise given = exercise(3);
  GivenFrames frames = Student(given).run();
  for (std::size_t f = 0; f < frames.times.size(); ++f) frames.times[f] = static_cast<double>(f);
  const Judgement judgement = judging::judge(frames, given);
  EXPECT_EQ(judgement.finding, Finding::fault);
  EXPECT_THAT(judgement.program, HasSubstr("not at the times that they say"));
}

TEST(Judge, BodiesInAnotherOrderAndAtAnotherPlaceAreFound) {
  const Exercise given = exercise(3);
  Student student(given);
  GivenFrames frames = student.run();
  for (judging::State& frame : frames.frames)
    for (std::vector<double>* all : {&frame.x, &frame.v}) std::rotate(all->begin(), all->begin() + 3, all->end());
  const Judgement turned = judging::judge(frames, given);
  EXPECT_EQ(turned.finding, Finding::as_scenario);
  EXPECT_THAT(turned.report.table(), HasSubstr("another order"));
  GivenFrames shifted = Student(given).run();
  for (judging::State& frame : shifted.frames)
    for (std::size_t c = 0; c < 9; c += 3) frame.x[c] += 0.37;
  const Judgement moved = judging::judge(shifted, given);
  EXPECT_EQ(moved.finding, Finding::as_scenario) << moved.report.table();
  EXPECT_THAT(moved.report.table(), HasSubstr("shifted by (0.37, "));
}

TEST(Judge, NoiseIsNoneOfThese) {
  const Exercise given = exercise(3);
  Student student(given);
  unsigned state = 1;
  student.step = [&] {
    for (double& x : student.x) x += ((state = state * 1103515245U + 12345U) >> 16U) % 1000 * 2e-5 - 1e-2;
  };
  EXPECT_EQ(judged(student, given).finding, Finding::none);
}

TEST(Judge, WhatCannotBeToldIsSaid) {
  const Exercise given = exercise(3);
  GivenFrames one = Student(given).run();
  one.frames.resize(1);
  EXPECT_EQ(judging::judge(one, given).finding, Finding::undecided);
  GivenFrames sparse = Student(given).run();
  sparse.frames.resize(2);
  sparse.times = {0, 1e6};
  sparse.frames[1].x[0] += 0.3;  // not a frame of the scenario
  EXPECT_THAT(judging::judge(sparse, given).report.table(), HasSubstr("takes too long"));
  GivenFrames broken = Student(given).run();
  broken.frames[7].x[4] = NAN;
  const Judgement until = judging::judge(broken, given);
  EXPECT_EQ(until.finding, Finding::as_scenario);
  EXPECT_THAT(until.report.table(), HasSubstr("frame 7 has a position that is no number (body 1)"));
  try {
    (void)judging::judge(Student(exercise(2)).run(), given);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), orrery::Fault::request);
    EXPECT_THAT(error.what(), HasSubstr("2 bodies in a frame, and s.toml has 3"));
  }
}

TEST(Judge, RefusesForcesThatTheTextbookLacks) {
  EXPECT_THROW(
      (void)judging::exercise_of(set_up(parse_scenario(with(scenario_text_of(3), "\"gravity\"\nsoftening = 0.100000",
                                                            "\"inverse-power\"\nexponent = 3.0"),
                                                       "s.toml")),
                                 "s.toml"),
      Error);
}

TEST(Judge, ReadsTablesAndRunsAsACommand) {
  Folder folder;
  write(folder / "s.toml", scenario_text_of(3));
  simulate(folder, "s.toml", "a");
  const Outcome own = run(folder, {"judge", "a/run.h5", "s.toml"});
  EXPECT_EQ(own.code, 0) << own.output << own.errors;
  EXPECT_THAT(own.output, HasSubstr("the method and step of the scenario, and its numbers"));
  Student student(exercise(3));
  student.G = 2;
  std::string text = "t,id,x,y,z,vx,vy,vz\n";
  const GivenFrames frames = student.run();
  for (std::size_t f = 0; f < frames.frames.size(); ++f)
    for (std::size_t i = 0; i < 3; ++i) {
      text += std::to_string(frames.times[f]) + "," + std::to_string(i);
      for (const auto* all : {&frames.frames[f].x, &frames.frames[f].v})
        for (std::size_t k = 0; k < 3; ++k) text += "," + std::to_string((*all)[3 * i + k]);  // six digits
      text += "\n";
    }
  write(folder / "mine.csv", text);
  const Outcome wrong = run(folder, {"judge", "mine.csv", "s.toml"});
  EXPECT_EQ(wrong.code, 1) << wrong.output << wrong.errors;
  EXPECT_THAT(wrong.output, HasSubstr("each pair is counted twice"));
  const Outcome json = run(folder, {"judge", "mine.csv", "s.toml", "--json"});
  EXPECT_TRUE(is_json(json.output));
  EXPECT_THAT(json.output, HasSubstr("\"verdict\": \"fault\""));
  write(folder / "bad.csv", "t,id,x,y,z\n0,a,1,2,three\n");
  const Outcome bad = run(folder, {"judge", "bad.csv", "s.toml"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.errors, HasSubstr("bad.csv:2"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
