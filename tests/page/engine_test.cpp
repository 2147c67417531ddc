// SPDX-License-Identifier: MIT
// The engine of pages has the bits of the reference, and the committed ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

// Its functions alone: a test of the physics is linked with no library of files.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "engine_names.hpp"
#include "sim/backends/reference/laws.hpp"
#include "tests/sim/laws.hpp"

namespace orrery::page::testing {
namespace {

using namespace sim::testing;

const EngineKind* const kinds[] = {&exact_engine, &fused_engine};

std::uint64_t bits(double x) {
  return std::bit_cast<std::uint64_t>(x);
}

bool has_integrator(const Case& c) {
  return std::ranges::find(engine_methods, c.method->name) != std::end(engine_methods);
}

/// What the fingerprint of a committed line covers; what the engine does not sum comes from a system without forces.
std::uint64_t fingerprint_of(const EngineState& state, const Case& c) {
  sim::Snapshot end;
  end.position = state.position;
  end.velocity = state.velocity;
  sim::System free;
  free.bodies = cloud(c.n);
  free.bodies.position = state.position;
  free.bodies.velocity = state.velocity;
  end.observables = reference(free)->observe();
  EXPECT_EQ(bits(end.observables.kinetic_energy), bits(state.kinetic_energy));
  end.observables.potential_energy = state.potential_energy;
  if (c.steps == 0) end.velocity = state.acceleration;
  return fingerprint(end);
}

void expect_committed(const Case& c, const EngineKind& kind) {
  const sim::System system = c.system();
  const EngineState end = kind.end_of({.system = system, .integrator = c.method->name, .steps = c.steps});
  EXPECT_EQ(fingerprint_of(end, c), c.hash) << kind.name << ": " << c;
}

constexpr double few_interactions = 1e6, many_interactions = 2e8;

/// Left out are lines of integrators with noise or adaptive steps, and those in boxes, which have laws with a cutoff.
TEST(PageEngine, HasTheCommittedBits) {
  std::map<std::string_view, int> left_out;
  int lines = 0, compared = 0;
  for (const Case& c : committed_cases()) {
    ++(has_integrator(c) ? lines : left_out[c.method->name]);
    if (!has_integrator(c) || c.interactions() > few_interactions) continue;
    ++compared;
    for (const EngineKind* kind : kinds) expect_committed(c, *kind);
  }
  EXPECT_EQ(lines, 176);
  EXPECT_EQ(compared, 91);
  EXPECT_EQ(left_out, (std::map<std::string_view, int>{{"ias15", 11}, {"langevin", 11}, {"rk45", 11}}));
}

/// The longest lines with fma alone: without, they are run as WebAssembly, by engine_lines.mjs.
TEST(PageEngine, HasTheCommittedBitsOfLongRunsSlow) {
  for (const Case& c : committed_cases()) {
    if (!has_integrator(c) || c.interactions() <= few_interactions) continue;
    expect_committed(c, fused_engine);
    if (c.interactions() < many_interactions) expect_committed(c, exact_engine);
  }
}

void expect_fma(double a, double b, double c) {
  const double expected = std::fma(a, b, c), found = exact_engine.fma(a, b, c);
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found)) << a << " · " << b << " + " << c;
  } else if (bits(found) != bits(expected)) {
    ADD_FAILURE() << std::hexfloat << a << " · " << b << " + " << c << ": " << found << ", not " << expected;
  }
}

/// Numbers that are rounded to a tie, or lose what an error-free product keeps, or have signs to lose.
TEST(PageEngineFma, OfAwkwardNumbersRoundsOnce) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> numbers{0.0, infinity, std::numeric_limits<double>::quiet_NaN()};
  for (const int exponent :
       {-1074, -1073, -1050, -1023, -1022, -1021, -970, -969, -900, -537, -511, -54, -53, -52,  -27,  -26,
        -1,    0,     1,     26,    27,    52,    53,   54,   511,  512,  900,  969, 970, 1021, 1022, 1023}) {
    for (const double mantissa : {1.0, 1 + 0x1p-52, 1 + 0x1p-30, 1 + 0x1p-26, 1.5, 2 - 0x1p-27, 2 - 0x1p-52})
      numbers.push_back(std::ldexp(mantissa, exponent));
  }
  std::mt19937_64 random(1);
  const auto any = [&] {
    const double x = numbers[random() % numbers.size()];
    return random() % 2 == 0 ? x : -x;
  };
  for (int k = 0; k < 1'000'000; ++k) expect_fma(any(), any(), any());
  for (const double a : numbers) {
    for (const double b : numbers) {
      for (const double c : {0.0, -0.0, -a * b, a * b, std::nextafter(-a * b, 0), 0x1p-53 * a * b, -0x1p-54 * a * b})
        expect_fma(a, b, c), expect_fma(-a, b, c);
    }
  }
}

TEST(PageEngineFma, OfRandomNumbersRoundsOnce) {
  std::mt19937_64 random(2);
  const auto any = [&](int exponents) {
    const auto digits = static_cast<double>(random() % (1 << 30) * (random() % 3 == 0 ? 1 : random() % (1 << 23)) + 1);
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * exponents + 1)) - exponents;
    return std::ldexp(random() % 2 == 0 ? digits : -digits, exponent);
  };
  for (int k = 0; k < 500'000; ++k) {
    const double a = any(30), b = any(30);
    expect_fma(a, b, any(60));
    expect_fma(a, b, -a * b);                                                          // what is left is the error
    expect_fma(a, b, -a * b * (1 + std::ldexp(1, -static_cast<int>(random() % 60))));  // or nearly
    expect_fma(a, b, std::ldexp(a * b, static_cast<int>(random() % 120) - 60));        // ties
    expect_fma(any(1080), any(1080), any(1080));
  }
}

TEST(PageEngine, HasTheInverseCubeOfTheReference) {
  const sim::reference::Law& gravity = sim::reference::law("gravity");
  const sim::reference::Numbers none{};
  std::mt19937_64 random(3);
  for (int k = 0; k < 1'000'000; ++k) {
    const double r2 =
        std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, static_cast<int>(random() % 400) - 200);
    for (const EngineKind* kind : kinds)
      ASSERT_EQ(bits(kind->inverse_cube(r2)), bits(gravity.force_over_r(r2, none)))
          << kind->name << std::hexfloat << r2;
  }
}

/// Compares the last state and its energies with the reference.
void expect_of_reference(const sim::System& system, std::string_view method, std::int64_t steps, double coulomb,
                         const std::string& what) {
  const auto backend = reference(system);
  const sim::Snapshot expected = run(*backend, integrator(method), 1e-3, steps);
  for (const EngineKind* kind : kinds) {
    const EngineState end = kind->end_of({.system = system, .integrator = method, .steps = steps, .coulomb = coulomb});
    const std::string of = what + ", " + std::string(method) + ", " + std::string(kind->name);
    EXPECT_EQ(bits_of(end.position), bits_of(expected.position)) << of;
    EXPECT_EQ(bits_of(end.velocity), bits_of(expected.velocity)) << of;
    EXPECT_EQ(bits(end.kinetic_energy), bits(expected.observables.kinetic_energy)) << of;
    EXPECT_EQ(bits(end.potential_energy), bits(expected.observables.potential_energy)) << of;
  }
}

void add_columns(sim::System& system) {
  for (const auto* method : sim::integrators()) add_requirements(system, *method);
}

TEST(PageEngine, HasTheBitsOfEveryLaw) {
  for (const NumberedLaw& law : every_law()) {
    for (const std::size_t n : {1UL, 7UL, 33UL, 161UL}) {
      for (const double softening : {0.3, 0.0}) {
        sim::System system = system_of(law, charged_cloud(n), softening, 1.3);
        add_columns(system);
        const std::string what = law.name() + ", N = " + std::to_string(n) + ", ε = " + std::to_string(softening);
        expect_of_reference(system, "leapfrog", n < 100 ? 6 : 1, 1.3, what);
        expect_of_reference(system, "hermite4", n < 100 ? 3 : 1, 1.3, what);
      }
    }
  }
}

TEST(PageEngine, HasTheBitsOfSeveralForcesTogether) {
  for (const std::size_t n : {5UL, 150UL}) {
    const sim::Bodies bodies = charged_cloud(n);
    for (const bool pairs : {true, false}) {
      sim::System system = system_of(bodies, 0.1, 0.8);
      if (pairs) {
        for (const auto& [name, exponent, softening, factor] :
             {std::tuple{"coulomb", 0, 0.2, 1.7}, std::tuple{"inverse-power", 4, 0.3, 0.6},
              std::tuple{"inverse-power", 1, 0.4, 0.9}}) {
          const NumberedLaw numbered = law(name, exponent);
          system.forces.push_back(make_pair_force(*numbered.law, bodies, softening, factor, numbered.parameters));
        }
      } else {
        system.forces.clear();
      }
      for (const std::string_view method : {"pefrl", "rk4", "hermite4"})
        expect_of_reference(with_fields(system), method, n < 100 ? 8 : 1, 1.7, pairs ? "all forces" : "fields alone");
    }
  }
}

/// Where the ways that are quick in numbers of usual size must not be taken.
TEST(PageEngine, HasTheBitsOfUnusualNumbers) {
  const auto expect = [](const sim::Bodies& bodies, double softening, const std::string& what, bool jerks = true) {
    for (const std::string_view method : {"leapfrog", "leapfrog-dkd", "hermite4"}) {
      if (method != "hermite4" || jerks) expect_of_reference(system_of(bodies, softening), method, 20, 1, what);
    }
  };
  const sim::Bodies usual = cloud(9);
  const auto scaled = [&](double length, double mass) {
    sim::Bodies bodies = usual;
    for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) {
      for (double& x : *axis) x *= length;
    }
    for (double& m : bodies.mass) m *= mass;
    return bodies;
  };
  for (const auto& [length, mass] : {std::pair{0x1p-300, 0x1p-900}, std::pair{0x1p-160, 0x1p-300},
                                     std::pair{1e11, 1e30}, std::pair{0x1p120, 0x1p300}, std::pair{0x1p250, 1.0}})
    expect(scaled(length, mass), 0, "scaled by " + std::to_string(std::log2(length)), length > 0x1p-200);
  sim::Bodies flat = usual;
  flat.position.z = flat.velocity.z = std::vector<double>(9, -0.0);  // −0 + −0 stays −0
  expect(flat, 0, "flat");
  sim::Bodies tiny = usual;
  tiny.position.y[3] = 1e-200, tiny.position.z[4] = 5e-324, tiny.velocity.x[5] = 1e-310;
  expect(tiny, 0, "with tiny numbers");
  sim::Bodies together = usual;  // bodies 0 and 7 are; 7 has no mass, nor has 8 in its place
  together.mass[8] = 0;
  for (auto* axis : {&together.position.x, &together.position.y, &together.position.z}) (*axis)[8] = (*axis)[7];
  for (auto* axis : {&together.velocity.x, &together.velocity.y, &together.velocity.z}) (*axis)[8] = (*axis)[7];
  expect(together, 0, "massless bodies at one place");
  expect(together, 0.1, "massless bodies at one place, softened");
}

/// Both know them by their numbers.
TEST(PageEngine, IsNamedInTheSameOrderByItsScript) {
  std::ifstream file(ORRERY_SOURCE_DIR "/render/page/engine.js");
  const std::string script{std::istreambuf_iterator<char>(file), {}};
  std::string methods = "'";
  for (const std::string_view method : engine_methods) methods += std::string(method) + " ";
  methods.back() = '\'';
  EXPECT_NE(script.find(methods), std::string::npos) << methods;
  std::size_t at = script.find("const laws = {");
  for (const std::string_view law : engine_laws) {
    at = std::min(script.find("\n  " + std::string(law) + ": (", at),
                  script.find("\n  '" + std::string(law) + "': (", at));
    EXPECT_NE(at, std::string::npos) << law;
  }
}

TEST(PageEngine, HasTheHashesOfTheProgram) {
  for (const std::size_t n : {1UL, 2UL, 3UL, 4UL, 5UL, 6UL, 10UL, 11UL, 20UL, 21UL, 43UL, 300UL}) {
    const sim::System system = system_of(cloud(n), 0.1);
    const auto &x = system.bodies.position, &v = system.bodies.velocity;
    std::vector<double> columns, frame;
    std::vector<float> single;
    for (const auto* column : {&x.x, &x.y, &x.z, &v.x, &v.y, &v.z})
      columns.insert(columns.end(), column->begin(), column->end());
    for (const auto* part : {&x, &v}) {
      for (std::size_t i = 0; i < n; ++i) frame.insert(frame.end(), {part->x[i], part->y[i], part->z[i]});
    }
    for (const double number : frame) single.push_back(static_cast<float>(number));
    for (const EngineKind* kind : kinds) {
      const EngineState state = kind->end_of({.system = system, .integrator = "leapfrog"});
      EXPECT_EQ(state.hash, XXH3_64bits(columns.data(), 48 * n)) << n;
      for (const std::size_t parts : {1UL, 2UL}) {
        EXPECT_EQ(state.checksums[0][parts - 1], XXH3_64bits(frame.data(), 24 * n * parts)) << n;
        EXPECT_EQ(state.checksums[1][parts - 1], XXH3_64bits(single.data(), 12 * n * parts)) << n;
      }
    }
  }
}

}  // namespace
}  // namespace orrery::page::testing
