// SPDX-License-Identifier: MIT
// Runs with laws, fields and integrators of the program that uses the library: their files, what the program does with those, and what
// the library does where the plug-ins are registered.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "pipeline/compare/diff.hpp"
#include "pipeline/compare/verify.hpp"
#include "pipeline/page/words.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/run/run_scenario.hpp"
#include "pipeline/scenario/foreign_text.hpp"
#include "program_support.hpp"
#include "scenario_support.hpp"
#include "sim/scalar.hpp"
#include "tests/complaint.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// The calls of the law after which it fails; 0: never.
std::atomic<int>& calls_left() {
  static std::atomic<int> left{0};
  return left;
}

void gravity_of_pairs(std::size_t n, const double* r2, double* c, double* u, double* /*slope*/, const double* numbers) {
  if (calls_left() > 0 && --calls_left() == 0) throw Error("the law \"my-gravity\" has had enough");
  for (std::size_t k = 0; k < n; ++k) {
    c[k] = numbers[0] * sim::inverse_cube(sim::Scalar(r2[k])).value;
    if (u != nullptr) u[k] = numbers[0] * (sim::Scalar(0) - sim::inverse_root(sim::Scalar(r2[k]))).value;
  }
}

/// Gravity and leapfrog, and a field that does nothing, as a program has them.
std::shared_ptr<const sim::PlugIns> plug_ins() {
  auto all = std::make_shared<sim::PlugIns>();
  sim::ForeignLaw law;
  law.name = "my-gravity";
  law.meaning = "gravity \"again\", with a factor å";
  law.parameters = {{.name = "factor", .meaning = "of the force", .unit = "mass", .fallback = 1.0, .low = 0}};
  all->add(sim::make_law(law, gravity_of_pairs));
  sim::ForeignField field;
  field.name = "nothing";
  field.parameters = {{.name = "strongly", .fallback = 0.1}};
  all->add(sim::make_field(
      field, [](std::size_t n, const double* const(&)[3], double* const(&g)[3], double* phi, const double*) {
        for (std::size_t i = 0; i < n; ++i) {
          g[0][i] = g[1][i] = g[2][i] = 0;
          if (phi != nullptr) phi[i] = 0;
        }
      }));
  sim::ForeignIntegrator leapfrog;
  leapfrog.name = "my-leapfrog";
  leapfrog.reference = "Verlet 1967";
  leapfrog.order = 2;
  leapfrog.symplectic = leapfrog.symmetric = true;
  leapfrog.columns = {{"spare", true}};
  all->add(sim::make_integrator(leapfrog, [](sim::Backend& bodies, const sim::Step& step) {
    bodies.accelerate();
    bodies.kick(step.dt / 2);
    bodies.drift(step.dt);
    bodies.accelerate();
    bodies.kick(step.dt / 2);
  }));
  return all;
}

std::string scenario_with(const std::string& force, const std::string& integrator) {
  return fmt::format(
      "[initial]\nkind = \"random-cube\"\nn = 20\n[force]\n{}softening = 0.1\n[integrator]\nkind = \"{}\"\n"
      "dt = 1e-3\nsteps = 40\n[observables]\nevery = 4\n[trajectory]\nevery = 4\n[backend]\nkind = \"cpu\"\n",
      force, integrator);
}

const std::string foreign = scenario_with("kind = \"my-gravity\"\n", "my-leapfrog");

/// A use of the library that ends after so many questions whether to; < 0: never.
class Library : public Context {
 public:
  explicit Library(int questions = -1) : left_(questions) { plug_ins = testing::plug_ins(); }
  [[nodiscard]] bool stopped() const override { return left_ == 0 || (left_ > 0 && --left_ == 0); }

  bool run(const Folder& folder, const std::string& name, const std::string& text = foreign) {
    return RunFolder({.source = {}, .output = folder / name},
                     {.text = text, .name = name + ".toml", .plug_ins = plug_ins}, *this)
        .complete(Draw::never);
  }

 private:
  mutable int left_;
};

std::string last_state(const std::filesystem::path& file) {
  return state_hash(TrajectoryReader(file).restart().value());
}

class ForeignPlugIns : public ::testing::Test {
 protected:
  Folder folder_;
  Library library_;
  Context plain_;
};

/// A page says of them what the file does: their functions are in another program.
TEST_F(ForeignPlugIns, AreDescribedOnAPage) {
  ASSERT_TRUE(library_.run(
      folder_, "a",
      with(with(foreign, "[force]", "[[force]]"), "[integrator]", "[[force]]\nkind = \"nothing\"\n[integrator]")));
  const RunWords words = words_of(TrajectoryReader(folder_ / "a/run.h5"));
  EXPECT_THAT(
      words.simulated,
      AllOf(HasSubstr("acts “my-gravity”, gravity \"again\", with a factor å, with softening = 0.1, strength = 1 and "
                      "factor = 1."),
            HasSubstr("An external field acts on every body: “nothing”, with strongly = 0.1."),
            HasSubstr("integrated by “my-leapfrog”, of second order, symplectic and symmetric in time, in 40 steps")));
  EXPECT_THAT(words.methods, HasSubstr("symmetric in time [3], in 40 steps"));
  EXPECT_EQ(words.references.at(2).bibtex, "@misc{my-leapfrog,\n  note = {Verlet 1967},\n}\n");
  EXPECT_TRUE(words.commands.empty());
}

TEST_F(ForeignPlugIns, AreKnownOnlyWhereTheyAreRegistered) {
  EXPECT_THAT(refusal(foreign), HasSubstr("there is no force \"my-gravity\""));
  const Scenario scenario = parse_scenario({.text = foreign, .name = "s.toml", .plug_ins = plug_ins()});
  EXPECT_EQ(scenario.model.force.plugin->name, "my-gravity");
  EXPECT_EQ(scenario.model.force.values.number("factor"), 1);
  EXPECT_THAT(resolved(scenario), HasSubstr("kind = \"my-gravity\"\nsoftening = 0.1\nstrength = 1.0\nfactor = 1.0\n"));
  const auto refused = [](const std::string& force, const std::string& more) {
    return orrery::complaint(
        [&] {
          (void)set_up(parse_scenario({.text = with(foreign, "kind = \"my-gravity\"\n", force) + more,
                                       .name = "s.toml",
                                       .plug_ins = plug_ins()}));
        },
        2);
  };
  EXPECT_THAT(refused("kind = \"my-gravity\"\nfactor = -1\n", ""), HasSubstr("s.toml:6:10: `factor` = -1"));
  EXPECT_THAT(refused("kind = \"my-gravity\"\nfactors = 1\n", ""), HasSubstr("did you mean `factor`?"));
  EXPECT_THAT(refused("kind = \"my-gravity\"\nmethod = \"tree\"\n", ""),
              HasSubstr("use \"direct\", or remove `method`"));
  EXPECT_THAT(refused("kind = \"my-gravity\"\n", "precision = \"float32\"\n"),
              HasSubstr("which computes in \"float64\" only"));
  EXPECT_THAT(refused("kind = \"nothing\"\n", ""), HasSubstr("unknown key `softening`"));
}

TEST_F(ForeignPlugIns, RunsHaveTheBitsOfTheBuiltInsAndFilesThatNameThem) {
  ASSERT_TRUE(library_.run(folder_, "mine"));
  ASSERT_TRUE(library_.run(folder_, "builtin", scenario_with("", "leapfrog")));
  EXPECT_EQ(last_state(folder_ / "mine/run.h5"), last_state(folder_ / "builtin/run.h5"));
  EXPECT_FALSE(TrajectoryReader(folder_ / "builtin/run.h5").record().provenance.contains(foreign_key));

  const TrajectoryReader trajectory(folder_ / "mine/run.h5");
  const std::string text = trajectory.record().provenance.at(foreign_key);
  EXPECT_THAT(text, AllOf(HasSubstr("[[law]]\nname = \"my-gravity\""), HasSubstr("[[integrator]]"),
                          Not(HasSubstr("[[field]]"))));
  const auto described = with_described(nullptr, text, "x.h5");
  const sim::ForeignLaw& law = *described->law("my-gravity")->foreign;
  EXPECT_EQ(law.meaning, "gravity \"again\", with a factor å");
  ASSERT_EQ(law.parameters.size(), 1U);
  EXPECT_EQ(law.parameters[0].unit, "mass");
  EXPECT_EQ(law.parameters[0].fallback, 1.0);
  EXPECT_EQ(law.parameters[0].low, 0);
  EXPECT_EQ(law.parameters[0].high, std::numeric_limits<double>::infinity());
  const sim::ForeignIntegrator& method = *described->integrator("my-leapfrog")->foreign;
  EXPECT_EQ(method.reference, "Verlet 1967");
  EXPECT_TRUE(method.symplectic && method.symmetric && !method.jerk && method.columns.at(0).persistent);
  // Those that are registered compute.
  EXPECT_EQ(with_described(library_.plug_ins, text, "x.h5")->law("my-gravity"), library_.plug_ins->law("my-gravity"));
  EXPECT_THAT(orrery::complaint([&] { (void)described->law("my-gravity")->u(1, {}); }, 2),
              HasSubstr("x.h5: its law \"my-gravity\" was registered by the program"));
}

TEST_F(ForeignPlugIns, AreVerifiedWhereTheyAreRegistered) {
  ASSERT_TRUE(library_.run(folder_, "mine"));
  const VerifyOptions options{.file = folder_ / "mine/run.h5", .frames = {}, .overrides = {}, .command_line = {}};
  EXPECT_TRUE(verify(options, library_).same);
  EXPECT_THAT(orrery::complaint([&] { (void)verify(options, plain_); }, 2),
              HasSubstr("run.h5: its law \"my-gravity\" was registered by the program that made the run"));
}

TEST_F(ForeignPlugIns, AreResumedWhereTheyAreRegistered) {
  ASSERT_TRUE(library_.run(folder_, "whole"));
  Library stopped(5);
  ASSERT_FALSE(stopped.run(folder_, "part"));
  const RunOptions part{.source = folder_ / "part/run.h5"};
  EXPECT_THAT(orrery::complaint([&] { (void)resume(part, plain_); }, 2),
              HasSubstr("its law \"my-gravity\" was registered"));
  EXPECT_TRUE(resume(part, library_));
  EXPECT_EQ(last_state(folder_ / "part/run.h5"), last_state(folder_ / "whole/run.h5"));
}

TEST_F(ForeignPlugIns, AFailureEndsTheRunAndLeavesAFileThatIsResumed) {
  ASSERT_TRUE(library_.run(folder_, "whole"));
  calls_left() = 30;
  const std::string why = orrery::complaint([&] { (void)library_.run(folder_, "failed"); }, 1);
  calls_left() = 0;
  EXPECT_THAT(why, AllOf(HasSubstr("the law \"my-gravity\" has had enough"),
                         HasSubstr("(the file holds everything up to step")));
  EXPECT_TRUE(resume({.source = folder_ / "failed/run.h5"}, library_));
  EXPECT_EQ(last_state(folder_ / "failed/run.h5"), last_state(folder_ / "whole/run.h5"));
}

TEST_F(ForeignPlugIns, TheProgramReadsTheirFilesAndRefusesToRepeatThem) {
  const std::string with_field = with(foreign, "softening = 0.1\n", "softening = 0.1\n[[force]]\nkind = \"nothing\"\n");
  ASSERT_TRUE(library_.run(folder_, "mine", with(with_field, "[force]", "[[force]]")));
  ASSERT_TRUE(library_.run(folder_, "other", with(foreign, "softening = 0.1", "softening = 0.1\nfactor = 1.5")));
  const auto program = [&](const std::vector<std::string>& arguments) { return testing::run(folder_, arguments); };
  for (const auto& [command, text] : {std::pair("info", "finished"), {"table", "total_energy"}}) {
    const Outcome outcome = program({command, "mine/run.h5"});
    EXPECT_EQ(outcome.code, 0) << command << outcome.errors;
  }
  EXPECT_THAT(program({"info", "mine/run.h5"}).output, HasSubstr("my-gravity"));
  for (const std::string figure : {"energy-error", "projection", "conserved"}) {
    const Outcome outcome = program({"render", "mine/run.h5", "--figure", figure, "-o", figure + ".svg"});
    EXPECT_EQ(outcome.code, 0) << figure << outcome.errors;
  }
  const Outcome verified = program({"verify", "mine/run.h5"});
  EXPECT_EQ(verified.code, 2);
  EXPECT_THAT(verified.errors,
              HasSubstr("mine/run.h5: its law \"my-gravity\" was registered by the program that made the run"));
  EXPECT_THAT(verified.errors, Not(HasSubstr("internal")));
  EXPECT_EQ(program({"resume", "mine/run.h5", "--set", "integrator.steps=80"}).code, 2);
  const Outcome matrix = program({"matrix", "mine/run.h5", "--quantity", "force", "-o", "matrix.h5"});
  EXPECT_EQ(matrix.code, 2);
  EXPECT_THAT(matrix.errors, HasSubstr("the law \"my-gravity\" is a function of the program that made the run"));
  const Outcome differ = program({"diff", "mine/run.h5", "other/run.h5"});
  EXPECT_EQ(differ.code, 1) << differ.errors;
  EXPECT_THAT(differ.output, HasSubstr("force[0].factor (mine/run.h5 1.0, other/run.h5 1.5)"));
}

TEST_F(ForeignPlugIns, TwoUsesMayHaveDifferentOnesOfOneName) {
  Library other;
  auto own = std::make_shared<sim::PlugIns>();
  sim::ForeignLaw law;
  law.name = "my-gravity";
  own->add(sim::make_law(law, [](std::size_t n, const double*, double* c, double* u, double*, const double*) {
    std::fill_n(c, n, 0.25);
    if (u != nullptr) std::fill_n(u, n, 0.0);
  }));
  other.plug_ins = own;
  const std::string text = scenario_with("kind = \"my-gravity\"\n", "leapfrog");
  ASSERT_TRUE(other.run(folder_, "springs", text));
  ASSERT_TRUE(library_.run(folder_, "gravity", text));
  EXPECT_NE(last_state(folder_ / "springs/run.h5"), last_state(folder_ / "gravity/run.h5"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
