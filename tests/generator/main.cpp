// SPDX-License-Identifier: MIT
// generator [--count N] [--seed S] [--only K] [--keep FOLDER] [--jobs J] [--slower X] [--program FILE]: random scenarios through the commands of
// the program. Prints the seed first, and how each failure is repeated. Exit code 1 if there was one.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>

#include "tests/generator/trial.hpp"

namespace orrery::generator {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::uint64_t count = 100, seed = std::random_device()() % 1'000'000'000;
  std::optional<std::uint64_t> only;
  std::uint64_t jobs = 2, slower = 1;
  fs::path keep{};  ///< where the folders of scenarios stay
  fs::path program = ORRERY_PROGRAM;
};

class Generator {
 public:
  explicit Generator(const Options& options) : options_(options) {
    std::string name = (fs::temp_directory_path() / "orrery-generator-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder can be made in " + name);
    folder_ = name;
    limits_.program = options.program;
    limits_.run *= static_cast<double>(options.slower);
    limits_.hang *= static_cast<double>(options.slower);
    limits_.patience *= static_cast<double>(options.slower);
    ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);  // of measured costs
  }
  ~Generator() { fs::remove_all(folder_); }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  int all() {
    const auto begin = std::chrono::steady_clock::now();
    std::atomic<std::uint64_t> next = 0;
    {
      std::vector<std::jthread> workers;
      for (std::uint64_t j = 0; j < options_.jobs; ++j) {
        workers.emplace_back([&] {
          for (std::uint64_t k = next++; k < options_.count; k = next++) one(k);
        });
      }
    }
    summarise(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return failures_.empty() ? 0 : 1;
  }

  void one(std::uint64_t number) {
    const Drawn scenario = draw(options_.seed, number);
    const fs::path folder = (options_.keep.empty() ? folder_ : options_.keep) / std::to_string(number);
    fs::remove_all(folder);
    fs::create_directories(folder);
    const Report report = tried(scenario, folder, limits_, number);
    if (options_.keep.empty()) fs::remove_all(folder);
    const std::lock_guard lock(mutex_);
    ++tried_;
    if (report.check_seconds > slowest_) slowest_ = report.check_seconds, slowest_number_ = number;
    for (const auto& [what, times] : report.counts) counts_[what] += times;
    if (report.failures.empty()) return;
    fmt::print("--- scenario {} of seed {}; again: generator --seed {} --only {} --keep FOLDER\n{}", number,
               options_.seed, options_.seed, number, scenario.text);
    for (const Failure& failure : report.failures) {
      ++failures_[failure.kind];
      fmt::print(">>> {}: {}\n    {}\n", failure.kind, failure.command, failure.detail);
    }
    std::fflush(stdout);
  }

  [[nodiscard]] bool failed() const { return !failures_.empty(); }
  void summarise(double seconds) const {
    fmt::print("{} scenarios of seed {} in {:.0f} s; the slowest check took {:.1f} s of processor time (scenario {})\n",
               tried_, options_.seed, seconds, slowest_, slowest_number_);
    for (const auto& [what, times] : counts_) fmt::print("{:7} {}\n", times, what);
    for (const auto& [kind, times] : failures_) fmt::print("{:7} FAILED: {}\n", times, kind);
  }

 private:
  Options options_;
  Limits limits_;
  fs::path folder_;
  std::mutex mutex_;
  std::uint64_t tried_ = 0, slowest_number_ = 0;
  double slowest_ = 0;
  std::map<std::string, int> counts_, failures_;
};

std::uint64_t number_of(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) throw std::runtime_error(text + " is not a number");
  return number;
}

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i], value = argv[i + 1];
    if (flag == "--keep") {
      options.keep = fs::absolute(value);
    } else if (flag == "--program") {
      options.program = fs::absolute(value);
    } else if (flag == "--count") {
      options.count = number_of(value);
    } else if (flag == "--seed") {
      options.seed = number_of(value);
    } else if (flag == "--only") {
      options.only = number_of(value);
    } else if (flag == "--jobs") {
      options.jobs = number_of(value);
    } else if (flag == "--slower") {
      options.slower = number_of(value);
    } else {
      throw std::runtime_error(flag + " is not a flag");
    }
  }
  if (argc % 2 == 0) throw std::runtime_error(std::string(argv[argc - 1]) + " needs a value");
  return options;
}

}  // namespace
}  // namespace orrery::generator

int main(int argc, char** argv) {
  using namespace orrery::generator;
  try {
    const Options options = options_of(argc, argv);
    std::printf("seed %llu\n", static_cast<unsigned long long>(options.seed));
    std::fflush(stdout);
    Generator generator(options);
    if (!options.only) return generator.all();
    generator.one(*options.only);
    generator.summarise(0);
    return generator.failed() ? 1 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generator: %s\n", error.what());
    return 2;
  }
}
