// SPDX-License-Identifier: MIT
// [backend] on the command line: what is chosen and recorded, what is refused, and a lost device.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/measure/forces.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/force_methods.hpp"
#include "pipeline/run/main_loop.hpp"
#include "pipeline/run/run_record.hpp"
#include "sim/backends/cpu.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"
#include "tests/sim/forwarding_backend.hpp"

namespace orrery::pipeline::testing {
namespace {

using sim::testing::ForwardingBackend;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string cuda_absence() {
  return (**std::ranges::find(sim::backend_kinds(), "cuda", &sim::BackendKind::name)).absence();
}

class BackendChoice : public ::testing::Test {
 protected:
  BackendChoice() { write(folder_ / "s.toml", sound); }

  [[nodiscard]] std::string recorded(const std::string& key) const {
    return TrajectoryReader(folder_ / "s/run.h5").record().provenance.at(key);
  }

  void expect_refused(const std::string& words, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"run", "s.toml"});
    const Outcome outcome = run(folder_, flags);
    EXPECT_EQ(outcome.code, 2) << outcome.errors;
    EXPECT_THAT(outcome.errors, AllOf(StartsWith("orrery: "), HasSubstr(words)));
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "s")) << words;
  }

  Folder folder_;
};

TEST_F(BackendChoice, IsRecordedAndShown) {
  const Outcome automatic = run(folder_, {"simulate", "s.toml"});
  EXPECT_THAT(automatic.output, HasSubstr(" on cpu ("));
  EXPECT_EQ(recorded("backend"), "cpu");
  EXPECT_EQ(recorded("backend_choice"), "auto: too few bodies for a GPU");
  for (const auto& arguments : {std::vector<std::string>{"info", "s/run.h5"}, {"check", "s.toml"}}) {
    EXPECT_THAT(run(folder_, arguments).output,
                ::testing::ContainsRegex("backend +cpu\nbackend choice +auto: too few bodies for a GPU\n"));
  }
  EXPECT_EQ(run(folder_, {"simulate", "s.toml", "--force", "--backend", "reference"}).code, 0);
  EXPECT_EQ(recorded("backend"), "reference");
  EXPECT_EQ(recorded("backend_choice"), "as asked");
}

TEST_F(BackendChoice, RefusesUnsupportedRequests) {
  expect_refused("unknown key `block`", {"--set", "backend.block=64"});
  expect_refused("unknown key `unroll`", {"--set", "backend.unroll=4"});
  expect_refused("must be one of auto, pair-once, tiled", {"--set", "backend.kernel=\"direct\""});
  expect_refused("the cpu backend has no kernel `tiled`: it has pair-once",
                 {"--backend", "cpu", "--set", "backend.kernel=\"tiled\""});
  for (const char* devices : {"0,0", "0,", ",1", "1,x", "-1", "every"})
    expect_refused("`devices` must be different numbers of GPUs, \"0,1\", or \"all\"", {"--device", devices});
}

TEST_F(BackendChoice, SaysWhyThereIsNoGpu) {
  const std::string why = cuda_absence();
  if (why.empty()) GTEST_SKIP() << "there is one";
  expect_refused("backend.kind=\"cuda\": " + why, {"--backend", "cuda"});
  expect_refused("backend.kind=\"cuda\": " + why, {"--backend", "cuda", "--device", "3"});
  // A kernel that only cuda has selects cuda, however few the bodies.
  expect_refused("backend.kernel=\"tiled\": " + why, {"--set", "backend.kernel=\"tiled\""});
}

TEST_F(BackendChoice, RefusesAGpuBeyondTheLast) {
  if (!cuda_absence().empty()) GTEST_SKIP() << "there is none at all";
  expect_refused("there is no device 99", {"--backend", "cuda", "--device", "99"});
}

TEST_F(BackendChoice, ResumeUsesTheBackendOfTheRun) {
  const Scenario automatic = parse_scenario(sound, "s.toml");
  const auto setup = set_up(automatic);
  EXPECT_EQ(make_backend(setup, automatic.backend, {}, "cpu").reason, "auto: as this run began");
  // The backend named in the file was not chosen by auto, or is unavailable, or the scenario names another.
  for (const char* other : {"reference", "cuda", "abacus", ""}) {
    if (other == std::string("cuda") && cuda_absence().empty()) continue;
    const ChosenBackend chosen = make_backend(setup, automatic.backend, {}, other);
    EXPECT_EQ(chosen.kind, "cpu") << other;
    EXPECT_EQ(chosen.reason, "auto: too few bodies for a GPU") << other;
  }
  EXPECT_EQ(
      make_backend(setup, parse_scenario(sound, "s.toml", {"backend.kind=\"reference\""}).backend, {}, "cpu").kind,
      "reference");
}

/// The cost is that of the run's own steps: twice the bodies, four times the pairs.
TEST_F(BackendChoice, MeasuresTheCostOfSteps) {
  const auto time = [](int n) {
    const Scenario scenario =
        parse_scenario(fmt::format("[initial]\nkind = \"random-cube\"\nn = {}\n[force]\nsoftening = 0.1\n"
                                   "[integrator]\ndt = 1e-3\nsteps = 25\n[backend]\nthreads = 1\n",
                                   n),
                       "s.toml");
    const auto setup = set_up(scenario);
    return time_a_step(setup.model, *make_backend(setup, scenario.backend).backend, 0.02).seconds;
  };
  const double ratio = time(1024) / time(256);
  EXPECT_GT(ratio, 5);
  EXPECT_LT(ratio, 50);
}

/// Counts the columns that are copied to the host after the first evaluation of forces.
class Counting final : public ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;
  static inline std::int64_t copies = 0;

  [[nodiscard]] sim::Vectors download(sim::Column column) const override {
    if (evaluations() > 0) ++copies;
    return ForwardingBackend::download(column);
  }
};

/// A timing ends with the device, but has no copy of the bodies in it.
TEST_F(BackendChoice, TimingsCopyNothingToTheHost) {
  const auto make = [](sim::System system, const sim::BackendOptions& options) -> std::unique_ptr<sim::Backend> {
    return std::make_unique<Counting>(sim::cpu_backend.make(std::move(system), options));
  };
  Counting::copies = 0;
  for (const char* method : {"leapfrog", "rk4", "yoshida6", "ias15", "rk45"}) {
    const Scenario scenario = parse_scenario(
        "[initial]\nkind = \"random-cube\"\nn = 67\n[force]\nsoftening = 0.1\n"
        "[integrator]\ndt = 1e-3\nsteps = 25\n[backend]\nthreads = 1\n",
        "s.toml", {fmt::format("integrator.kind={}", method)});
    const auto setup = set_up(scenario);
    const auto backend = make(sim::system_of(setup.model), {.threads = 1});
    EXPECT_GT(time_a_step(setup.model, *backend, 1e-3).seconds, 0);
    EXPECT_GT(evaluation_seconds(*make(sim::system_of(setup.model), {.threads = 1})), 0);
    EXPECT_EQ(Counting::copies, 0) << method;
  }
  sim::BackendKind kind = sim::cpu_backend;
  kind.make = make;
  const ForceBench bench{.kinds = {&kind},
                         .options = {.threads = 1},
                         .sizes = {67},
                         .precisions = {sim::Precision::float64},
                         .textbook = false,
                         .rates = false,
                         .patience = {.repetitions = 2, .seconds = 1e-3}};
  const ForceResult result = bench_forces(bench, [](double, const BenchRow&) { return false; });
  ASSERT_EQ(result.rows.size(), 1U);
  EXPECT_GT(result.rows.front().timing.median, 0) << result.rows.front().failure;
  EXPECT_EQ(Counting::copies, 0);
}

/// A cpu backend that fails permanently after the given number of force evaluations.
class Mortal final : public ForwardingBackend {
 public:
  Mortal(std::unique_ptr<sim::Backend> body, std::int64_t evaluations)
      : ForwardingBackend(std::move(body)), left_(evaluations) {}

  [[nodiscard]] sim::Vectors download(sim::Column column) const override {
    live();
    return ForwardingBackend::download(column);
  }
  [[nodiscard]] int calls_after_death() const { return calls_after_death_; }

 private:
  void live() const {
    if (left_ >= 0) return;
    ++calls_after_death_;
    throw Error("the device was lost again");
  }
  void carry_out(const sim::Operation& one) override {
    live();
    if (one.is_evaluation() && one.outputs != sim::Outputs::jerk && --left_ < 0) throw Error("the device was lost");
    ForwardingBackend::carry_out(one);
  }
  sim::Observables measure() override {
    live();
    return ForwardingBackend::measure();
  }
  void store(sim::Column column, const sim::Vectors& values) override {
    live();
    ForwardingBackend::store(column, values);
  }

  std::int64_t left_;
  mutable int calls_after_death_ = 0;
};

/// With one evaluation per step it fails in step `last + 1`, and every frame before it is stored.
TEST_F(BackendChoice, FramesBeforeADeviceLossAreStored) {
  const std::string state =
      state_in(run(folder_, {"simulate", "s.toml", "-o", "whole", "--set", "observables.extremes=false"}), 20);
  const Scenario scenario = parse_scenario(sound, "s.toml", {"trajectory.commit=1000", "observables.extremes=false"});
  const auto setup = set_up(scenario);
  const auto file = folder_ / "s/run.h5";
  for (const std::int64_t last : {0, 1, 7, 19}) {
    std::filesystem::remove_all(folder_ / "s");
    std::filesystem::create_directory(folder_ / "s");
    ChosenBackend chosen = make_backend(setup, scenario.backend);
    auto owned = std::make_unique<Mortal>(std::move(chosen.backend), last + 1);
    const Mortal& mortal = *owned;
    chosen.backend = std::move(owned);
    {
      Context silent;
      TrajectoryWriter writer(file, setup.model.bodies, make_record(scenario, setup, chosen, "", "test"),
                              setup.output.stored);
      EXPECT_EQ(complaint([&] { MainLoop(setup.model, setup.output, *chosen.backend, writer, nullptr, silent).run(); }),
                fmt::format("the device was lost (the file holds everything up to step {})", last));
    }
    EXPECT_EQ(mortal.calls_after_death(), 0);
    {
      const TrajectoryReader reader(file);
      EXPECT_FALSE(reader.finished());
      EXPECT_EQ(reader.steps().back(), last);
      EXPECT_EQ(reader.size(), static_cast<std::size_t>(last) + 1);
    }
    const Outcome rest = run(folder_, {"simulate", "s.toml", "--set", "observables.extremes=false"});
    EXPECT_THAT(rest.output, HasSubstr(fmt::format("goes on from step {} of 20", last)));
    EXPECT_EQ(state_in(rest, 20), state);
    expect_same_content(file, folder_ / "whole/run.h5");
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
