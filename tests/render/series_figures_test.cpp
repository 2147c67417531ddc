// SPDX-License-Identifier: MIT
// Figures of series: what they make of their numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scene.hpp"

namespace orrery::render {
namespace {

using testing::Contains;
using testing::Not;

/// The words of a figure of these series.
std::vector<std::string> words_of(std::string_view kind, const Cast& cast, const Arguments& more = {}) {
  Arguments arguments = defaults(kind_named(kind));
  for (const auto& [name, value] : more) arguments.set(name, value);
  Canvas canvas({1000, 800});
  const auto figure = kind_named(kind).make(canvas, cast, arguments, whole);
  std::vector<std::string> words;
  for (const Shape& shape : canvas.drawing().shapes) {
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

TEST(SeriesFigures, ADivergenceTellsHowFastItGrows) {
  Cast cast;
  cast.series = {grown("a", 1e-13, 85, 100), grown("b", 0.3e-13, 85, 100)};
  const Arguments guide{{"guide", true}};
  EXPECT_THAT(words_of("divergence", cast, guide), Contains("×85.0 a unit of time"));
  EXPECT_THAT(words_of("divergence", cast), Not(Contains("×85.0 a unit of time")));
  cast.timescale = 0.5;
  cast.timescale_name = "period";
  EXPECT_THAT(words_of("divergence", cast, guide), Contains("×9.22 a period"));
  cast.timescale = 4;
  EXPECT_THAT(words_of("divergence", cast, guide), Contains("×5.2·10⁷ a period"));
  cast.series = {Series{.name = "a", .time = {0, 1, 2}, .values = {{0, 0, 0}}}};
  EXPECT_THAT(words_of("divergence", cast, guide), Contains("the same to the last bit"));
}

TEST(SeriesFigures, DistancesThatSpanDecadesAreLogarithmic) {
  Cast cast;
  cast.series = {Series{.name = "A – B", .time = {0, 1, 2}, .values = {{1, 0.001, 2}}}};
  EXPECT_THAT(words_of("separation", cast), Contains("10⁻²"));
  EXPECT_THAT(words_of("separation", cast, {{"scale", std::string("linear")}}), Not(Contains("10⁻²")));
  EXPECT_THAT(words_of("separation", cast), Contains("distance A – B")) << "one pair needs no legend";
  cast.series = {Series{.name = "A – B", .time = {0, 1, 2}, .values = {{1, 1.5, 2}}},
                 Series{.name = "A – C", .time = {0, 1, 2}, .values = {{1, 1.2, 2}}}};
  EXPECT_THAT(words_of("separation", cast), Contains("A – C"));
  EXPECT_THAT(words_of("separation", cast), Not(Contains("10⁻²")));
}

TEST(SeriesFigures, WhereABodyComesLooseItsAxisStaysReadable) {
  Cast cast;
  Series series{.name = "a", .time = {}, .values = {{}, {}, {}}};
  for (int i = 0; i < 400; ++i) {
    series.time.push_back(i);
    series.values[0].push_back(i == 200 ? 1e9 : i < 200 ? 2 + 0.001 * i : -3);
    series.values[1].push_back(0.5);
    series.values[2].push_back(0);
  }
  cast.series = {series};
  EXPECT_THAT(words_of("elements", cast), Contains("−2"));
}

/// Three bodies that pass each other now and then: a and e leap there, and are 1 and 0.5 or so elsewhere.
Cast with_spikes() {
  Cast cast;
  for (int body = 0; body < 3; ++body) {
    Series series{.name = std::to_string(body), .time = {}, .values = {{}, {}, {}}, .about = "Sun"};
    for (int i = 0; i < 500; ++i) {
      const bool passes = i % 100 == 30 * body;
      series.time.push_back(i);
      series.values[0].push_back(passes ? 40 + 1000 * body : 1 + 0.1 * std::sin(i));
      series.values[1].push_back(passes ? 700 : 0.5 + 0.1 * std::cos(i));
      series.values[2].push_back(3);
    }
    cast.series.push_back(series);
  }
  return cast;
}

TEST(SeriesFigures, SpikesOfElementsTakeNoRoomUnlessAskedFor) {
  const Cast cast = with_spikes();
  const std::vector<std::string> readable = words_of("elements", cast),
                                 all = words_of("elements", cast, {{"outliers", std::string("show")}});
  EXPECT_THAT(readable, testing::IsSupersetOf({"0.9", "0.5"}));
  EXPECT_THAT(readable, Not(Contains("10³")));
  EXPECT_THAT(readable, Not(Contains("600")));
  EXPECT_THAT(all, testing::IsSupersetOf({"10³", "600"}));
  EXPECT_THAT(all, Not(Contains("0.5")));
  // A body whose elements are others than those of twelve is no spike.
  Cast thirteen = with_spikes();
  thirteen.series.resize(1);
  for (double& a : thirteen.series[0].values[0]) a = 1;
  thirteen.series.insert(thirteen.series.end(), 12, thirteen.series[0]);
  for (double& a : thirteen.series[12].values[0]) a = 30;
  EXPECT_THAT(words_of("elements", thirteen, {{"scale", std::string("linear")}}), Contains("30"));
}

TEST(SeriesFigures, LimitsAndScaleOfElementsAreThoseGiven) {
  const Cast cast = with_spikes();
  const auto two = [](double low, double high) { return std::vector<double>{low, high}; };
  EXPECT_THAT(words_of("elements", cast, {{"a_limits", two(-2000, 4000)}}), Contains("−2000"));
  EXPECT_THAT(words_of("elements", cast, {{"e_limits", two(0, 800)}}), Contains("800"));
  EXPECT_THAT(words_of("elements", cast, {{"i_limits", two(0, 180)}}), Contains("150"));
  EXPECT_THAT(words_of("elements", cast, {{"scale", std::string("log")}, {"outliers", std::string("show")}}),
              Contains("10²"));
  EXPECT_THROW(words_of("elements", cast, {{"e_limits", two(1, 0)}}), ArgumentError);
  EXPECT_THROW(words_of("elements", cast, {{"a_limits", two(0, 1)}, {"scale", std::string("log")}}), ArgumentError);
}

TEST(SeriesFigures, TheCentreOfElementsIsNamed) {
  Cast cast = with_spikes();
  EXPECT_THAT(words_of("elements", cast), Contains("orbits about Sun"));
  cast.title = "Three";
  EXPECT_THAT(words_of("elements", cast), Contains("Three · orbits about Sun"));
}

TEST(SeriesFigures, ABodyAtRestIsADotInItsPhases) {
  Cast cast;
  cast.series = {Series{.name = "a", .time = {0, 1, 2, 3}, .values = {{0, 0, 0, 0}, {0, 0, 0, 0}}}};
  const auto dots = [&] {
    Canvas canvas({1000, 800});
    const auto figure = kind_named("phase").make(canvas, cast, defaults(kind_named("phase")), whole);
    const Drawing drawing = canvas.drawing();
    return std::ranges::count_if(drawing.shapes, [&](const Shape& shape) {
      const auto* disc = std::get_if<Disc>(&shape);
      return disc != nullptr && disc->radius > 4 * canvas.look().unit;
    });
  };
  EXPECT_EQ(dots(), 1);
  cast.series.front().values[0] = {0, 1, 2, 3};
  EXPECT_EQ(dots(), 0) << "a line needs none";
}

TEST(SeriesFigures, SeveralRunsHaveTheirNamesAndTheirOwnFirstEnergy) {
  Cast cast;
  cast.series = {Series{.name = "leapfrog", .time = {0, 1, 2}, .values = {{0, 10, 20}, {-1, -1.001, -1}}},
                 Series{.name = "rk4", .time = {0, 1, 2}, .values = {{0, 40, 80}, {-2, -2, -2.002}}}};
  const auto words = words_of("energy-error", cast, {{"against", std::string("evaluations")}});
  EXPECT_THAT(words, Contains("leapfrog"));
  EXPECT_THAT(words, Contains("rk4"));
  EXPECT_THAT(words, Contains("force evaluations"));
  EXPECT_THAT(words, Contains("80")) << "the axis holds them all";
}

TEST(SeriesFigures, WhatIsConservedHasALegendAndZerosAreSaid) {
  Cast cast;
  cast.series = {Series{.name = "|ΔE|/|E₀|", .time = {0, 1, 2}, .values = {{0, 1e-9, 2e-7}}},
                 Series{.name = "|Δp|/Σm|v|", .time = {0, 1, 2}, .values = {{0, 0, 0}}}};
  const auto words = words_of("conserved", cast);
  EXPECT_THAT(words, Contains("|ΔE|/|E₀|"));
  EXPECT_THAT(words, Contains("|Δp|/Σm|v| = 0"));
  EXPECT_THAT(words, Contains("10⁻⁸"));
  cast.series.erase(cast.series.begin());
  EXPECT_THAT(words_of("conserved", cast), Contains("exactly zero throughout"));
  cast.series.clear();
  EXPECT_THAT(words_of("conserved", cast), Contains("no observables were kept"));
}

TEST(SeriesFigures, EquilibriumIsInThePicture) {
  Cast cast;
  cast.series = {Series{.name = "", .time = {0, 1, 2}, .values = {{0, 0.1, 0.2}}}};
  const auto words = words_of("virial", cast);
  EXPECT_THAT(words, Contains("equilibrium"));
  EXPECT_THAT(words, Contains("1.0"));
  cast.series[0].values[0] = {INFINITY, INFINITY, INFINITY};
  EXPECT_THAT(words_of("virial", cast), Contains("no forces are felt"));
  EXPECT_THAT(words_of("virial", cast), Not(Contains("equilibrium"))) << "of what?";
  cast.series[0].values[0] = {0.5, 40, 900};
  EXPECT_THAT(words_of("virial", cast), Contains("10²"));
}

TEST(SeriesFigures, ARunOfOneBodyHasItsOwnTimeAxis) {
  Cast cast;
  cast.mass = {1};
  cast.end = 0.5;
  const auto words = words_of("lagrangian-radii", cast);
  EXPECT_THAT(words, Contains("one body is a point"));
  EXPECT_THAT(words, Contains("0.50"));
  EXPECT_THAT(words, Not(Contains("0.8")));
}

TEST(SeriesFigures, AProfileIsThatOfTheMomentAndOfTheStart) {
  Cast cast;
  cast.mass = {1, 1};
  cast.length_unit = "kpc";
  cast.mass_unit = "M☉";
  cast.series = {Series{.name = "profile", .time = {0, 1}, .values = {{1, 2}, {8, 4}, {10, 20}, {2, 1}}}};
  auto words = words_of("radial-profile", cast);
  for (const char* word : {"start", "end", "r [kpc]", "density [M☉/kpc³]"}) EXPECT_THAT(words, Contains(word));
  EXPECT_THAT(words, Not(Contains("closed form")));
  cast.series.push_back({.name = "formula", .time = {0}, .values = {{1}, {8}, {20}, {0.5}}});
  EXPECT_THAT(words_of("radial-profile", cast), Contains("closed form"));
  cast.series = {Series{.name = "profile", .time = {0}, .values = {{1}, {8}, {10}, {2}}}};
  EXPECT_THAT(words_of("radial-profile", cast), Not(Contains("start"))) << "one frame is both";
  cast.series = {Series{.name = "profile", .time = {0}, .values = {}}};
  EXPECT_THAT(words_of("radial-profile", cast), Contains("all bodies are in one place"));
}

TEST(SeriesFigures, ARotationCurveHasTwoPanelsUnlessNothingDisperses) {
  Cast cast;
  cast.speed_unit = "km/s";
  cast.series = {Series{.name = "disk", .time = {0}, .values = {{1}, {200}, {30}, {3}, {220}, {20}}},
                 Series{.name = "bulge", .time = {0}, .values = {{1}, {10}, {90}, {2}, {-5}, {70}}}};
  auto words = words_of("rotation-curve", cast);
  for (const char* word : {"disk", "bulge", "mean speed [km/s]", "dispersion [km/s]"})
    EXPECT_THAT(words, Contains(word));
  for (Series& s : cast.series) s.values[2] = s.values[5] = {0};
  EXPECT_THAT(words_of("rotation-curve", cast), Not(Contains("dispersion [km/s]")));
}

TEST(SeriesFigures, FiguresOfAMomentMoveInAFilm) {
  Story run = circles(2, 3);
  for (const char* kind : {"radial-profile", "rotation-curve", "pair-correlation"}) {
    run.cast.series = series_for(kind);
    Canvas canvas({640, 480});
    const auto figure = kind_named(kind).make(canvas, run.cast, defaults(kind_named(kind)), Trails{0.1});
    std::vector<Image> pictures;
    for (const Frame& frame : run.frames) {
      figure->show(frame);
      pictures.push_back(canvas.capture());
    }
    for (std::size_t k = 1; k < pictures.size(); ++k) {
      int differing = 0;
      for (int y = 60; y < 480; ++y) {
        for (int x = 0; x < 640; ++x) differing += distance(pictures[k].at(x, y), pictures[k - 1].at(x, y)) > 40;
      }
      EXPECT_GT(differing, 300) << kind << " stands still";
    }
    const Box first = plot_box(pictures[0], canvas.look()), last = plot_box(pictures[2], canvas.look());
    EXPECT_EQ(first.left, last.left) << "and its axes do not move";
  }
}

TEST(SeriesFigures, InAFilmTheyGrow) {
  Story run = circles(2, 101);
  run.cast.series = {grown("a", 1e-3, 1.9, 101)};
  for (Series& s : run.cast.series) s.values = {s.values[0], s.values[0], s.values[0]};
  for (double& t : run.cast.series[0].time) t *= 0.1;
  for (const char* kind :
       {"separation", "phase", "elements", "divergence", "conserved", "virial", "lagrangian-radii"}) {
    Canvas canvas({640, 480});
    const auto figure = kind_named(kind).make(canvas, run.cast, defaults(kind_named(kind)), Trails{0.1});
    int before = 0;
    for (const std::size_t i : {10U, 50U, 100U}) {
      figure->show(run.frames[i]);
      const int now = count(canvas.capture(), body_color(Theme::light, 0), 60);
      EXPECT_GT(now, before) << kind << i;
      before = now;
    }
  }
}

}  // namespace
}  // namespace orrery::render
