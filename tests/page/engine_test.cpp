// SPDX-License-Identifier: MIT
// The engine of pages has the bits of the reference, and the committed ones.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

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

bool knows(const Case& c) {
  return !c.every_field && std::ranges::find(engine_methods, c.method->name) != std::end(engine_methods);
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

/// Left out are lines of integrators with noise or adaptive steps, those in fields that pages do not know, and those in boxes,
/// which have laws with a cutoff.
TEST(PageEngine, HasTheCommittedBits) {
  std::map<std::string_view, int> left_out;
  int lines = 0, compared = 0;
  for (const Case& c : committed_cases()) {
    ++(knows(c) ? lines : left_out[c.every_field ? "every-field" : c.method->name]);
    if (!knows(c) || c.interactions() > few_interactions) continue;
    ++compared;
    for (const EngineKind* kind : kinds) expect_committed(c, *kind);
  }
  EXPECT_EQ(lines, 176);
  EXPECT_EQ(compared, 91);
  EXPECT_EQ(left_out,
            (std::map<std::string_view, int>{{"every-field", 3}, {"ias15", 11}, {"langevin", 11}, {"rk45", 11}}));
}

/// The longest lines with fma alone: without, they are run as WebAssembly, by engine_lines.mjs.
TEST(PageEngine, HasTheCommittedBitsOfLongRunsSlow) {
  for (const Case& c : committed_cases()) {
    if (!knows(c) || c.interactions() <= few_interactions) continue;
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

/// Numbers of few and of many digits.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  double operator()(int exponents) {
    const std::uint64_t digits = random_() % (1 << 30) * (random_() % 3 == 0 ? 1 : random_() % (1 << 23)) + 1;
    const double x = std::ldexp(static_cast<double>(digits), static_cast<int>(below(2 * exponents + 1)) - exponents);
    return below(2) == 0 ? x : -x;
  }
  std::uint64_t below(int n) { return random_() % static_cast<std::uint64_t>(n); }

 private:
  std::mt19937_64 random_;
};

TEST(PageEngineFma, OfRandomNumbersRoundsOnce) {
  Draw draw(2);
  for (int k = 0; k < 500'000; ++k) {
    const double a = draw(30), b = draw(30);
    expect_fma(a, b, draw(60));
    expect_fma(a, b, -a * b);                                                           // what is left is the error
    expect_fma(a, b, -a * b * (1 + std::ldexp(1, -static_cast<int>(draw.below(60)))));  // or nearly
    expect_fma(a, b, std::ldexp(a * b, static_cast<int>(draw.below(120)) - 60));        // ties
    expect_fma(draw(1080), draw(1080), draw(1080));
  }
}

void expect_attracted(double d, double s, double sum) {
  for (const EngineKind* kind : kinds)
    ASSERT_EQ(bits(kind->attracted(d, s, sum)), bits(std::fma(d, s, sum)))
        << kind->name << std::hexfloat << d << ' ' << s << ' ' << sum;
}

/// The quicker ways of pairs, which must notice where they do not suffice.
TEST(PageEngineFma, OfPairsRoundsOnce) {
  Draw draw(3);
  for (int k = 0; k < 200'000; ++k) {
    const double d = draw(9), s = draw(9);
    for (const double sum : {0.0, draw(20), -d * s, std::ldexp(d * s, static_cast<int>(draw.below(120)) - 60)})
      expect_attracted(d, s, sum);
    // d·s rounds to 1, half of the last place of the sum; what it lost decides.
    const double little = std::ldexp(k % 2 == 0 ? 1 : -1, -27 - static_cast<int>(draw.below(26)));
    expect_attracted(1 + little, 1 - little, 2 * std::round(0x1p52 + static_cast<double>(draw.below(1 << 30))));
  }
}

void expect_strength(double dx, double dy, double dz, double eps2) {
  const double r2 = std::fma(dx, dx, std::fma(dy, dy, std::fma(dz, dz, eps2)));
  const double expected = sim::reference::law("gravity").force_over_r(r2, sim::reference::Numbers{});
  for (const EngineKind* kind : kinds)
    ASSERT_EQ(bits(kind->strength(dx, dy, dz, eps2)), bits(expected)) << kind->name << std::hexfloat << ", r² = " << r2;
}

TEST(PageEngine, HasTheInverseCubeOfTheReference) {
  std::mt19937_64 random(4);
  for (int k = 0; k < 500'000; ++k)
    expect_strength(
        0, 0, 0, std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, static_cast<int>(random() % 400) - 200));
  Draw draw(5);
  for (int k = 0; k < 200'000; ++k) expect_strength(draw(3), draw(3), draw(3), k % 2 == 0 ? 0 : std::abs(draw(6)));
}

/// Where the seed of 1/√r² is nearly right already, so that what improves it has few digits.
TEST(PageEngine, HasTheInverseCubeWhereTheSeedIsExact) {
  int places = 0;
  for (std::uint64_t upper = bits(1.0) >> 33; upper < bits(4.0) >> 33; ++upper) {
    const auto seed = std::bit_cast<double>((0x5fe6eb50 - upper) << 32);
    const double root = 1 / (seed * seed);
    if (bits(root) >> 33 != upper) continue;
    ++places;
    for (std::uint64_t k = bits(root) - 2000; k < bits(root) + 2000; ++k)
      expect_strength(0, 0, 0, std::bit_cast<double>(k));
  }
  EXPECT_GE(places, 2);
}

/// Compares the last state and its energies with the reference.
void expect_of_reference(const EngineRun& run, const std::string& what) {
  const auto backend = reference(run.system);
  const sim::Snapshot expected = sim::testing::run(*backend, integrator(run.integrator), run.dt, run.steps);
  for (const EngineKind* kind : kinds) {
    const EngineState end = kind->end_of(run);
    const std::string of = what + ", " + std::string(run.integrator) + ", " + std::string(kind->name);
    EXPECT_EQ(bits_of(end.position), bits_of(expected.position)) << of;
    EXPECT_EQ(bits_of(end.velocity), bits_of(expected.velocity)) << of;
    EXPECT_EQ(bits_of(end.acceleration), bits_of(backend->download(sim::Column::acceleration))) << of;
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
        expect_of_reference({.system = system, .integrator = "leapfrog", .steps = n < 100 ? 6 : 1, .coulomb = 1.3},
                            what);
        expect_of_reference({.system = system, .integrator = "hermite4", .steps = n < 100 ? 3 : 1, .coulomb = 1.3},
                            what);
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
        expect_of_reference(
            {.system = with_fields(system), .integrator = method, .steps = n < 100 ? 8 : 1, .coulomb = 1.7},
            pairs ? "all forces" : "fields alone");
    }
  }
}

/// Where the ways that are quick in numbers of usual size must not be taken.
TEST(PageEngine, HasTheBitsOfUnusualNumbers) {
  const auto expect = [](const sim::Bodies& bodies, const std::string& what, double softening = 0, double dt = 1e-3) {
    const sim::System system = system_of(bodies, softening);
    const std::int64_t steps = bodies.size() > 100 ? 2 : 20;
    for (const std::string_view method : {"leapfrog", "leapfrog-dkd", "hermite4"})
      expect_of_reference({.system = system, .integrator = method, .dt = dt, .steps = steps}, what);
  };
  const auto all_of = [](sim::Vectors& vectors, auto change) {
    for (auto* axis : {&vectors.x, &vectors.y, &vectors.z}) change(*axis);
  };
  const sim::Bodies usual = cloud(9);
  const auto scaled = [&](double length, double mass) {
    sim::Bodies bodies = usual;
    all_of(bodies.position,
           [&](auto& axis) { std::ranges::transform(axis, axis.begin(), [&](double x) { return length * x; }); });
    for (double& m : bodies.mass) m *= mass;
    return bodies;
  };
  for (const auto& [length, mass] :
       {std::pair{0x1p-160, 0x1p-300}, std::pair{1e11, 1e30}, std::pair{0x1p120, 0x1p300}, std::pair{0x1p250, 1.0}})
    expect(scaled(length, mass), "scaled by 2^" + std::to_string(std::log2(length)));
  for (const int exponent : {-1060, -1045, -1030, -1018}) {  // what products lose is smaller than any number
    sim::Bodies light = scaled(1, std::ldexp(1, exponent));
    all_of(light.velocity, [](auto& axis) { axis.assign(9, 0); });
    expect(light, "masses times 2^" + std::to_string(exponent), 0, 1);
  }
  sim::Bodies flat = usual;
  flat.position.z = flat.velocity.z = std::vector<double>(9, -0.0);  // −0 + −0 stays −0
  expect(flat, "flat");
  sim::Bodies tiny = usual;
  tiny.position.y[3] = 1e-200, tiny.position.z[4] = 5e-324, tiny.velocity.x[5] = 1e-310;
  expect(tiny, "with tiny numbers");
  sim::Bodies together = cloud(141);  // bodies without mass, in one chunk and in two
  for (const std::size_t i : {14UL, 133UL}) {
    ASSERT_EQ(together.mass[i], 0);
    for (auto* vectors : {&together.position, &together.velocity})
      all_of(*vectors, [&](auto& axis) { axis[i] = axis[7]; });
  }
  expect(together, "massless bodies at one place");
  expect(together, "massless bodies at one place, softened", 0.1);
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
