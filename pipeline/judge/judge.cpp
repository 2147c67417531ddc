// SPDX-License-Identifier: MIT
#include "pipeline/judge/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "pipeline/judge/search.hpp"

namespace orrery::pipeline::judging {
namespace {

/// Lengths of steps, in dt, that a program may have taken.
std::vector<double> parts_of(const Search& search, const std::vector<double>& steps) {
  std::vector<double> wished{1};
  if (const double spacing = steps.size() > 1 ? std::abs(steps[1] - steps[0]) : 1; spacing > 0)
    for (const double by : {1.0, 0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01}) wished.push_back(spacing * by);
  for (const double by : {0.5, 2.0, 0.25, 4.0, 0.1, 10.0, 0.2, 5.0, 1.0 / 3, 3.0, 0.125, 0.01}) wished.push_back(by);
  std::vector<double> parts;
  for (const double part : wished)
    if (search.admits(part) && std::ranges::none_of(parts, [&](double one) { return std::abs(one / part - 1) < 1e-9; }))
      parts.push_back(part);
  return parts;
}

std::string step_in_words(double part) {
  if (std::abs(part - 1) < 1e-9) return "dt";
  const double inverse = 1 / part;
  if (part < 1 && std::abs(inverse - std::round(inverse)) < 1e-6) return fmt::format("dt/{:.0f}", inverse);
  return fmt::format("{:.6g} dt", part);
}

/// Everything that is judged under one assumption of when the frames are and from where they begin.
class Trial {
 public:
  Trial(const GivenFrames& mine, const Exercise& exercise, const Problem& problem, const std::vector<double>& steps)
      : exercise_(exercise),
        problem_(problem),
        search_(mine, problem_, steps, exercise.dt, exercise.G),
        parts_(parts_of(search_, steps)),
        faults_(faults(problem_)),
        knobs_(knobs(problem_, exercise.G, exercise.dt)) {}

  Search& search() { return search_; }
  [[nodiscard]] bool shows_forces() const { return search_.first() < search_.frames(); }

  /// Right programs whose numbers these are.
  std::vector<Match> right() {
    std::vector<Candidate> all;
    for (const double part : parts_)
      for (const Method& method : methods())
        if (method.order > 0) all.push_back({.method = &method, .part = part});
    rights_ = search_.compared(all, std::min(search_.first() + 6, search_.frames()));
    std::vector<Match> found;
    for (const Match& match : rights_)
      if (match.whole) found.push_back(match);
    if (found.empty()) found = search_.followed(all, search_.tolerance());
    std::ranges::stable_sort(found, {}, [&](const Match& match) {
      return std::pair(&match.candidate.method->key[0] != &intended()->key[0] || match.candidate.part != 1,
                       std::abs(std::log(match.candidate.part)));
    });
    return found;
  }

  /// Programs with one thing wrong.
  std::vector<Match> one_fault() {
    std::vector<Candidate> all;
    for (const double part : parts_) {
      for (const Method& method : methods()) {
        const Candidate plain{.method = &method, .part = part};
        if (method.order == 0) {
          all.push_back(plain);
          continue;
        }
        for (const Candidate& late : later(plain)) all.push_back(late);
        for (const Mistake& fault : faults_) all.push_back(with(plain, fault));
      }
    }
    std::vector<Match> found = search_.followed(all, search_.tolerance());
    // Numbers that are off by a factor may fit as well.
    std::vector<Candidate> plain;
    for (const Method& method : methods()) {
      const bool likely = found.empty() || &method == intended() || std::ranges::any_of(found, [&](const Match& match) {
                            return match.candidate.method == &method;
                          });
      if (method.order > 0 && likely) plain.push_back({.method = &method});
    }
    for (Match& match : search_.followed(search_.fitted(plain, knobs_, true), search_.tolerance()))
      found.push_back(std::move(match));
    return found;
  }

  /// Right programs, and those with one fault, that compute in float.
  std::vector<Match> in_single(bool with_faults) {
    std::vector<Candidate> all;
    for (const Method& method : methods()) {
      Candidate plain{.method = &method, .single = true};
      if (method.order > 0 && !with_faults) all.push_back(plain);
      if (!with_faults) continue;
      if (method.order == 0) all.push_back(plain);
      for (const Mistake& fault : faults_)
        if (method.order > 0) all.push_back(with(plain, fault));
    }
    return search_.followed(all, search_.single_tolerance());
  }

  std::vector<Match> two_faults() {
    std::vector<Candidate> all;
    for (const Method& method : methods()) {
      const Candidate plain{.method = &method};
      for (std::size_t a = 0; a < faults_.size(); ++a) {
        const Candidate one = with(plain, faults_[a]);
        if (method.order == 0) all.push_back(one);
        for (const Candidate& late : later(one)) all.push_back(late);
        for (std::size_t b = a + 1; b < faults_.size() && method.order > 0; ++b) all.push_back(with(one, faults_[b]));
      }
      if (method.order == 0)
        for (const Candidate& late : later(plain)) all.push_back(late);
    }
    std::vector<Match> found = search_.followed(all, search_.tolerance());
    if (!found.empty()) return found;
    std::vector<Candidate> plain;
    for (const Method& method : methods()) {
      if (method.order == 0) {
        plain.push_back({.method = &method});
        continue;
      }
      for (const Candidate& late : later({.method = &method})) plain.push_back(late);
      for (const Mistake& fault : faults_) plain.push_back(with({.method = &method}, fault));
    }
    return search_.followed(search_.fitted(plain, knobs_, true), search_.tolerance());
  }

  /// The programs with one fault that come nearest, whatever their method, best first.
  std::vector<Match> nearest(std::size_t frames) {
    std::vector<Candidate> all, plain;
    for (const char* key : {"leapfrog", "rk4", "kick-drift", "drift-kick", "explicit-euler"}) {
      plain.push_back({.method = &method_named(key)});
      for (const Mistake& fault : faults_) all.push_back(with(plain.back(), fault));
    }
    for (Candidate& one : search_.fitted(plain, knobs_, false)) all.push_back(std::move(one));
    for (const Method& method : methods())
      if (method.order == 0) all.push_back({.method = &method});
    return sorted(search_.compared(all, frames), frames);
  }
  std::vector<Match> nearest_right(std::size_t frames) { return sorted(rights_, frames); }

  const Method* intended() const {
    const Method* method = method_of(exercise_.integrator);
    return method != nullptr ? method : &method_named("leapfrog");
  }

 private:
  static Candidate with(Candidate candidate, const Mistake& fault) {
    candidate.faults.push_back(&fault);
    return candidate;
  }
  /// The same one step or one frame late or early.
  std::vector<Candidate> later(const Candidate& plain) const {
    std::vector<Candidate> all;
    const double spacing = search_.frames() > 1 ? (search_.time(1) - search_.time(0)) / exercise_.dt / plain.part : 1;
    std::vector<int> steps{1, -1};
    if (spacing > 1.5 && spacing < 1e9)
      for (const int sign : {1, -1}) steps.push_back(sign * static_cast<int>(std::lround(spacing)));
    for (const int late : steps) {
      Candidate one = plain;
      one.late = late;
      all.push_back(one);
    }
    return all;
  }
  std::vector<Match> sorted(std::vector<Match> matches, std::size_t frames) const {
    std::ranges::stable_sort(matches, {},
                             [&](const Match& match) { return match.mean_log(search_.tolerance(), frames); });
    return matches;
  }

  const Exercise& exercise_;
  Problem problem_;
  Search search_;
  std::vector<double> parts_;
  std::vector<Mistake> faults_;
  std::vector<Knob> knobs_;
  std::vector<Match> rights_;
};

std::string program_in_words(const Candidate& one) {
  std::string words(one.method->name);
  if (one.part != 1) words += ", step " + step_in_words(one.part);
  return words;
}

/// What is wrong, without methods that are right.
std::string wrongs_in_words(const Candidate& one) {
  std::vector<std::string> all;
  if (one.method->order == 0) all.emplace_back(one.method->name);
  for (const Mistake* fault : one.faults) all.push_back(fault->name);
  for (const auto& [knob, factor] : one.knobs) all.push_back(knob->name(factor));
  if (one.late != 0)
    all.push_back(fmt::format("frames are {} step{} {} than they should be", std::abs(one.late),
                              std::abs(one.late) == 1 ? "" : "s", one.late > 0 ? "later" : "earlier"));
  if (one.single) all.emplace_back("positions and velocities are floats (single precision)");
  return fmt::format("{}", fmt::join(all, "; and "));
}

std::string looks_of(const Candidate& one) {
  if (!one.faults.empty()) return one.faults.front()->looks;
  if (!one.knobs.empty()) return one.knobs.front().first->looks;
  if (one.late != 0) return "the same orbits, shifted in time";
  if (one.single) return "energy wanders by rounding, about 10⁻⁷ per step, and the smallest changes are lost";
  return std::string(one.method->looks);
}

std::vector<std::string> keys_of(const Candidate& one) {
  std::vector<std::string> keys{std::string(one.method->key)};
  for (const Mistake* fault : one.faults) keys.push_back(fault->key);
  for (const auto& [knob, factor] : one.knobs) keys.push_back(knob->key);
  if (one.late != 0) keys.push_back(fmt::format("late-{}", one.late));
  if (one.single) keys.emplace_back("single");
  return keys;
}

/// What the velocities of a program that the positions follow say; "" if they agree or there are none.
std::pair<std::string, std::string> velocities_in_words(const Search& search, const Candidate& one) {
  if (!search.have_velocities() || search.frames() < 2) return {};
  const std::size_t frame = std::min(search.first(), search.frames() - 1);
  const double tolerance = search.velocity_tolerance(frame);
  if (search.velocity_distance(one, frame, 0) <= tolerance) return {};
  for (const auto& [shift, words] : {std::pair(0.5, "half a step later"), std::pair(-0.5, "half a step earlier")})
    if (search.velocity_distance(one, frame, shift) <= tolerance)
      return {fmt::format("velocities are those of {} than positions", words),
              "energies computed of both swing by an error proportional to dt"};
  for (const int late : {1, -1}) {
    Candidate other = one;
    other.late += late;
    if (search.velocity_distance(other, frame, 0) <= tolerance)
      return {fmt::format("velocities are those of one step {} than positions", late > 0 ? "later" : "earlier"),
              "energies computed of both are wrong by an error proportional to dt"};
  }
  for (const auto& [shift, words] : {std::pair(1.0, "later"), std::pair(-1.0, "earlier")})
    if (search.velocity_distance(one, frame, shift) <= tolerance)
      return {fmt::format("velocities have one kick {} than positions", shift > 0 ? "more" : "less"),
              "energies computed of both are wrong by an error proportional to dt"};
  if (const auto [factor, rest] = search.velocity_factor(one, frame); rest <= tolerance)
    return {fmt::format("velocities are those of the positions times {:.7g}", factor),
            "energies computed of both are wrong"};
  return {"positions are right, but velocities are not those that belong to them",
          "energies computed of both are wrong"};
}

class Verdicts {
 public:
  Verdicts(const GivenFrames& mine, const Exercise& exercise) : mine_(mine), exercise_(exercise) {}

  std::vector<std::string> remarks;

  Judgement right(Trial& trial, const std::vector<Match>& found, const std::string& start) {
    const Candidate& best = found.front().candidate;
    const Search& search = trial.search();
    const bool same = best.method == trial.intended() && best.part == 1 &&
                      (method_of(exercise_.integrator) != nullptr || exercise_.integrator.empty());
    auto [wrong, looks] = velocities_in_words(search, best);
    if (!start.empty()) {
      wrong = wrong.empty() ? start : start + "; and " + wrong;
      looks = looks.empty() ? "the orbits of another problem" : looks;
    }
    Judgement judgement{.finding = !wrong.empty() ? Finding::fault
                                   : same         ? Finding::as_scenario
                                                  : Finding::other_method,
                        .program = wrong.empty() ? program_in_words(best) : wrong,
                        .keys = keys_of(best),
                        .report = {}};
    Report& report = judgement.report;
    if (!wrong.empty()) {
      if (start.empty()) judgement.keys.emplace_back("velocities");
      if (!start.empty()) judgement.keys.emplace_back("start");
      head(report, judgement.finding, "something is wrong: " + wrong);
      report.add("fault", wrong);
      report.add("looks_like", looks);
      report.add("program", program_in_words(best));
    } else {
      head(report, judgement.finding,
           same ? "right: these are the numbers of the scenario's method and step"
                : fmt::format("right: a program with another {} than the scenario's `{}`{}",
                              best.method == trial.intended() ? "step" : "method", exercise_.integrator,
                              best.method->order == 1 ? ", of first order only" : ""));
      report.add("program", program_in_words(best));
      if (!best.method->looks.empty()) report.add("looks_like", std::string(best.method->looks));
    }
    others(report, found, [](const Candidate& one) { return program_in_words(one); });
    tail(report, search, found.front());
    return judgement;
  }

  Judgement fault(Trial& trial, std::vector<Match> found, const std::string& start, bool near = false) {
    std::ranges::stable_sort(found, {}, [&](const Match& match) {
      const Candidate& one = match.candidate;
      return std::tuple(one.wrongs(),
                        one.method->order == 0           ? 0
                        : one.method == trial.intended() ? 1
                                                         : 2,
                        std::abs(std::log(one.part)), one.knobs.size());
    });
    const Candidate& best = found.front().candidate;
    auto [velocities, more] = near ? std::pair<std::string, std::string>() : velocities_in_words(trial.search(), best);
    std::string wrong = wrongs_in_words(best);
    if (!start.empty()) wrong = start + "; and " + wrong;
    if (!velocities.empty() && best.method->order > 0) wrong += "; and " + velocities;
    Judgement judgement{.finding = Finding::fault, .program = wrong, .keys = keys_of(best), .report = {}};
    if (!start.empty()) judgement.keys.emplace_back("start");
    Report& report = judgement.report;
    std::vector<std::string> same;
    for (const Match& match : found) {
      std::string words = wrongs_in_words(match.candidate);
      if (match.candidate.wrongs() > best.wrongs() || words == wrongs_in_words(best) || same.size() > 3) continue;
      if (std::ranges::find(same, words) == same.end()) same.push_back(std::move(words));
    }
    head(report, judgement.finding,
         fmt::format("something is wrong{}{}: {}{}{}", near ? ", most probably" : "",
                     same.empty() ? "" : ", one of these", wrong, same.empty() ? "" : "; or ",
                     fmt::join(same, "; or ")));
    report.add("fault", wrong);
    if (!same.empty())
      report.add("or", same, fmt::format("{} (these frames do not tell them apart)", fmt::join(same, "; or ")));
    report.add("looks_like", looks_of(best));
    if (best.method->order > 0) report.add("program", program_in_words(best));
    if (best.method->order == 0 && best.part != 1) report.add("step", step_in_words(best.part));
    if (!near) {
      tail(report, trial.search(), found.front());
    } else {
      report.add("how_closely", "not to rounding: the rest of the program is not one that is known");
      remarks_into(report);
    }
    return judgement;
  }

  Judgement unnamed(Trial& trial, double error, double usual, std::size_t frame) {
    Judgement judgement{
        .finding = Finding::other_method, .program = "a right method", .keys = {"unknown"}, .report = {}};
    head(judgement.report, judgement.finding, "right: as near to the exact solution as a method of second order is");
    judgement.report.add(
        "program",
        "none of those that are known to the last digits: another method or step, or constants of other digits");
    judgement.report.add(
        "error", error,
        fmt::format("{:.2g} at t = {:.6g}, relative to the size of the system; leapfrog with dt has {:.2g}", error,
                    trial.search().time(frame), usual));
    remarks_into(judgement.report);
    return judgement;
  }

  /// `off`: distances from the exact solution.
  Judgement none(Trial& trial, const std::vector<double>& off) {
    Judgement judgement{.finding = Finding::none, .program = "none of these", .keys = {}, .report = {}};
    std::size_t parted = 0;
    while (parted + 1 < off.size() && off[parted] < 0.01) ++parted;
    const bool near = parted > 2 * trial.search().first() + 3;
    head(judgement.report, judgement.finding,
         near ? "none of these programs, but near the solution at first: a method with greater errors, or something "
                "small is wrong"
              : "none of these programs, and not near the solution");
    if (!off.empty())
      judgement.report.add(
          "error", off[parted],
          fmt::format("{:.2g} of the size of the system at t = {:.6g}", off[parted], trial.search().time(parted)));
    if (trial.search().exhausted())
      remarks.emplace_back("not all programs were tried: with so many bodies and steps that takes too long");
    remarks_into(judgement.report);
    return judgement;
  }

  Judgement undecided(const std::string& why) {
    Judgement judgement{.finding = Finding::undecided, .program = "", .keys = {}, .report = {}};
    head(judgement.report, judgement.finding, "cannot tell: " + why);
    remarks_into(judgement.report);
    return judgement;
  }

 private:
  static void head(Report& report, Finding finding, const std::string& text) {
    report.add("verdict", std::string(name_of(finding)), text);
  }
  template <class Words>
  static void others(Report& report, const std::vector<Match>& found, const Words& words) {
    std::vector<std::string> also;
    for (std::size_t k = 1; k < found.size() && also.size() < 5; ++k) {
      std::string one = words(found[k].candidate);
      if (one != words(found[0].candidate) && std::ranges::find(also, one) == also.end())
        also.push_back(std::move(one));
    }
    if (!also.empty())
      report.add("also_fits", also, fmt::format("{} (the frames do not tell them apart)", fmt::join(also, "; or ")));
  }
  void tail(Report& report, const Search& search, const Match& match) const {
    const std::size_t last = match.frames - 1;
    report.add(
        "followed_until", search.time(last),
        fmt::format("t = {:.6g}, frame {} of {}{}", search.time(last), last, mine_.all - 1,
                    match.frames == search.frames() && match.frames < mine_.frames.size()
                        ? ": later ones were not compared, by when rounding has grown too much or steps are too many"
                        : ""));
    double most = 0;
    for (std::size_t i = 0; i < match.frames; ++i) most = std::max(most, match.distance[i]);
    report.add("distance", most, fmt::format("at most {:.2g} of the size of the system, which is rounding", most));
    remarks_into(report);
  }
  void remarks_into(Report& report) const {
    if (!remarks.empty()) report.add("note", remarks, fmt::format("{}", fmt::join(remarks, "; ")));
  }

  const GivenFrames& mine_;
  const Exercise& exercise_;
};

/// How the first frame differs from the start of the scenario, if it does.
std::string start_in_words(const GivenFrames& mine, const Exercise& exercise) {
  const Problem& problem = exercise.problem;
  const State& first = mine.frames.front();
  const auto describe = [&](const char* what, const std::vector<double>& a,
                            const std::vector<double>& b) -> std::string {
    double scale = 0, product = 0, square = 0;
    for (std::size_t c = 0; c < b.size(); ++c) {
      scale = std::max(scale, std::abs(b[c]));
      product += a[c] * b[c];
      square += b[c] * b[c];
    }
    const double factor = product / square;
    std::vector<std::string> bodies;
    bool scaled = true, any = false;
    for (std::size_t i = 0; i < problem.bodies(); ++i) {
      bool differs = false;
      for (std::size_t c = 3 * i; c < 3 * i + 3; ++c) {
        differs = differs || std::abs(a[c] - b[c]) > 1e-7 * scale;
        scaled = scaled && std::abs(a[c] - factor * b[c]) <= 1e-6 * std::abs(factor) * scale;
      }
      if (differs) bodies.push_back(exercise.problem.labels[i]);
      any = any || differs;
    }
    if (!any) return "";
    if (scaled && std::isfinite(factor))
      return fmt::format("initial {} are those of the scenario times {:.7g}", what, factor);
    const std::size_t count = bodies.size();
    if (count > 4) bodies.resize(4);
    return fmt::format("initial {} differ from the scenario's, of {}{}", what, fmt::join(bodies, ", "),
                       count > 4 ? fmt::format(" and {} more", count - 4) : "");
  };
  std::string words = describe("positions", first.x, problem.start.x);
  if (!first.v.empty())
    if (const std::string more = describe("velocities", first.v, problem.start.v); !more.empty())
      words += (words.empty() ? "" : "; ") + more;
  return words;
}

/// The verdict of one trial; undecided if it must be left to another.
Judgement tried(Verdicts& verdicts, const GivenFrames& mine, Trial& trial, const std::string& start, bool last) {
  Search& search = trial.search();
  if (auto found = trial.right(); !found.empty()) return verdicts.right(trial, found, start);
  if (auto found = trial.one_fault(); !found.empty()) return verdicts.fault(trial, found, start);
  std::vector<double> numbers;
  for (std::size_t i = 1; i < search.frames() && numbers.size() < 6000; ++i)
    numbers.insert(numbers.end(), mine.frames[i].x.begin(), mine.frames[i].x.end());
  const bool floats = are_floats(numbers) || (search.resolution() > 0 && search.resolution() > 3e-9);
  if (floats)
    if (auto found = trial.in_single(false); !found.empty()) return verdicts.fault(trial, found, start);
  // Any right method is about as near to the exact solution as leapfrog is.
  const std::size_t early = std::min(search.first() + 6, search.frames());
  const Candidate exact{.method = &method_named("yoshida4"), .part = 1.0 / 16};
  const Match mine_off = search.compare(exact, search.tolerance(), search.frames());
  std::vector<double> usual_off(search.frames());
  for (const char* usual : {"leapfrog", "leapfrog-dkd", "midpoint", "heun"}) {
    const std::vector<double> off = search.apart(exact, {.method = &method_named(usual)});
    for (std::size_t i = 0; i < off.size(); ++i)
      usual_off[i] = std::max({usual_off[i], std::isfinite(off[i]) ? off[i] : 0, i > 0 ? usual_off[i - 1] : 0});
  }
  double most = 0, most_usual = 0, ratio = 0;
  std::size_t at = search.first();
  for (std::size_t i = 1; i < search.frames() && (i <= search.first() || usual_off[i] < 0.1); ++i) {
    ratio = std::max(ratio, mine_off.distance[i] / (5 * usual_off[i] + 3 * search.tolerance()[i]));
    most = mine_off.distance[i];
    most_usual = usual_off[i];
    at = i;
  }
  if (ratio <= 1 && start.empty()) return verdicts.unnamed(trial, most, most_usual, at);
  if (auto found = trial.two_faults(); !found.empty()) return verdicts.fault(trial, found, start);
  if (floats)
    if (auto found = trial.in_single(true); !found.empty()) return verdicts.fault(trial, found, start);
  if (!last) return {};
  const std::vector<Match> rights = trial.nearest_right(early);
  const std::vector<Match> wrongs = trial.nearest(early);
  if (!rights.empty() && !wrongs.empty()) {
    const double far = rights.front().mean_log(search.tolerance(), early),
                 near = wrongs.front().mean_log(search.tolerance(), early);
    const auto& distances = wrongs.front().distance;
    // It must explain all but what another method may make of it.
    bool explained = distances.size() >= early;
    for (std::size_t i = 1; i < early && explained; ++i)
      explained = distances[i] <= 10 * usual_off[i] + 3 * search.tolerance()[i];
    if (explained && far - near > std::log(10.0)) {
      std::vector<Match> close;
      for (const Match& match : wrongs)
        if (match.mean_log(search.tolerance(), early) < near + std::log(2.0)) close.push_back(match);
      return verdicts.fault(trial, close, start, true);
    }
  }
  return verdicts.none(trial, mine_off.distance);
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
  verdicts.remarks = align(mine, exercise);
  if (mine.frames.size() < 2)
    return verdicts.undecided(mine.frames.empty() ? "the first frame has no numbers"
                                                  : "there is one frame, which shows no motion");
  if (exercise.problem.bodies() < 2) return verdicts.undecided("one body alone feels no force");

  const std::string start = start_in_words(mine, exercise);
  const bool own_start = !start.empty() && !mine.frames.front().v.empty();
  std::vector<Moments> all = moments(mine, exercise);
  std::optional<Judgement> best;
  for (std::size_t k = 0; k < all.size() * (own_start ? 2 : 1); ++k) {
    const bool own = k >= all.size(), last = k + 1 == all.size() * (own_start ? 2 : 1);
    const Moments& when = all[k % all.size()];
    Problem problem = exercise.problem;
    if (own) problem.start = mine.frames.front();
    Trial trial(mine, exercise, problem, when.steps);
    if (!trial.shows_forces()) {
      if (!last) continue;
      return verdicts.undecided(
          "the frames show no forces: bodies move straight on as far as their digits say, or forces are missing");
    }
    const std::vector<std::string> remarks = verdicts.remarks;
    if (!when.words.empty())
      verdicts.remarks.push_back(fmt::format("the frames have no times: they are taken to be {}", when.words));
    Judgement judgement = tried(verdicts, mine, trial, own ? start : "", last);
    if (judgement.finding != Finding::undecided && (judgement.finding != Finding::none || last)) return judgement;
    verdicts.remarks = remarks;
  }
  return verdicts.undecided("there are too few frames");
}

}  // namespace orrery::pipeline::judging
