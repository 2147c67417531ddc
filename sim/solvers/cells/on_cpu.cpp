// SPDX-License-Identifier: MIT
// Bodies are kept sorted by cells and moved in the same pass that computes the forces.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "sim/backends/cpu/array.hpp"
#include "sim/ranks/ranks.hpp"
#include "sim/solvers/cells/cells.hpp"
#include "sim/solvers/cells/neighbours.hpp"

namespace orrery::sim::cells {
namespace {

using std::size_t;

/// Destinations of results in the order of the system; null if they are not needed.
struct Results {
  double* acceleration[3]{};
  double *potential = nullptr, *virial = nullptr;
};

template <class T>
class OnCpu final : public HostSolver, public ResidentSolver {
 public:
  OnCpu(const System& system, Ranks* ranks, const HostContext& means)
      : force_(system.forces.front()),
        ranks_(ranks),
        cutoff_(force_.law->cutoff(force_.parameters)),
        scale_(system.domain, cutoff_),
        box_(system.domain, scale_),
        columns_(means.columns),
        threads_(means.threads),
        loops_(loops(means.target)),
        sum_(loops_.laws[law_index(*force_.law)][box_.dimensions - 2]),
        workspaces_(static_cast<size_t>(threads_.size())),
        near_(system.bodies.size(), box_, cutoff_ * scale_.unit, loops_.motion, threads_, workspaces_,
              ranks != nullptr),
        bodies_(near_.bodies()) {
    for (AlignedArray& one : shared_) one = AlignedArray(ranks != nullptr ? bodies_.size() : 0);
    std::ranges::copy(system.domain.edges, edges_);
    parameters_ = force_.law->rescaled(force_.parameters, scale_.unit);
    const double r2 = 0.25 * cutoff_ * cutoff_, unit2 = scale_.unit * scale_.unit;
    if (scale_.unit != 1)
      per_unit_ = force_.law->force_over_r(r2, force_.parameters) / force_.law->force_over_r(r2 * unit2, parameters_);
    for (double& s : force_.target_factor) s *= per_unit_;
    const auto& s = force_.target_factor;
    same_response_ = std::ranges::adjacent_find(s, std::not_equal_to<>()) == s.end();
  }

  void evaluate(const HostBodies& bodies) override {
    load(bodies.position, bodies.velocity);
    Pass pass;
    pass.forces = true;
    pass.outputs = bodies.outputs;
    carry_out_into(
        pass,
        {{bodies.acceleration[0], bodies.acceleration[1], bodies.acceleration[2]}, bodies.potential, bodies.virial});
  }
  ResidentSolver* resident() override { return this; }
  [[nodiscard]] double min_r2() const override {
    const MinR2 least = force_.law->min_r2(force_.parameters);
    return std::is_same_v<T, double> ? least.in_doubles : least.in_floats;
  }
  [[nodiscard]] std::string kernel() const override { return "cells"; }

  void carry_out(const Pass& pass) override {
    Results results;
    if (pass.keep_accelerations) std::ranges::copy(columns_.acceleration, results.acceleration);
    if (pass.outputs == Outputs::potential) results.potential = columns_.potential, results.virial = columns_.virial;
    carry_out_into(pass, results);
  }
  void load() override { load(columns_.position, columns_.velocity); }
  void store() override {
    each_block([&](size_t, size_t begin, size_t end) {
      for (size_t q = 0; q < box_.dimensions; ++q) {
        const T *x = bodies_.x(q), *v = bodies_.v(q);
        for (size_t i = begin; i < end; ++i) columns_.position[q][bodies_.id()[i]] = place_back(q, x[i]);
        for (size_t i = begin; i < end; ++i) columns_.velocity[q][bodies_.id()[i]] = scale_.length_back(v[i]);
      }
    });
  }

 private:
  static const simd::CellLoops<T>& loops(simd::Target target) {
    const auto loops_of = [](auto which) -> const auto& {
      return simd::short_range_loops(which);
    };
    const auto& all = simd::of_target(target, loops_of);
    if constexpr (sizeof(T) == sizeof(double)) return all.in_double;
    if constexpr (sizeof(T) == sizeof(float)) return all.in_float;
  }
  template <class Task>
  void each_block(const Task& task) {
    for_blocks(threads_, bodies_.size(), task);
  }

  /// Keeps a coordinate within a periodic box if the conversion from float rounds it to the end.
  [[nodiscard]] double place_back(size_t q, T x) const {
    double at = scale_.back(q, x);
    if constexpr (sizeof(T) == sizeof(float)) {
      const auto& axis = box_.axes[q];
      const double high = scale_.origin[q] + edges_[q];
      if (axis.periodic && x < axis.high && at >= high) at = std::nextafter(high, scale_.origin[q]);
    }
    return at;
  }

  /// Copies from columns in the order of the system. Cells remain valid if no position has changed.
  void load(const double* const (&position)[3], const double* const (&velocity)[3]) {
    std::atomic<bool> changed = false;
    each_block([&](size_t, size_t begin, size_t end) {
      bool some = false;
      for (size_t q = 0; q < box_.dimensions; ++q) {
        T *x = bodies_.x(q), *v = bodies_.v(q);
        for (size_t i = begin; i < end; ++i) {
          const std::uint32_t id = bodies_.id()[i];
          const T at = place_in(q, id, position[q][id]);
          some |= !(at == x[i]);
          x[i] = at;
          v[i] = scale_.length(velocity[q][id]);
        }
      }
      if (some) changed = true;
    });
    if (changed) near_.invalidate();
  }
  [[nodiscard]] T place_in(size_t q, std::uint32_t id, double x) const {
    T at = scale_.place(q, x);
    if constexpr (sizeof(T) == sizeof(float)) {
      // A coordinate inside the box stays inside after rounding.
      const auto& axis = box_.axes[q];
      const double high = scale_.origin[q] + edges_[q];
      if (axis.periodic && at >= axis.high && x < high) {
        at = axis.low;
        columns_.image[q][id] += 1;
      } else if (axis.bounded && at > axis.high && x <= high) {
        at = axis.high;
      }
    }
    return at;
  }

  void carry_out_into(Pass pass, Results results) {
    if (pass.forces) near_.prepare();
    for (auto& workspace : workspaces_) {
      std::ranges::fill(workspace.fastest, simd::Fastest<T>());
      workspace.jumped = false;
    }
    if (ranks_ != nullptr && pass.forces) {
      if (results.acceleration[0] == nullptr) std::ranges::copy(columns_.acceleration, results.acceleration);
      share_forces(pass, results);
      pass.forces = false;
    }
    act(pass, results, {0, bodies_.size()});
    for (size_t k = 0; k < static_cast<size_t>(pass.count); ++k) {
      const Operation& move = pass.moves.at(k);
      if (move.is_drift()) near_.drifted(k, move.dt);
    }
    if (pass.drifts()) near_.moved();
  }

  /// The forces on some bodies, given to the other ranks, whose forces on the others are taken.
  void share_forces(Pass pass, const Results& results) {
    constexpr size_t block = simd::cell_block;
    const size_t n = bodies_.size();
    std::vector<RankRange> parts = even_parts((n + block - 1) / block, ranks_);
    for (RankRange& part : parts) part = {std::min(part.first * block, n), std::min(part.last * block, n)};
    const RankRange mine = part_of(parts, ranks_);
    pass.count = 0;
    act(pass, results, mine);
    std::vector<double*> columns(results.acceleration, results.acceleration + box_.dimensions);
    if (results.potential != nullptr) columns.insert(columns.end(), {results.potential, results.virial});
    std::vector<double*> rows;
    const std::uint32_t* const id = bodies_.id();
    for (size_t q = 0; q < columns.size(); ++q) {
      rows.push_back(shared_[q].get());
      for (size_t i = mine.first; i < mine.last; ++i) rows[q][i] = columns[q][id[i]];
    }
    ranks_->share(rows, parts);
    each_block([&](size_t, size_t begin, size_t end) {
      for (size_t q = 0; q < columns.size(); ++q) {
        for (size_t i = begin; i < end; ++i) columns[q][id[i]] = rows[q][i];
      }
      for (size_t i = begin; box_.dimensions == 2 && i < end; ++i) results.acceleration[2][id[i]] = 0;
    });
  }

  /// The pass for bodies `some`, which are whole blocks.
  void act(const Pass& pass, const Results& results, RankRange some) {
    const simd::CellBodies<T> cells = pass.forces ? near_.cells(parameters_) : simd::CellBodies<T>{};
    const size_t outputs = pass.outputs == Outputs::potential ? 1 : 0;
    each_block([&](size_t worker, size_t begin, size_t end) {
      if (begin < some.first || begin >= some.last) return;
      Workspace<T>& work = workspaces_[worker];
      T* sums[5];
      for (size_t q = 0; q < 5; ++q) sums[q] = work.sums[q].get();
      simd::Motion<T> motion{};
      if (!pass.forces) {
        recall(sums, begin, end);
        motion.same = 1;
      } else if (const simd::ListRoom* lists = near_.lists(begin)) {
        sum_.sum_listed[outputs](cells, *lists, begin, end, sums);
      } else {
        sum_.sum[outputs](cells, work.pairs, begin, end, sums);
      }
      if (pass.forces) respond(work, pass, begin, end, results, motion);
      move(work, pass, begin, end, motion);
    });
  }

  /// a ← s·a and likewise the potential and virial, if results are needed; else the first kick multiplies by s.
  void respond(Workspace<T>& work, const Pass& pass, size_t begin, size_t end, const Results& results,
               simd::Motion<T>& motion) {
    const std::uint32_t* id = bodies_.id() + begin;
    const size_t n = end - begin;
    motion.same = static_cast<T>(force_.target_factor.front());
    if (!same_response_) {
      for (size_t k = 0; k < n; ++k) work.target_factor[k] = static_cast<T>(force_.target_factor[id[k]]);
      motion.own = work.target_factor.get();
    }
    const auto one = [&](size_t q, double* to, double unit) {
      loops_.motion.respond(work.sums[q].get(), motion.same, motion.own, n);
      for (size_t k = 0; to != nullptr && k < n; ++k) to[id[k]] = static_cast<double>(work.sums[q][k]) * unit;
    };
    if (pass.outputs == Outputs::potential) {
      one(3, results.potential, 1 / (scale_.unit * scale_.unit));
      one(4, results.virial, 1 / (scale_.unit * scale_.unit));
    }
    if (results.acceleration[0] == nullptr) return;
    for (size_t q = 0; q < box_.dimensions; ++q) one(q, results.acceleration[q], 1 / scale_.unit);
    motion.own = nullptr, motion.same = 1;
    for (size_t k = 0; box_.dimensions == 2 && k < n; ++k) results.acceleration[2][id[k]] = 0;
  }

  /// Loads the accelerations of an earlier pass.
  void recall(T* const* a, size_t begin, size_t end) {
    for (size_t q = 0; q < box_.dimensions; ++q) {
      for (size_t i = begin; i < end; ++i) a[q][i - begin] = scale_.length(columns_.acceleration[q][bodies_.id()[i]]);
    }
  }

  /// Kicks and drifts. A drift ends a loop over bodies, since some of them may cross a boundary.
  void move(Workspace<T>& work, const Pass& pass, size_t begin, size_t end, simd::Motion<T>& motion) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const size_t n = end - begin;
    bool crosses = false, drifted = false;
    for (size_t q = 0; q < box_.dimensions; ++q) {
      const auto& axis = box_.axes[q];
      motion.a[q] = work.sums[q].get();
      motion.v[q] = bodies_.v(q) + begin;
      motion.x[q] = bodies_.x(q) + begin;
      motion.to[q] = bodies_.next(q) + begin;
      motion.low[q] = axis.crosses ? axis.low : -infinity;
      motion.high[q] = axis.crosses ? axis.high : infinity;
      crosses |= axis.crosses;
    }
    for (size_t k = 0; k < static_cast<size_t>(pass.count); ++k) {
      const Operation& move = pass.moves.at(k);
      const T dt = static_cast<T>(move.dt);
      motion.drifts = move.is_drift();
      (motion.drifts ? motion.dt : motion.kicks[motion.kick_count++]) = dt;
      if (!motion.drifts && k + 1 < static_cast<size_t>(pass.count)) continue;
      const size_t outside = loops_.motion.move(motion, box_.dimensions, n, work.fastest[k], work.outside);
      if (crosses && motion.drifts) cross(work, outside, begin, motion);
      motion.kick_count = 0;
      drifted |= motion.drifts;
      if (drifted) std::copy_n(motion.to, box_.dimensions, motion.x);
    }
    if (drifted && near_.lists(begin) != nullptr)
      loops_.motion.weave(bodies_.next_woven() + 4 * begin, motion.x, box_.dimensions, n);
  }

  /// Applies the boundary conditions to the bodies that are outside after a drift.
  void cross(Workspace<T>& work, size_t outside, size_t begin, const simd::Motion<T>& motion) {
    for (size_t k = 0; k < outside; ++k) {
      const size_t i = work.outside[k];
      for (size_t q = 0; q < box_.dimensions; ++q) {
        const auto& axis = box_.axes[q];
        T &x = motion.to[q][i], &v = motion.v[q][i];
        if (!axis.crosses || (x >= axis.low && x < axis.high)) continue;
        const double before = static_cast<double>(x), step = static_cast<double>(motion.dt) * static_cast<double>(v);
        const Coordinate after = box_.cross(q, x, v);
        x = static_cast<T>(after.x), v = static_cast<T>(after.v);
        if (after.image != 0) columns_.image[q][bodies_.id()[begin + i]] += static_cast<double>(after.image);
        if (!std::isfinite(before)) continue;
        // A body that was already beyond the boundary may jump further than its velocity explains.
        const double way =
            after.x + static_cast<double>(after.image) * static_cast<double>(axis.length) - (before - step);
        const double rounding = 16 * epsilon * (std::abs(before) + std::abs(after.x) + box_.far(q));
        if (!(std::abs(way) <= 1.001 * std::abs(step) + rounding)) work.jumped = true;
      }
    }
  }

  static constexpr double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());

  PairForce force_;
  Ranks* ranks_;
  double cutoff_;
  CoordinateScale<T> scale_;
  Box<T> box_;
  double edges_[3]{};
  LawParameters parameters_;
  double per_unit_ = 1;
  bool same_response_ = true;
  HostColumns columns_;
  ThreadPool& threads_;
  const simd::CellLoops<T>& loops_;
  const simd::SumKernels<T>& sum_;
  std::vector<Workspace<T>> workspaces_;
  Neighbours<T> near_;
  Sorted<T>& bodies_;
  AlignedArray shared_[5];  ///< results in the order of the bodies, if several ranks share them
};

}  // namespace

std::unique_ptr<HostSolver> on_cpu(const System& system, const BackendOptions& options, const HostContext& means) {
  if (in_floats(options.precision)) return std::make_unique<OnCpu<float>>(system, options.ranks.get(), means);
  return std::make_unique<OnCpu<double>>(system, options.ranks.get(), means);
}

std::size_t bytes_on_cpu(std::size_t bodies, const BackendOptions& options) {
  const size_t number = in_floats(options.precision) ? sizeof(float) : sizeof(double);
  // Position and velocity twice; two ids, cell and rank; and the starts of about two cells per body.
  return bodies * (number * 2 * 6 + 6 * sizeof(std::uint32_t)) + bodies * sizeof(double);
}

}  // namespace orrery::sim::cells
