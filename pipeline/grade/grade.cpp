// SPDX-License-Identifier: MIT
#include "pipeline/grade/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <new>
#include <optional>
#include <utility>

#include "common/error.hpp"
#include "pipeline/compare/comparison.hpp"
#include "pipeline/compare/key_differences.hpp"
#include "pipeline/formats/import.hpp"
#include "pipeline/judge/judge.hpp"
#include "pipeline/printable.hpp"
#include "pipeline/run/imported_run.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/trajectory/file_name.hpp"
#include "pipeline/trajectory/hash.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline::grading {
namespace {

namespace fs = std::filesystem;

constexpr std::array verdict_words{"same bits", "same physics", "parts",    "forged",
                                   "damaged",   "unreadable",   "too much", "empty"};
/// A hand-in has parted when its bodies are off by this part of the size of the system.
constexpr double parted = 0.01;

/// The frames of other programs as a run; nullopt for a file of orrery's.
std::optional<fs::path> imported(const Solution& solution, const Answer& answer, const fs::path& scratch,
                                 Context& context) {
  ImportOptions options{.files = solution,
                        .keys = {},
                        .units = std::string(answer.scenario->model.units->name),
                        .masses = false,
                        .folder = {}};
  if (is_trajectory_name(solution.front())) {
    const std::string_view format = format_of(solution.front()).name;
    if (format == "run" || format == "csv") return std::nullopt;  // what is no HDF5 at all is a damaged run
  }
  ImportedRun run{.read = import_frames(options),
                  .title = solution.front().filename().string(),
                  .source = solution.front().filename().string(),
                  .scenario = answer.scenario};
  if (!run.read.asked.empty()) throw Error(run.read.asked.front().why, Fault::request);
  if (const std::size_t frames = run.read.frames.size(); run.read.frames.time.empty() && frames > 1) {
    const TrajectoryReader exercise(answer.run);
    run.interval = exercise.times().back() / static_cast<double>(frames - 1);
  }
  const fs::path file = scratch / "imported.h5";
  (void)write_imported_run(std::move(run), file, context);
  return file;
}

double size_of(const sim::Vectors& at) {
  double x = 0, y = 0, z = 0, squares = 0;
  const auto n = static_cast<double>(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) x += at.x[i] / n, y += at.y[i] / n, z += at.z[i] / n;
  for (std::size_t i = 0; i < at.size(); ++i)
    squares += (at.x[i] - x) * (at.x[i] - x) + (at.y[i] - y) * (at.y[i] - y) + (at.z[i] - z) * (at.z[i] - z);
  return std::sqrt(squares / n);
}

double distance(const sim::Vectors& a, const sim::Vectors& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    squares += (a.x[i] - b.x[i]) * (a.x[i] - b.x[i]) + (a.y[i] - b.y[i]) * (a.y[i] - b.y[i]) +
               (a.z[i] - b.z[i]) * (a.z[i] - b.z[i]);
  return std::sqrt(squares / static_cast<double>(a.size()));
}

bool same_bits(const sim::Vectors& a, const sim::Vectors& b) {
  const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
    return std::ranges::equal(
        x, y, [](double p, double q) { return std::bit_cast<std::uint64_t>(p) == std::bit_cast<std::uint64_t>(q); });
  };
  return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}

void round_to_float(sim::Snapshot& state) {
  for (sim::Vectors* v : {&state.position, &state.velocity})
    for (auto* axis : {&v->x, &v->y, &v->z})
      for (double& x : *axis) x = static_cast<float>(x);
}

/// What the frames at common moments say.
struct Compared {
  std::size_t common = 0, same = 0;
  bool ends = false;            ///< the last frame of the exercise is among them
  bool whole = false;           ///< the time of the exercise is covered
  std::optional<double> parts;  ///< the time at which the distance is too great
  double greatest = 0;          ///< distance, of the size of the system
};

Compared compare(const TrajectoryReader& mine, const TrajectoryReader& exercise) {
  Compared result;
  const auto &times = exercise.times(), &own = mine.times();
  const bool velocities = mine.options().velocities && exercise.options().velocities;
  const double span = times.back() - times.front();
  const double near = 1e-9 * std::abs(span == 0 ? 1 : span);
  result.whole = (span < 0 ? own.back() <= times.back() + near : own.back() >= times.back() - near);
  double size = 0;
  for (std::size_t k = 0, m = 0; k < times.size(); ++k) {
    const double direction = span < 0 ? -1 : 1;
    while (m < own.size() && direction * (own[m] - times[k]) < -near) ++m;
    if (m == own.size()) break;
    if (std::abs(own[m] - times[k]) > near) continue;
    const sim::Snapshot a = mine.snapshot(m);
    sim::Snapshot b = exercise.snapshot(k);
    if (mine.options().single_precision) round_to_float(b);
    if (size == 0) size = size_of(b.position);
    ++result.common;
    if (same_bits(a.position, b.position) && (!velocities || same_bits(a.velocity, b.velocity))) ++result.same;
    const double off = distance(a.position, b.position) / (size > 0 ? size : 1);
    if (!(off <= result.greatest)) result.greatest = off;
    if (!result.parts && !(off < parted)) result.parts = times[k];
    result.ends = k + 1 == times.size();
  }
  return result;
}

/// The hash of everything in the frames.
std::string content_of(const TrajectoryReader& run) {
  trajectory::Hash hash;
  for (std::size_t k = 0; k < run.size(); ++k) {
    const sim::Snapshot frame = run.snapshot(k);
    for (const sim::Vectors* v : {&frame.position, &frame.velocity})
      for (const auto* axis : {&v->x, &v->y, &v->z}) hash.add(std::span<const double>(*axis));
  }
  return fmt::format("{:016x}", hash.value());
}

/// Whether a run of orrery's, and what it says, fit; empty if they do.
std::optional<Grade> own_run(const TrajectoryReader& mine, const TrajectoryReader& exercise, const Compared& compared) {
  const RunRecord& record = mine.record();
  if (!imported_from(record).empty()) return std::nullopt;
  Grade grade;
  const auto differ = differences(physics_of(mine), physics_of(exercise));
  if (compared.common > 0 && compared.same == compared.common) {
    grade.verdict = Marking::same_bits;
    grade.why = differ.empty() ? "a run of this scenario"
                               : "the frames of this scenario, by another: " + to_text(differ, "there", "here");
    if (!mine.finished() || !compared.ends)
      grade.verdict = Marking::parts, grade.why = "the same bits, but it ends before the exercise";
    return grade;
  }
  const bool method =
      std::ranges::all_of(differ, [](const KeyDifference& one) { return one.key.starts_with("integrator."); });
  if (method && !differ.empty()) return std::nullopt;  // may be right as well
  if (!differ.empty()) {
    grade.verdict = Marking::parts;
    grade.why = "another scenario: " + to_text(differ, "there", "here");
    return grade;
  }
  if (const std::string precision = provenance_of(record, "precision");
      precision != provenance_of(exercise.record(), "precision"))
    return std::nullopt;
  if (compared.common == 0) return std::nullopt;
  grade.verdict = Marking::forged;
  grade.why = fmt::format("says that orrery made it of this scenario, which has other numbers in {} of {} frames",
                          compared.common - compared.same, compared.common);
  return grade;
}

/// What another program computed.
Grade judged(const fs::path& run, const Answer& answer, const Compared& compared, Context& context) {
  Grade grade;
  using judging::Finding;
  const Setup setup = set_up_to_step(*answer.scenario, context.resources);
  judging::Judgement found;
  try {
    found = judging::judge(judging::read_frames(run, std::string(answer.scenario->model.units->name)),
                           judging::exercise_of(setup, "the exercise"));
  } catch (const Error& error) {
    found.finding = Finding::undecided;
    found.program = error.what();
  }
  const bool right = found.finding == Finding::as_scenario || found.finding == Finding::other_method;
  // Where there is nothing to be said about the program, the distance decides.
  const bool near = found.finding == Finding::undecided && compared.ends && compared.common > 1 && !compared.parts;
  grade.verdict = right || near ? Marking::same_physics : Marking::parts;
  grade.why = found.finding == Finding::none ? "no program that is known" : found.program;
  if (near) grade.why = fmt::format("within {:.1g} of the size of the system", compared.greatest);
  if (right && !compared.whole) {
    grade.verdict = Marking::parts;
    grade.why += ", but it ends before the exercise";
  }
  return grade;
}

Grade graded(const Solution& solution, const Answer& answer, const fs::path& scratch, Context& context) {
  Grade grade;
  try {
    const auto frames = imported(solution, answer, scratch, context);
    const fs::path file = frames.value_or(solution.front());
    const TrajectoryReader exercise(answer.run);
    std::optional<TrajectoryReader> opened;
    try {
      opened.emplace(file);
    } catch (const Error& damage) {
      return {.verdict = Marking::damaged, .why = damage.what()};
    }
    const TrajectoryReader& mine = *opened;
    if (mine.size() == 0) return {.verdict = Marking::empty, .why = "has no frames"};
    if (mine.bodies().size() != exercise.bodies().size())
      return {.verdict = Marking::unreadable,
              .why = fmt::format("has {} bodies, the exercise {}", mine.bodies().size(), exercise.bodies().size())};
    Compared compared;
    std::string content;
    try {
      compared = compare(mine, exercise);
      content = content_of(mine);
    } catch (const Error& damage) {
      return {.verdict = Marking::damaged, .why = damage.what()};
    }
    if (auto own = own_run(mine, exercise, compared)) {
      grade = std::move(*own);
    } else if (compared.common > 1 && compared.same == compared.common && compared.ends) {
      grade.verdict = Marking::same_bits;
      grade.why = fmt::format("all of {} frames", compared.common);
    } else {
      grade = judged(file, answer, compared, context);
    }
    if (compared.parts && grade.verdict != Marking::same_bits) grade.until = fmt::format("{:.6g}", *compared.parts);
    if (const auto end = mine.restart(); compared.ends && end) grade.state = state_hash(*end);
    grade.content = std::move(content);
  } catch (const std::bad_alloc&) {
    grade = {.verdict = Marking::too_much, .why = "needs more memory than a hand-in may"};
  } catch (const std::exception& error) {
    grade = {.verdict = Marking::unreadable, .why = error.what()};
  }
  return grade;
}

}  // namespace

std::string_view words_of(Marking verdict) {
  return verdict_words[static_cast<std::size_t>(verdict)];
}

Grade grade_of(const Solution& solution, const Answer& answer, const fs::path& scratch, Context& context) {
  Grade grade = graded(solution, answer, scratch, context);
  // Messages begin with the file, which has its own column.
  for (const std::string& file : {solution.front().string(), (scratch / "imported.h5").string()})
    if (grade.why.starts_with(file + ":")) grade.why.erase(0, file.size() + 1);
  grade.why.erase(0, grade.why.find_first_not_of(' '));
  return grade;
}

std::string text_of(const Grade& grade) {
  std::string text = fmt::format("{}\n", static_cast<std::size_t>(grade.verdict));
  for (const std::string* one : {&grade.why, &grade.until, &grade.state, &grade.content})
    text += printable(*one) + "\n";
  return text + "end\n";
}

Grade grade_in(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  Grade grade{.verdict = Marking::too_much, .why = "needs more time, memory or disk than a hand-in may"};
  if (lines.size() != 7 || lines[5] != "end" || lines[0].size() != 1) return grade;
  grade.verdict = static_cast<Marking>(std::clamp(lines[0][0] - '0', 0, static_cast<int>(Marking::empty)));
  grade.why = lines[1], grade.until = lines[2], grade.state = lines[3], grade.content = lines[4];
  return grade;
}

}  // namespace orrery::pipeline::grading
