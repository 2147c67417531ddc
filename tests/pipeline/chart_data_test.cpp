// SPDX-License-Identifier: MIT
// Figures as CSV and JSON: the numbers of the curves that are drawn.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "pipeline/pictures/picture_job.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/pictures/run_info.hpp"
#include "render/chart/chart_data.hpp"
#include "tests/complaint.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using Tree = nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using CsvCells = std::vector<std::vector<std::string>>;

/// The fields of a CSV as RFC 4180 says, line by line.
CsvCells cells_of(const std::string& text) {
  CsvCells all(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && text.substr(i + 1, 1) == "\"") {
      all.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      all.back().emplace_back();
    } else if (!quoted && c == '\n') {
      all.push_back({""});
    } else {
      all.back().back() += c;
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_EQ(all.back(), std::vector<std::string>{""}) << "the last line has an end";
  all.pop_back();
  return all;
}

/// Equal to the last bit; what is not finite is a gap.
void expect_number(const std::string& text, double number) {
  if (!std::isfinite(number)) {
    EXPECT_EQ(text, "");
    return;
  }
  const double read = std::strtod(text.c_str(), nullptr);
  EXPECT_EQ(read, number);
  EXPECT_EQ(std::signbit(read), std::signbit(number));
  EXPECT_EQ(text, fmt::format("{}", number));
}
void expect_number(const Tree& value, double number) {
  if (!std::isfinite(number)) {
    EXPECT_TRUE(value.is_null());
  } else {
    EXPECT_EQ(value.get<double>(), number);
  }
}

/// Compares both texts with the charts; returns the number of finite points.
std::size_t points_compared(const std::vector<const render::Chart*>& charts, const CsvCells& table, const Tree& tree) {
  std::size_t line = 1, points = 0;
  EXPECT_THAT(table.at(0), ElementsAre("chart", "curve", "name", "drawn", "x", "y", "low", "high", "x_name", "x_unit",
                                       "y_name", "y_unit"));
  EXPECT_EQ(tree.at("charts").size(), charts.size());
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const render::Chart& chart = *charts[i];
    const Tree& as_json = tree.at("charts").at(i);
    EXPECT_EQ(as_json.at("x").at("name"), chart.x.name);
    EXPECT_EQ(as_json.at("y").at("unit"), chart.y.unit);
    EXPECT_EQ(as_json.at("y").at("logarithmic"), chart.y.logarithmic);
    EXPECT_EQ(as_json.at("curves").size(), chart.curves.size());
    for (std::size_t k = 0; k < chart.curves.size(); ++k) {
      const render::Curve& curve = chart.curves[k];
      const Tree& own = as_json.at("curves").at(k);
      const bool band = curve.stroke == render::Curve::Stroke::band;
      EXPECT_EQ(own.at("name"), curve.name);
      EXPECT_EQ(own.at("drawn") == "band", band);
      const std::size_t count = std::min(curve.x.size(), curve.y.size());
      EXPECT_EQ(own.at("x").size(), count);
      for (std::size_t n = 0; n < count; ++n, ++line) {
        if (line >= table.size()) return ADD_FAILURE() << "lines are missing", points;
        const std::vector<std::string>& cells = table[line];
        const double x = curve.x[n] / chart.x.unit_length, y = curve.y[n] / chart.y.unit_length;
        points += std::isfinite(x + y) ? 1 : 0;
        EXPECT_EQ(cells.size(), 12U);
        EXPECT_EQ(cells[0], fmt::format("{}", i + 1));
        EXPECT_EQ(cells[1], fmt::format("{}", k + 1));
        EXPECT_EQ(cells[2], curve.name.empty() ? curve.note : curve.name);
        EXPECT_EQ(cells[8], chart.x.name);
        EXPECT_EQ(cells[9], chart.x.unit);
        EXPECT_EQ(cells[10], chart.y.name);
        EXPECT_EQ(cells[11], chart.y.unit);
        expect_number(cells[4], x);
        expect_number(cells[5], band ? NAN : y);
        expect_number(cells[6], band ? curve.low[n] / chart.y.unit_length : NAN);
        expect_number(cells[7], band ? y : NAN);
        expect_number(own.at("x").at(n), x);
        expect_number(own.at(band ? "high" : "y").at(n), y);
        if (band) expect_number(own.at("low").at(n), curve.low[n] / chart.y.unit_length);
      }
    }
  }
  EXPECT_EQ(line, table.size());
  return points;
}

constexpr const char* five_bodies = R"(title = "Five, \"of\" them"
units = "astronomical"
[initial]
kind = "table"
bodies = [{ name = "Sun, \"A\"", mass = 1.0, radius = 0.01, position = [0, 0, 0], velocity = [0, 0, 0] },
          { name = "Near\nby", mass = 1e-3, radius = 0.001, position = [1, 0, 0], velocity = [0, 0.0172, 0] },
          { name = "Tab\tbed", mass = 1e-4, position = [0, 3, 0], velocity = [-0.009, 0, 0.001] },
          { name = "'太'", mass = 1e-5, position = [0, -7, 0.5], velocity = [0.006, 0, 0] },
          { name = "e", mass = 2e-5, position = [-11, 0, 0], velocity = [0, -0.005, 0.0004] }]
[integrator]
kind = "leapfrog"
dt = 2.0
steps = 333
[trajectory]
frames = 38
[observables]
every = 7
)";

class ChartData : public ::testing::Test {
 protected:
  void SetUp() override {
    write(folder_ / "t.toml", five_bodies);
    testing::simulate(folder_, "t.toml", "a");
  }
  /// Checks both files of each [[figure]] against the charts of the same picture as it is drawn.
  void expect_same(const std::string& name, const std::vector<std::string>& figures) {
    const TrajectoryReader trajectory(folder_ / name / "run.h5");
    std::string drawn, written;
    for (std::size_t k = 0; k < figures.size(); ++k) {
      drawn += fmt::format("[[figure]]\nfile = \"f{}.png\"\n{}", k, figures[k]);
      for (const char* ending : {"csv", "json"})
        written += fmt::format("[[figure]]\nfile = \"f{}.{}\"\n{}", k, ending, figures[k]);
    }
    const std::string scenario = trajectory.record().resolved;
    const Document files(scenario + "\n" + written, "files.toml", {});
    Context silent;
    const auto made =
        Pictures(subject_of(trajectory, files), read_pictures(files)).draw(trajectory, folder_ / name, silent);
    ASSERT_EQ(made.size(), 2 * figures.size());
    const Document pictures(scenario + "\n" + drawn, "pictures.toml", {});
    Subject subject = subject_of(trajectory, pictures);
    subject.physics.system = subject.system();
    const FrameRange part{0, trajectory.size()};
    render::RunInfo info = run_info_of(trajectory, part);
    info.timescale_name = subject.timescale_name;
    info.timescale = subject.timescale;
    const auto plans = plan_pictures(subject, read_pictures(pictures));
    ASSERT_EQ(plans.size(), figures.size());
    for (std::size_t k = 0; k < figures.size(); ++k) {
      SCOPED_TRACE(figures[k]);
      const PictureJob job(plans[k], info, subject, &trajectory, part);
      const Tree tree = Tree::parse(read(folder_ / name / fmt::format("f{}.json", k)));
      EXPECT_EQ(tree.at("title"), job.info.title);
      EXPECT_THAT(tree.at("program").get<std::string>(), HasSubstr("orrery "));
      EXPECT_EQ(tree.at("state").get<std::string>().size(), 16U);
      const std::size_t points =
          points_compared(job.figure->charts(), cells_of(read(folder_ / name / fmt::format("f{}.csv", k))), tree);
      const bool in_a_box = figures[k].find("pair-correlation") != std::string::npos;
      EXPECT_TRUE(points > 1 || (in_a_box && !info.bounds.any()));
    }
  }
  Folder folder_;
};

TEST_F(ChartData, EveryChartHasTheCurvesThatAreDrawn) {
  testing::simulate(folder_, "t.toml", "b", {"integrator.dt=1.0", "integrator.steps=666"});
  testing::simulate(folder_, "t.toml", "c", {"integrator.dt=0.5", "integrator.steps=1332"});
  std::vector<std::string> figures;
  for (const ChartKind* chart : chart_kinds()) {
    const render::FigureKind* kind = &chart->figure;
    std::string keys = fmt::format("kind = \"{}\"\n", kind->name);
    if (kind->name == "lagrangian-radii") keys += "shares = [99.92, 99.995]\n";  // above that of the Sun
    if (kind->name == "dispersion" || kind->name == "anisotropy") continue;      // of clusters
    if (kind->name == "divergence") keys += "other = \"../b/run.h5\"\n";
    if (kind->name == "convergence" || kind->name == "energy-error" || kind->name == "work-precision")
      keys += "others = [\"../b/run.h5\", \"../c/run.h5\"]\n";
    figures.push_back(keys);
  }
  EXPECT_GE(figures.size(), 15U);
  figures.emplace_back("kind = \"energy-error\"\nlabels = [\"a \\\"b\\\",\\r\\n\\u0007c\"]\n");
  figures.emplace_back(
      "kind = \"panels\"\n[[figure.part]]\nkind = \"energy\"\n[[figure.part]]\nkind = \"separation\"\n");
  expect_same("a", figures);
}

TEST_F(ChartData, FiguresOfAGasHaveTheCurvesThatAreDrawn) {
  write(folder_ / "gas.toml",
        "[initial]\nkind = \"lattice\"\nn = 27\ntemperature = 1.3\n[domain]\nedges = [4.1, 4.1, 4.1]\n"
        "boundary = \"periodic\"\n[force]\nkind = \"wca\"\n[integrator]\nkind = \"leapfrog\"\ndt = 0.003\nsteps = 77\n"
        "[trajectory]\nframes = 12\n");
  testing::simulate(folder_, "gas.toml", "gas");
  expect_same("gas", {"kind = \"dispersion\"\n", "kind = \"anisotropy\"\n", "kind = \"pair-correlation\"\nfrom = 0.0\n",
                      "kind = \"mean-square-displacement\"\n", "kind = \"thermodynamics\"\n"});
}

TEST_F(ChartData, FramesTooFarApartAreSeparatedByGaps) {
  testing::simulate(folder_, "t.toml", "b", {"trajectory.frames=5", "integrator.steps=2777"});
  expect_same("b", {"kind = \"separation\"\n", "kind = \"elements\"\n"});
}

TEST_F(ChartData, EveryRowIsWritten) {
  testing::simulate(folder_, "t.toml", "b", {"integrator.steps=21111", "observables.every=1", "trajectory.frames=3"});
  ASSERT_EQ(run(folder_, {"render", "b/run.h5", "--figure", "energy", "-o", "e.csv"}).code, 0);
  EXPECT_EQ(cells_of(read(folder_ / "e.csv")).size(), 1 + 3 * 21'112U) << "a picture has fewer points";
}

TEST_F(ChartData, FiguresThatAreNoChartsAreRefused) {
  for (const render::FigureKind* kind : render::figure_kinds()) {
    for (const char* file : {"x.csv", "x.json"}) {
      const TrajectoryReader trajectory(folder_ / "a/run.h5");
      const Document document(
          fmt::format("{}\n[[figure]]\nkind = \"{}\"\nfile = \"{}\"\n", trajectory.record().resolved, kind->name, file),
          "s.toml", {});
      const auto pictures = read_pictures(document);
      EXPECT_THAT(orrery::complaint([&] { (void)plan_pictures(subject_of(trajectory, document), pictures); }, 2),
                  AllOf(HasSubstr(fmt::format("`{}` is for the numbers of charts, and ", file)),
                        HasSubstr("charts are energy, energy-error, ")))
          << kind->name;
    }
  }
  const Outcome refused = run(folder_, {"render", "a/run.h5", "--figure", "projection", "-o", "x.csv"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("--figure projection: "));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.csv"));
}

TEST_F(ChartData, OnlyOurFilesAreReplaced) {
  for (const std::string file : {"e.csv", "e.json"}) {
    const std::vector<std::string> command{"render", "a/run.h5", "--figure", "energy-error", "-o", file};
    ASSERT_EQ(run(folder_, command).code, 0);
    ASSERT_EQ(run(folder_, command).code, 0) << "ours";
    const std::string ours = read(folder_ / file);
    for (const std::string& theirs :
         {std::string("t,E\n0,1\n"), std::string("{\"program\": \"other\", \"charts\": []}"),
          std::string("{\"a\": {\"program\": \"orrery 1\"}}"), std::string("["), std::string("7"),
          std::string("{\"program\": \"orrery 1\", \"state\": \"a\", \"n\": 1}"), ours.substr(0, 40),
          read(folder_ / "a/summary.json")}) {
      write(folder_ / file, theirs);
      EXPECT_FALSE(may_replace(folder_ / file, Replacing::ours, render::drawn_by_orrery)) << theirs;
    }
    const Outcome refused = run(folder_, command);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.errors, HasSubstr("was not written by orrery; --force replaces it"));
  }
  write(folder_ / "s.toml", std::string(five_bodies) + "[[figure]]\nkind = \"energy\"\nfile = \"summary.json\"\n");
  EXPECT_THAT(run(folder_, {"check", "s.toml"}).errors,
              HasSubstr("s.toml:20:8: summary.json is the name of the summary of the run"));
}

TEST_F(ChartData, JsonRepeatsItsRun) {
  ASSERT_EQ(run(folder_, {"render", "a/run.h5", "--figure", "energy", "-o", "e.json"}).code, 0);
  ASSERT_EQ(run(folder_, {"render", "a/run.h5", "--figure", "energy", "-o", "e.csv"}).code, 0);
  const std::string state = Tree::parse(read(folder_ / "e.json")).at("state");
  EXPECT_THAT(run(folder_, {"info", "e.json"}).output, HasSubstr(state));
  EXPECT_EQ(state_in(run(folder_, {"simulate", "e.json", "-o", "again"}), 333), state);
  EXPECT_THAT(run(folder_, {"info", "e.csv"}).errors, HasSubstr("a CSV has no place for them"));
}

TEST(ChartText, AwkwardNumbersAndNames) {
  const double inf = std::numeric_limits<double>::infinity(), tiny = std::numeric_limits<double>::denorm_min();
  using enum render::Curve::Stroke;
  const std::string hostile = "=a,\"b\"\r\n\x01\t\x1b[31m ,太\xff";
  render::Chart one{
      .x = {.name = "t, \"x\"", .unit = "yr", .unit_length = 365.25},
      .y = {.name = "y\n", .logarithmic = true},
      .curves = {{.name = hostile, .x = {0.1, 1.0 / 3, NAN, 1e300, -0.0}, .y = {tiny, -inf, NAN, 2.0 / 3, inf}},
                 {.x = {1, 2, 3}, .y = {3, NAN, 5}, .low = {-1, 0, 0.7}, .stroke = band},
                 {.stroke = marks},
                 {.x = {7}, .y = {-0.0}, .stroke = dashed, .note = "slope 4"}}};
  const render::Chart empty;
  const std::vector<const render::Chart*> charts{&one, &empty};
  const std::string text = render::csv_of(charts);
  EXPECT_THAT(text, HasSubstr("\"=a,\"\"b\"\"\r\n\x01\t\x1b[31m ,太\xff\",line,"));
  EXPECT_THAT(text, HasSubstr("1,4,slope 4,dashed,0.019164955509924708,-0,,,"));
  const std::string as_json =
      render::json_of(charts, hostile, {.version = "orrery 1 \"\n", .state = "s", .scenario = hostile});
  EXPECT_TRUE(is_json(as_json));
  Tree tree = Tree::parse(as_json);
  const std::string replaced = hostile.substr(0, hostile.size() - 1) + "\xEF\xBF\xBD";
  EXPECT_EQ(tree.at("scenario"), replaced);
  EXPECT_EQ(tree.at("charts")[0].at("curves")[0].at("name"), replaced);
  tree.at("charts")[0].at("curves")[0].at("name") = hostile;
  EXPECT_EQ(points_compared(charts, cells_of(text), tree), 5U);
}

}  // namespace
}  // namespace orrery::pipeline::testing
