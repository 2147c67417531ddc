// SPDX-License-Identifier: MIT
// What a page says of a run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "pipeline/page/words.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string two_described = R"(title = "Two"
[initial]
kind = "two-body"
masses = [1.0, 0.5]
[integrator]
dt = "1/1000 period"
steps = 2000
[trajectory]
frames = 101
)";

/// The words of a scenario that is run in a new folder.
RunWords words_of_scenario(const std::string& scenario, const std::vector<std::string>& set = {}) {
  const Folder folder;
  write(folder / "s.toml", scenario);
  simulate(folder, "s.toml", "s", set);
  return words_of(TrajectoryReader(folder / "s/run.h5"));
}

/// "name | value | meaning" of each row.
std::vector<std::string> lines(const std::vector<WordsRow>& rows) {
  std::vector<std::string> all;
  for (const WordsRow& row : rows) all.push_back(fmt::format("{} | {} | {}", row.name, row.value, row.meaning));
  return all;
}

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "; "));
}

TEST(PageWords, TwoBodies) {
  const RunWords words = words_of_scenario(two_described);
  EXPECT_EQ(words.title, "Two");
  EXPECT_EQ(words.brief, "2 bodies · 2000 steps · t = 0 … 10.2604 · 101 frames");
  EXPECT_EQ(
      words.simulated,
      "The run follows two bodies, of masses from 0.5 to 1, 1.5 in all. Quantities are without dimensions. Space is "
      "unbounded. Their initial state is “two-body” (two bodies on a Kepler orbit, at pericentre on the x axis) with "
      "masses = (1, 0.5), semi_major_axis = 1 and eccentricity = 0.5. Between pairs of bodies acts “gravity”, "
      "Newtonian gravity of all pairs, a_i = G Σ m_j (x_j − x_i) / (r² + ε²)^(3/2), with no softening and G = 1. Pair "
      "forces are computed by “direct”, the sum over all pairs, in float64. The equations of motion are integrated by "
      "“leapfrog”, kick-drift-kick (velocity Verlet), of second order, symplectic and symmetric in time, in 2000 steps "
      "of dt = 0.0051302 (1/1000 period). The run goes from t = 0 to t = 10.2604, 2 periods. The file keeps 101 "
      "frames, "
      "one every 20 steps, as float64 numbers with velocities, and 101 rows of energies and momenta.");
  EXPECT_EQ(words.scenario, two_described);
  EXPECT_EQ(words.cautions, std::vector<std::string>());
  ASSERT_EQ(words.commands.size(), 3U);
  EXPECT_EQ(words.commands[0].command, "orrery run two.toml -o two-again");
  EXPECT_EQ(words.commands[1].command, "orrery diff run.h5 two-again/run.h5");
  EXPECT_EQ(words.commands[2].command, "orrery verify run.h5");
}

TEST(PageWords, ConservedQuantities) {
  const auto rows = lines(words_of_scenario(two_described).conserved);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_THAT(rows[0], AllOf(StartsWith("energy | ΔE/|E₀| = "), EndsWith("| E₀ = −0.25; looked at every step")));
  EXPECT_THAT(rows[1], StartsWith("momentum | |ΔP|/√(2MK) = "));
  EXPECT_THAT(rows[2], StartsWith("angular momentum | |ΔL|/|L₀| = "));
  EXPECT_THAT(rows[3], StartsWith("centre of mass | |Δx| = "));
}

TEST(PageWords, WhyQuantitiesAreNotConserved) {
  const std::string box =
      two_described + "[domain]\nboundary = \"reflecting\"\nlow = [-9, -9, -9]\nedges = [18, 18, 18]\n";
  EXPECT_THAT(lines(words_of_scenario(box).conserved),
              AllOf(Contains("momentum | not conserved | Walls change it."),
                    Contains("angular momentum | not conserved | A box is not isotropic.")));
  const std::string field = two_described + "[[force]]\nkind = \"plummer-halo\"\n";
  const RunWords in_field = words_of_scenario(field);
  EXPECT_THAT(lines(in_field.conserved), Contains("momentum | not conserved | External fields change it."));
  EXPECT_THAT(in_field.simulated,
              HasSubstr("An external field acts on every body: “plummer-halo”, a fixed Plummer sphere"));
  const RunWords bath = words_of_scenario(two_described, {"integrator.kind=\"langevin\""});
  EXPECT_THAT(lines(bath.conserved),
              Contains("energy | not conserved | The heat bath exchanges energy with the bodies."));
  EXPECT_THAT(bath.simulated,
              HasSubstr("of second order without friction, with temperature = 1, friction = 1 and noise = 1"));
  EXPECT_THAT(bath.methods, HasSubstr("counter-based generator ["));
}

TEST(PageWords, MethodsCiteWhatIsListed) {
  const RunWords words = words_of_scenario(two_described);
  EXPECT_THAT(words.methods,
              AllOf(StartsWith("The simulation was carried out with orrery "), HasSubstr(" [1] on its backend "),
                    HasSubstr("“two-body” (two bodies on a Kepler orbit, at pericentre on the x axis)"),
                    HasSubstr("Bodies interacted by “gravity”"), HasSubstr("reproducible everywhere.")));
  std::vector<std::string> keys;
  for (std::size_t k = 0; k < words.references.size(); ++k) {
    keys.push_back(words.references[k].key);
    EXPECT_THAT(words.methods, HasSubstr(fmt::format("[{}", k + 1)));
    EXPECT_THAT(words.bibtex(), HasSubstr(words.references[k].bibtex));
  }
  EXPECT_THAT(keys, ElementsAre("orrery", "murray1999", "verlet1967"));
}

/// A softening is cited where there is one, and a work that several plug-ins cite is listed once.
TEST(PageWords, ReferencesFollowTheModel) {
  const RunWords words = words_of_scenario(R"([initial]
kind = "plummer"
n = 5
[[force]]
kind = "gravity"
softening = 0.1
[[force]]
kind = "plummer-halo"
[integrator]
kind = "yoshida6"
dt = 0.01
steps = 3
)");
  std::vector<std::string> keys;
  for (const Cited& each : words.references) keys.push_back(each.key);
  EXPECT_THAT(keys, ElementsAre("orrery", "plummer1911", "aarseth1974", "salmon2011", "aarseth1963", "yoshida1990",
                                "hairer2006"));
  EXPECT_THAT(words.methods,
              AllOf(HasSubstr("+ scale_length²), with mass = 1, scale_length = 1 and center = (0, 0, 0) [2]."),
                    HasSubstr(" [6; 7, V.3.2], in 3 steps")));
  EXPECT_THAT(words.simulated, AllOf(HasSubstr("The run follows five bodies"), Not(HasSubstr("n = 5")),
                                     HasSubstr("Random numbers have the seed 1.")));
}

TEST(PageWords, OneBody) {
  const std::string one = R"([initial]
kind = "table"
bodies = [{ mass = 2, position = [1, 0, 0], velocity = [0, 1, 0] }]
[integrator]
dt = 0.1
steps = 1
)";
  const RunWords words = words_of_scenario(one);
  EXPECT_THAT(words.simulated,
              AllOf(StartsWith("The run follows one body, of mass 2. "), HasSubstr("Its initial state is “table”"),
                    HasSubstr("No force acts on it."), Not(HasSubstr("Pair forces")),
                    HasSubstr("in 1 step of dt = 0.1."), HasSubstr("The file keeps 2 frames, one of every step,")));
  EXPECT_EQ(words.cautions, std::vector<std::string>());
  EXPECT_EQ(words.title, "s");
  const RunWords in_field = words_of_scenario(one + "[force]\nkind = \"logarithmic-halo\"\n");
  EXPECT_THAT(in_field.simulated,
              AllOf(HasSubstr("An external field acts on it: “logarithmic-halo”"), Not(HasSubstr("No force"))));
}

TEST(PageWords, PlanesAndPeriods) {
  const RunWords words = words_of_scenario(R"(units = "astronomical"
[initial]
kind = "table"
bodies = [{ name = "a", mass = 1, position = [1, 1], velocity = [0, 0] }, { name = "b", mass = 1, position = [2, 2], velocity = [0.1, 0] }]
[domain]
dimensions = 2
boundary = ["periodic", "reflecting"]
edges = [3, 4]
[force]
kind = "soft"
strength = 0.0
[integrator]
dt = -0.5
steps = 2
)");
  EXPECT_THAT(
      words.simulated,
      AllOf(StartsWith("The run follows two bodies (a and b), each of mass 1 M☉. Lengths are in au, times in d and "
                       "masses in M☉ (system “astronomical”)."),
            HasSubstr("confined to a rectangle: x from 0 to 3 au (periodic) and y from 0 to 4 au (reflecting)."),
            HasSubstr("in 2 steps of dt = −0.5 d."), HasSubstr("to t = −1 d (−24 h), backward in time.")));
}

TEST(PageWords, StepsOfAnAdaptiveIntegrator) {
  const RunWords words = words_of_scenario(two_described, {"integrator.kind=\"rk45\"", "integrator.tolerance=1e-6"});
  EXPECT_THAT(words.simulated,
              AllOf(::testing::ContainsRegex("of fifth order, with tolerance = 10⁻⁶, which chooses its steps, of which "
                                             "[0-9]+ were taken and [0-9]+ refused"),
                    HasSubstr("The file keeps 101 frames, 0.102")));
  EXPECT_THAT(words.commands.front().command,
              EndsWith(R"( --set 'integrator.kind="rk45"' --set integrator.tolerance=1e-6)"));
}

TEST(PageWords, CautionsSayWhatHappened) {
  // Two bodies fall onto each other, and one step is longer than their passage.
  const RunWords words = words_of_scenario(R"([initial]
kind = "table"
bodies = [{ name = "Ida", mass = 1, position = [0, 0, 0], velocity = [0, 0, 0] }, { name = "Eos", mass = 1, position = [1, 0.05, 0], velocity = [0, 0, 0] }]
[integrator]
dt = 0.02
steps = 100
[observables]
every = 1
)");
  const std::string all = joined(words.cautions);
  EXPECT_THAT(all, HasSubstr("The energy is not conserved: |ΔE|/|E₀| reached "));
  EXPECT_THAT(all,
              ::testing::ContainsRegex("Ida and Eos came as close to each other as [0-9.·⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+, between t = "));
  EXPECT_THAT(all, HasSubstr("steps, too few to follow their motion."));
  EXPECT_THAT(all,
              HasSubstr("The energy jumped once by ΔE/|E₀| = 12.4, between t = 0.78 and 0.8, when Ida and Eos came as "
                        "close to each other as 0.133."));
}

TEST(PageWords, CautionAboutSofteningAndPrecision) {
  const RunWords words = words_of_scenario(two_described, {"force.softening=2.0", "backend.precision=\"float32\""});
  const std::string all = joined(words.cautions);
  EXPECT_THAT(all, HasSubstr("softening lengths, at which the force is "));
  EXPECT_THAT(all, HasSubstr("Forces were computed in float32"));
  EXPECT_THAT(words.simulated, HasSubstr("in float32, while positions and velocities are float64."));
}

TEST(PageWords, CautionAboutBodiesThatLeave) {
  const RunWords words = words_of_scenario(R"([initial]
kind = "table"
recentre = false
bodies = [{ mass = 1, position = [0, 0, 0], velocity = [0, 0, 0] }, { mass = 1e-9, position = [1, 0, 0], velocity = [0, 1, 0] },
          { name = "gone", mass = 1e-9, position = [2, 0, 0], velocity = [9, 0, 0] }]
[integrator]
dt = 0.01
steps = 600
)");
  EXPECT_THAT(joined(words.cautions), HasSubstr("gone is unbound and leaves the others, after t = "));
}

TEST(PageWords, CautionAboutFrames) {
  const RunWords words = words_of_scenario(two_described, {"trajectory.frames=3"});
  EXPECT_THAT(joined(words.cautions),
              HasSubstr("Frames are up to 5.13 apart, too far to know how body 0 and body 1 moved between them: the "
                        "shortest period at the start is 5.13."));
}

TEST(PageWords, UnfinishedRunWithoutRows) {
  const Folder folder;
  SyntheticRun synthetic{.frames = 4};
  { TrajectoryWriter writer(folder / "run.h5", synthetic.initial_bodies(), synthetic.record(), synthetic.options); }
  const RunWords words = words_of(TrajectoryReader(folder / "run.h5"));
  EXPECT_THAT(words.simulated, HasSubstr("The file has no frames."));
  EXPECT_THAT(joined(words.cautions), AllOf(HasSubstr("The run is not finished"), HasSubstr("no rows of energies")));
  EXPECT_THAT(lines(words.conserved), ElementsAre("energy | not measured | The file has no rows of energies."));
}

TEST(PageWords, CautionAboutUnits) {
  const RunWords words = words_of_scenario(R"(units = "astronomical"
[initial]
kind = "table"
bodies = [{ mass = 1, position = [0, 0, 0], velocity = [0, 0, 0] }, { mass = 3e-6, position = [1, 0, 0], velocity = [0, 29.8, 0] }]
[integrator]
dt = 0.001
steps = 1
)");
  EXPECT_THAT(joined(words.cautions), AllOf(HasSubstr("At the start: "), HasSubstr("velocities look like km/s")));
}

/// A file may have any text as a unit or name.
TEST(PageWords, HostileFile) {
  const Folder folder;
  const std::string hostile = "\x1b[2J\u202e\n";
  SyntheticRun synthetic{.frames = 4};
  RunRecord record = synthetic.record();
  record.length_unit = record.time_unit = record.mass_unit = record.units = record.title = hostile;
  record.initial_facts.timescale = 1;
  record.initial_facts.timescale_name = hostile;
  record.provenance["version"] = record.provenance["device"] = record.provenance["precision"] = hostile;
  sim::Bodies bodies = synthetic.initial_bodies();
  bodies.names.assign(bodies.size(), hostile);
  {
    TrajectoryWriter writer(folder / "run.h5", bodies, record, synthetic.options);
    synthetic.write(writer, 0, synthetic.last_step());
  }
  const RunWords words = words_of(TrajectoryReader(folder / "run.h5"));
  std::string all = words.title + words.simulated + words.methods + joined(words.cautions) +
                    joined(lines(words.conserved)) + joined(lines(words.provenance));
  for (const ShellLine& line : words.commands) all += line.command;
  EXPECT_THAT(all, AllOf(Not(HasSubstr("\u202e")), Not(HasSubstr("\x1b")), Not(HasSubstr("\n"))));
  for (const Cited& cited : words.references) EXPECT_THAT(cited.text, Not(HasSubstr("\x1b")));
}

/// Names are the run's, and nothing in them hides or reverses what stands beside them.
TEST(PageWords, HostileNames) {
  const std::string hostile = "\\u202e<script>\\u001b[2J\\n& \\\"";
  const RunWords words = words_of_scenario(
      "title = \"" + hostile + "'$(x)`\"\n[initial]\nkind = \"table\"\nbodies = [{ name = \"" + hostile +
      "\", mass = 1, position = [0, 0, 0], velocity = [0, 0, 0] }, { name = \"b\", mass = 1, position = [1, 0, 0], "
      "velocity = [0, 0, 0] }]\n[integrator]\ndt = 0.01\nsteps = 2\n");
  std::string all = words.title + words.simulated + words.methods + joined(words.cautions) +
                    joined(lines(words.conserved)) + joined(lines(words.provenance));
  for (const ShellLine& line : words.commands) all += line.command;
  EXPECT_THAT(all, AllOf(Not(HasSubstr("\u202e")), Not(HasSubstr("\x1b")), Not(HasSubstr("\n"))));
  EXPECT_THAT(words.title, HasSubstr("<script>"));
  EXPECT_EQ(words.commands.front().command, "orrery run script-2j-x.toml -o script-2j-x-again");
}

TEST(PageWords, ScenarioOfAnotherVersion) {
  const Folder folder;
  SyntheticRun synthetic{.frames = 3};
  synthetic.write(folder / "run.h5");
  const RunWords words = words_of(TrajectoryReader(folder / "run.h5"));
  EXPECT_THAT(words.simulated, HasSubstr("What else its scenario says cannot be read by this version: "));
  EXPECT_THAT(words.methods, StartsWith("The simulation was carried out with orrery"));
}

TEST(PageWords, RunsOfASweepSideBySide) {
  const Folder folder;
  write(folder / "s.toml", two_described + "[sweep]\n\"integrator.dt\" = [0.01, 0.02]\n\"force.softening\" = [0.0]\n");
  const Outcome outcome = run(folder, {"simulate", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const TrajectoryReader first(folder / "s/000/run.h5"), second(folder / "s/001/run.h5");
  const RunsSideBySide runs = side_by_side({&second, &first});
  EXPECT_THAT(runs.titles, ElementsAre("dt = 0.02", "dt = 0.01"));
  EXPECT_THAT(runs.swept, ElementsAre("integrator.dt", "force.softening"));
  ASSERT_GE(runs.columns.size(), 3U);
  EXPECT_EQ(runs.columns.front(), "integrator.dt");
  ASSERT_EQ(runs.rows.size(), 2U);
  EXPECT_EQ(runs.rows[0].front(), "0.02");
  EXPECT_EQ(runs.rows[1].front(), "0.01");
  EXPECT_THAT(runs.columns, AllOf(Contains("state"), Contains("|ΔE|/|E₀|, greatest"), Not(Contains("file"))));
  // A member is run again without the lists.
  EXPECT_EQ(words_of(first).commands.front().command,
            "orrery run two.toml -o two-again --unset sweep --set integrator.dt=0.01 --set force.softening=0.0");
}

TEST(PageWords, OtherRunsSideBySide) {
  const Folder folder;
  write(folder / "s.toml", two_described);
  simulate(folder, "s.toml", "a");
  simulate(folder, "s.toml", "b", {"integrator.kind=\"rk4\""});
  const TrajectoryReader a(folder / "a/run.h5"), b(folder / "b/run.h5");
  const RunsSideBySide runs = side_by_side({&a, &b});
  EXPECT_THAT(runs.titles, ElementsAre("leapfrog", "rk4"));
  EXPECT_THAT(runs.swept, IsEmpty());
  EXPECT_EQ(runs.keys, 1U);
  EXPECT_EQ(runs.columns.front(), "integrator.kind");
  EXPECT_EQ(side_by_side({&a}).rows.size(), 1U);
}

/// The commands do what they say.
TEST(PageWords, CommandsRunTheMemberOfASweepAgain) {
  const Folder folder;
  write(folder / "s.toml", two_described + "[sweep]\n\"integrator.dt\" = [0.01, 0.02]\n");
  ASSERT_EQ(run(folder, {"simulate", "s.toml"}).code, 0);
  const RunWords words = words_of(TrajectoryReader(folder / "s/001/run.h5"));
  write(folder / "two.toml", words.scenario);
  const Outcome again =
      run(folder, {"run", "two.toml", "-o", "two-again", "--unset", "sweep", "--set", "integrator.dt=0.02"});
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(run(folder, {"diff", "s/001/run.h5", "two-again/run.h5"}).code, 0);
}

}  // namespace
}  // namespace orrery::pipeline::testing
