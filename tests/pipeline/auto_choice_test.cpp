// SPDX-License-Identifier: MIT
// `auto`: the rule, the measurement, and its cache, with synthetic costs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <thread>

#include "pipeline/run/auto_choice.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Work much{3000, 1e13, "version 1\nbodies 3000\n"};

class AutoChoice : public ::testing::Test {
 protected:
  /// Backends with these costs, in this order; a cost of 0 is a failure.
  BackendRanking choice(const std::vector<Cost>& costs, const Work& work = much) {
    std::vector<Candidate> candidates;
    for (const Cost& cost : costs) {
      const auto absence = [this, name = cost.name] {
        ++looked_;
        return absences_[name];
      };
      const auto measure = [this, cost] {
        ++measured_;
        if (cost.seconds == 0) throw Error("its memory is full");
        return cost.seconds;
      };
      candidates.push_back({cost.name, absence, measure});
    }
    return choose(candidates, work, CostCache(cache_));
  }

  [[nodiscard]] std::vector<std::filesystem::path> kept() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(cache_)) files.push_back(entry.path());
    return files;
  }

  Folder folder_;
  std::filesystem::path cache_ = folder_ / "deep/er/costs";
  std::map<std::string, std::string> absences_;
  int looked_ = 0, measured_ = 0;
};

const std::vector<Cost> gpu_wins{{"cpu", 1.2e-3}, {"cuda", 41e-6}};
const std::vector<Cost> cpu_wins{{"cpu", 41e-6}, {"cuda", 1.2e-3}};

TEST_F(AutoChoice, UsesTheRuleIfMeasuringCannotPay) {
  for (const Work& work : {Work{6, 1e15, "a\n"}, Work{127, 1e15, "a\n"}, Work{100'000, 1e9, "a\n"}}) {
    EXPECT_THAT(choice(gpu_wins, work).order, ElementsAre("cpu")) << work.bodies;
  }
  EXPECT_THAT(choice({{"cuda", 1}}, {6, 1e15, "a\n"}).order, ElementsAre("cuda"));
  EXPECT_EQ(looked_, 0);
  EXPECT_EQ(measured_, 0);
  EXPECT_FALSE(std::filesystem::exists(cache_));
}

TEST_F(AutoChoice, TakesTheCheapest) {
  const BackendRanking gpu = choice(gpu_wins);
  EXPECT_THAT(gpu.order, ElementsAre("cuda", "cpu"));
  EXPECT_EQ(gpu.reason, "auto: cuda 41 µs per step, cpu 1.2 ms");
  const BackendRanking cpu = choice(cpu_wins, {10'000, 1e13, "other\n"});
  EXPECT_THAT(cpu.order, ElementsAre("cpu", "cuda"));
  EXPECT_EQ(cpu.reason, "auto: cpu 41 µs per step, cuda 1.2 ms with 8192 of the bodies");
  EXPECT_EQ(measured_, 4);
}

TEST_F(AutoChoice, AbsentBackendsAreNotMeasured) {
  absences_["cuda"] = "no GPU";
  const BackendRanking verdict = choice(gpu_wins);
  EXPECT_THAT(verdict.order, ElementsAre("cpu"));
  EXPECT_EQ(verdict.reason, "auto: no other can be used here: no GPU");
  EXPECT_EQ(measured_, 0);
  absences_["cpu"] = "no CPU";
  EXPECT_EQ(complaint([&] { (void)choice(gpu_wins); }), "no CPU; no GPU");
}

TEST_F(AutoChoice, FailingBackendsAreDropped) {
  const BackendRanking verdict = choice({{"cpu", 1e-3}, {"cuda", 0}});
  EXPECT_THAT(verdict.order, ElementsAre("cpu"));
  EXPECT_EQ(verdict.reason, "auto: cpu 1 ms per step; not cuda: its memory is full");
  EXPECT_THAT(choice(gpu_wins).order, ElementsAre("cuda", "cpu")) << "a failure is not remembered";
  EXPECT_EQ(complaint([&] { (void)choice({{"cpu", 0}, {"cuda", 0}}, {3000, 1e13, "new\n"}); }), "its memory is full");
}

TEST_F(AutoChoice, MeasuresOnce) {
  (void)choice(gpu_wins);
  EXPECT_EQ(looked_, 2);
  const BackendRanking again = choice(cpu_wins);
  EXPECT_THAT(again.order, ElementsAre("cuda", "cpu"));
  EXPECT_EQ(again.reason, "auto: cuda 41 µs per step, cpu 1.2 ms, measured earlier");
  EXPECT_EQ(measured_, 2);
  EXPECT_EQ(looked_, 2) << "no driver is asked";
  Work other = much;
  other.question = "version 2\nbodies 3000\n";
  EXPECT_THAT(choice(cpu_wins, other).order, ElementsAre("cpu", "cuda"));
  EXPECT_EQ(measured_, 4);
  EXPECT_THAT(choice({{"cpu", 1}, {"hip", 2}}).order, ElementsAre("cpu", "hip")) << "cuda is gone";
}

TEST_F(AutoChoice, CacheExpiresAfterAWeek) {
  (void)choice(gpu_wins);
  std::filesystem::last_write_time(kept().at(0),
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 8));
  EXPECT_THAT(choice(cpu_wins).order, ElementsAre("cpu", "cuda"));
  EXPECT_THAT(choice(gpu_wins).order, ElementsAre("cpu", "cuda")) << "it is written anew";
}

TEST_F(AutoChoice, DamagedFilesAreMeasuredAgain) {
  (void)choice(gpu_wins);
  const auto file = kept().at(0);
  const std::string whole = read(file);
  ASSERT_THAT(whole, HasSubstr("cuda 4.100e-05\n."));
  std::vector<std::string> damaged{"", "mine", std::string(whole.size(), '\0'), much.question + "\n.\n", "x" + whole};
  for (std::size_t length = 0; length < whole.size() - 1; ++length) damaged.push_back(whole.substr(0, length));
  for (const char* cost : {"cuda 0", "cuda -1", "cuda nan", "cuda", "cuda 1 2", "gpu 1e-9", ""})
    damaged.push_back(much.question + "\n" + cost + "\n.\n");
  for (const std::string& text : damaged) {
    write(file, text);
    measured_ = 0;
    EXPECT_THAT(choice(cpu_wins).order, ElementsAre("cpu", "cuda")) << text;
    EXPECT_EQ(measured_, 2) << text;
    EXPECT_THAT(kept(), ElementsAre(file));
  }
  std::filesystem::remove(file);
  std::filesystem::create_directories(file / "in the way");
  EXPECT_THAT(choice(cpu_wins).order, ElementsAre("cpu", "cuda"));
  EXPECT_THAT(kept(), ElementsAre(file));
}

TEST_F(AutoChoice, WorksWithoutACache) {
  write(folder_ / "file", "");
  for (const std::filesystem::path& nowhere : {std::filesystem::path(), std::filesystem::path(folder_ / "file/below"),
                                               std::filesystem::path("/proc/orrery")}) {
    cache_ = nowhere;
    measured_ = 0;
    for (int k = 0; k < 2; ++k) EXPECT_THAT(choice(gpu_wins).order, ElementsAre("cuda", "cpu")) << nowhere;
    EXPECT_EQ(measured_, 4);
  }
}

/// Concurrent writers and readers of the same file: readers see complete files, and no temporary file is left.
TEST_F(AutoChoice, ConcurrentWriters) {
  const CostCache cache(cache_);
  std::vector<std::thread> threads;
  std::vector<int> found(4), wrong(4);
  for (std::size_t k = 0; k < found.size(); ++k) {
    threads.emplace_back([&, k] {
      for (int round = 1; round <= 200; ++round) {
        cache.keep(much.question, std::vector<Cost>(3 * k + 1, {"cpu", static_cast<double>(k + 1)}));
        const auto costs = cache.find(much.question);
        found[k] += costs ? 1 : 0;
        if (costs && static_cast<double>(costs->size()) != 3 * (costs->front().seconds - 1) + 1) ++wrong[k];
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(found, ::testing::Each(200));
  EXPECT_THAT(wrong, ::testing::Each(0));
  EXPECT_EQ(kept().size(), 1U);
}

/// The cache folder of the user; a relative path is ignored, and there may be none.
TEST_F(AutoChoice, CacheFolderFollowsTheEnvironment) {
  const auto kept_with = [&](const std::string& cache, const std::string& home) {
    ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);
    ::setenv("HOME", home.c_str(), 1);
    const CostCache of_user = CostCache::of_user();
    of_user.keep("q\n", {{"cpu", 1.0}});
    return of_user.find("q\n").has_value();
  };
  const auto value_of = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  const std::string cache = value_of("XDG_CACHE_HOME"), home = value_of("HOME");
  EXPECT_TRUE(kept_with(folder_ / "cache", folder_ / "home"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "cache/orrery/costs"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "home"));
  EXPECT_TRUE(kept_with("relative", folder_ / "home"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "home/.cache/orrery/costs"));
  EXPECT_FALSE(kept_with("", ""));
  ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  ::setenv("HOME", home.c_str(), 1);
}

// Choices that affect the bits must not depend on the load of the machine: nothing is measured or cached.
TEST_F(AutoChoice, UsesTheRuleIfTheDeviceAffectsBits) {
  Work work = much;
  work.same_bits = false;
  for (const auto& costs : {gpu_wins, cpu_wins}) {
    const BackendRanking verdict = choice(costs, work);
    EXPECT_THAT(verdict.order, ElementsAre("cuda"));
    EXPECT_EQ(verdict.reason, "auto: by rule, since bits depend on the device: a GPU where there is one");
  }
  absences_["cuda"] = "no GPU was found";
  const BackendRanking verdict = choice(gpu_wins, work);
  EXPECT_THAT(verdict.order, ElementsAre("cpu"));
  EXPECT_THAT(verdict.reason, HasSubstr("; not cuda: no GPU was found"));
  EXPECT_EQ(measured_, 0);
  EXPECT_FALSE(std::filesystem::exists(cache_));
  // Small runs stay on the cpu, without looking for a GPU.
  looked_ = 0;
  work.bodies = 127;
  EXPECT_THAT(choice(gpu_wins, work).order, ElementsAre("cpu"));
  EXPECT_EQ(looked_, 0);
}

}  // namespace
}  // namespace orrery::pipeline::testing
