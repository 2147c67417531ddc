// SPDX-License-Identifier: MIT
// The tree on the processor: level by level, cells divided among threads.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "sim/ranks/ranks.hpp"
#include "sim/scaling.hpp"
#include "sim/solvers/tree/octree.hpp"
#include "sim/solvers/tree/parameters.hpp"
#include "sim/solvers/tree/simd/near.hpp"
#include "sim/solvers/tree/sources.hpp"
#include "sim/solvers/tree/tree.hpp"
#include "sim/solvers/tree/walk.hpp"

namespace orrery::sim::tree {
namespace {

using simd::TreeCell;
using std::size_t;

/// What a thread needs for one cell at a time.
struct Workspace {
  static constexpr size_t room = segment_size + lanes;  ///< for a column of a segment
  Lists lists;
  AlignedArray segment = AlignedArray(4 * room);
  std::vector<double> self, sums;
};

class OnCpu final : public HostSolver {
 public:
  OnCpu(const System& system, Ranks* ranks, const HostContext& means)
      : n_(system.bodies.size()),
        ranks_(ranks),
        forces_(system.forces),
        parameters_(tree_parameters(system.solver_values)),
        threads_(means.threads),
        loops_(simd::tree_loops(means.target)),
        near_(simd::near_loops(means.target)),
        order_(loops_.orders[parameters_.order - min_order]),
        stride_(simd::tensor_stride(parameters_.order)),
        tree_(n_, parameters_.leaf, means.threads),
        sources_(n_),
        workspaces_(static_cast<size_t>(threads_.size())) {
    for (AlignedArray& sums : sums_) sums = AlignedArray(ranks != nullptr ? n_ : 0);
  }

  void evaluate(const HostBodies& bodies) override {
    const bool in_range = tree_.build(bodies.position);
    for (size_t k = 0; k < forces_.size(); ++k) {
      if (!in_range || !gather(forces_[k])) {
        fill(bodies, in_range ? 0 : std::numeric_limits<double>::quiet_NaN(), k);
        continue;
      }
      act(bodies, k);
    }
  }

  [[nodiscard]] double min_r2() const override { return min_r2_in_doubles(forces_); }
  [[nodiscard]] std::string kernel() const override { return "tree"; }

 private:
  /// a ← s·A, or a + s·A in one operation for further forces, and likewise the potential.
  void respond(const HostBodies& bodies, size_t force, size_t i, size_t q, double sum) const {
    double& to = q < 3 ? bodies.acceleration[q][i] : bodies.potential[i];
    const double s = forces_[force].target_factor[i];
    to = force == 0 ? s * sum : std::fma(s, sum, to);
  }
  void fill(const HostBodies& bodies, double sum, size_t force) const {
    for (size_t q = 0; q < (bodies.outputs == Outputs::potential ? 4 : 3); ++q) {
      for (size_t i = 0; i < n_; ++i) respond(bodies, force, i, q, sum);
    }
  }

  template <class Task>
  void each_cell(size_t level, const Task& task) {
    constexpr size_t block = 8;
    for_blocks(threads_, tree_.levels()[level], tree_.levels()[level + 1], block,
               [&](size_t worker, size_t begin, size_t end) {
                 for (size_t c = begin; c < end; ++c) task(workspaces_[worker], c);
               });
  }

  /// Centres, reaches and moments of all cells. Returns false if nothing acts.
  bool gather(const PairForce& force) {
    sources_.take(force.source, tree_, threads_);
    auto& cells = tree_.cells();
    if (cells.front().first_source == cells.front().last_source) return false;
    weights_.resize(cells.size() + lanes);
    moments_.resize(cells.size() * stride_);
    for (size_t level = tree_.levels().size() - 1; level-- > 0;) {
      each_cell(level, [&](Workspace&, size_t c) {
        TreeCell& cell = cells[c];
        set_centre(c);
        const double centre[] = {cell.x, cell.y, cell.z};
        cell.reach = loops_.radius2(tree_.bodies(), cell.begin, cell.end, centre);
        cell.acts = weights_[c] != 0;
        double* moments = moments_.data() + c * stride_;
        if (!cell.acts) {
          std::fill_n(moments, stride_, 0.0);
        } else if (cell.leaf()) {
          order_.leaf_moments(sources_.columns(), cell.first_source, cell.last_source, centre, moments);
        } else {
          order_.cell_moments(cells.data(), moments_.data(), c, moments);
        }
      });
    }
    for_blocks(threads_, 0, cells.size(), 1024, [&](size_t, size_t begin, size_t end) {
      loops_.reaches(cells.data(), weights_.data(), begin, end, weights_[0], parameters_.order, parameters_.narrow,
                     parameters_.wide);
    });
    return true;
  }

  /// The weighted mean of the sources of a cell, or the mean of its bodies if there are none, and its weight.
  void set_centre(size_t c) {
    TreeCell& cell = tree_.cells()[c];
    const bool idle = cell.first_source == cell.last_source;
    double sums[4];
    if (cell.leaf() && idle) {
      loops_.weighted_centre(tree_.bodies(), cell.begin, cell.end, sums);
    } else if (cell.leaf()) {
      loops_.weighted_centre(sources_.columns(), cell.first_source, cell.last_source, sums);
    } else {
      double terms[4][lanes] = {};
      for (size_t k = 0; k < cell.children; ++k) {
        const TreeCell& child = tree_.cells()[cell.child + k];
        const double w = idle ? child.bodies() : weights_[cell.child + k];
        terms[0][k] = 0.0 + w;
        terms[1][k] = 0.0 + w * child.x, terms[2][k] = 0.0 + w * child.y, terms[3][k] = 0.0 + w * child.z;
      }
      for (size_t q = 0; q < 4; ++q) {
        const auto& t = terms[q];
        sums[q] = ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]));
      }
    }
    weights_[c] = idle ? 0 : sums[0];
    cell.x = sums[1] / sums[0], cell.y = sums[2] / sums[0], cell.z = sums[3] / sums[0];
  }

  /// Lists, series and forces, from the root down; of the leaves that contain bodies of this rank, and of the cells above.
  void act(const HostBodies& bodies, size_t force) {
    const auto& cells = tree_.cells();
    const bool potential = bodies.outputs == Outputs::potential;
    const simd::TreeFar field{cells.data(), moments_.data(), forces_[force].softening2, *power_of(forces_[force])};
    const auto m2l = order_.m2l[has_both_signs(forces_[force]) ? 2 : potential ? 1 : 0];
    series_.resize(cells.size() * stride_);
    left_.resize(cells.size());
    std::fill_n(series_.data(), stride_, 0.0);
    const std::vector<RankRange> parts = even_parts(n_, ranks_);
    const auto [first, last] = part_of(parts, ranks_);
    for (size_t level = 0; level + 1 < tree_.levels().size(); ++level) {
      each_cell(level, [&](Workspace& work, size_t c) {
        if (cells[c].begin >= last || cells[c].end <= first) return;
        const Cells root{0};
        choose_cells(cells, loops_, parameters_.order, c, c == 0 ? root : left_[cells[c].parent], work.lists, left_[c]);
        double* series = series_.data() + c * stride_;
        m2l(field, c, work.lists.far.data(), work.lists.far.size(), series);
        if (!cells[c].leaf()) {
          order_.l2l(cells.data(), c, series, series_.data() + cells[c].child * stride_);
        } else {
          act_on_bodies(work, bodies, force, c);
        }
      });
      if (level == 0) continue;
      // Only the children needed them.
      for (size_t c = tree_.levels()[level - 1]; c < tree_.levels()[level]; ++c) Cells().swap(left_[c]);
    }
    if (ranks_ != nullptr) share(parts, bodies, force);
  }

  /// All ranks get the sums of all bodies.
  void share(std::span<const RankRange> parts, const HostBodies& bodies, size_t force) {
    std::vector<double*> rows;
    for (size_t q = 0; q < (bodies.outputs == Outputs::potential ? 4 : 3); ++q) rows.push_back(sums_[q].get());
    ranks_->share(rows, parts);
    for_blocks(threads_, 0, n_, 4096, [&](size_t, size_t begin, size_t end) {
      for (size_t k = begin; k < end; ++k) {
        for (size_t q = 0; q < rows.size(); ++q) respond(bodies, force, tree_.order()[k], q, rows[q][k]);
      }
    });
  }

  /// The sums of the bodies of a leaf, over its near cells and from its series.
  void act_on_bodies(Workspace& work, const HostBodies& bodies, size_t force, size_t leaf) {
    const TreeCell& me = tree_.cells()[leaf];
    const bool potential = bodies.outputs == Outputs::potential;
    const size_t count = me.bodies(), room = count + lanes;
    work.sums.assign(4 * room, 0.0);
    double* out[] = {work.sums.data(), work.sums.data() + room, work.sums.data() + 2 * room,
                     work.sums.data() + 3 * room};
    p2p(work, forces_[force], potential, leaf, out);
    order_.l2p[potential ? 1 : 0](me, series_.data() + leaf * stride_, tree_.bodies(), out);
    for (size_t q = 0; q < (potential ? 4 : 3); ++q) {
      if (ranks_ != nullptr) {
        std::copy_n(out[q], count, sums_[q].get() + me.begin);
        continue;
      }
      for (size_t k = 0; k < count; ++k) respond(bodies, force, tree_.order()[me.begin + k], q, out[q][k]);
    }
  }

  void p2p(Workspace& work, const PairForce& force, bool potential, size_t leaf, double* const* out) const {
    const auto& cells = std::as_const(tree_).cells();
    const TreeCell& me = cells[leaf];
    const auto near = near_.laws[law_index(*force.law)][potential ? 1 : 0];
    const auto& [x, y, z, w] = sources_.columns();
    const double* const from[] = {x, y, z, w};
    const simd::TreeColumns targets = tree_.bodies();
    double* to[4];
    for (size_t q = 0; q < 4; ++q) to[q] = work.segment.get() + q * Workspace::room;
    work.self.assign(me.bodies(), -1.0);
    size_t held = 0;
    const auto interact = [&] {
      const size_t whole = (held + lanes - 1) / lanes * lanes;
      for (size_t q = 0; q < 4; ++q) std::fill(to[q] + held, to[q] + whole, q == 0 ? simd::padding_place : 0.0);
      near({to[0], to[1], to[2], to[3], whole, force.softening2, force.parameters},
           {targets.x + me.begin, targets.y + me.begin, targets.z + me.begin, work.self.data(), me.bodies()}, out);
      held = 0;
      std::ranges::fill(work.self, -1.0);
    };
    const Cells& list = work.lists.near;
    for (size_t k = 0; k < list.size();) {
      // Cells that follow each other in the order of the keys are one run of sources.
      size_t first = cells[list[k]].first_source, last = cells[list[k]].last_source;
      for (++k; k < list.size() && cells[list[k]].first_source == last; ++k) last = cells[list[k]].last_source;
      while (first < last) {
        const size_t some = std::min(last - first, segment_size - held);
        for (size_t q = 0; q < 4; ++q) {
          // Whole lanes: a copy of known length is faster, and what is beyond is overwritten.
          for (size_t c = 0; c < some; c += lanes) std::copy_n(from[q] + first + c, lanes, to[q] + held + c);
        }
        if (first < me.last_source && me.first_source < first + some) {
          for (size_t i = 0; i < me.bodies(); ++i) {
            const std::uint32_t rank = sources_.rank(me.begin + i);
            if (rank >= first && rank < first + some) work.self[i] = static_cast<double>(held + (rank - first));
          }
        }
        first += some, held += some;
        if (held == segment_size) interact();
      }
    }
    if (held > 0) interact();
  }

  size_t n_;
  Ranks* ranks_;
  std::vector<PairForce> forces_;
  TreeParameters parameters_;
  ThreadPool& threads_;
  const simd::TreeLoops& loops_;
  const simd::NearLoops& near_;
  const simd::TreeOrder& order_;
  size_t stride_;
  Octree tree_;
  Sources sources_;
  std::vector<double> weights_;           ///< Σ |w| of each cell
  std::vector<double> moments_, series_;  ///< [cells][stride]
  std::vector<Cells> left_;               ///< to the children of each cell
  std::vector<Workspace> workspaces_;
  AlignedArray sums_[4];  ///< of all bodies in order, if several ranks share them
};

}  // namespace

std::unique_ptr<HostSolver> on_cpu(const System& system, const BackendOptions& options, const HostContext& means) {
  return std::make_unique<OnCpu>(system, options.ranks.get(), means);
}

std::size_t bytes_on_cpu(std::size_t bodies, int threads) {
  // Keys, order, positions, weights and ranks, some twice; and a fifth of that number of cells of the greatest order.
  const std::size_t cell = sizeof(TreeCell) + 2 * sizeof(double) * simd::tensor_stride(greatest_order) + 256;
  const std::size_t a_body = 2 * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) + 8 * sizeof(double);
  return bodies * (a_body + cell / 5) + static_cast<std::size_t>(threads) * (std::size_t{1} << 18);
}

}  // namespace orrery::sim::tree
