// SPDX-License-Identifier: MIT
// What charts make of given moments: axes, curves, bands, guides, and what they say.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "chart_support.hpp"
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using render::Chart;
using render::Curve;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

class Charts : public ::testing::Test {
 protected:
  static sim::Bodies bodies_of(const std::vector<double>& mass, const std::vector<std::string>& names = {}) {
    return {.mass = mass,
            .charge = {},
            .radius = {},
            .position = sim::Vectors(mass.size()),
            .velocity = sim::Vectors(mass.size()),
            .species = std::vector<std::int32_t>(mass.size(), 0),
            .names = names};
  }
  [[nodiscard]] std::vector<Chart> charts(std::string_view kind, const std::string& keys = "", bool moving = false,
                                          bool before = false) const {
    return charts_of_run(folder_ / "run.h5", kind, keys, moving, {}, before);
  }
  [[nodiscard]] std::string complaint_of(std::string_view kind, const std::string& keys) const {
    return complaint([&] { (void)charts(kind, keys); });
  }
  /// A run of two bodies with rows of these energies, and bands if given.
  void write_energies(const std::vector<double>& kinetic, const std::vector<double>& potential,
                      const std::vector<std::array<double, 2>>& range = {}) const {
    std::vector<sim::Snapshot> moments;
    for (std::size_t k = 0; k < kinetic.size(); ++k) {
      moments.push_back(moment_of(static_cast<double>(k), {{1, 0, 0}, {-1, 0, 0}}, {{0, 0.5, 0}, {0, -0.5, 0}}));
      moments.back().observables.kinetic_energy = kinetic[k];
      moments.back().observables.potential_energy = potential[k];
      if (!range.empty())
        moments.back().extremes = {.states = 3,
                                   .energy_low = range[k][0],
                                   .energy_high = range[k][1],
                                   .momentum_low = {},
                                   .momentum_high = {}};
    }
    write_moments(folder_ / "run.h5", bodies_of({1, 1}, {"A", "B"}), moments);
  }
  void write_energies(const std::vector<double>& total, const std::vector<std::array<double, 2>>& range = {}) const {
    write_energies(std::vector<double>(total.size(), 0), total, range);
  }
  Folder folder_;
};

std::vector<std::string> names_of(const std::vector<Curve>& curves) {
  std::vector<std::string> names;
  for (const Curve& curve : curves) names.push_back(curve.name);
  return names;
}

std::ptrdiff_t count_of(const Chart& chart, Curve::Stroke stroke) {
  return std::ranges::count(chart.curves, stroke, &Curve::stroke);
}

TEST(ChartKinds, DescribeThemselves) {
  std::vector<std::string_view> names;
  for (const ChartKind* kind : chart_kinds()) {
    EXPECT_THAT(names, Not(Contains(kind->figure.name)));
    names.push_back(kind->figure.name);
    EXPECT_FALSE(kind->figure.meaning.empty()) << names.back();
    EXPECT_TRUE(kind->figure.is_chart()) << names.back();
    EXPECT_EQ(&chart_of(kind->figure), kind);
    const auto keys = keys_of("figure", kind->figure);
    for (const Parameter& p : keys) {
      EXPECT_FALSE(p.meaning.empty()) << names.back() << "." << p.name;
      EXPECT_TRUE(p.optional || !p.fallback.empty() || p.name == "file") << names.back() << "." << p.name;
    }
    EXPECT_EQ(std::ranges::count(keys, "components", &Parameter::name),
              std::ranges::count(keys, "bodies", &Parameter::name));
    EXPECT_EQ(std::ranges::count(keys, "labels", &Parameter::name), 1);
  }
  EXPECT_THAT(names,
              IsSupersetOf({"energy", "energy-error", "separation", "phase", "elements", "divergence", "conserved",
                            "virial", "lagrangian-radii", "radial-profile", "rotation-curve", "convergence",
                            "pair-correlation", "mean-square-displacement", "thermodynamics", "work-precision"}));
  for (const render::FigureKind* kind : render::figure_kinds()) EXPECT_EQ(chart_of(*kind).make, nullptr);
}

TEST_F(Charts, MagnitudesOfErrorsHaveNoZeros) {
  write_energies({-2, -2 - 2e-12, -2, -2 - 2e-6});
  const auto both = charts("energy-error");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].y.name, "ΔE/|E₀|");
  EXPECT_EQ(both[1].y.name, "|ΔE|/|E₀|");
  ASSERT_EQ(both[0].curves.front().y.size(), 4U);
  EXPECT_NEAR(both[0].curves.front().y[3], -1e-6, 1e-15);
  EXPECT_THAT(both[1].curves.front().x, ElementsAre(1, 3));
  EXPECT_NEAR(both[1].curves.front().y[1], 1e-6, 1e-15);
  EXPECT_EQ(both[1].x.limits->low, 0) << "rows without an error are on the axis, too";
  EXPECT_EQ(charts("energy-error", "scale = \"log\"").size(), 1U);
  write_energies({-1, -1, -1});
  EXPECT_EQ(charts("energy-error")[0].empty, "exactly zero throughout");
  EXPECT_EQ(charts("energy-error")[0].y.limits->high, 1.25e-16);
  write_energies({0, 0}, {0, 1e-3});
  EXPECT_EQ(charts("energy-error")[1].y.name, "|ΔE|") << "of no energy";
  write_energies({-1, std::nan(""), -1.1});
  EXPECT_THAT(charts("energy-error")[0].curves.front().x, ElementsAre(0, 2));
}

/// Two and a half rows in a period with a narrow spike: some rows are on a spike and most are not, and a line through them
/// would be a beat that the run does not have.
TEST_F(Charts, LineThroughSomeOfTheSpikesIsNotDrawn) {
  const auto has_line = [&](double narrowness, double rows_per_period) {
    const auto error = [&](double row) {
      return 1e-6 * std::pow(std::abs(std::cos(M_PI * row / rows_per_period)), narrowness);
    };
    std::vector<double> energy;
    std::vector<std::array<double, 2>> range;
    for (int i = 0; i <= 611; ++i) {
      energy.push_back(-1 + error(i));
      auto& [least, greatest] = range.emplace_back(std::array{energy.back(), energy.back()});
      for (double back = 0; back <= 1; back += 1.0 / 128) {
        least = std::min(least, -1 + error(i - back));
        greatest = std::max(greatest, -1 + error(i - back));
      }
    }
    write_energies(energy, range);
    const Chart chart = charts("energy-error", "scale = \"linear\"").front();
    const bool line = count_of(chart, Curve::Stroke::line) == 1;
    EXPECT_TRUE(line || count_of(chart, Curve::Stroke::band) == 1);
    return line;
  };
  EXPECT_FALSE(has_line(30, 2.551));
  EXPECT_FALSE(has_line(10, 2.551));
  EXPECT_FALSE(has_line(30, 4.37));
  EXPECT_TRUE(has_line(10, 31.3));
  EXPECT_TRUE(has_line(2, 5.3)) << "a sine";
}

/// Rows with an error of 0, and spikes of 1 … 1.5e-6 between any two of them: the band is drawn, and no line suggests
/// that there were none.
TEST_F(Charts, UnresolvedErrorsAreABand) {
  std::vector<std::array<double, 2>> range;
  for (int i = 0; i <= 200; ++i) range.push_back({-1, -1 + 1e-6 * (1 + 0.5 * std::sin(i / 30.0))});
  write_energies(std::vector<double>(201, -1), range);
  for (const Chart& chart : charts("energy-error")) {
    EXPECT_EQ(count_of(chart, Curve::Stroke::line), 0);
    ASSERT_EQ(count_of(chart, Curve::Stroke::band), 1);
    const Curve& band = chart.curves.front();
    EXPECT_EQ(band.low[77], 0);
    EXPECT_NEAR(band.y[77], range[39][1] + 1, 1e-15) << "two ends of each interval";
  }
  const auto edges = charts("energy-error", "bands = false");
  EXPECT_EQ(count_of(edges[0], Curve::Stroke::line), 2) << "both edges as lines";
  EXPECT_EQ(count_of(edges[1], Curve::Stroke::line), 1) << "the greatest errors";
  EXPECT_EQ(count_of(edges[0], Curve::Stroke::band), 0);
}

TEST_F(Charts, DivergenceStatesItsGrowthRate) {
  const auto write_pair = [&](const std::vector<double>& apart, double timescale = 0) {
    RunRecord record;
    record.initial_facts.timescale = timescale;
    record.initial_facts.timescale_name = "period";
    std::vector<sim::Snapshot> mine, theirs;
    for (std::size_t k = 0; k < apart.size(); ++k) {
      mine.push_back(moment_of(0.1 * static_cast<double>(k), {{0, 0, 0}, {0, 0, 0}}));
      theirs.push_back(moment_of(0.1 * static_cast<double>(k), {{apart[k], 0, 0}, {0, 0.3 * apart[k], 0}}));
    }
    write_moments(folder_ / "run.h5", bodies_of({1, 1}), mine, record);
    write_moments(folder_ / "other.h5", bodies_of({1, 1}), theirs, record);
  };
  const std::string other = "other = \"other.h5\"\n", guide = other + "guide = true\n";
  std::vector<double> apart;
  for (int i = 0; i < 100; ++i) apart.push_back(std::min(1.0, 1e-13 * std::pow(85, 0.1 * i)));
  write_pair(apart);
  const Chart plain = charts("divergence", other).front();
  EXPECT_EQ(plain.y.name, "|Δr|");
  EXPECT_TRUE(plain.y.logarithmic);
  ASSERT_EQ(plain.curves.size(), 2U) << "no guide";
  EXPECT_EQ(plain.curves[1].y[57], 0.3 * apart[57]);
  const auto growth = [&] { return charts("divergence", guide).front().curves.back().note; };
  EXPECT_EQ(growth(), "×85.0 a unit of time");
  write_pair(apart, 0.5);
  EXPECT_EQ(growth(), "×9.22 a period");
  write_pair(apart, 4);
  EXPECT_EQ(growth(), "×5.2·10⁷ a period");
  write_pair({0, 0, 0});
  EXPECT_EQ(charts("divergence", guide).front().empty, "the same to the last bit");
  write_pair({0});
  EXPECT_EQ(charts("divergence", guide).front().empty, "no moment after the start that both runs have kept");
}

TEST_F(Charts, WideRangeOfDistancesIsLogarithmic) {
  const auto write_distances = [&](const std::vector<double>& distances, std::size_t bodies) {
    std::vector<sim::Snapshot> moments;
    for (const double d : distances) {
      std::vector<sim::Vec3> places{{0, 0, 0}, {d, 0, 0}};
      if (bodies > 2) places.push_back({0, 1, 0});
      moments.push_back(moment_of(static_cast<double>(moments.size()), places));
    }
    const std::vector<std::string> names{"A", "B", "C"};
    write_moments(
        folder_ / "run.h5",
        bodies_of(std::vector<double>(bodies, 1), {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(bodies)}),
        moments);
  };
  write_distances({1, 0.001, 2}, 2);
  const Chart pair = charts("separation").front();
  EXPECT_TRUE(pair.y.logarithmic);
  EXPECT_FALSE(charts("separation", "scale = \"linear\"").front().y.logarithmic);
  EXPECT_EQ(pair.y.name, "distance A – B") << "one pair needs no legend";
  EXPECT_EQ(pair.curves.front().name, "");
  EXPECT_EQ(charts("separation", "", false, true).front().y.name, "distance A – B") << "also before the run";
  write_distances({1, 1.5, 2}, 3);
  EXPECT_THAT(names_of(charts("separation").front().curves), ElementsAre("A – B", "A – C", "B – C"));
  EXPECT_FALSE(charts("separation").front().y.logarithmic);
}

/// Orbits about "Sun" of mass 1, at their pericentres: for each moment the semi-major axis and eccentricity of each body.
using Orbits = std::vector<std::vector<std::array<double, 2>>>;

class Elements : public Charts {
 protected:
  void write_orbits(const Orbits& orbits) const {
    std::vector<sim::Snapshot> moments;
    for (const auto& now : orbits) {
      std::vector<sim::Vec3> places{{0, 0, 0}}, velocities{{0, 0, 0}};
      for (const auto& [a, e] : now) {
        places.push_back({a * (1 - e), 0, 0});
        velocities.push_back({0, std::sqrt((1 + e) / (a * (1 - e))), 0});
      }
      moments.push_back(moment_of(static_cast<double>(moments.size()), places, velocities));
    }
    std::vector<double> mass(orbits.front().size() + 1, 0);
    mass[0] = 1;
    std::vector<std::string> names{"Sun"};
    for (std::size_t i = 1; i < mass.size(); ++i) names.push_back(fmt::format("p{}", i));
    write_moments(folder_ / "run.h5", bodies_of(mass, names), moments);
  }
  /// Three bodies with occasional encounters: a and e jump there, and are about 1 and 0.5 otherwise.
  void write_spikes() const {
    Orbits orbits(500);
    for (int i = 0; i < 500; ++i) {
      for (int body = 0; body < 3; ++body) {
        const bool passes = i % 100 == 30 * body;
        orbits[static_cast<std::size_t>(i)].push_back(
            {passes ? 40.0 + 1000 * body : 1 + 0.1 * std::sin(i), passes ? 0.99 : 0.5 + 0.1 * std::cos(i)});
      }
    }
    write_orbits(orbits);
  }
};

TEST_F(Elements, UnboundBodyKeepsAReadableAxis) {
  Orbits orbits;
  for (int i = 0; i < 400; ++i)
    orbits.push_back({i == 200  ? std::array{1e7, 0.5}
                      : i < 200 ? std::array{2 + 0.001 * i, 0.5}
                                : std::array{-3.0, 1.5}});
  write_orbits(orbits);
  const Chart a = charts("elements").front();
  EXPECT_FALSE(a.y.logarithmic);
  ASSERT_TRUE(a.y.limits);
  EXPECT_LT(a.y.limits->low, -3);
  EXPECT_GT(a.y.limits->high, 2.2);
  EXPECT_LT(a.y.limits->high, 10);
}

TEST_F(Elements, SpikesAreOutsideDefaultLimits) {
  write_spikes();
  const auto readable = charts("elements"), all = charts("elements", "outliers = \"show\"");
  ASSERT_EQ(readable.size(), 3U);
  EXPECT_EQ(readable[0].title, "orbits about Sun");
  EXPECT_THAT(names_of(readable[1].curves), ElementsAre("p1", "p2", "p3"));
  EXPECT_LT(readable[0].y.limits->high, 2);
  EXPECT_FALSE(all[0].y.limits);
  EXPECT_FALSE(readable[2].y.limits) << "an inclination is bounded";
  EXPECT_NEAR(readable[1].curves[0].y[2], 0.5 + 0.1 * std::cos(1), 1e-9) << "after a gap";
  // A body whose elements differ from those of twelve others is no spike.
  std::vector<std::array<double, 2>> thirteen(13, {1, 0.5});
  thirteen[12] = {30, 0.5};
  write_orbits(Orbits(100, thirteen));
  EXPECT_FALSE(charts("elements", "scale = \"linear\"")[0].y.limits);
}

TEST_F(Elements, WideRangeIsLogarithmicDespiteGaps) {
  // Seen once in a period or less: what lies between is unknown.
  write_orbits(Orbits(37, {{0.01, 0.5}, {2.5, 0.3}}));
  const Chart a = charts("elements").front();
  EXPECT_TRUE(std::ranges::any_of(a.curves[0].y, [](double y) { return std::isnan(y); }));
  EXPECT_TRUE(a.y.logarithmic);
  write_orbits(Orbits(37, {{0.01, 0.5}, {2.5, 0.3}, {-0.5, 1.25}}));
  EXPECT_FALSE(charts("elements").front().y.logarithmic) << "a of a hyperbola is negative";
}

TEST_F(Elements, LimitsAndScaleAreThoseGiven) {
  write_spikes();
  EXPECT_EQ(charts("elements", "a_limits = [-2000.0, 4000.0]")[0].y.limits->low, -2000);
  EXPECT_FALSE(charts("elements", "a_limits = [-2000.0, 4000.0]")[0].y.logarithmic);
  EXPECT_EQ(charts("elements", "e_limits = [0.0, 800.0]")[1].y.limits->high, 800);
  EXPECT_EQ(charts("elements", "i_limits = [0.0, 180.0]")[2].y.limits->high, 180);
  EXPECT_TRUE(charts("elements", "scale = \"log\"")[0].y.logarithmic);
  EXPECT_THAT(complaint_of("elements", "e_limits = [1.0, 0.0]"), HasSubstr("f.toml:4:12: the lower limit must be"));
  EXPECT_THAT(complaint_of("elements", "scale = \"log\"\na_limits = [0.0, 1.0]"),
              HasSubstr("f.toml:5:12: a logarithmic axis begins above 0"));
}

TEST_F(Elements, OfAParabolaShowTheInverse) {
  write_moments(folder_ / "run.h5", bodies_of({1, 0}),
                std::vector(3, moment_of(0, {{0, 0, 0}, {2, 0, 0}}, {{0, 0, 0}, {0, 1, 0}})));
  const Chart chart = charts("elements").front();
  EXPECT_EQ(chart.y.name, "1/a");
  EXPECT_EQ(chart.curves.front().y.front(), 0);
  EXPECT_EQ(charts("elements", "a_limits = [0.0, 9.0]").front().y.name, "a");
}

TEST_F(Charts, ConservedQuantitiesReportZeros) {
  write_energies({-1, -1 - 1e-9, -1 - 2e-7});
  const Chart chart = charts("conserved").front();
  EXPECT_THAT(names_of(chart.curves), ElementsAre("|ΔE|/|E₀|", "|Δp|/Σm|v| = 0", "|ΔL|/Σm|x||v| = 0"));
  EXPECT_THAT(chart.curves[0].x, ElementsAre(1, 2));
  EXPECT_THAT(chart.curves[1].x, ElementsAre());
  EXPECT_EQ(chart.empty, "exactly zero throughout");
  EXPECT_EQ(charts("conserved", "", false, true).front().empty, "no observables were kept");
  EXPECT_EQ(charts("energy", "", false, true).front().empty, "no observables were kept");
}

TEST_F(Charts, VirialShowsEquilibrium) {
  write_energies({0, 0.05, 0.1}, {-1, -1, -1});
  const Chart low = charts("virial").front();
  ASSERT_EQ(low.curves.size(), 2U);
  EXPECT_EQ(low.curves[1].note, "equilibrium");
  EXPECT_GT(low.y.limits->high, 1);
  EXPECT_THAT(low.curves[0].y, ElementsAre(0, 0.1, 0.2));
  write_energies({1, 1, 1}, {0, 0, 0});
  const Chart none = charts("virial").front();
  EXPECT_EQ(none.empty, "no forces are felt");
  EXPECT_EQ(none.curves.size(), 1U) << "equilibrium of what?";
  write_energies({0.25, 20, 450}, {-1, -1, -1});
  EXPECT_TRUE(charts("virial").front().y.logarithmic);
}

TEST_F(Charts, DiffusionStatesItsCoefficient) {
  const auto write_walk = [&](double power) {
    std::vector<sim::Snapshot> moments;
    for (int k = 0; k < 30; ++k) {
      const double t = 0.5 * k, way = std::sqrt(6 * 0.25 * std::pow(t, power));
      moments.push_back(moment_of(t, {{way, 0, 0}, {0, -way, 0}}));
    }
    write_moments(folder_ / "run.h5", bodies_of({1, 1}), moments);
  };
  write_walk(1);
  const Chart chart = charts("mean-square-displacement", "origins = 1").front();
  ASSERT_EQ(chart.curves.size(), 2U);
  EXPECT_EQ(chart.curves[0].name, "from the first moment");
  EXPECT_EQ(chart.curves[0].remark, "");
  EXPECT_EQ(chart.curves[1].remark, "D = 0.25");
  EXPECT_NEAR(chart.curves[1].y.back(), 1.5 * chart.curves[1].x.back(), 1e-9);
  EXPECT_EQ(chart.curves[1].x.size(), 15U) << "the second half is fitted";
  write_walk(1.5);
  EXPECT_EQ(charts("mean-square-displacement", "origins = 1").front().curves[0].remark, ", no diffusion: slope 1.50");
}

TEST_F(Charts, RadiiOfOneBodyHaveTheTimeAxisOfTheRun) {
  write_moments(folder_ / "run.h5", bodies_of({1}), {moment_of(0, {{0, 0, 0}}), moment_of(0.5, {{0, 0, 0}})});
  const Chart chart = charts("lagrangian-radii").front();
  EXPECT_EQ(chart.empty, "one body is a point");
  EXPECT_EQ(chart.x.limits->low, 0);
  EXPECT_EQ(chart.x.limits->high, 0.5);
}

TEST_F(Charts, ProfilesShowCurrentAndInitialValues) {
  const auto write_rings = [&](std::size_t moments) {
    std::vector<sim::Snapshot> all;
    for (std::size_t k = 0; k < moments; ++k) {
      std::vector<sim::Vec3> places, velocities;
      for (int i = 0; i < 15; ++i) {
        const double r = (1 + 0.1 * i) * (1 + 0.5 * static_cast<double>(k)), angle = 2.4 * i;
        places.push_back({r * std::cos(angle), r * std::sin(angle), 0});
        velocities.push_back({-std::sin(angle), std::cos(angle), 0});
      }
      all.push_back(moment_of(static_cast<double>(k), places, velocities));
    }
    RunRecord record;
    record.length_unit = "kpc";
    record.mass_unit = "Msun";
    record.time_unit = "Myr";
    write_moments(folder_ / "run.h5", bodies_of(std::vector<double>(15, 1)), all, record);
  };
  write_rings(3);
  const Chart still = charts("radial-profile").front();
  EXPECT_THAT(names_of(still.curves), ElementsAre("start", "end"));
  EXPECT_EQ(still.curves[0].stroke, Curve::Stroke::dashed);
  EXPECT_EQ(still.x.unit, "kpc");
  EXPECT_EQ(still.y.unit, "M☉/kpc³");
  EXPECT_FALSE(still.moment);
  const auto film = charts("radial-profile", "", true);
  ASSERT_EQ(film.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(film[k].moment, static_cast<double>(k));
    EXPECT_THAT(names_of(film[k].curves), ElementsAre("start", "now"));
    EXPECT_EQ(film[k].x.limits->high, still.x.limits->high) << "axes do not move";
  }
  EXPECT_EQ(film[2].curves[1].y, still.curves[1].y);
  EXPECT_EQ(film[0].curves[1].y, film[2].curves[0].y);
  // Up to 16 bodies have a ring each, without a dispersion.
  const auto rings = charts("rotation-curve", "about = \"origin\"");
  ASSERT_EQ(rings.size(), 1U);
  EXPECT_EQ(rings[0].y.name, "mean speed");
  EXPECT_EQ(rings[0].curves.front().stroke, Curve::Stroke::both);
  for (const double speed : rings[0].curves.front().y) EXPECT_NEAR(speed, 1, 1e-12);
  write_rings(1);
  EXPECT_THAT(names_of(charts("radial-profile").front().curves), ElementsAre("")) << "one frame is both";
  write_moments(folder_ / "run.h5", bodies_of({1, 1}), std::vector(1, moment_of(0, {{0, 0, 0}, {0, 0, 0}})));
  EXPECT_EQ(charts("radial-profile").front().empty, "all bodies are in one place");
}

}  // namespace
}  // namespace orrery::pipeline::testing
