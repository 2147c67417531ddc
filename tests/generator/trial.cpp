// SPDX-License-Identifier: MIT
#include "tests/generator/trial.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <regex>
#include <set>

#include "common/error.hpp"
#include "pipeline/export.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/boundary.hpp"
#include "tests/generator/program.hpp"

namespace orrery::generator {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// What ends a run that `check` has accepted: words of the messages about physics and arithmetic.
constexpr std::array physical{"range of numbers", " came within ", " requires steps of ", "is out of range",
                              "would cross the box"};
/// Words of libraries, which must not be the complaint.
constexpr std::array foreign{"std::", "bad_alloc", "basic_string", "vector::", "_M_", "terminate called", "HDF5-DIAG"};

std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    if (entry.is_regular_file() && name != ".output" && name != ".errors") files[entry.path()] = read(entry.path());
  }
  return files;
}

/// A number in the JSON of `check`; nullopt if it is absent or a text.
std::optional<double> number_in(const std::string& json, const std::string& key) {
  const std::regex shape("\"" + key + "\": (-?[0-9.][-+0-9.eE]*)");
  std::smatch found;
  return std::regex_search(json, found, shape) ? std::optional(std::stod(found[1])) : std::nullopt;
}

std::string state_in(const std::string& output) {
  static const std::regex shape("state ([0-9a-f]{16}) after ");
  std::smatch found;
  return std::regex_search(output, found, shape) ? found[1].str() : "";
}

class Trial {
 public:
  Trial(const Drawn& scenario, const fs::path& folder, const Limits& limits, std::uint64_t choice)
      : scenario_(scenario), folder_(folder), limits_(limits), choice_(choice) {
    std::ofstream(folder / "s.toml", std::ios::binary) << scenario.text;
  }

  Report report() {
    const Ended check = orrery({"check", "s.toml", "--json"}, limits_.hang);
    report_.check_seconds = check.seconds;
    if (check.code == 1 && !is_physical(check)) expect_code(check, {0, 2});
    expect_files({"s.toml"});
    if (!report_.failures.empty()) return report_;
    if (check.code == 2) {
      refused(check);
    } else if (check.code == 1) {  // the first force is beyond the range of numbers
      expect_code(orrery({"run", "s.toml", "-o", "run", "--quiet"}, limits_.run), {1});
      count("ended by physics at the start");
    } else if (takes_long(check.output)) {
      count("too long to run");
    } else {
      accepted();
    }
    return report_;
  }

 private:
  void count(const std::string& what) { ++report_.counts[what]; }
  void fail(const std::string& kind, const std::string& detail) {
    report_.failures.push_back({kind, detail, fmt::format("orrery {}", fmt::join(command_, " "))});
  }

  /// Runs the program, and checks what holds for any command.
  Ended orrery(const Words& words, double limit) {
    command_ = words;
    Ended ended = run(limits_.program, folder_, words, limit, limits_.patience);
    count("commands");
    if (ended.killed) {
      fail("hang", fmt::format("it did not end, nor heed SIGTERM within {} s", limits_.patience));
    } else if (ended.asked && limit == limits_.hang) {
      fail("hang", fmt::format("it did not end within {} s", limit));
    } else if (ended.code > 2 && !(ended.asked && ended.code == 143)) {
      fail(ended.code > 128 ? "signal" : "exit", fmt::format("exit code {}\n{}", ended.code, ended.errors));
    }
    if (ended.code == 1 || ended.code == 2) check_words(ended);
    if (!ended.killed) expect_no_drafts();
    return ended;
  }

  void check_words(const Ended& ended) {
    const std::string said = last_line(ended.errors);
    if (!said.starts_with("orrery: ")) fail("words", "no message at the end: " + ended.errors);
    if (said.size() > 2000) fail("words", fmt::format("a line of {} characters", said.size()));
    for (const char* word : foreign) {
      if (ended.errors.find(word) != std::string::npos) fail("words", "of a library: " + ended.errors);
    }
    const auto control = [](char c) { return (static_cast<unsigned char>(c) < 32 && c != '\n') || c == 127; };
    if (std::ranges::any_of(ended.errors, control)) fail("words", "control characters: " + ended.errors);
  }

  void expect_code(const Ended& ended, std::initializer_list<int> codes) {
    if (ended.asked || ended.code > 2 || std::ranges::find(codes, ended.code) != codes.end()) return;  // or was said
    fail("exit", fmt::format("exit code {}\n{}", ended.code, ended.errors));
  }

  void expect_no_drafts() {
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder_, none)) {
      if (entry.path().filename().string().find(".part-") != std::string::npos)
        fail("files", "left: " + entry.path().lexically_relative(folder_).string());
    }
  }

  /// Only these entries are in the folder.
  void expect_files(const std::set<std::string>& names) {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename();
      if (!name.starts_with('.') && !names.contains(name)) fail("files", "left: " + name);
    }
  }

  /// Whether `check` estimates more than a test should take.
  [[nodiscard]] bool takes_long(const std::string& json) const {
    constexpr double max_seconds = 1, max_bytes = 30e6;
    const auto seconds = number_in(json, scenario_.sweep ? "sweep_seconds" : "seconds");
    const auto bytes = number_in(json, scenario_.sweep ? "sweep_file_size" : "file_size");
    const auto steps = number_in(json, "steps");
    return seconds.value_or(0) > max_seconds || bytes.value_or(0) > max_bytes || steps.value_or(0) > 1e6 ||
           json.find("more than") != std::string::npos;
  }

  /// What `check` refuses, `run` refuses for the same reason before it writes anything.
  void refused(const Ended& check) {
    count("refused");
    const Ended run = orrery({"run", "s.toml", "-o", "run", "--quiet"}, limits_.run);
    if (run.code != 2) fail("verdict", fmt::format("check refuses, run ends with {}\n{}", run.code, check.errors));
    expect_files({"s.toml"});
  }

  void accepted() {
    const Ended run = orrery({"run", "s.toml", "-o", "run", "--quiet", "--threads", "2"}, limits_.run);
    if (run.asked) return stopped();
    if (run.code == 2) return fail("verdict", "check accepts, run ends with 2\n" + run.errors);
    if (run.code == 1) return ended_early(run);
    if (run.code != 0) return;
    count("completed");
    first_ = fs::exists(folder_ / "run/run.h5") ? "run" : "run/000";
    state_ = state_in(run.output);
    look();
    same_bits();
    again();
    pictures();
    others();
  }

  /// A run that takes longer is stopped by a signal; the rest is not tried.
  void stopped() {
    count("stopped after a while");
    if (fs::exists(folder_ / "run/run.h5")) expect_code(orrery({"info", "run/run.h5"}, limits_.hang), {0, 1});
  }

  static bool is_physical(const Ended& ended) {
    return std::ranges::any_of(physical,
                               [&](const char* word) { return ended.errors.find(word) != std::string::npos; });
  }

  void ended_early(const Ended& run) {
    if (!is_physical(run)) return fail("verdict", "check accepts, run ends with 1\n" + run.errors);
    count("ended by physics");
    if (!fs::exists(folder_ / "run/run.h5")) return;
    expect_code(orrery({"info", "run/run.h5"}, limits_.hang), {0});
    const Ended resumed = orrery({"resume", "run/run.h5", "--quiet"}, limits_.run);
    expect_code(resumed, {1, 2});
    look_into("run/run.h5");
  }

  /// The files of the run, and what the first trajectory holds.
  void look() {
    if (!fs::exists(folder_ / first_ / "run.h5")) return fail("files", "there is no run.h5");
    if (!fs::exists(folder_ / first_ / "summary.json")) fail("files", "there is no summary.json");
    for (const std::string& name : scenario_.pictures) {
      std::error_code none;
      // Pictures of all members of a sweep are beside their folders.
      if (fs::file_size(folder_ / first_ / name, none) > 0 && !none) continue;
      if (scenario_.sweep && fs::exists(folder_ / "run" / name)) continue;
      fail("files", "there is no " + name);
    }
    look_into(first_ + "/run.h5");
  }

  void look_into(const std::string& file) {
    try {
      const pipeline::TrajectoryReader reader(folder_ / file);
      const sim::Domain& domain = reader.record().domain;
      const std::size_t before = report_.failures.size();
      for (std::size_t i = 0; i < reader.size() && report_.failures.size() == before; ++i)
        look_at(reader.snapshot(i), domain, reader.options().single_precision);
      const auto state = reader.restart();
      if (state && report_.failures.size() == before) look_at(*state, domain, false);
    } catch (const Error& error) {
      fail("files", fmt::format("{} cannot be read: {}", file, error.what()));
    }
  }

  void look_at(const sim::Snapshot& at, const sim::Domain& domain, bool single) {
    const auto all = {&at.position.x, &at.position.y, &at.position.z, &at.velocity.x, &at.velocity.y, &at.velocity.z};
    for (const auto* column : all) {
      if (!std::ranges::all_of(*column, [](double x) { return std::isfinite(x); }))
        return fail("numbers", fmt::format("step {} has a number that is not finite", at.step));
    }
    const std::vector<double>* axes[] = {&at.position.x, &at.position.y, &at.position.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!domain.boundary[axis]->bounded) continue;
      const double rounding = single ? 1e-6 * (std::abs(domain.low[axis]) + domain.edges[axis]) : 0;
      const double low = domain.low[axis] - rounding, high = domain.low[axis] + domain.edges[axis] + rounding;
      for (std::size_t k = 0; k < axes[axis]->size(); ++k) {
        const double x = (*axes[axis])[k];
        if (x < low || x > high)
          return fail("box", fmt::format("step {}: body {} is at {}, outside [{}, {}]", at.step, k, x, low, high));
      }
    }
  }

  /// Every backend gives the same final state.
  void same_bits() {
    if (scenario_.sweep) return;
    if (state_.empty()) return fail("bits", "no state was printed");
    Words reference{"simulate", "s.toml", "-o", "again", "--quiet", "--backend", "reference"};
    if (scenario_.backend) reference = {"simulate", "s.toml", "-o", "again", "--quiet", "--threads", "3"};
    const Ended again = orrery(reference, limits_.run);
    if (again.asked) return;
    expect_code(again, {0});
    if (again.code == 0 && state_in(again.output) != state_)
      fail("bits", fmt::format("state {} in place of {}", state_in(again.output), state_));
  }

  /// Commands on the finished run, which leave it as it is.
  void again() {
    const std::string file = first_ + "/run.h5";
    const auto before = files_in(folder_ / first_);
    const Ended verified = orrery({"verify", file, "--quiet", "--threads", "3"}, 2 * limits_.run);
    expect_code(verified, {0});
    expect_code(orrery({"info", file}, limits_.hang), {0});
    const Ended resumed = orrery({"resume", file, "--quiet"}, limits_.hang);
    expect_code(resumed, {0});
    if (files_in(folder_ / first_) != before) fail("files", "a finished run was changed");
    if (scenario_.sweep) expect_code(orrery({"table", "run", "-o", "-"}, limits_.hang), {0});
  }

  void pictures() {
    if (scenario_.tables == 0) return;
    // Figures that compare with the run itself need not find it from another folder.
    const Ended drawn = orrery({"render", first_ + "/run.h5", "--quiet", "-o", "drawn"}, limits_.hang);
    // Figures of all members of a sweep belong to none of them.
    expect_code(drawn, scenario_.sweep ? std::initializer_list<int>{0, 2} : std::initializer_list<int>{0});
    if (drawn.code != 0) return;
    for (const std::string& name : scenario_.pictures) {
      const fs::path one = folder_ / first_ / name, other = folder_ / "drawn" / name;
      const std::string kind = one.extension();
      // Films and PDFs of different moments are compared by their size alone.
      if (!fs::exists(one) || !fs::exists(other)) continue;
      if ((kind == ".png" || kind == ".svg") && read(one) != read(other))
        fail("bits", name + " drawn again is another picture");
    }
  }

  void others() {
    const auto formats = pipeline::export_formats();
    const auto* format = formats[choice_ % formats.size()];
    expect_code(orrery({"export", first_ + "/run.h5", "--format", std::string(format->name), "-o", "e.out", "--quiet"},
                       limits_.hang),
                {0, 2});
    if (scenario_.sweep || choice_ / 8 % 3 != 0) return;
    longer();
  }

  /// A run made longer ends in the same state as one that was so long from the start.
  void longer() {
    const std::int64_t steps = pipeline::TrajectoryReader(folder_ / first_ / "run.h5").record().steps;
    const std::string set = fmt::format("integrator.steps={}", steps + 7);
    const Ended resumed = orrery({"resume", first_ + "/run.h5", "--quiet", "--set", set, "-o", "longer"}, limits_.run);
    const Ended whole = orrery({"simulate", "s.toml", "--quiet", "--set", set, "-o", "whole"}, limits_.run);
    if (resumed.asked || whole.asked) return;
    if (resumed.code != 0 || whole.code != 0) return;  // its schedule may not fit
    count("made longer");
    if (state_in(resumed.output) != state_in(whole.output))
      fail("bits",
           fmt::format("made longer: state {} in place of {}", state_in(resumed.output), state_in(whole.output)));
  }

  const Drawn& scenario_;
  fs::path folder_;
  Limits limits_;
  std::uint64_t choice_;
  Report report_;
  Words command_;
  std::string state_, first_ = "run";
};

}  // namespace

Report tried(const Drawn& scenario, const fs::path& folder, const Limits& limits, std::uint64_t choice) {
  return Trial(scenario, folder, limits, choice).report();
}

}  // namespace orrery::generator
