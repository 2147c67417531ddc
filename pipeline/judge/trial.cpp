// SPDX-License-Identifier: MIT
#include "pipeline/judge/trial.hpp"

#include <algorithm>
#include <cmath>

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

Candidate with(Candidate candidate, const Mistake& fault) {
  candidate.faults.push_back(&fault);
  return candidate;
}

}  // namespace

Trial::Trial(const GivenFrames& mine, const Exercise& exercise, const Problem& problem,
             const std::vector<double>& steps)
    : exercise_(exercise),
      problem_(problem),
      search_(mine, problem_, steps, exercise.dt, exercise.G),
      parts_(parts_of(search_, steps)),
      faults_(faults(problem_)),
      knobs_(knobs(problem_, exercise.G, exercise.dt)) {
  for (const Method& method : methods()) methods_.push_back(&method);
  std::ranges::stable_partition(methods_, [&](const Method* method) { return method == intended(); });
  for (Knob& knob : knobs_)
    if (knob.key == "force-factor")
      knob.guesses.insert(knob.guesses.begin(), search_.beginning({.method = intended()}).factor);
  costly_ = search_.price() > 5e5;
  if (costly_) choose_likely_ones();
}

void Trial::choose_likely_ones() {
  parts_ = {1};
  std::erase_if(methods_, [&](const Method* method) {
    const auto likely = {"leapfrog", "kick-drift", "drift-kick", "explicit-euler", "rk4"};
    return method->order > 0 && method != intended() && std::ranges::find(likely, method->key) == likely.end();
  });
  std::vector<std::pair<double, std::size_t>> misfits;
  for (std::size_t k = 0; k < faults_.size(); ++k)
    misfits.emplace_back(search_.beginning(with({.method = intended()}, faults_[k])).rest, k);
  std::ranges::sort(misfits);
  std::vector<Mistake> nearest;
  for (std::size_t k = 0; k < misfits.size() && k < 12; ++k)
    if (misfits[k].first < 3 * misfits[0].first + 0.05) nearest.push_back(faults_[misfits[k].second]);
  faults_ = std::move(nearest);
  // Masses of single bodies are among many.
  std::erase_if(knobs_, [](const Knob& knob) { return knob.key.starts_with("mass-"); });
  for (Knob& knob : knobs_) knob.guesses.resize(1);
}

const Method* Trial::intended() const {
  const Method* method = method_of(exercise_.integrator);
  return method != nullptr ? method : &method_named("leapfrog");
}

std::vector<Candidate> Trial::right_ones() const {
  std::vector<double> parts = parts_;
  for (int n = 3; n <= 64 && !costly_; n += n < 20 ? 1 : 4)
    if (search_.admits(1.0 / n) &&
        std::ranges::none_of(parts, [&](double one) { return std::abs(one * n - 1) < 1e-9; }))
      parts.push_back(1.0 / n);
  std::vector<Candidate> all;
  for (const double part : parts)
    for (const Method* method : methods_)
      if (method->order > 0) all.push_back({.method = method, .part = part});
  return all;
}

std::vector<Match> Trial::right() const {
  std::vector<Match> found;
  if (costly_) found = search_.followed({{.method = intended()}}, search_.tolerance());
  if (found.empty()) found = search_.followed(right_ones(), search_.tolerance());
  std::ranges::stable_sort(found, {}, [&](const Match& match) {
    return std::pair(match.candidate.method != intended() || match.candidate.part != 1,
                     std::abs(std::log(match.candidate.part)));
  });
  return found;
}

std::vector<Match> Trial::one_fault() const {
  std::vector<Candidate> all;
  for (const double part : parts_) {
    for (const Method* method : methods_) {
      const Candidate plain{.method = method, .part = part};
      if (method->order == 0) {
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
  for (const Method* method : methods_) {
    const bool likely = found.empty() || method == intended() || std::ranges::any_of(found, [&](const Match& match) {
                          return match.candidate.method == method;
                        });
    if (method->order > 0 && likely) plain.push_back({.method = method});
  }
  std::vector<Match> fitted = search_.followed(search_.fitted(plain, knobs_, true), search_.tolerance());
  // A body of no mass is among the faults.
  std::erase_if(fitted, [&](const Match& match) {
    return !found.empty() && std::abs(match.candidate.knobs.front().second) < 1e-9;
  });
  found.insert(found.end(), fitted.begin(), fitted.end());
  return found;
}

std::vector<Match> Trial::in_single(bool with_faults) {
  std::vector<Candidate> all;
  for (const Method* method : methods_) {
    Candidate plain{.method = method, .single = true};
    if (method->order > 0 && !with_faults) all.push_back(plain);
    if (!with_faults) continue;
    if (method->order == 0) all.push_back(plain);
    for (const Mistake& fault : faults_)
      if (method->order > 0) all.push_back(with(plain, fault));
  }
  return search_.followed(all, search_.single_tolerance());
}

std::vector<Match> Trial::two_faults() const {
  if (search_.exhausted()) return {};
  std::vector<Candidate> all;
  for (const Method* method : methods_) {
    const Candidate plain{.method = method};
    for (std::size_t a = 0; a < faults_.size(); ++a) {
      const Candidate one = with(plain, faults_[a]);
      if (method->order == 0) all.push_back(one);
      for (const Candidate& late : later(one)) all.push_back(late);
      for (std::size_t b = a + 1; b < faults_.size() && method->order > 0; ++b) all.push_back(with(one, faults_[b]));
    }
    if (method->order == 0)
      for (const Candidate& late : later(plain)) all.push_back(late);
  }
  std::vector<Match> found = search_.followed(all, search_.tolerance());
  if (!found.empty()) return found;
  std::vector<Candidate> plain;
  for (const Method* method : methods_) {
    if (method->order == 0) {
      plain.push_back({.method = method});
      continue;
    }
    for (const Candidate& late : later({.method = method})) plain.push_back(late);
    for (const Mistake& fault : faults_) plain.push_back(with({.method = method}, fault));
  }
  return search_.followed(search_.fitted(plain, knobs_, true), search_.tolerance());
}

std::vector<Match> Trial::nearest(std::size_t frames) const {
  std::vector<Candidate> all, plain;
  for (const char* key : {"leapfrog", "rk4", "kick-drift", "drift-kick", "explicit-euler"}) {
    plain.push_back({.method = &method_named(key)});
    for (const Mistake& fault : faults_) all.push_back(with(plain.back(), fault));
  }
  for (Candidate& one : search_.fitted(plain, knobs_, false)) all.push_back(std::move(one));
  for (const Method* method : methods_)
    if (method->order == 0) all.push_back({.method = method});
  return sorted(search_.compared(all, frames), frames);
}

std::vector<Match> Trial::nearest_right(std::size_t frames) const {
  return sorted(search_.compared(right_ones(), frames), frames);
}

std::vector<Candidate> Trial::later(const Candidate& plain) const {
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

std::vector<Match> Trial::sorted(std::vector<Match> matches, std::size_t frames) const {
  std::ranges::stable_sort(matches, {},
                           [&](const Match& match) { return match.mean_log(search_.tolerance(), frames); });
  return matches;
}

}  // namespace orrery::pipeline::judging
