// SPDX-License-Identifier: MIT
#include "pipeline/judge/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "common/thread_pool.hpp"

namespace orrery::pipeline::judging {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();
constexpr double most_pairs = 1e8;  ///< of one comparison
constexpr double budget = 1e9;      ///< of one list of candidates
constexpr double lost = 0.03;       ///< relative distances beyond which nothing is compared

double root_mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum / static_cast<double>(a.size() / 3));
}

/// Root mean square distance of the bodies from their mean place.
double extent_of(const std::vector<double>& x) {
  std::vector<double> mean(x.size());
  const auto n = static_cast<double>(x.size() / 3);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double sum = 0;
    for (std::size_t c = axis; c < x.size(); c += 3) sum += x[c] / n;
    for (std::size_t c = axis; c < x.size(); c += 3) mean[c] = sum;
  }
  return root_mean_square(x, mean);
}

double greatest(const std::vector<double>& x) {
  double most = 0;
  for (const double one : x) most = std::max(most, std::abs(one));
  return most;
}

}  // namespace

double Match::mean_log(const std::vector<double>& tolerance, std::size_t count) const {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double d = i < distance.size() && std::isfinite(distance[i]) ? std::max(distance[i], tolerance[i]) : 1e3;
    sum += std::log(d);
  }
  return sum / static_cast<double>(std::max<std::size_t>(count, 1));
}

double resolution_of(const std::vector<double>& numbers) {
  int digits = 1;
  bool floats = true;
  const std::size_t stride = numbers.size() / 2000 + 1;
  for (std::size_t k = 0; k < numbers.size(); k += stride) {
    const double x = numbers[k];
    if (!std::isfinite(x) || x == 0) continue;
    floats = floats && static_cast<double>(static_cast<float>(x)) == x;
    while (digits < 17 && std::stod(fmt::format("{:.{}e}", x, digits - 1)) != x) ++digits;
  }
  if (floats && digits > 9) return std::ldexp(1, -24);
  return digits > 15 ? 0 : std::pow(10.0, 1 - digits);
}

bool are_floats(const std::vector<double>& numbers) {
  const std::size_t stride = numbers.size() / 2000 + 1;
  std::size_t long_ones = 0;
  for (std::size_t k = 0; k < numbers.size(); k += stride) {
    const double x = numbers[k];
    const auto y = static_cast<float>(x);
    if (!std::isfinite(y)) return false;
    char text[32];
    const auto end = std::to_chars(std::begin(text), std::end(text), y).ptr;
    double shortest = 0;
    std::from_chars(std::begin(text), end, shortest);
    const bool nine = std::stod(fmt::format("{:.8e}", static_cast<double>(y))) == x;
    if (static_cast<double>(y) != x && shortest != x && !nine) return false;
    if (std::stod(fmt::format("{:.5e}", x)) != x) ++long_ones;
  }
  return long_ones > 0;
}

Search::Search(const GivenFrames& mine, const Problem& problem, std::vector<double> steps, double dt, double G)
    : mine_(mine), problem_(problem), steps_(std::move(steps)), dt_(dt), G_(G) {
  steps_.resize(std::min(steps_.size(), mine.frames.size()));
  const double n = static_cast<double>(problem.bodies());
  // No more frames than a comparison can afford.
  std::size_t count = std::min<std::size_t>(steps_.size(), 400);
  while (count > 2 && steps_[count - 1] * n * n * 2 > most_pairs) --count;
  steps_.resize(count);

  size_ = extent_of(problem.start.x);
  if (!(size_ > 0)) size_ = std::max(greatest(problem.start.x), 1e-300);
  std::vector<double> zeros(problem.start.v.size());
  speed_ = root_mean_square(problem.start.v, zeros);
  std::vector<double> places, velocities;
  for (std::size_t i = 1; i < std::min<std::size_t>(count, 20); ++i) {
    places.insert(places.end(), mine.frames[i].x.begin(), mine.frames[i].x.end());
    velocities.insert(velocities.end(), mine.frames[i].v.begin(), mine.frames[i].v.end());
  }
  const auto fastest = root_mean_square(mine.frames[count - 1].v.empty() ? zeros : mine.frames[count - 1].v, zeros);
  if (!(speed_ > 0)) speed_ = fastest > 0 && std::isfinite(fastest) ? fastest : 1;
  const double reach = std::isfinite(greatest(places)) ? greatest(places) : size_;
  resolution_ = resolution_of(places) * reach / size_;
  if (!velocities.empty()) velocity_resolution_ = resolution_of(velocities) * greatest(velocities) / speed_;
  rounding_ = 4 * unit * std::max(1.0, greatest(problem.start.x) / size_);
  if (const double d = distance(problem.start.x, 0); steps_[0] == 0 && d > 2 * resolution_ && d < 1e-7)
    start_error_ = d;

  const Candidate plain{.method = &method_named("leapfrog")};
  growth_ = growth(plain);
  tolerance_ = tolerance_from(growth_);
  while (steps_.size() > 2 && tolerance_.back() > lost) {
    steps_.pop_back();
    tolerance_.pop_back();
    growth_.pop_back();
  }
  first_ = steps_.size();
  const std::vector<State> expected = states(made(plain), plain, steps_.size());
  for (std::size_t i = 1; i < steps_.size() && first_ == steps_.size(); ++i) {
    std::vector<double> straight = problem.start.x;
    for (std::size_t c = 0; c < straight.size(); ++c) straight[c] += problem.start.v[c] * steps_[i] * dt_;
    // Forces that are missing in the frames show as well.
    const double shown = std::max(distance(straight, i), root_mean_square(straight, expected[i].x) / size_);
    if (!(shown < 100 * tolerance_[i])) first_ = i;
  }
}

Search::Made Search::made(const Candidate& candidate) const {
  Made one{.program = {.method = candidate.method, .law = {}, .h = candidate.part * dt_, .single = candidate.single},
           .problem = problem_};
  for (const Mistake* fault : candidate.faults) fault->apply(one.program, one.problem);
  for (const auto& [knob, factor] : candidate.knobs) knob->apply(one.program, one.problem, factor);
  return one;
}

bool Search::admits(double part) const {
  for (const double s : steps_)
    if (std::abs(s / part - std::round(s / part)) > 1e-5 * std::max(1.0, 0.01 * std::abs(s / part))) return false;
  return true;
}

std::int64_t Search::step_of(const Candidate& candidate, std::size_t frame) const {
  return std::max<std::int64_t>(0, std::llround(steps_[frame] / candidate.part) + candidate.late);
}

double Search::cost(const Candidate& candidate, std::size_t frame) const {
  const auto n = static_cast<double>(problem_.bodies());
  return static_cast<double>(step_of(candidate, frame)) * n * n * evaluations(*candidate.method);
}

double Search::distance(const std::vector<double>& x, std::size_t frame) const {
  return root_mean_square(x, mine_.frames[frame].x) / size_;
}

std::vector<State> Search::states(const Made& one, const Candidate& candidate, std::size_t count) const {
  const auto running = start(one.program, one.problem);
  std::vector<State> all;
  std::int64_t done = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t to = step_of(candidate, i);
    running->step(to - done);
    done = to;
    all.push_back(running->state());
  }
  spent_ += count > 0 ? cost(candidate, count - 1) : 0;
  return all;
}

std::vector<double> Search::growth(const Candidate& candidate) const {
  constexpr double small = 1e-9;
  const Made one = made(candidate);
  Made other = one;
  for (std::size_t c = 0; c < other.problem.start.x.size(); ++c) {
    const double sign = (c * 2654435761U) % 7 < 3 ? 1 : -1;
    other.problem.start.x[c] += sign * small * size_ / std::sqrt(3.0);
    other.problem.start.v[c] -= sign * small * speed_ / std::sqrt(3.0);
  }
  const auto a = states(one, candidate, steps_.size()), b = states(other, candidate, steps_.size());
  std::vector<double> grown;
  double most = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double now = root_mean_square(a[i].x, b[i].x) / size_ / small;
    most = std::isfinite(now) ? std::max(most, now) : 1e16;
    grown.push_back(most);
  }
  return grown;
}

Tolerance Search::tolerance_from(const std::vector<double>& grown) const {
  Tolerance tolerance;
  for (std::size_t i = 0; i < grown.size(); ++i)
    tolerance.push_back(resolution_ + (rounding_ * (10 + steps_[i]) + 3 * start_error_) * grown[i]);
  return tolerance;
}

const Tolerance& Search::single_tolerance() {
  if (single_tolerance_.empty()) {
    Candidate plain{.method = &method_named("leapfrog")}, single = plain;
    single.single = true;
    single_tolerance_ = apart(plain, single);
    double most = 0;
    for (std::size_t i = 0; i < single_tolerance_.size(); ++i) {
      most = std::max(most, single_tolerance_[i]);
      single_tolerance_[i] = tolerance_[i] + 10 * most + 6e-8 * std::sqrt(1 + steps_[i]) * 4;
    }
  }
  return single_tolerance_;
}

Match Search::compare(const Candidate& candidate, const Tolerance& tolerance, std::size_t least) const {
  Match match{.candidate = candidate};
  const Made one = made(candidate);
  const auto running = start(one.program, one.problem);
  std::int64_t done = 0;
  bool within = true;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::int64_t to = step_of(candidate, i);
    running->step(to - done);
    done = to;
    match.distance.push_back(distance(running->state().x, i));
    within = within && match.distance.back() <= tolerance[i];
    if (within) match.frames = i + 1;
    if (!within && i + 1 >= least) break;
  }
  const auto n = static_cast<double>(problem_.bodies());
  spent_ += static_cast<double>(done) * n * n * evaluations(*candidate.method);
  match.whole = match.frames == steps_.size();
  return match;
}

template <class Work>
void Search::for_each(std::size_t count, const Work& work) const {
  const double before = spent_;
  thread_pool()->for_each(0, count, [&](std::size_t k) {
    if (spent_ - before > budget) {
      exhausted_ = true;
    } else {
      work(k);
    }
  });
}

std::vector<Match> Search::followed(const std::vector<Candidate>& candidates, const Tolerance& tolerance) const {
  std::vector<Match> matches(candidates.size());
  for_each(candidates.size(), [&](std::size_t k) {
    Match match = compare(candidates[k], tolerance);
    // It came some way: its own small differences may grow faster than those of the right program.
    if (!match.whole && match.frames > first_ + 1 && &tolerance == &tolerance_) {
      const Tolerance own = tolerance_from(growth(candidates[k]));
      match = compare(candidates[k], own);
      match.whole = match.whole || (match.frames > first_ + 2 && own[match.frames] > lost);
    }
    matches[k] = std::move(match);
  });
  std::erase_if(matches, [](const Match& match) { return !match.whole; });
  return matches;
}

std::vector<Match> Search::compared(const std::vector<Candidate>& candidates, std::size_t count) const {
  std::vector<Match> matches(candidates.size());
  for_each(candidates.size(), [&](std::size_t k) { matches[k] = compare(candidates[k], tolerance_, count); });
  std::erase_if(matches, [](const Match& match) { return match.candidate.method == nullptr; });
  return matches;
}

std::vector<Candidate> Search::fitted(const std::vector<Candidate>& candidates, const std::vector<Knob>& knobs,
                                      bool exactly) const {
  std::vector<std::optional<Candidate>> all(candidates.size() * knobs.size());
  for_each(all.size(),
           [&](std::size_t k) { all[k] = fitted(candidates[k / knobs.size()], knobs[k % knobs.size()], exactly); });
  std::vector<Candidate> found;
  for (std::optional<Candidate>& one : all)
    if (one) found.push_back(std::move(*one));
  return found;
}

std::optional<Candidate> Search::fitted(const Candidate& candidate, const Knob& knob, bool exactly) const {
  const std::size_t last = std::min(first_ + 4, steps_.size());
  std::optional<Candidate> best;
  double best_distance = std::numeric_limits<double>::infinity();
  for (const double guess : knob.guesses) {
    double factor = guess;
    bool sound = true;
    // Gauss and Newton: first with the first frame that shows forces, then with some more; with all if digits are few.
    std::vector<std::size_t> counts{std::min(first_ + 1, steps_.size()), last};
    if (exactly && resolution_ > 0) counts.push_back(steps_.size());
    for (const std::size_t count : counts) {
      double off = 0;
      for (int turn = 0; turn < 12 && sound; ++turn) {
        Candidate here = candidate, beside = candidate;
        const double change = 1e-7 * std::max(1e-3, std::abs(factor));
        here.knobs.emplace_back(&knob, factor);
        beside.knobs.emplace_back(&knob, factor + change);
        const auto a = states(made(here), here, count), b = states(made(beside), beside, count);
        double product = 0, square = 0;
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t c = 0; c < a[i].x.size(); ++c) {
            const double slope = (b[i].x[c] - a[i].x[c]) / change;
            product += slope * (a[i].x[c] - mine_.frames[i].x[c]);
            square += slope * slope;
          }
        }
        off = distance(a.back().x, count - 1);
        const double step = product / square;
        sound = std::isfinite(step) && std::isfinite(off);
        if (!sound) break;
        factor -= step;
        if (std::abs(step) < 1e-9 * std::abs(factor)) break;  // the next one would be 10⁻¹⁸
      }
      sound = sound && (!exactly || off <= 1e3 * tolerance_[count - 1]);
    }
    if (!sound) continue;
    Candidate found = candidate;
    found.knobs.emplace_back(&knob, factor);
    const double d = distance(states(made(found), found, last).back().x, last - 1);
    if (std::isfinite(d) && d < best_distance) {
      best_distance = d;
      best = found;
    }
    if (best_distance <= tolerance_[last - 1]) break;
  }
  return best;
}

Search::Beginning Search::beginning(const Candidate& candidate) const {
  const Made one = made(candidate);
  const std::vector<double> a = start(one.program, one.problem)->accelerations();
  const std::size_t frame = std::min(first_, steps_.size() - 1);
  std::vector<double> moved = mine_.frames[frame].x;
  double product = 0, square = 0;
  for (std::size_t c = 0; c < moved.size(); ++c) {
    moved[c] -= one.problem.start.x[c] + one.problem.start.v[c] * steps_[frame] * dt_;
    product += moved[c] * a[c];
    square += a[c] * a[c];
  }
  if (!(square > 0)) return {0, std::numeric_limits<double>::infinity()};
  double rest = 0, all = 0;
  for (std::size_t c = 0; c < moved.size(); ++c) {
    rest += std::pow(moved[c] - product / square * a[c], 2);
    all += moved[c] * moved[c];
  }
  const double t = steps_[frame] * dt_;
  return {product / square / (t * t / 2), std::sqrt(rest / all)};
}

bool Search::have_velocities() const {
  return !mine_.frames.front().v.empty();
}

double Search::velocity_tolerance(std::size_t frame) const {
  return 4 * velocity_resolution_ + 10 * tolerance_[frame] + 1e-12;
}

double Search::velocity_distance(const Candidate& candidate, std::size_t frame, double shift) const {
  const Made one = made(candidate);
  const auto running = start(one.program, one.problem);
  running->step(step_of(candidate, frame));
  State state = running->state();
  if (shift != 0) {
    const std::vector<double> a = running->accelerations();
    for (std::size_t c = 0; c < a.size(); ++c) state.v[c] += shift * one.program.h * a[c];
  }
  return root_mean_square(state.v, mine_.frames[frame].v) / speed_;
}

std::pair<double, double> Search::velocity_factor(const Candidate& candidate, std::size_t frame) const {
  const Made one = made(candidate);
  const auto running = start(one.program, one.problem);
  running->step(step_of(candidate, frame));
  State state = running->state();
  const std::vector<double>& v = mine_.frames[frame].v;
  const double factor = std::inner_product(v.begin(), v.end(), state.v.begin(), 0.0) /
                        std::inner_product(state.v.begin(), state.v.end(), state.v.begin(), 0.0);
  for (double& one_v : state.v) one_v *= factor;
  return {factor, root_mean_square(state.v, v) / speed_ / std::abs(factor)};
}

std::vector<double> Search::apart(const Candidate& a, const Candidate& b) const {
  const auto first = states(made(a), a, steps_.size()), second = states(made(b), b, steps_.size());
  std::vector<double> distances;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    distances.push_back(root_mean_square(first[i].x, second[i].x) / size_);
  return distances;
}

}  // namespace orrery::pipeline::judging
