// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "sim/backends/cuda/exchange.hpp"
#include "sim/backends/cuda/solver.hpp"
#include "sim/scaling.hpp"
#include "sim/solvers/tree/cuda/kernels.cuh"
#include "sim/solvers/tree/cuda/shared_tree.hpp"
#include "sim/solvers/tree/parameters.hpp"
#include "sim/solvers/tree/tree.hpp"

namespace orrery::sim::tree {
namespace {

using namespace cuda;
using std::size_t;

/// Estimates, with which most arrays are large enough from the beginning: cells per body, with leaves of `leaf`, and
/// entries of lists per body.
constexpr size_t cells_for(size_t bodies, size_t leaf) {
  return 17 * bodies / (4 * leaf) + 2000;
}
constexpr size_t listed_by(size_t bodies) {
  return 26 * bodies + (1U << 16);
}
/// The most that may be listed: with more, the distribution of the bodies defeats the method.
constexpr size_t max_listed(size_t bodies) {
  return 1024 * bodies + (1U << 24);
}
constexpr std::uint32_t queue_at_first = 1024;

/// An array that grows between evaluations, and then loses its contents.
template <class Number>
class Room {
 public:
  void make(const Device& device, size_t n) {
    if (n <= n_) return;
    array_ = DeviceArray<Number>();  // first, so that both are never there at once
    n_ = 0;
    array_ = DeviceArray<Number>(device, n);
    n_ = n;
  }
  [[nodiscard]] Number* get() const { return array_.get(); }
  [[nodiscard]] size_t size() const { return n_; }

 private:
  DeviceArray<Number> array_;
  size_t n_ = 0;
};

class OnCuda final : public Solver {
 public:
  OnCuda(const System& system, Ranks* ranks, Stream& stream, const State& state)
      : device_(stream.device()),
        beside_(device_),
        begun_(device_),
        has_moments_(device_),
        has_near_(device_),
        n_(state.n),
        stride_(state.stride),
        parameters_(tree_parameters(system.solver_values)) {
    if (n_ == 0) return;
    const bool all_act = std::ranges::all_of(
        system.forces, [](const PairForce& force) { return std::ranges::count(force.source, 0.0) == 0; });
    mine_ = part_of(even_parts(n_, ranks), ranks);
    if (ranks != nullptr && all_act) shared_tree_ = SharedTree::of(*ranks, device_, n_);
    if (ranks != nullptr && !shared_tree_) shared_ = std::make_unique<SharedColumns>(*ranks, device_, n_, n_, 1, 4);
    for (const PairForce& force : system.forces) {
      const bool all_are_sources = std::ranges::all_of(force.source, [](double w) { return w != 0; });
      forces_.push_back({.law = law_index(*force.law),
                         .exponent = *power_of(force),
                         .softening2 = force.softening2,
                         .parameters = force.parameters,
                         .has_both_signs = has_both_signs(force),
                         .all_are_sources = all_are_sources,
                         .target_factor = on_device(force.target_factor, stream),
                         .weight = on_device(force.source, stream)});
      min_r2_ = std::max(min_r2_, min_r2_in(Precision::float64, force, {}));
      if (all_are_sources) continue;
      source_.make(device_, n_);
      sources_before_.make(device_, n_ + 1);
    }
    order_.make(device_, n_);
    place_.make(device_, n_);
    leaf_.make(device_, n_);
    control_ = DeviceArray<TreeControl>(device_, 1);
    known_ = DeviceArray<TreeControl, Place::pinned>(device_, 1);
    device_.make_current();
    blocks_ = blocks_of_octree();
    of_block_.make(device_, blocks_);
    max_walkers_ = walkers_at_once();
    scratch_.make(device_, bytes_of_scratch(static_cast<std::uint32_t>(n_)));
    make_room_for_cells(cells_for(n_, parameters_.leaf));
    list_.make(device_, listed_by(n_));
    piece_.make(device_, cells_for(n_, parameters_.leaf));
    sums_.make(device_, max_sums_ * n_ + n_ / 4 + 4096);
    make_room_for_queues(queue_at_first);
  }

  void evaluate(State& state, const Operation& evaluation, DeferredOps& deferred, Stream& stream) override {
    if (shared_tree_) {
      if (const auto seconds = shared_tree_->times.next()) shared_tree_->parts.are_moved_by(*seconds);
      mine_ = shared_tree_->parts.mine();
    }
    for (size_t k = 0; k < forces_.size(); ++k) {
      deferred.carry_out(stream.get());
      const Force& force = forces_[k];
      TreeOfForce tree = lists_of(force, state, evaluation.outputs, k == 0, stream);
      p2p(tree, force.law, static_cast<std::uint32_t>(known().walk.pieces), beside_.get());
      has_near_.record(beside_);
      has_moments_.hold(stream);
      if (shared_tree_) {
        shared_tree_->arrays->barrier(stream);
        sum_joint_moments(tree, stream.get());
        sum_needed_moments(tree, stream.get());
      }
      m2l(tree, force.has_both_signs, known().cells, stream.get());
      l2l(tree, known(), stream.get());
      has_near_.hold(stream);
      if (shared_tree_) {
        shared_tree_->times.end(stream);
        shared_tree_->arrays->barrier(stream);
      }
      // From here on no rank uses bodies and moments: sums in order replace the former, and by body the latter.
      TreePoint* sums = shared_ ? reinterpret_cast<TreePoint*>(shared_->mine()) : tree.body;
      sum_up(tree, sums, stream.get());
      if (shared_tree_) shared_tree_->arrays->barrier(stream);
      if (shared_) sums = reinterpret_cast<TreePoint*>(shared_->complete(1, stream));
      put_back(tree, sums, tree.moments, stream.get());
      deferred.add(Partials{.values = tree.moments,
                            .single = false,
                            .first = k == 0,
                            .outputs = evaluation.outputs,
                            .parts = 1,
                            .shift = one_piece,
                            .row = stride_,
                            .target_factor = force.target_factor.get(),
                            .unit = 1,
                            .potential_unit = 1,
                            .acceleration = state.at(Column::acceleration),
                            .potential = state.potential.get(),
                            .jerk = nullptr});
    }
  }
  [[nodiscard]] bool waits() const override { return true; }
  [[nodiscard]] double min_r2() const override { return min_r2_; }
  [[nodiscard]] std::string kernel() const override { return "tree"; }

 private:
  struct Force {
    size_t law;
    int exponent;
    double softening2;
    LawParameters parameters;
    bool has_both_signs, all_are_sources;
    DeviceArray<double> target_factor, weight;
  };
  static constexpr size_t max_sums_ = outputs_per_body(Outputs::potential);

  [[nodiscard]] DeviceArray<double> on_device(const std::vector<double>& values, Stream& stream) const {
    DeviceArray<double> array(device_, values.size());
    stream.copy_in(array.get(), values.data(), values.size() * sizeof(double));
    stream.wait();
    return array;
  }
  [[nodiscard]] const TreeControl& known() const { return *known_.get(); }

  /// Makes the lists of a force; the tree as well if it is `new_tree`. Waits for the device, which alone knows whether
  /// there was room for them, and repeats with more room.
  [[nodiscard]] TreeOfForce lists_of(const Force& force, const State& state, Outputs outputs, bool new_tree,
                                     Stream& stream) {
    for (;;) {
      if (new_tree) make_tree(state, stream);
      TreeOfForce tree = tree_of(force, outputs);
      if (!new_tree) stream.clear(&control_.get()->walk, sizeof(TreeControl::Walk));
      if (shared_tree_) shared_tree_->arrays->barrier(stream);  // all have read the sums of the evaluation before
      gather_bodies(tree, scratch_.get(), scratch_.size(), stream.get());
      sum_centres(tree, stream.get());
      if (shared_tree_) {
        shared_tree_->arrays->barrier(stream);
        sum_joint_centres(tree, stream.get());
      }
      // Moments are not needed before the far field, and neither they nor the walk fill the device.
      begun_.record(stream);
      begun_.hold(beside_);
      if (new_tree) find_places(tree, beside_.get());
      sum_moments(tree, beside_.get());
      has_moments_.record(beside_);
      find_reaches(tree, stream.get());
      if (shared_tree_) {
        shared_tree_->arrays->barrier(stream);
        find_joint_reaches(tree, stream.get());
        shared_tree_->times.begin(stream);
      }
      for (;;) {
        tree = tree_of(force, outputs);
        walk_cells(tree, walkers_, stream.get());
        stream.copy_out(known_.get(), control_.get(), sizeof(TreeControl));
        stream.wait();
        if (known().cells == 0) break;  // there was no room for them
        if (fits()) return tree;
        grow_lists();
        stream.clear(&control_.get()->walk, sizeof(TreeControl::Walk));
      }
      beside_.wait();
      grow_cells();
      new_tree = true;
    }
  }

  void make_tree(const State& state, Stream& stream) {
    tree_ = {};
    tree_.n = static_cast<std::uint32_t>(n_);
    tree_.leaf_size = parameters_.leaf;
    tree_.room_for_cells = static_cast<std::uint32_t>(cell_.size());
    const RankRange made = shared_tree_ ? mine_ : RankRange{0, n_};
    tree_.made_first = static_cast<std::uint32_t>(made.first), tree_.made_last = static_cast<std::uint32_t>(made.last);
    tree_.position = state.at(Column::position);
    tree_.stride = stride_;
    tree_.control = control_.get();
    tree_.place = place_.get();
    tree_.leaf = leaf_.get();
    tree_.cell = cell_.get();
    auto* const keys = reinterpret_cast<std::uint64_t*>(sums_.get());  // there are neither sums nor lists yet
    const SortRoom room{{keys, keys + n_}, {order_.get(), list_.get()}, scratch_.get(), scratch_.size()};
    sort_bodies(tree_, room, stream.get());
    make_octree(tree_, reinterpret_cast<std::uint32_t*>(series_.get()), of_block_.get(), blocks_, stream.get());
  }

  [[nodiscard]] TreeOfForce tree_of(const Force& force, Outputs outputs) {
    TreeOfForce tree{};
    static_cast<TreeOnDevice&>(tree) = tree_;
    tree.weight = force.weight.get();
    tree.sources_before = force.all_are_sources ? nullptr : sources_before_.get();
    double* at = shared_tree_ ? shared_tree_->arrays->buffer() : made_.get();
    const auto next = [&](size_t numbers) { return std::exchange(at, at + numbers); };
    static_assert(sizeof(TreePoint) == 4 * sizeof(double));
    tree.body = reinterpret_cast<TreePoint*>(next(4 * n_));
    tree.centre = reinterpret_cast<TreePoint*>(next(4 * cell_.size()));
    tree.moments = next(numbers_of_moments(cell_.size()));
    tree.total = next(cell_.size());
    tree.source = force.all_are_sources ? tree.body : source_.get();
    if (shared_tree_) shared_tree_->set(tree, next(0));
    tree.needed = needed_.get();
    tree.series = series_.get();
    tree.arrived = arrived_.get();
    tree.lists = lists_.get();
    tree.walk = ++walks_;
    tree.room_for_queue = room_for_queue_;
    tree.room_for_lists = list_.size();
    tree.room_for_sums = sums_.size() - outputs_per_body(outputs) * n_;
    tree.room_for_pieces = static_cast<std::uint32_t>(piece_.size());
    tree.queue = queue_.get();
    tree.list = list_.get();
    tree.piece = piece_.get();
    tree.sums = sums_.get();
    tree.expansion_order = parameters_.order;
    tree.exponent = force.exponent;
    tree.narrow = parameters_.narrow;
    tree.wide = parameters_.wide;
    tree.softening2 = force.softening2;
    tree.parameters = force.parameters;
    tree.outputs = outputs;
    tree.first = static_cast<std::uint32_t>(mine_.first), tree.last = static_cast<std::uint32_t>(mine_.last);
    return tree;
  }
  /// Afterwards they are the sums of the bodies.
  [[nodiscard]] size_t numbers_of_moments(size_t cells) const {
    return std::max(cells * static_cast<size_t>(row_of(parameters_.order)), max_sums_ * stride_);
  }

  [[nodiscard]] bool fits() const {
    const TreeControl::Walk& walk = known().walk;
    return walk.queue == 0 && walk.listed <= list_.size() && walk.pieces <= piece_.size() &&
           walk.sums <= sums_.size() - max_sums_ * n_;
  }
  void grow_lists() {
    const TreeControl::Walk& walk = known().walk;
    // Cells without room pass nothing on to their children, so more is needed than is known.
    const auto enlarged = [](size_t needed, size_t now) { return std::max(needed + needed / 8, now + now / 2); };
    if (walk.listed > max_listed(n_))
      throw Error("cuda: the lists of the tree of " + std::to_string(n_) + " bodies have more than " +
                  std::to_string(max_listed(n_)) +
                  " entries, so uneven is their distribution: take a larger leaf, or method = \"direct\"");
    if (walk.pieces > ~std::uint32_t{0})
      throw Error("cuda: the near pairs of " + std::to_string(n_) + " bodies are too many: take method = \"direct\"");
    if (walk.listed > list_.size()) list_.make(device_, enlarged(walk.listed, list_.size()));
    if (walk.pieces > piece_.size()) {
      const size_t most = ~std::uint32_t{0};
      piece_.make(device_, std::min(enlarged(walk.pieces, piece_.size()), most));
    }
    if (const size_t needed = max_sums_ * n_ + walk.sums; needed > sums_.size())
      sums_.make(device_, enlarged(needed, sums_.size()));
    if (walk.queue != 0) make_room_for_queues(4 * walk.queue);
  }
  void grow_cells() {
    if (cell_.size() + 1 >= max_cells)
      throw Error("cuda: the tree of " + std::to_string(n_) + " bodies has more than " + std::to_string(max_cells) +
                  " cells: take a larger leaf");
    make_room_for_cells(std::min(cell_.size() + cell_.size() / 2, size_t{max_cells} - 1));
  }

  void make_room_for_cells(size_t cells) {
    cell_.make(device_, cells);
    const size_t made = 4 * n_ + 5 * cells + numbers_of_moments(cells);
    shared_tree_ ? shared_tree_->make_room(made) : made_.make(device_, made);
    if (shared_tree_) needed_.make(device_, cells);
    series_.make(device_, cells * static_cast<size_t>(row_of(parameters_.order)));
    arrived_.make(device_, cells);
    lists_.make(device_, cells);
  }
  /// A longer queue for each walk, and fewer walks at once if all together would be large.
  void make_room_for_queues(std::uint32_t each) {
    constexpr size_t a_block = 4;
    const size_t most = std::max(size_t{1} << 24, n_);
    walkers_ = static_cast<unsigned>(std::clamp(most / each / a_block * a_block, a_block, size_t{max_walkers_}));
    room_for_queue_ = each;
    queue_.make(device_, walkers_ * size_t{each});
  }

  const Device& device_;
  Stream beside_;
  Event begun_, has_moments_, has_near_;
  size_t n_, stride_;
  TreeParameters parameters_;
  double min_r2_ = 0;
  std::vector<Force> forces_;
  TreeOnDevice tree_{};
  std::uint32_t walks_ = 0;
  unsigned blocks_ = 0, walkers_ = 0, max_walkers_ = 0;
  std::uint32_t room_for_queue_ = 0;
  DeviceArray<TreeControl> control_;
  DeviceArray<TreeControl, Place::pinned> known_;
  Room<std::uint32_t> order_, place_, leaf_, of_block_, sources_before_, arrived_, queue_, list_;
  Room<TreePoint> source_;
  Room<TreeCell> cell_;
  Room<TreeLists> lists_;
  Room<TreePiece> piece_;
  Room<double> made_;  ///< bodies in order, centres, moments and weights of cells; unless they are shared
  Room<double> series_, sums_;
  Room<unsigned char> scratch_, needed_;
  RankRange mine_{};  ///< bodies in order
  // If several ranks share the tree, one of them.
  std::unique_ptr<SharedTree> shared_tree_;
  std::unique_ptr<SharedColumns> shared_;  ///< the sums of all bodies in order
};

std::unique_ptr<Solver> make(const System& system, const BackendOptions& options, Stream& stream, State& state) {
  return std::make_unique<OnCuda>(system, options.ranks.get(), stream, state);
}

}  // namespace

const MakeOnCuda on_cuda = make;

size_t bytes_on_cuda(size_t bodies, int ranks) {
  const TreeParameters usual{.order = greatest_order};
  const size_t rows = 2 * static_cast<size_t>(row_of(usual.order)) * sizeof(double);
  const size_t a_cell = sizeof(TreeCell) + sizeof(TreePoint) + sizeof(double) + rows + sizeof(std::uint32_t) +
                        sizeof(TreeLists) + sizeof(TreePiece);
  const size_t a_body = 2 * sizeof(TreePoint) + 4 * sizeof(std::uint32_t) + (2 + 4) * sizeof(double) +
                        (ranks > 1 ? 2 * sizeof(TreePoint) : 0);
  return bodies * a_body + cells_for(bodies, usual.leaf) * a_cell + listed_by(bodies) * sizeof(std::uint32_t);
}

}  // namespace orrery::sim::tree
