// SPDX-License-Identifier: MIT
// The table [domain]: its result, its checks, and that unbounded space leaves no trace in files.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/scenario/domain.hpp"
#include "sim/boundaries/list.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string in(const std::string& keys) {
  return and_then("[domain]\n" + keys);
}

/// The domain of a table, whether or not a run can have it.
sim::Domain table(const std::string& keys) {
  const auto all = section_keys("domain");
  return domain_of(Document("[domain]\n" + keys, "d.toml", {}).table("domain", 0, {all.begin(), all.end()}));
}

TEST(ScenarioDomain, IsOpenSpaceByDefault) {
  const Scenario scenario = parse_scenario(sound, "s.toml");
  EXPECT_EQ(set_up(scenario).model.domain, sim::Domain());
  EXPECT_EQ(sim::system_of(set_up(scenario).model).domain, sim::Domain());
  EXPECT_THAT(resolved(scenario), Not(HasSubstr("domain")));
  for (const std::string& text : {sound, in(""), in("boundary = \"open\""), in("low = [0, 0, 0]")}) {
    const Scenario open = parse_scenario(text, "s.toml");
    EXPECT_EQ(physics_texts(open, set_up(open)), physics_texts(scenario, set_up(scenario))) << text;
  }
}

TEST(ScenarioDomain, FollowsItsKeys) {
  const sim::Boundary *open = &sim::Open::kind, *wall = &sim::Reflecting::kind, *joined = &sim::Periodic::kind;
  EXPECT_EQ(table(""), sim::Domain());
  EXPECT_EQ(table("boundary = \"periodic\"\nedges = [1, 2, 3]"),
            (sim::Domain{.boundary = {joined, joined, joined}, .edges = {1, 2, 3}}));
  EXPECT_EQ(table("boundary = [\"reflecting\"]\ndimensions = 2\nedges = [1, 2]\nlow = [-0.5, 7]"),
            (sim::Domain{.dimensions = 2, .boundary = {wall, wall, open}, .low = {-0.5, 7, 0}, .edges = {1, 2, 0}}));
  EXPECT_EQ(table("boundary = [\"reflecting\", \"open\", \"periodic\"]\nedges = [1, 0, 3]"),
            (sim::Domain{.boundary = {wall, open, joined}, .edges = {1, 0, 3}}));
  for (const sim::Boundary* boundary : sim::boundaries())
    EXPECT_EQ(table(fmt::format("boundary = \"{}\"\nedges = [1, 1, 1]", boundary->name)).boundary[1], boundary);
}

TEST(ScenarioDomain, OfOpenSpaceMayBeAPlaneOrHaveABox) {
  const std::string text = in("dimensions = 2\nedges = [3, 4]\nlow = [-1, -2]");
  const Scenario scenario = parse_scenario(text, "s.toml");
  const auto setup = set_up(scenario);
  EXPECT_EQ(setup.model.domain, (sim::Domain{.dimensions = 2, .low = {-1, -2, 0}, .edges = {3, 4, 0}}));
  EXPECT_EQ(sim::system_of(setup.model).domain, setup.model.domain);
  const auto keys = physics_texts(scenario, setup);
  EXPECT_EQ(keys.at("domain.dimensions"), "2");
  EXPECT_EQ(keys.at("domain.boundary"), "[\"open\"]");
  EXPECT_EQ(keys.at("domain.edges"), "[3.0, 4.0]");
  const Scenario again = read_again(scenario);
  EXPECT_EQ(resolved(again), resolved(scenario));
  EXPECT_EQ(set_up(again).model.domain, setup.model.domain);
}

TEST(ScenarioDomain, InvalidKeysAreRefused) {
  const auto expect = [](const std::string& keys, const std::string& place, const std::string& words) {
    EXPECT_THAT(refusal(in(keys)), AllOf(StartsWith("s.toml:" + place + ": "), HasSubstr(words))) << keys;
  };
  expect("boundry = \"open\"", "12:1", "unknown key `boundry`; did you mean `boundary`?");
  expect("boundary = \"periodc\"", "12:12", "must be one of open, periodic, reflecting; did you mean `periodic`?");
  expect("boundary = [\"open\", \"opn\", \"open\"]", "12:21", "did you mean `open`?");
  expect("boundary = 3", "12:12", "`boundary` must be a text");
  expect("boundary = [3]", "12:13", "`boundary` must be a text");
  expect("boundary = [\"open\", \"open\"]", "12:12", "one entry, or 3, one per dimension; it has 2");
  expect("boundary = []", "12:12", "it has 0");
  expect("dimensions = 1", "12:14", "`dimensions` = 1 must be in [2, 3]");
  expect("dimensions = 2\nedges = [1, 2, 3]", "13:9", "`edges` must have 2 entries, one per dimension");
  expect("low = [1, 2]", "12:7", "`low` must have 3 entries");
  expect("edges = [1, -2, 3]", "12:13", "must be at least 0");
  expect("edges = [1, 2, 1e200]", "12:9", "1e-100 … 1e100 along z, or 0 for none");
  expect("edges = [1, 1, 1]\nlow = [0, 1e12, 0]", "13:7", "at most 1e9 of its lengths from the origin, which along y");
  expect("boundary = \"periodic\"", "12:12", "needs a length along x, where it is periodic: give `edges`");
  expect("edges = [1, 2, 0]\nboundary = \"periodic\"", "12:9", "needs a length along z, where it is periodic");
  EXPECT_THAT(refusal(and_then("[domain]\n[[domain]]")), HasSubstr("s.toml:12:"));
  EXPECT_THAT(refusal(and_then("[[domain]]\n[[domain]]")), HasSubstr("s.toml:12:"));
  EXPECT_THAT(refusal(and_then("[trajectory]\nedges = [1, 1, 1]")), HasSubstr("`edges`: it belongs to [domain]"));
}

/// Three bodies in the unit square or cube, and a law with a cutoff.
std::string in_box(int dimensions, const std::string& more, const std::string& law = "kind = \"wca\"\nsigma = 0.05") {
  return fmt::format(
      "[[initial]]\nkind = \"table\"\nrecentre = false\nbodies = [\n"
      " {{ mass = 1, position = [0.5, 0.5, 0], velocity = [1, 0, 0] }},\n"
      " {{ mass = 1, position = [0, 0.25, 0], velocity = [0, 1, 0] }},\n"
      " {{ name = \"Ida\", mass = 1, position = [0.25, 0, 0], velocity = [0, 0, 0] }} ]\n"
      "[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 20\n[force]\n{}\n[domain]\ndimensions = {}\n{}\n",
      law, dimensions, more);
}

TEST(ScenarioDomain, PeriodicAxesNeedACutoffAndWallsDoNot) {
  for (const sim::Boundary* boundary : sim::boundaries()) {
    for (const int dimensions : {2, 3}) {
      const std::string box =
          fmt::format("boundary = [\"{}\"]\nedges = [{}1, 1]", boundary->name, dimensions == 2 ? "" : "1, ");
      for (const char* law : {"kind = \"wca\"\nsigma = 0.05", "kind = \"lennard-jones\"\nsigma = 0.05\ncutoff = 0.1",
                              "kind = \"soft\"\ncutoff = 0.05", "kind = \"repulsive\""})
        EXPECT_EQ(refusal(in_box(dimensions, box, law)), "") << box << law;
      const std::string gravity = refusal(in_box(dimensions, box, "kind = \"gravity\""));
      if (boundary->periodic) {
        EXPECT_THAT(gravity,
                    StartsWith("s.toml:16:12: gravity in a periodic box is a sum over infinitely many images"));
      } else {
        EXPECT_EQ(gravity, "");
      }
    }
  }
  const std::string fields = "kind = \"wca\"\nsigma = 0.05\n[[force]]\nkind = \"logarithmic-halo\"";
  const std::string two = with(in_box(3, "boundary = \"periodic\"\nedges = [1, 1, 1]", fields), "[force]", "[[force]]");
  EXPECT_THAT(refusal(two), HasSubstr("the potential of logarithmic-halo is not periodic, as the box is"));
  EXPECT_EQ(refusal(with(two, "periodic", "reflecting")), "");
}

/// Two images of a body must not both be within the cutoff of another body; other axes have no images.
TEST(ScenarioDomain, PeriodicBoxNeedsTwoCutoffs) {
  const auto cutoff = [](double length) { return fmt::format("kind = \"soft\"\ncutoff = {}", length); };
  const std::string words =
      "a periodic box needs two cutoffs along each axis, or bodies would meet two images of one: y has 0.5";
  const std::string narrow = "boundary = [\"reflecting\", \"periodic\"]\nedges = [1, 0.5]";
  EXPECT_EQ(refusal(with(in_box(2, narrow, cutoff(0.25)), "0.5, 0.5, 0", "0.5, 0.4, 0")), "");
  EXPECT_THAT(refusal(with(in_box(2, narrow, cutoff(0.26)), "0.5, 0.5, 0", "0.5, 0.4, 0")),
              AllOf(StartsWith("s.toml:18:9: "), HasSubstr(words)));
  const std::string walls = "boundary = \"reflecting\"\nedges = [1, 0.5]";
  EXPECT_EQ(refusal(in_box(2, walls, cutoff(0.26))), "");
}

TEST(ScenarioDomain, BodiesAreInTheBox) {
  for (const auto& [kind, at_the_end] : {std::pair("reflecting", true), {"periodic", false}}) {
    const std::string box = fmt::format("boundary = \"{}\"\nedges = [1, 1]", kind);
    for (const auto& [place, inside] : {std::pair("0.25, 0, 0", true),
                                        {"0.25, 1, 0", at_the_end},
                                        {"0.25, -1e-300, 0", false},
                                        {"0.25, 1.0000000000000002, 0", false}}) {
      const std::string said = refusal(with(in_box(2, box), "0.25, 0, 0", place));
      if (inside) {
        EXPECT_EQ(said, "") << place;
      } else {
        EXPECT_THAT(said,
                    AllOf(StartsWith("s.toml:7:2: body 2, Ida is outside the box, which is from 0 to 1 along y: "),
                          HasSubstr("it is at ")));
      }
    }
  }
  // Recentred, as is the default in open space, they lie around the origin.
  const std::string moved =
      with(in_box(2, "boundary = \"periodic\"\nedges = [1, 1]"), "recentre = false\n", "recentre = true\n");
  EXPECT_THAT(refusal(moved), HasSubstr("is outside the box, which is from 0 to 1 along x"));
  EXPECT_EQ(refusal(moved + "low = [-0.5, -0.5]\n"), "");
}

/// Integrators composed of drifts support walls.
TEST(ScenarioDomain, IntegratorsWithSavedColumnsRefuseWalls) {
  std::size_t without = 0;
  for (const sim::Integrator* integrator : sim::integrators()) {
    const std::string said =
        refusal(with(in("edges = [1, 1, 1]\nboundary = \"reflecting\""), "leapfrog", std::string(integrator->name)));
    const bool own_positions = !integrator->columns.empty();
    EXPECT_EQ(own_positions, !integrator->why_open.empty()) << integrator->name;
    const std::string why =
        fmt::format("s.toml:13:12: {} needs boundary = \"open\": {}", integrator->name, integrator->why_open);
    EXPECT_EQ(said == why, own_positions) << said;
    without += own_positions ? 1 : 0;
  }
  EXPECT_EQ(without, 4U);
}

TEST(ScenarioDomain, OfTwoDimensionsHasAllBodiesInItsPlane) {
  const std::string plane = in("dimensions = 2");
  EXPECT_EQ(refusal(plane), "");
  const std::string kept = "masses = [1.0, 0.5]\nrecentre = false\n";
  EXPECT_EQ(refusal(with(plane, "masses = [1.0, 0.5]", kept + "offset = [1, 2, 0.5]")),
            "s.toml:14:14: in two dimensions every z must be 0; body 0 has 0.5");
  EXPECT_EQ(refusal(with(plane, "masses = [1.0, 0.5]", kept + "velocity = [1, 2, -0.5]")),
            "s.toml:14:14: in two dimensions every velocity along z must be 0; body 0 has -0.5");
  const std::string halo = "\n[force]\nkind = \"plummer-halo\"\ncenter = [0, 0, ";
  EXPECT_EQ(refusal(plane + halo + "0]"), "");
  EXPECT_THAT(refusal(plane + halo + "0.1]"), StartsWith("s.toml:12:14: in two dimensions every acceleration along z"));
}

/// In a plane, places and velocities have two components, and z of a table, a CSV file and a cube is 0.
TEST(ScenarioDomain, OfTwoDimensionsNeedsNoZ) {
  const Folder folder;
  write(folder / "flat.csv", "mass,x,y,vx,vy\n1,0.5,0.75,1,-1\n2,0.25,0.5,0,0\n");
  const std::string text =
      "[domain]\ndimensions = 2\n[[initial]]\nkind = \"table\"\nrecentre = false\noffset = [1, 2]\nbodies = [\n"
      " { mass = 1, position = [0.5, 0.5], velocity = [1, 0.25] },\n"
      " { mass = 1, position = [0, 0.25, 0], velocity = [0, 1] } ]\n"
      "[[initial]]\nkind = \"table\"\nfile = \"flat.csv\"\n"
      "[[initial]]\nkind = \"random-cube\"\nn = 33\ncharge = [0, 1]\n"
      "[integrator]\ndt = 0.01\nsteps = 3\n[[perturb]]\nbody = 0\nvelocity = [0.5, 0]\n";
  write(folder / "s.toml", text);
  const Scenario scenario = read_scenario(folder / "s.toml");
  const auto setup = set_up(scenario);
  ASSERT_EQ(setup.model.bodies.size(), 37U);
  EXPECT_EQ(setup.model.bodies.position.x[0], 1.5);
  EXPECT_EQ(setup.model.bodies.position.y[1], 2.25);
  EXPECT_EQ(setup.model.bodies.velocity.x[0], 1.5);
  EXPECT_EQ(setup.model.bodies.velocity.y[2], -1);
  for (const auto* z : {&setup.model.bodies.position.z, &setup.model.bodies.velocity.z})
    EXPECT_EQ(*z, std::vector<double>(37, 0.0));
  // x and y of a cube do not depend on the number of dimensions.
  const std::string cube = "[initial]\nkind = \"random-cube\"\nrecentre = false\n[integrator]\ndt = 1\nsteps = 1\n";
  const auto flat = setup_of(cube + "[domain]\ndimensions = 2"), solid = setup_of(cube);
  EXPECT_EQ(flat.model.bodies.position.x, solid.model.bodies.position.x);
  EXPECT_EQ(flat.model.bodies.velocity.y, solid.model.bodies.velocity.y);
  EXPECT_EQ(flat.model.bodies.mass, solid.model.bodies.mass);
  const Outcome made = run(folder, {"simulate", "s.toml", "--quiet"});
  EXPECT_EQ(made.code, 0) << made.errors;
  EXPECT_EQ(run(folder, {"verify", "s/run.h5", "--quiet"}).code, 0);

  write(folder / "s.toml", with(text, "dimensions = 2", "dimensions = 3"));
  EXPECT_THAT(run(folder, {"check", "s.toml"}).errors,
              HasSubstr("s.toml:6:10: `offset` must have 3 entries, it has 2; two are enough in a plane, "));
  write(folder / "f.toml", with(cube, "\"random-cube\"", "\"table\"\nfile = \"flat.csv\""));
  EXPECT_EQ(run(folder, {"check", "f.toml"}).code, 0);  // a table without z is in the plane z = 0
}

/// Refusals about listed bodies name their lines.
TEST(ScenarioDomain, RefusedBodiesAreNamedByLine) {
  const Folder folder;
  write(folder / "b.csv", "# comment\nname,mass,x,y,z\nA,1,0.25,0.5,0\nB,0,0.25,0.75,0\nC,1,0.25,0.75,0\n");
  const std::string text =
      "[initial]\nkind = \"table\"\nrecentre = false\nfile = \"b.csv\"\n[integrator]\ndt = 0.01\nsteps = 3\n";
  const auto refused = [&](const std::string& more) {
    write(folder / "s.toml", text + more);
    const Outcome outcome = run(folder, {"simulate", "s.toml"});
    EXPECT_NE(outcome.code, 0);
    EXPECT_FALSE(std::filesystem::exists(folder / "s"));
    return outcome.errors;
  };
  EXPECT_THAT(refused("[domain]\nboundary = \"reflecting\"\nedges = [1, 0.6, 1]\n"),
              StartsWith("orrery: b.csv:4:1: body 1, B is outside the box"));
  EXPECT_THAT(refused("[force]\nkind = \"wca\"\n"), StartsWith("orrery: b.csv:4:1: B has no mass"));
  EXPECT_THAT(refused(""), StartsWith("orrery: b.csv:4:1: B and C came within 0 of each other at step 0"));
  EXPECT_THAT(run(folder, {"check", "s.toml"}).errors, StartsWith("orrery: b.csv:4:1: B and C came within 0 "));
}

TEST(ScenarioDomain, IsListed) {
  const Folder folder;
  for (const sim::Boundary* boundary : sim::boundaries()) {
    const std::string printed = run(folder, {"list", "boundary", std::string(boundary->name)}).output;
    EXPECT_THAT(printed,
                AllOf(HasSubstr(boundary->meaning), HasSubstr(fmt::format("boundary = \"{}\"", boundary->name))));
  }
  const std::string block = run(folder, {"list", "section", "domain"}).output;
  EXPECT_THAT(block, AllOf(HasSubstr("\n[domain]\n"), HasSubstr("open | periodic | reflecting")));
  EXPECT_EQ(refusal(sound + block), "") << block;
}

/// The file of a run in a plane records that, and is read back.
TEST(ScenarioDomain, IsStoredInTheFile) {
  const Folder folder;
  write(folder / "s.toml", in("dimensions = 2\nedges = [3, 4]"));
  ASSERT_EQ(run(folder, {"simulate", "s.toml"}).code, 0);
  EXPECT_EQ(TrajectoryReader(folder / "s/run.h5").record().domain, (sim::Domain{.dimensions = 2, .edges = {3, 4, 0}}));
  EXPECT_EQ(run(folder, {"verify", "s/run.h5"}).code, 0);
  const Outcome other = run(folder, {"simulate", "s.toml", "--set", "domain.edges=[3, 5]"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.errors, HasSubstr("domain.edges"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
