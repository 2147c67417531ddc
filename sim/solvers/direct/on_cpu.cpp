// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/backends/cpu/array.hpp"
#include "sim/pair_order.hpp"
#include "sim/scaling.hpp"
#include "sim/solvers/direct/chunk_pairs.hpp"
#include "sim/solvers/direct/direct.hpp"

namespace orrery::sim::direct {
namespace {

using std::size_t;

/// Maximum lanes of a vector of floats: loops read on to a whole vector after the last source.
constexpr size_t widest = 16;
/// A walk computes each pair of sources twice and without sharing, four times the work of pair-once; and it writes
/// whole groups, for which arrays of at most one tile have no room.
constexpr bool is_worth_a_walk(size_t n, size_t sources) {
  return n > tile_size && sources <= n / 4;
}

/// The sources of a force.
struct Sources {
  SourceList list;
  /// Weights, positions and velocities in the orders by_group and by_tile: [7][room] each.
  AlignedArray values[2];
  size_t room;

  Sources(const std::vector<double>& weights, size_t chunk)
      : list(list_sources(weights, bodies_per_lane, chunk)), room(list.size() + widest) {
    for (AlignedArray& one : values) one = AlignedArray(7 * room);
    gather(weights.data(), 0);
  }
  void gather(const double* from, size_t row) {
    const std::vector<std::uint32_t>* orders[] = {&list.by_group, &list.by_tile};
    for (size_t k = 0; k < 2; ++k) {
      double* to = values[k].get() + row * room;
      for (const std::uint32_t i : *orders[k]) *to++ = from[i];
    }
  }
};

class OnCpu final : public HostSolver {
 public:
  OnCpu(const System& system, const BackendOptions& options, const HostContext& means)
      : columns_(simd::column_kernels(means.target)),
        precision_(options.precision),
        n_(system.bodies.size()),
        stride_(means.stride),
        pairs_(columns_, means.threads, n_, stride_, outputs_per_body(max_outputs(system.jerk)), options.ranks.get()) {
    refuse_more_ranks_than_rows(options, n_);
    const auto loops_of = [](auto target) -> const auto& {
      return simd::pair_loops(target);
    };
    const simd::PairLoops& loops = simd::of_target(means.target, loops_of);
    for (const PairForce& force : system.forces) {
      const Scaling scaling = in_floats(precision_) ? scaling_of(system.bodies, force) : Scaling();
      min_r2_ = std::max(min_r2_, min_r2_in(precision_, force, scaling));
      Force one{is_foreign(force) ? loops.foreign : &loops.laws[law_index(*force.law)][static_cast<size_t>(precision_)],
                &force.law->of_pairs,
                scaling,
                force.softening2,
                force.law->rescaled(force.parameters, scaling.length),
                padded(force.source),
                padded(force.target_factor),
                {}};
      const auto idle = static_cast<size_t>(std::ranges::count(force.source, 0.0));
      if (is_worth_a_walk(n_, n_ - idle)) one.sources.emplace(force.source, chunk_size(n_));
      forces_.push_back(std::move(one));
    }
  }

  void evaluate(const HostBodies& bodies) override {
    const auto &x = bodies.position, &v = bodies.velocity;
    const Outputs outputs = bodies.outputs;
    for (size_t k = 0; k < forces_.size(); ++k) {
      Force& force = forces_[k];
      const simd::PairKernels& kernels = force.law->outputs[static_cast<size_t>(outputs)];
      const simd::ParticleView field = field_of(force, {x[0], x[1], x[2]}, {v[0], v[1], v[2]}, force.source.get(), n_);
      // a ← s Σ partials, and the potential or jerk likewise; further forces are added.
      const auto respond = [&](size_t begin, size_t end) {
        const auto one = [&](double* to, size_t q, double unit) {
          columns_.respond(to + begin, pairs_.sums(q) + begin, force.target_factor.get() + begin, unit, k > 0,
                           end - begin);
        };
        for (size_t q = 0; q < 3; ++q) {
          one(bodies.acceleration[q], q, force.scaling.acceleration);
          if (outputs == Outputs::jerk) one(bodies.jerk[q], 3 + q, 1);
        }
        if (outputs == Outputs::potential) one(bodies.potential, 3, force.scaling.potential);
      };
      if (force.sources) {
        pairs_.walk(kernels, field, fields_of(force, bodies), outputs_per_body(outputs), respond);
      } else {
        pairs_.evaluate(kernels, field, outputs_per_body(outputs), respond);
      }
    }
  }

  [[nodiscard]] double min_r2() const override { return min_r2_; }
  [[nodiscard]] std::string kernel() const override { return "pair-once"; }

 private:
  struct Force {
    const simd::LawKernels* law;
    const PairFunction* function;
    Scaling scaling;
    double softening2;
    LawParameters parameters;            ///< in the lengths of `scaling`
    AlignedArray source, target_factor;  ///< [stride]
    std::optional<Sources> sources;      ///< if they are few
  };
  struct Rows {
    const double *x, *y, *z;
  };

  [[nodiscard]] AlignedArray padded(const std::vector<double>& values) const {
    AlignedArray array(stride_);
    std::ranges::copy(values, array.get());
    return array;
  }
  [[nodiscard]] static simd::ParticleView field_of(const Force& force, Rows x, Rows v, const double* weights,
                                                   size_t n) {
    return {{x.x, x.y, x.z},      {v.x, v.y, v.z},      weights,       n, force.softening2, force.parameters,
            force.scaling.length, force.scaling.weight, force.function};
  }
  static simd::SourceFields fields_of(Force& force, const HostBodies& bodies) {
    Sources& sources = *force.sources;
    for (size_t q = 0; q < 3; ++q) {
      sources.gather(bodies.position[q], 1 + q);
      if (bodies.outputs == Outputs::jerk) sources.gather(bodies.velocity[q], 4 + q);
    }
    const auto field = [&](const AlignedArray& values) {
      const double* p = values.get();
      const size_t r = sources.room;
      return field_of(force, {p + r, p + 2 * r, p + 3 * r}, {p + 4 * r, p + 5 * r, p + 6 * r}, p, sources.list.size());
    };
    return {sources.list, field(sources.values[0]), field(sources.values[1]), chunk_size(bodies.n)};
  }

  const simd::ColumnKernels& columns_;
  Precision precision_;
  double min_r2_ = default_min_r2;
  size_t n_, stride_;
  ChunkPairs pairs_;
  std::vector<Force> forces_;
};

}  // namespace

std::unique_ptr<HostSolver> on_cpu(const System& system, const BackendOptions& options, const HostContext& means) {
  return std::make_unique<OnCpu>(system, options, means);
}

std::size_t bytes_on_cpu(std::size_t bodies, Outputs most, int threads, int ranks) {
  // weight and target_factor, then sums
  return 2 * bodies * sizeof(double) + ChunkPairs::bytes(bodies, threads, outputs_per_body(most), ranks);
}

}  // namespace orrery::sim::direct
