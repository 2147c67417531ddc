// SPDX-License-Identifier: MIT
#include "pipeline/judge/verdicts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace orrery::pipeline::judging {
namespace {

/// Of constants with other digits: years of 365 or 365.25 days, 6.67 or 6.674 in G.
constexpr double slight_difference = 1e-3;

std::string step_in_words(double part) {
  if (std::abs(part - 1) < 1e-9) return "dt";
  const double inverse = 1 / part;
  if (part < 1 && std::abs(inverse - std::round(inverse)) < 1e-6) return fmt::format("dt/{:.0f}", inverse);
  return fmt::format("{:.6g} dt", part);
}

std::string program_in_words(const Candidate& one) {
  std::string words(one.method->name);
  if (one.part != 1) words += ", step " + step_in_words(one.part);
  return words;
}

bool is_slight(const std::pair<const Knob*, double>& knob) {
  return std::abs(knob.second - 1) < slight_difference;
}

/// How many things are wrong with a program.
std::size_t wrongs(const Candidate& one) {
  return one.wrongs() - static_cast<std::size_t>(std::ranges::count_if(one.knobs, is_slight));
}

/// What is wrong, without methods that are right.
std::string wrongs_in_words(const Candidate& one) {
  std::vector<std::string> all;
  if (one.method->order == 0) all.emplace_back(one.method->name);
  for (const Mistake* fault : one.faults) all.push_back(fault->name);
  for (const auto& knob : one.knobs)
    if (!is_slight(knob)) all.push_back(knob.first->name(knob.second));
  if (one.late != 0)
    all.push_back(fmt::format("frames are {} step{} {} than they should be", std::abs(one.late),
                              std::abs(one.late) == 1 ? "" : "s", one.late > 0 ? "later" : "earlier"));
  if (one.single) all.emplace_back("positions and velocities are floats (single precision)");
  return fmt::format("{}", fmt::join(all, "; and "));
}

/// What differs only as constants with other digits do.
std::vector<std::string> slight_in_words(const Candidate& one) {
  std::vector<std::string> all;
  for (const auto& knob : one.knobs)
    if (is_slight(knob)) all.push_back(knob.first->name(knob.second) + ": a constant with other digits?");
  return all;
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

/// The same of what is wrong alone.
std::vector<std::string> wrong_keys_of(Candidate one) {
  std::erase_if(one.knobs, is_slight);
  std::vector<std::string> keys = keys_of(one);
  if (one.method->order > 0) keys.erase(keys.begin());
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
  if (const auto [factor, rest] = search.velocity_factor(one, frame); rest <= tolerance) {
    if (std::abs(factor - 1) < slight_difference) return {};
    return {fmt::format("velocities are those of the positions times {:.7g}", factor),
            "energies computed of both are wrong"};
  }
  return {"positions are right, but velocities are not those that belong to them",
          "energies computed of both are wrong"};
}

void begin(Judgement& judgement, const std::string& text) {
  judgement.report.add("verdict", std::string(name_of(judgement.finding)), text);
}

/// The words for others than the first, at most four, each kind once.
template <class Words, class Kind>
std::vector<std::string> others(const std::vector<Match>& found, const Words& words, const Kind& kind) {
  std::vector<std::string> all;
  std::vector<decltype(kind(found.front().candidate))> kinds{kind(found.front().candidate)};
  for (const Match& match : found) {
    if (std::ranges::find(kinds, kind(match.candidate)) != kinds.end() || all.size() == 4) continue;
    kinds.push_back(kind(match.candidate));
    all.push_back(words(match.candidate));
  }
  return all;
}

}  // namespace

StartDifference start_difference(const GivenFrames& mine, const Exercise& exercise) {
  const Problem& problem = exercise.problem;
  const State& first = mine.frames.front();
  bool slight = true;
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
    double most = 0;
    for (std::size_t i = 0; i < problem.bodies(); ++i) {
      bool differs = false;
      for (std::size_t c = 3 * i; c < 3 * i + 3; ++c) {
        most = std::max(most, std::abs(a[c] - b[c]));
        differs = differs || std::abs(a[c] - b[c]) > 1e-7 * scale;
        scaled = scaled && std::abs(a[c] - factor * b[c]) <= 1e-6 * std::abs(factor) * scale;
      }
      if (differs) bodies.push_back(exercise.problem.labels[i]);
      any = any || differs;
    }
    if (!any) return "";
    slight = slight && most < slight_difference * scale;
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
  return {words, slight};
}

bool velocities_agree(const Search& search, const Candidate& candidate) {
  return velocities_in_words(search, candidate).first.empty();
}

Judgement Verdicts::right(const Trial& trial, const std::vector<Match>& found, const std::string& start) const {
  const Candidate& best = found.front().candidate;
  const std::vector<std::string> slight = slight_in_words(best);
  auto [wrong, looks] = velocities_in_words(trial.search(), best);
  std::vector<std::string> keys = keys_of(best);
  if (!wrong.empty()) keys.emplace_back("velocities");
  if (!start.empty()) {
    keys.emplace_back("start");
    wrong = wrong.empty() ? start : start + "; and " + wrong;
    if (looks.empty())
      looks = start.starts_with("frames") ? "the same orbits at other times" : "the orbits of another problem";
  }
  const bool same_method = best.method->key == exercise_.integrator || best.method == method_of(exercise_.integrator);
  Judgement judgement{.finding = !wrong.empty()                  ? Finding::fault
                                 : same_method && best.part == 1 ? Finding::as_scenario
                                                                 : Finding::other_method,
                      .program = wrong.empty() ? program_in_words(best) : wrong,
                      .keys = keys,
                      .report = {}};
  Report& report = judgement.report;
  if (!wrong.empty()) {
    begin(judgement, "something is wrong: " + wrong);
    report.add("fault", wrong);
    report.add("looks_like", looks);
  } else if (judgement.finding == Finding::as_scenario) {
    begin(judgement, fmt::format("right: the method and step of the scenario{}",
                                 slight.empty() ? ", and its numbers" : ", with constants that differ slightly"));
  } else {
    begin(judgement,
          fmt::format("right: a program with another {} than the scenario's `{}`{}{}", same_method ? "step" : "method",
                      exercise_.integrator, best.method->order == 1 ? ", of first order only" : "",
                      slight.empty() ? "" : ", and constants that differ slightly"));
    if (!best.method->looks.empty()) report.add("looks_like", std::string(best.method->looks));
  }
  report.add("program", program_in_words(best));
  if (const auto also = others(found, program_in_words, program_in_words); !also.empty() && slight.empty())
    report.add("also_fits", also, fmt::format("{} (these frames do not tell them apart)", fmt::join(also, "; or ")));
  add_agreement(report, trial.search(), found.front());
  add_remarks(report, slight);
  return judgement;
}

Judgement Verdicts::fault(const Trial& trial, std::vector<Match> found, const std::string& start, bool near) const {
  std::ranges::stable_sort(found, {}, [&](const Match& match) {
    const Candidate& one = match.candidate;
    const int likely = one.method->order == 0 ? 0 : one.method == trial.intended() ? 1 : 2;
    return std::tuple(wrongs(one), near ? 0 : likely, near ? 0.0 : std::abs(std::log(one.part)),
                      near ? 0U : one.knobs.size());
  });
  const Candidate& best = found.front().candidate;
  if (wrongs(best) == 0 && !near) return right(trial, found, start);
  std::string wrong = wrongs_in_words(best);
  std::vector<std::string> keys = keys_of(best);
  if (!start.empty()) {
    wrong = start + "; and " + wrong;
    keys.emplace_back("start");
  }
  if (!near && best.method->order > 0)
    if (const auto velocities = velocities_in_words(trial.search(), best).first; !velocities.empty())
      wrong += "; and " + velocities;
  Judgement judgement{.finding = Finding::fault, .program = wrong, .keys = std::move(keys), .report = {}};
  Report& report = judgement.report;
  std::erase_if(found, [least = wrongs(best)](const Match& match) { return wrongs(match.candidate) > least; });
  const auto same = others(found, wrongs_in_words, wrong_keys_of);
  begin(judgement, fmt::format("something is wrong{}{}: {}{}{}", near ? ", most probably" : "",
                               same.empty() ? "" : ", one of these", wrong, same.empty() ? "" : "; or ",
                               fmt::join(same, "; or ")));
  report.add("fault", wrong);
  if (!same.empty())
    report.add("or", same, fmt::format("{} (these frames do not tell them apart)", fmt::join(same, "; or ")));
  report.add("looks_like", looks_of(best));
  if (best.method->order > 0) report.add("program", program_in_words(best));
  if (best.method->order == 0 && best.part != 1) report.add("step", step_in_words(best.part));
  if (near) {
    report.add("how_closely", "not to rounding: the rest of the program is not one that is known");
  } else {
    add_agreement(report, trial.search(), found.front());
  }
  add_remarks(report, slight_in_words(best));
  return judgement;
}

Judgement Verdicts::unnamed(const Trial& trial, double error, double usual, std::size_t frame) const {
  Judgement judgement{.finding = Finding::other_method, .program = "a right method", .keys = {"unknown"}, .report = {}};
  begin(judgement, "right: as near to the exact solution as a method of second order is");
  judgement.report.add("program",
                       "none of those that are known to the last digits: another method or step, or constants of other "
                       "digits");
  judgement.report.add(
      "error", error,
      fmt::format("{:.2g} at t = {:.6g}, relative to the size of the system; leapfrog with dt has {:.2g}", error,
                  trial.search().time(frame), usual));
  add_remarks(judgement.report);
  return judgement;
}

Judgement Verdicts::none(const Trial& trial, const std::vector<double>& off) const {
  Judgement judgement{.finding = Finding::none, .program = "none of these", .keys = {}, .report = {}};
  std::size_t parted = 0;
  while (parted + 1 < off.size() && off[parted] < 0.01) ++parted;
  begin(judgement, parted > 2 * trial.search().first() + 3
                       ? "none of these programs, but near the solution at first: a method with greater errors, or "
                         "something small is wrong"
                       : "none of these programs, and not near the solution");
  if (!off.empty())
    judgement.report.add(
        "error", off[parted],
        fmt::format("{:.2g} of the size of the system at t = {:.6g}", off[parted], trial.search().time(parted)));
  std::vector<std::string> more;
  if (trial.search().exhausted())
    more.emplace_back("not all programs were tried: with so many bodies and steps that takes too long");
  add_remarks(judgement.report, more);
  return judgement;
}

Judgement Verdicts::undecided(const std::string& why) const {
  Judgement judgement{.finding = Finding::undecided, .program = "", .keys = {}, .report = {}};
  begin(judgement, "cannot tell: " + why);
  add_remarks(judgement.report);
  return judgement;
}

void Verdicts::add_agreement(Report& report, const Search& search, const Match& match) const {
  const std::size_t last = match.frames - 1;
  const bool to_the_end = match.frames == mine_.frames.size();
  report.add("followed_until", search.time(last),
             fmt::format("t = {:.6g}, frame {} of {}{}", search.time(last), last, mine_.all - 1,
                         to_the_end ? ""
                                    : ": later ones were not compared, when rounding has grown too much or steps are "
                                      "too many"));
  double most = 0;
  for (std::size_t i = 0; i < match.frames; ++i) most = std::max(most, match.distance[i]);
  report.add("distance", most, fmt::format("at most {:.2g} of the size of the system, which is rounding", most));
}

void Verdicts::add_remarks(Report& report, std::vector<std::string> more) const {
  more.insert(more.begin(), remarks.begin(), remarks.end());
  if (!more.empty()) report.add("note", more, fmt::format("{}", fmt::join(more, "; ")));
}

}  // namespace orrery::pipeline::judging
