// SPDX-License-Identifier: MIT
#include "pipeline/judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "pipeline/judge/verdicts.hpp"

namespace orrery::pipeline::judging {
namespace {

constexpr double affordable_pairs = 1e8;  ///< of one program up to the second frame

/// Whether numbers were computed in float, as far as their digits tell.
bool may_be_floats(const GivenFrames& mine, const Search& search) {
  std::vector<double> numbers;
  for (std::size_t i = 1; i < search.frames() && numbers.size() < 6000; ++i)
    numbers.insert(numbers.end(), mine.frames[i].x.begin(), mine.frames[i].x.end());
  return are_floats(numbers) || search.resolution() > 3e-9;
}

/// Distances of the frames from the exact solution, and those of methods of second order.
struct Errors {
  std::vector<double> mine, usual;
  double ratio = 0;       ///< the greatest, with tolerances
  std::size_t frame = 0;  ///< the last at which it was taken
};
Errors errors_of(const Search& search) {
  const Candidate exact{.method = &method_named("yoshida4"), .part = search.price() > 5e5 ? 1.0 / 4 : 1.0 / 16};
  Errors errors{.mine = search.compare(exact, search.tolerance(), search.frames()).distance,
                .usual = std::vector<double>(search.frames())};
  for (const char* usual : {"leapfrog", "leapfrog-dkd", "midpoint", "heun"}) {
    const std::vector<double> off = search.apart(exact, {.method = &method_named(usual)});
    for (std::size_t i = 0; i < off.size(); ++i)
      errors.usual[i] =
          std::max({errors.usual[i], std::isfinite(off[i]) ? off[i] : 0, i > 0 ? errors.usual[i - 1] : 0});
  }
  for (std::size_t i = 1; i < search.frames() && (i <= search.first() || errors.usual[i] < 0.1); ++i) {
    errors.ratio = std::max(errors.ratio, errors.mine[i] / (5 * errors.usual[i] + 3 * search.tolerance()[i]));
    errors.frame = i;
  }
  return errors;
}

/// Of programs that the frames follow to rounding, with at most one fault; nullopt if there is none.
std::optional<Judgement> followed(const Verdicts& verdicts, const GivenFrames& mine, Trial& trial,
                                  const std::string& start) {
  const std::vector<Match> right = trial.right();
  if (!right.empty() && velocities_agree(trial.search(), right.front().candidate))
    return verdicts.right(trial, right, start);
  std::vector<Match> wrong = trial.one_fault();
  // Positions as of a right program, but not velocities: a fault that explains both is preferred.
  if (!right.empty())
    std::erase_if(wrong, [&](const Match& match) { return !velocities_agree(trial.search(), match.candidate); });
  if (!wrong.empty()) return verdicts.fault(trial, wrong, start);
  if (!right.empty()) return verdicts.right(trial, right, start);
  if (may_be_floats(mine, trial.search()))
    if (auto found = trial.in_single(false); !found.empty()) return verdicts.fault(trial, found, start);
  return std::nullopt;
}

/// Of programs with two faults. With few digits these may look like the errors of a right method, which is asked first then.
std::optional<Judgement> followed_twice(const Verdicts& verdicts, const GivenFrames& /*mine*/, Trial& trial,
                                        const std::string& start) {
  if (trial.search().resolution() > 1e-9) return std::nullopt;
  const std::vector<Match> found = trial.two_faults();
  return found.empty() ? std::nullopt : std::optional(verdicts.fault(trial, found, start));
}

/// Of all others; nullopt if there is nothing to say but "none".
std::optional<Judgement> approached(const Verdicts& verdicts, const GivenFrames& mine, Trial& trial,
                                    const std::string& start) {
  const Search& search = trial.search();
  const Errors errors = errors_of(search);
  if (errors.ratio <= 1 && start.empty())
    return verdicts.unnamed(trial, errors.mine[errors.frame], errors.usual[errors.frame], errors.frame);
  if (search.resolution() > 1e-9)
    if (auto found = trial.two_faults(); !found.empty()) return verdicts.fault(trial, found, start);
  if (may_be_floats(mine, search))
    if (auto found = trial.in_single(true); !found.empty()) return verdicts.fault(trial, found, start);

  const std::size_t early = std::min(search.first() + 6, search.frames());
  const std::vector<Match> rights = trial.nearest_right(early), wrongs = trial.nearest(early);
  if (rights.empty() || wrongs.empty()) return std::nullopt;
  const double far = rights.front().mean_log(search.tolerance(), early),
               near = wrongs.front().mean_log(search.tolerance(), early);
  // It must explain all but what another method may make of it.
  const std::vector<double>& distance = wrongs.front().distance;
  for (std::size_t i = 1; i < early; ++i)
    if (i >= distance.size() || !(distance[i] <= 10 * errors.usual[i] + 3 * search.tolerance()[i])) return std::nullopt;
  if (far - near < std::log(10.0)) return std::nullopt;
  std::vector<Match> close;
  for (const Match& match : wrongs)
    if (match.mean_log(search.tolerance(), early) < near + std::log(2.0)) close.push_back(match);
  return verdicts.fault(trial, close, start, true);
}

}  // namespace

std::string_view name_of(Finding finding) {
  switch (finding) {
    case Finding::as_scenario:
      return "as-scenario";
    case Finding::other_method:
      return "other-method";
    case Finding::fault:
      return "fault";
    case Finding::none:
      return "none";
    case Finding::undecided:
      break;
  }
  return "undecided";
}

Judgement judge(GivenFrames mine, const Exercise& exercise) {
  Verdicts verdicts(mine, exercise);
  verdicts.remarks = mine.remarks;
  for (std::string& remark : align(mine, exercise)) verdicts.remarks.push_back(std::move(remark));
  if (mine.frames.empty()) return verdicts.undecided("the first frame has no numbers");
  if (mine.frames.size() == 1) return verdicts.undecided("there is one frame, which shows no motion");
  if (exercise.problem.bodies() < 2) return verdicts.undecided("one body alone feels no force");

  // From the start of the scenario, then from the first frame, if that is another one.
  const StartDifference start = start_difference(mine, exercise);
  struct Assumption {
    std::unique_ptr<Trial> trial;
    std::string start;
    std::vector<std::string> remarks;
    bool otherwise;
  };
  std::vector<Assumption> assumptions;
  bool too_long = false;
  for (const bool own : {false, true}) {
    if (own && (start.words.empty() || mine.frames.front().v.empty())) continue;
    for (const Moments& when : moments(mine, exercise)) {
      const auto n = static_cast<double>(exercise.problem.bodies());
      if (!(2 * n * n * when.steps[1] <= affordable_pairs)) {
        too_long = true;
        continue;
      }
      Problem problem = exercise.problem;
      if (own) problem.start = mine.frames.front();
      Assumption one{.trial = std::make_unique<Trial>(mine, exercise, problem, when.steps),
                     .start = {},
                     .remarks = verdicts.remarks,
                     .otherwise = when.otherwise};
      if (!one.trial->shows_forces()) continue;
      if (!when.words.empty() && !when.otherwise)
        one.remarks.push_back("the frames have no times: they are taken to be " + when.words);
      if (own && start.slight) one.remarks.push_back(start.words + ": the comparison begins from them");
      if (own && !start.slight) one.start = start.words;
      if (when.otherwise) {
        if (own) continue;
        one.start = fmt::format("frames are not at the times that they say, but {}", when.words);
      }
      assumptions.push_back(std::move(one));
    }
  }
  if (assumptions.empty() && !too_long)
    return verdicts.undecided("the frames show no forces yet: bodies move straight on as far as their digits say");
  for (const auto work : {&followed, &followed_twice, &approached}) {
    for (Assumption& one : assumptions) {
      if (one.otherwise && work != &followed) continue;
      verdicts.remarks = one.remarks;
      if (std::optional<Judgement> judgement = work(verdicts, mine, *one.trial, one.start)) return *judgement;
    }
  }
  if (too_long && (assumptions.empty() || assumptions.front().otherwise)) {
    verdicts.remarks = mine.remarks;
    return verdicts.undecided(
        fmt::format("to step {} bodies up to the second frame takes too long for thousands of "
                    "programs: give frames after one step or a few, or fewer bodies",
                    exercise.problem.bodies()));
  }
  const Assumption& first = assumptions.front();
  verdicts.remarks = first.remarks;
  return verdicts.none(*first.trial, errors_of(first.trial->search()).mine);
}

}  // namespace orrery::pipeline::judging
