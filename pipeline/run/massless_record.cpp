// SPDX-License-Identifier: MIT
#include "pipeline/run/massless_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/analysis/structure.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/simulation.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

using sim::Snapshot, sim::Vec3;

/// Limits of the work, so that `orrery info` stays quick: numbers read from frames, and potentials of pairs (some 10 ns
/// each) or interactions of repeated steps (some 2 ns each).
constexpr double max_numbers = 5e6, max_potentials = 2e7, max_interactions = 5e7;
constexpr std::size_t max_frames = 1000;
/// Work of a step besides its interactions, in interactions.
constexpr double step_overhead = 1000;

Vec3 at(const sim::Vectors& v, std::size_t i) {
  return {v.x[i], v.y[i], v.z[i]};
}
Vec3 minus(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// A run with bodies without mass.
class MasslessRun {
 public:
  explicit MasslessRun(const TrajectoryReader& trajectory) : trajectory_(trajectory) {
    const Scenario scenario = scenario_of(trajectory, trajectory.path());
    const RunRecord& record = trajectory.record();
    plug_ins_ = scenario.model.plug_ins;
    integrator_ = scenario.model.integrator;
    keys_ = scenario.model.keys;
    sim::Model model = scenario.model;
    model.G = record.initial_facts.G;
    model.domain = record.domain;
    sim::Bodies bodies = trajectory.bodies();
    const std::size_t n = bodies.size();
    bodies.position = bodies.velocity = sim::Vectors(n);
    system_ = system_at(scenario.tables.force, model, std::move(bodies));
    for (std::size_t i = 0; i < n; ++i) (system_.bodies.mass[i] > 0 ? massive_ : massless_).push_back(i);
    choose();
  }

  [[nodiscard]] MasslessRecord measure() {
    MasslessRecord record;
    const Snapshot first = trajectory_.snapshot(0);
    if (integrator_->bath) {
      record.not_measured = "they exchange energy with a heat bath";
    } else if (masses_rest(first)) {
      follow(record, first, {}, "Δε/|ε₀|", "Δε/(½v₀²+|φ₀|)");
    } else if (const auto omega = angular_velocity(first)) {
      follow(record, first, *omega, "ΔC/|C₀|", "ΔC/(½v₀²+|C₀−½v₀²|)");
    } else {
      repeat(record);
    }
    return record;
  }

 private:
  /// Chooses frames, and bodies if there are too many.
  void choose() {
    const auto n = static_cast<double>(system_.bodies.size()), sources = static_cast<double>(massive_.size() + 1);
    const std::size_t stored = trajectory_.size();
    const auto readable = static_cast<std::size_t>(std::max(2.0, max_numbers / (6 * n)));
    const std::size_t count = std::min({stored, readable, max_frames});
    for (std::size_t k = 0; k < count; ++k) frames_.push_back(count > 1 ? k * (stored - 1) / (count - 1) : 0);
    const double each = sources * static_cast<double>(count);
    const auto bodies = static_cast<std::size_t>(std::max(1.0, max_potentials / each));
    all_ = massless_.size();
    const std::size_t stride = (all_ + bodies - 1) / bodies;
    for (std::size_t k = 0; k * stride < all_; ++k) massless_[k] = massless_[k * stride];
    massless_.resize((all_ + stride - 1) / stride);
  }

  [[nodiscard]] std::string some_bodies() const {
    return massless_.size() == all_ ? "" : fmt::format(", {} of {} bodies", massless_.size(), all_);
  }

  /// The potential per mass of body i.
  [[nodiscard]] double potential(const Snapshot& now, std::size_t i) const {
    double sum = 0;
    const Vec3 x = at(now.position, i);
    for (const sim::PairForce& force : system_.forces) {
      double of_force = 0;
      for (const std::size_t j : massive_) {
        const Vec3 d = minus(at(now.position, j), x);
        of_force += force.source[j] * force.law->u(dot(d, d) + force.softening2, force.parameters);
      }
      sum += force.target_factor[i] * of_force;
    }
    for (const sim::ExternalField& field : system_.fields) sum += field.law->potential(field.parameters, x);
    return sum;
  }

  /// Whether masses do not move relative to each other and, in an external field, not at all.
  [[nodiscard]] bool masses_rest(const Snapshot& first) const {
    if (massive_.empty()) return true;
    const bool fixed = !system_.fields.empty();
    if (massive_.size() == 1 && !fixed) return true;
    double extent = 0;
    for (const std::size_t i : massless_) {
      const Vec3 d = minus(at(first.position, i), at(first.position, massive_.front()));
      extent = std::max(extent, std::sqrt(dot(d, d)));
    }
    for (const std::size_t frame : frames_) {
      const Snapshot now = trajectory_.snapshot(frame);
      const Vec3 moved = minus(at(now.position, massive_.front()), at(first.position, massive_.front()));
      for (const std::size_t j : massive_) {
        Vec3 d = minus(at(now.position, j), at(first.position, j));
        if (!fixed) d = minus(d, moved);
        if (!(std::sqrt(dot(d, d)) <= 1e-9 * extent)) return false;
      }
    }
    return true;
  }

  /// Returns the angular velocity of two masses on a circle.
  [[nodiscard]] std::optional<Vec3> angular_velocity(const Snapshot& first) const {
    if (massive_.size() != 2 || !system_.fields.empty() || !system_.domain.is_open()) return std::nullopt;
    const std::size_t a = massive_[0], b = massive_[1];
    const Vec3 r = minus(at(first.position, b), at(first.position, a)),
               v = minus(at(first.velocity, b), at(first.velocity, a));
    const double r2 = dot(r, r), v2 = dot(v, v);
    double pull = 0;  // acceleration of the distance, in r
    for (const sim::PairForce& force : system_.forces) {
      pull += (force.target_factor[a] * force.source[b] + force.target_factor[b] * force.source[a]) *
              force.law->force_over_r(r2 + force.softening2, force.parameters);
    }
    constexpr double circular = 1e-6;
    if (!(r2 > 0 && v2 > 0) || std::abs(dot(r, v)) > circular * std::sqrt(r2 * v2)) return std::nullopt;
    if (!(std::abs(v2 - pull * r2) <= circular * v2)) return std::nullopt;
    const Vec3 turn = cross(r, v);
    return Vec3{turn.x / r2, turn.y / r2, turn.z / r2};
  }

  /// Position and velocity of what the masses rest in or circle about; the origin in external fields.
  [[nodiscard]] std::pair<Vec3, Vec3> centre(const Snapshot& now) const {
    if (massive_.empty() || !system_.fields.empty()) return {};
    const sim::ParticleState all{system_.bodies.mass, now.position, now.velocity};
    return {sim::center_of_mass(all), sim::mean_velocity(all)};
  }

  /// ½v² and the rest of ε, or of C if `omega` is not 0, of each chosen body.
  [[nodiscard]] std::vector<sim::InitialEnergy> energies(const Snapshot& now, const Vec3& omega) const {
    const auto [center, drift] = centre(now);
    std::vector<sim::InitialEnergy> all;
    for (const std::size_t i : massless_) {
      const Vec3 v = minus(at(now.velocity, i), drift), x = minus(at(now.position, i), center);
      all.emplace_back(0.5 * dot(v, v), potential(now, i) - dot(omega, cross(x, v)));
    }
    return all;
  }

  void add(MasslessRecord& record, double time, const std::vector<double>& errors) {
    double greatest = 0;
    for (std::size_t k = 0; k < errors.size(); ++k) {
      greatest = std::max(greatest, errors[k]);
      if (errors[k] > record.greatest) {
        record.greatest = errors[k];
        record.body = system_.bodies.label(massless_[k]);
      }
    }
    record.time.push_back(time);
    record.error.push_back(greatest);
    record.last = greatest;
  }

  /// The change of a constant of motion since the start.
  void follow(MasslessRecord& record, const Snapshot& first, const Vec3& omega, const char* relative,
              const char* cancelling) {
    const auto start = energies(first, omega);
    const bool cancels = std::ranges::any_of(start, [](const auto& e) { return e.cancels(); });
    record.name = cancels ? cancelling : relative;
    for (const std::size_t frame : frames_) {
      const Snapshot now = trajectory_.snapshot(frame);
      const auto energy = energies(now, omega);
      std::vector<double> errors;
      for (std::size_t k = 0; k < start.size(); ++k) {
        // All errors of one kind have one name, so that of one body decides for all.
        const double parts = start[k].kinetic + std::abs(start[k].potential);
        const double scale = cancels ? parts : start[k].scale(), change = energy[k].total() - start[k].total();
        errors.push_back(std::abs(scale > 0 ? change / scale : change));
      }
      add(record, now.time, errors);
    }
    record.looked_at = fmt::format("{} frames{}", frames_.size(), some_bodies());
  }

  /// Repeats what lies between frames in half the steps, first where ε changes most.
  void repeat(MasslessRecord& record) {
    const sim::Integrator& method = *integrator_;
    sim::KeyValues keys = keys_;
    const bool adaptive = method.advance_to != nullptr && (keys.at.front() > 0 || method.step == nullptr);
    if (trajectory_.options().single_precision) {
      record.not_measured = "frames in float32 are too coarse to repeat a part of the run";
      return;
    }
    if (adaptive) {
      const double finer = std::max(keys.at.front() / 100, method.min_accuracy);
      if (!(finer < keys.at.front())) {
        record.not_measured =
            "the tolerance is the smallest there is, so that the run cannot be repeated with a smaller one";
        return;
      }
      keys.at.front() = finer;
    }
    struct Segment {
      std::size_t frame;
      double change;
    };
    std::vector<Segment> segments;
    for (const std::size_t frame : frames_) {
      if (frame + 1 >= trajectory_.size()) continue;
      const auto before = energies(trajectory_.snapshot(frame), {}),
                 after = energies(trajectory_.snapshot(frame + 1), {});
      double change = 0;
      for (std::size_t k = 0; k < before.size(); ++k)
        change = std::max(change, std::abs(after[k].total() - before[k].total()));
      segments.push_back({frame, change});
    }
    std::ranges::stable_sort(segments, std::greater(), &Segment::change);
    const auto state = trajectory_.restart();
    const double evaluations =
        adaptive && state && state->step > 0
            ? 4.0 * static_cast<double>(state->clock.evaluations) / static_cast<double>(state->step)
            : 2.0 * method.evaluations;
    const double step = step_overhead + evaluations * sim::solver_of(system_).interactions(system_);
    double work = 0;
    std::size_t taken = 0;
    const auto& steps = trajectory_.steps();
    for (; taken < segments.size(); ++taken) {
      const std::size_t frame = segments[taken].frame;
      work += step * static_cast<double>(steps[frame + 1] - steps[frame]);
      if (work > max_interactions) break;
    }
    if (taken == 0) {
      record.not_measured =
          segments.empty() ? "there is only one frame" : "to repeat what lies between two frames would take too long";
      return;
    }
    const std::size_t all = segments.size();
    segments.resize(taken);
    std::ranges::sort(segments, {}, &Segment::frame);
    const double dt = trajectory_.record().dt;
    const auto backend = sim::cpu_backend.make(system_, {.threads = 1});
    for (const Segment& segment : segments) {
      const Snapshot from = trajectory_.snapshot(segment.frame), to = trajectory_.snapshot(segment.frame + 1);
      backend->upload(sim::Column::position, from.position);
      backend->upload(sim::Column::velocity, from.velocity);
      sim::Simulation simulation(*backend, method, adaptive ? dt : dt / 2, keys, system_.bodies.names);
      simulation.advance((to.step - from.step) * (adaptive ? 1 : 2));
      const auto finer = energies(simulation.state(), {}), stored = energies(to, {});
      std::vector<double> errors;
      for (std::size_t k = 0; k < stored.size(); ++k) {
        const double parts = finer[k].kinetic + std::abs(finer[k].potential);
        errors.push_back(parts > 0 ? std::abs(stored[k].total() - finer[k].total()) / parts : 0);
      }
      add(record, to.time, errors);
    }
    record.name = adaptive ? "Δε/(½v²+|φ|) of a hundredth of the tolerance" : "Δε/(½v²+|φ|) of half the step";
    record.looked_at = fmt::format("{} of {} parts between frames{}", taken, all, some_bodies());
  }

  const TrajectoryReader& trajectory_;
  std::shared_ptr<const sim::PlugIns> plug_ins_;  ///< of which integrator and system have some
  const sim::Integrator* integrator_;
  sim::KeyValues keys_;
  sim::System system_;
  std::vector<std::size_t> massive_, massless_;
  std::size_t all_ = 0;  ///< number of all bodies without mass
  std::vector<std::size_t> frames_;
};

}  // namespace

std::string MasslessRecord::to_text() const {
  if (!not_measured.empty()) return fmt::format("without mass: not measured ({})", not_measured);
  return fmt::format("without mass {} at most {:.2e} ({}{})", name, greatest, body.empty() ? "" : body + ", ",
                     looked_at);
}

void MasslessRecord::add_to(Report& report) const {
  if (!not_measured.empty()) {
    report.add("massless_not_measured", not_measured);
    return;
  }
  report.add("massless_error", greatest, to_text());
  report.add_to_json("massless_error_last", last);
  report.add_to_json("massless_error_name", name);
  report.add_to_json("massless_looked_at", looked_at);
  if (!body.empty()) report.add_to_json("massless_body", body);
}

std::optional<MasslessRecord> massless_record(const TrajectoryReader& trajectory) {
  const auto& mass = trajectory.bodies().mass;
  const auto without = std::ranges::count(mass, 0.0);
  const auto stored = static_cast<std::ptrdiff_t>(mass.size());
  if (without == 0) return std::nullopt;  // of those in frames; all bodies are only in the scenario
  MasslessRecord record;
  if (trajectory.whole() != mass.size()) {
    record.not_measured = "frames keep only some of the bodies";
  } else if (!trajectory.options().velocities) {
    record.not_measured = "frames keep no velocities";
  } else if (trajectory.size() == 0) {
    record.not_measured = "there are no frames";
  } else {
    try {
      record = MasslessRun(trajectory).measure();
    } catch (const Error& why) {
      record = {};
      record.not_measured = why.what();
    }
  }
  record.alone = without == stored && trajectory.whole() == mass.size();
  return record;
}

}  // namespace orrery::pipeline
