// SPDX-License-Identifier: MIT
// Figures of series: how they show their numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scene.hpp"

namespace orrery::render {
namespace {

using testing::Contains;
using testing::Not;

/// The text of a figure of these series.
std::vector<std::string> words_of(std::string_view kind, const RunInfo& info, const Arguments& more = {}) {
  Arguments arguments = defaults(kind_named(kind));
  for (const auto& [name, value] : more) arguments.set(name, value);
  Canvas canvas({1000, 800});
  const auto figure = kind_named(kind).make(canvas, info, arguments, whole);
  std::vector<std::string> words;
  for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
    if (const auto* text = std::get_if<Text>(&shape)) words.push_back(text->words);
  }
  return words;
}

Series grown(std::string name, double first, double factor, int rows) {
  Series series{.name = std::move(name), .time = {}, .values = {{}}};
  for (int i = 0; i < rows; ++i) {
    series.time.push_back(0.1 * i);
    series.values[0].push_back(std::min(1.0, first * std::pow(factor, 0.1 * i)));
  }
  return series;
}

TEST(SeriesFigures, DivergenceStatesItsGrowthRate) {
  RunInfo info;
  info.series = {grown("a", 1e-13, 85, 100), grown("b", 0.3e-13, 85, 100)};
  const Arguments guide{{"guide", true}};
  EXPECT_THAT(words_of("divergence", info, guide), Contains("×85.0 a unit of time"));
  EXPECT_THAT(words_of("divergence", info), Not(Contains("×85.0 a unit of time")));
  info.timescale = 0.5;
  info.timescale_name = "period";
  EXPECT_THAT(words_of("divergence", info, guide), Contains("×9.22 a period"));
  info.timescale = 4;
  EXPECT_THAT(words_of("divergence", info, guide), Contains("×5.2·10⁷ a period"));
  info.series = {Series{.name = "a", .time = {0, 1, 2}, .values = {{0, 0, 0}}}};
  EXPECT_THAT(words_of("divergence", info, guide), Contains("the same to the last bit"));
}

TEST(SeriesFigures, WideRangeOfDistancesIsLogarithmic) {
  RunInfo info;
  info.series = {Series{.name = "A – B", .time = {0, 1, 2}, .values = {{1, 0.001, 2}}}};
  EXPECT_THAT(words_of("separation", info), Contains("10⁻²"));
  EXPECT_THAT(words_of("separation", info, {{"scale", std::string("linear")}}), Not(Contains("10⁻²")));
  EXPECT_THAT(words_of("separation", info), Contains("distance A – B")) << "one pair needs no legend";
  info.series = {Series{.name = "A – B", .time = {0, 1, 2}, .values = {{1, 1.5, 2}}},
                 Series{.name = "A – C", .time = {0, 1, 2}, .values = {{1, 1.2, 2}}}};
  EXPECT_THAT(words_of("separation", info), Contains("A – C"));
  EXPECT_THAT(words_of("separation", info), Not(Contains("10⁻²")));
}

TEST(SeriesFigures, UnboundBodyKeepsAReadableAxis) {
  RunInfo info;
  Series series{.name = "a", .time = {}, .values = {{}, {}, {}}};
  for (int i = 0; i < 400; ++i) {
    series.time.push_back(i);
    series.values[0].push_back(i == 200 ? 1e9 : i < 200 ? 2 + 0.001 * i : -3);
    series.values[1].push_back(0.5);
    series.values[2].push_back(0);
  }
  info.series = {series};
  EXPECT_THAT(words_of("elements", info), Contains("−2"));
}

/// Three bodies with occasional encounters: a and e jump there, and are about 1 and 0.5 otherwise.
RunInfo with_spikes() {
  RunInfo info;
  for (int body = 0; body < 3; ++body) {
    Series series{.name = std::to_string(body), .time = {}, .values = {{}, {}, {}}, .about = "Sun"};
    for (int i = 0; i < 500; ++i) {
      const bool passes = i % 100 == 30 * body;
      series.time.push_back(i);
      series.values[0].push_back(passes ? 40 + 1000 * body : 1 + 0.1 * std::sin(i));
      series.values[1].push_back(passes ? 700 : 0.5 + 0.1 * std::cos(i));
      series.values[2].push_back(3);
    }
    info.series.push_back(series);
  }
  return info;
}

TEST(SeriesFigures, SpikesOfElementsAreOutsideDefaultLimits) {
  const RunInfo info = with_spikes();
  const std::vector<std::string> readable = words_of("elements", info),
                                 all = words_of("elements", info, {{"outliers", std::string("show")}});
  EXPECT_THAT(readable, testing::IsSupersetOf({"0.9", "0.5"}));
  EXPECT_THAT(readable, Not(Contains("10³")));
  EXPECT_THAT(readable, Not(Contains("600")));
  EXPECT_THAT(all, testing::IsSupersetOf({"10³", "600"}));
  EXPECT_THAT(all, Not(Contains("0.5")));
  // A body whose elements differ from those of twelve others is no spike.
  RunInfo thirteen = with_spikes();
  thirteen.series.resize(1);
  for (double& a : thirteen.series[0].values[0]) a = 1;
  thirteen.series.insert(thirteen.series.end(), 12, thirteen.series[0]);
  for (double& a : thirteen.series[12].values[0]) a = 30;
  EXPECT_THAT(words_of("elements", thirteen, {{"scale", std::string("linear")}}), Contains("30"));
}

TEST(SeriesFigures, LimitsAndScaleOfElementsAreThoseGiven) {
  const RunInfo info = with_spikes();
  const auto two = [](double low, double high) { return std::vector<double>{low, high}; };
  EXPECT_THAT(words_of("elements", info, {{"a_limits", two(-2000, 4000)}}), Contains("−2000"));
  EXPECT_THAT(words_of("elements", info, {{"e_limits", two(0, 800)}}), Contains("800"));
  EXPECT_THAT(words_of("elements", info, {{"i_limits", two(0, 180)}}), Contains("150"));
  EXPECT_THAT(words_of("elements", info, {{"scale", std::string("log")}, {"outliers", std::string("show")}}),
              Contains("10²"));
  EXPECT_THROW(words_of("elements", info, {{"e_limits", two(1, 0)}}), ArgumentError);
  EXPECT_THROW(words_of("elements", info, {{"a_limits", two(0, 1)}, {"scale", std::string("log")}}), ArgumentError);
}

TEST(SeriesFigures, TheCentreOfElementsIsNamed) {
  RunInfo info = with_spikes();
  EXPECT_THAT(words_of("elements", info), Contains("orbits about Sun"));
  info.title = "Three";
  EXPECT_THAT(words_of("elements", info), Contains("Three · orbits about Sun"));
}

TEST(SeriesFigures, BodyAtRestIsADotInPhaseSpace) {
  RunInfo info;
  info.series = {Series{.name = "a", .time = {0, 1, 2, 3}, .values = {{0, 0, 0, 0}, {0, 0, 0, 0}}}};
  const auto dots = [&] {
    Canvas canvas({1000, 800});
    const auto figure = kind_named("phase").make(canvas, info, defaults(kind_named("phase")), whole);
    const Drawing drawing = canvas.drawing(scene_of(*figure));
    return std::ranges::count_if(drawing.shapes, [&](const Shape& shape) {
      const auto* disc = std::get_if<Disc>(&shape);
      return disc != nullptr && disc->radius > 4 * canvas.style().unit;
    });
  };
  EXPECT_EQ(dots(), 1);
  info.series.front().values[0] = {0, 1, 2, 3};
  EXPECT_EQ(dots(), 0) << "a line needs none";
}

TEST(SeriesFigures, SeveralRunsHaveTheirNamesAndTheirOwnFirstEnergy) {
  RunInfo info;
  info.series = {Series{.name = "leapfrog", .time = {0, 1, 2}, .values = {{0, 10, 20}, {-1, -1.001, -1}}},
                 Series{.name = "rk4", .time = {0, 1, 2}, .values = {{0, 40, 80}, {-2, -2, -2.002}}}};
  const auto words = words_of("energy-error", info, {{"against", std::string("evaluations")}});
  EXPECT_THAT(words, Contains("leapfrog"));
  EXPECT_THAT(words, Contains("rk4"));
  EXPECT_THAT(words, Contains("force evaluations"));
  EXPECT_THAT(words, Contains("80")) << "the axis holds them all";
}

TEST(SeriesFigures, ConservedQuantitiesHaveALegendAndReportZeros) {
  RunInfo info;
  info.series = {Series{.name = "|ΔE|/|E₀|", .time = {0, 1, 2}, .values = {{0, 1e-9, 2e-7}}},
                 Series{.name = "|Δp|/Σm|v|", .time = {0, 1, 2}, .values = {{0, 0, 0}}}};
  const auto words = words_of("conserved", info);
  EXPECT_THAT(words, Contains("|ΔE|/|E₀|"));
  EXPECT_THAT(words, Contains("|Δp|/Σm|v| = 0"));
  EXPECT_THAT(words, Contains("10⁻⁸"));
  info.series.erase(info.series.begin());
  EXPECT_THAT(words_of("conserved", info), Contains("exactly zero throughout"));
  info.series.clear();
  EXPECT_THAT(words_of("conserved", info), Contains("no observables were kept"));
}

TEST(SeriesFigures, VirialShowsEquilibrium) {
  RunInfo info;
  info.series = {Series{.name = "", .time = {0, 1, 2}, .values = {{0, 0.1, 0.2}}}};
  const auto words = words_of("virial", info);
  EXPECT_THAT(words, Contains("equilibrium"));
  EXPECT_THAT(words, Contains("1.0"));
  info.series[0].values[0] = {INFINITY, INFINITY, INFINITY};
  EXPECT_THAT(words_of("virial", info), Contains("no forces are felt"));
  EXPECT_THAT(words_of("virial", info), Not(Contains("equilibrium"))) << "of what?";
  info.series[0].values[0] = {0.5, 40, 900};
  EXPECT_THAT(words_of("virial", info), Contains("10²"));
}

TEST(SeriesFigures, ARunOfOneBodyHasItsOwnTimeAxis) {
  RunInfo info;
  info.mass = {1};
  info.end = 0.5;
  const auto words = words_of("lagrangian-radii", info);
  EXPECT_THAT(words, Contains("one body is a point"));
  EXPECT_THAT(words, Contains("0.50"));
  EXPECT_THAT(words, Not(Contains("0.8")));
}

TEST(SeriesFigures, ProfileShowsCurrentAndInitialValues) {
  RunInfo info;
  info.mass = {1, 1};
  info.length_unit = "kpc";
  info.mass_unit = "M☉";
  info.series = {Series{.name = "profile", .time = {0, 1}, .values = {{1, 2}, {8, 4}, {10, 20}, {2, 1}}}};
  auto words = words_of("radial-profile", info);
  for (const char* word : {"start", "end", "r [kpc]", "density [M☉/kpc³]"}) EXPECT_THAT(words, Contains(word));
  EXPECT_THAT(words, Not(Contains("closed form")));
  info.series.push_back({.name = "formula", .time = {0}, .values = {{1}, {8}, {20}, {0.5}}});
  EXPECT_THAT(words_of("radial-profile", info), Contains("closed form"));
  info.series = {Series{.name = "profile", .time = {0}, .values = {{1}, {8}, {10}, {2}}}};
  EXPECT_THAT(words_of("radial-profile", info), Not(Contains("start"))) << "one frame is both";
  info.series = {Series{.name = "profile", .time = {0}, .values = {}}};
  EXPECT_THAT(words_of("radial-profile", info), Contains("all bodies are in one place"));
}

TEST(SeriesFigures, RotationCurveHasADispersionPanelIfNotZero) {
  RunInfo info;
  info.speed_unit = "km/s";
  info.series = {Series{.name = "disk", .time = {0}, .values = {{1}, {200}, {30}, {3}, {220}, {20}}},
                 Series{.name = "bulge", .time = {0}, .values = {{1}, {10}, {90}, {2}, {-5}, {70}}}};
  auto words = words_of("rotation-curve", info);
  for (const char* word : {"disk", "bulge", "mean speed [km/s]", "dispersion [km/s]"})
    EXPECT_THAT(words, Contains(word));
  for (Series& s : info.series) s.values[2] = s.values[5] = {0};
  EXPECT_THAT(words_of("rotation-curve", info), Not(Contains("dispersion [km/s]")));
}

TEST(SeriesFigures, ProfilesChangeInAFilm) {
  TestRun run = circles(2, 3);
  for (const char* kind : {"radial-profile", "rotation-curve", "pair-correlation"}) {
    run.info.series = series_for(kind);
    Canvas canvas({640, 480});
    const auto figure = kind_named(kind).make(canvas, run.info, defaults(kind_named(kind)), Trails{0.1});
    std::vector<Image> pictures;
    for (const Frame& frame : run.frames) {
      figure->show(frame);
      pictures.push_back(canvas.capture(scene_of(*figure)));
    }
    for (std::size_t k = 1; k < pictures.size(); ++k) {
      int differing = 0;
      for (int y = 60; y < 480; ++y) {
        for (int x = 0; x < 640; ++x) differing += distance(pictures[k].at(x, y), pictures[k - 1].at(x, y)) > 40;
      }
      EXPECT_GT(differing, 300) << kind << " stands still";
    }
    const Box first = plot_box(pictures[0], canvas.style()), last = plot_box(pictures[2], canvas.style());
    EXPECT_EQ(first.left, last.left) << "and its axes do not move";
  }
}

TEST(SeriesFigures, CurvesGrowInAFilm) {
  TestRun run = circles(2, 101);
  run.info.series = {grown("a", 1e-3, 1.9, 101)};
  for (Series& s : run.info.series) s.values = {s.values[0], s.values[0], s.values[0]};
  for (double& t : run.info.series[0].time) t *= 0.1;
  for (const char* kind :
       {"separation", "phase", "elements", "divergence", "conserved", "virial", "lagrangian-radii"}) {
    Canvas canvas({640, 480});
    const auto figure = kind_named(kind).make(canvas, run.info, defaults(kind_named(kind)), Trails{0.1});
    int before = 0;
    for (const std::size_t i : {10U, 50U, 100U}) {
      figure->show(run.frames[i]);
      const int now = count(canvas.capture(scene_of(*figure)), body_color(Theme::light, 0), 60);
      EXPECT_GT(now, before) << kind << i;
      before = now;
    }
  }
}

}  // namespace
}  // namespace orrery::render
