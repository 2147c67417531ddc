// SPDX-License-Identifier: MIT
// The common base of BySearch and ByLists: memory, and conversion from and to the columns of the state.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "sim/backends/cuda/solver.hpp"
#include "sim/solvers/cells/cuda/particles.cuh"
#include "sim/solvers/cells/cuda/set_up.hpp"
#include "sim/solvers/cells/cuda/shared_particles.hpp"

namespace orrery::sim::cuda {

template <class T, class V>
class ParticleSolver : public Solver, public ResidentSolver {
 public:
  /// `skin`: search radius minus cutoff; `width`: minimum width of cells; `ranks`: null for a single one.
  ParticleSolver(const System& system, Ranks* ranks, Stream& stream, State& state, double skin, double width)
      : stream_(stream),
        state_(state),
        law_(law_index(*system.forces.front().law)),
        least_(system.forces.front().law->min_r2(system.forces.front().parameters)) {
    const PairForce& force = system.forces.front();
    const double cutoff = force.law->cutoff(force.parameters), rounding = largest_coordinate(system) * 4.8e-7;
    s_.n = s_.stride = s_.known = static_cast<unsigned>(state.n);
    s_.space = space_of<T>(system.domain);
    s_.parameters = force.parameters;
    s_.cutoff2 = static_cast<T>(cutoff) * static_cast<T>(cutoff);
    // Neighbours are searched by positions rounded to floats.
    s_.reach = static_cast<float>((cutoff + skin) * 1.0001 + rounding);
    s_.grid = grid_of(system, std::max(width, static_cast<double>(s_.reach) * 1.0001));
    s_.layers = {0, s_.grid.layers()};
    control_ = DeviceArray<Control, Place::pinned>(stream.device(), 1);
    if (ranks != nullptr && s_.n > 0)
      shared_ = std::make_unique<SharedParticles<T, V>>(*ranks, system, stream, s_, control_.get());
    constexpr int buffers = V::axes == 3 ? 3 : 2;
    for (int k = 0; k < buffers; ++k) {
      s_.position[k] = room_for_all<V>(s_.n);
      s_.velocity[k] = room_for_all<V>(s_.n);
    }
    s_.acceleration = room_for_all<V>(s_.n);
    const auto cells = static_cast<std::size_t>(s_.grid.count());
    s_.count = room_for<std::uint32_t>(cells + 1);
    s_.start = room_for_all<std::uint32_t>(cells + 1);
    s_.rank = room_for<std::uint32_t>(s_.n);
    s_.control = room_for<Control>(1);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!system.domain.boundary[axis]->periodic) continue;
      s_.image[axis] = room_for_all<int>(s_.n);
      if (shared_) s_.image_to[axis] = room_for_all<int>(s_.n);
    }
    image_ = system.domain.is_periodic() ? state.columns.back().get() : nullptr;
    set_target_factor(force.target_factor);
  }

  void evaluate(State&, const Operation& evaluation, DeferredOps&, Stream&) override {
    load();
    carry_out({.forces = true, .outputs = evaluation.outputs, .keep_accelerations = true}, 1);
    store();
  }
  ResidentSolver* resident() override { return this; }
  [[nodiscard]] double min_r2() const override {
    return std::is_same_v<T, double> ? least_.in_doubles : least_.in_floats;
  }

  void carry_out(const Pass& pass) override { carry_out(pass, 1); }
  void carry_out(const Pass& pass, std::int64_t times) override {
    if (state_.n == 0) return;
    has_accelerations_ = pass.keep_accelerations;
    Pass rest = pass, first = part_of(rest);
    const bool with_potential = pass.forces && pass.outputs == Outputs::potential;
    if (rest.empty() && !with_potential) return start(pass, times);
    for (; times > 0; --times, rest = pass, first = part_of(rest)) {
      first.keep_accelerations = true;
      if (with_potential) {
        start({.forces = true, .keep_accelerations = true}, 1);
        sum_potentials(law_, s_, shared_ ? s_.potential : state_.potential.get(),
                       shared_ ? s_.virial : state_.virial.get(), stream_.get());
        has_potentials_ = shared_ != nullptr;
        first.forces = false;
      }
      for (; !first.empty(); first = part_of(rest)) start(first, 1);
    }
  }
  /// A few milliseconds of work, so that signals are handled soon.
  [[nodiscard]] std::int64_t max_batch() const override { return 1 + 80'000'000 / (s_.stride + 20'000); }

  void load() override {
    if (state_.n == 0) return;
    s_.search = {};
    if (shared_) {
      shared_->hold_all();
      if constexpr (V::axes == 3) s_.search.moves = 1;  // as the control block says
    }
    load_columns(s_, columns(), stream_.get());
  }
  void store() override {
    if (state_.n == 0) return;
    if (shared_) gather();
    store_columns(s_, columns(), has_accelerations_, has_potentials_, stream_.get());
    has_potentials_ = false;
    read_control();
  }

 protected:
  virtual void start(const Pass& pass, std::int64_t times) = 0;

  /// For `start_shared`. Passes to be queued before the host waits; the buffers with the particles, and those to which
  /// they are sorted; what follows a sort; a pass; its account, if it drifts; whether to sort again, after passes of
  /// which all were carried out, or not. A pass that counts is the last one before a sort.
  [[nodiscard]] virtual std::int64_t passes_at_once() const = 0;
  [[nodiscard]] virtual Places places() const = 0;
  [[nodiscard]] virtual Places sorted_places() const = 0;
  virtual void sorted() = 0;
  virtual void start_one() = 0;
  virtual void drifted() = 0;
  [[nodiscard]] virtual bool is_to_sort(bool all_done) = 0;

  /// Passes that several ranks share. If particles have moved too far, the device skips the rest of those that are
  /// queued, on all ranks alike.
  void start_shared(const Pass& pass, std::int64_t times) {
    const bool drifts = pass.drifts();
    while (times > 0) {
      if (pass.forces && !shared_->has_cells()) {
        shared_->begin_sort({places(), sorted_places()}, false);
        end_shared_sort();
      }
      const bool checked = drifts && shared_->has_cells();
      const SearchState before = s_.search;
      const std::int64_t queued = checked ? std::min(times, passes_at_once()) : 1;
      for (std::int64_t k = 0; k < queued; ++k) {
        start_one();
        if (drifts) drifted();
        if (s_.search.counts) {
          shared_->begin_sort({places(), sorted_places()}, true);
        } else if (checked) {
          shared_->exchange(places().position);
        }
      }
      std::int64_t done = queued;
      if (checked) {
        if (!s_.search.counts) shared_->look();
        const int drifts_done = shared_->drifts_done();
        if (drifts_done == 0) {    // sorted, too
          (void)is_to_sort(true);  // for the length of the next cycle
          end_shared_sort();
        } else {
          done = drifts_done - before.moves;
          for (s_.search = before; s_.search.moves < drifts_done;) drifted();
          if (is_to_sort(done == queued)) shared_->drop_cells();
        }
      }
      times -= done;
    }
  }
  void end_shared_sort() {
    shared_->end_sort({places(), sorted_places()});
    sorted();
  }

  void set_pass(const Pass& pass) {
    s_.forces = pass.forces;
    s_.keep = pass.keep_accelerations;
    s_.motion = {};
    for (std::size_t k = 0; k < static_cast<std::size_t>(pass.count); ++k) {
      const Operation& move = pass.moves[k];
      if (move.is_kick()) {
        s_.motion.kick[s_.motion.kicks++] = static_cast<T>(move.dt);
      } else {
        s_.motion.drift[s_.motion.drifts++] = static_cast<T>(move.dt);
      }
    }
  }
  template <class Number>
  Number* room_for(std::size_t n) {
    memory_.emplace_back(stream_.device(), n * sizeof(Number));
    return reinterpret_cast<Number*>(memory_.back().get());
  }
  /// The same that other ranks can write to, if there are any.
  template <class Number>
  Number* room_for_all(std::size_t n) {
    return shared_ ? shared_->template room_for<Number>(n) : room_for<Number>(n);
  }
  /// The control block at the last completed readback.
  [[nodiscard]] const Control& control() const { return *control_.get(); }
  void read_control() { stream_.copy_out(control_.get(), s_.control, sizeof(Control)); }

  Stream& stream_;
  State& state_;
  std::size_t law_;
  Particles<T, V> s_{};
  std::unique_ptr<SharedParticles<T, V>> shared_;  ///< null for a single rank

 private:
  void gather() {
    if (V::axes == 3 && s_.search.moves == 0) {  // lists are built into the first buffers, from other ones
      static constexpr int moves = 1;
      stream_.copy(s_.position[1], s_.position[0], s_.n * sizeof(V));
      stream_.copy(s_.velocity[1], s_.velocity[0], s_.n * sizeof(V));
      stream_.copy_in(&s_.control->done, &moves, sizeof moves);
      s_.search.moves = moves;
    }
    shared_->gather(places(), has_accelerations_, has_potentials_);
  }

  /// Splits off the forces of a pass with its first kicks and the drifts that follow them.
  static Pass part_of(Pass& pass) {
    const auto end = pass.moves.begin() + pass.count;
    const auto next = std::find_if(std::find_if(pass.moves.begin(), end, std::mem_fn(&Operation::is_drift)), end,
                                   std::mem_fn(&Operation::is_kick));
    Pass part = pass, rest = pass;
    part.count = static_cast<int>(next - pass.moves.begin());
    rest.forces = false;
    rest.count = pass.count - part.count;
    std::copy(next, end, rest.moves.begin());
    pass = rest;
    return part;
  }

  void set_target_factor(const std::vector<double>& target_factor) {
    if (target_factor.empty()) return;
    s_.same_target_factor = static_cast<T>(target_factor.front());
    if (std::ranges::all_of(target_factor, [&](double r) { return r == target_factor.front(); })) return;
    auto* const of_each = room_for<double>(s_.n);
    stream_.copy_in(of_each, target_factor.data(), s_.n * sizeof(double));
    stream_.wait();
    s_.target_factor = of_each;
  }
  [[nodiscard]] ColumnsOfState columns() const {
    return {state_.at(Column::position),
            state_.at(Column::velocity),
            state_.at(Column::acceleration),
            image_,
            state_.stride,
            state_.potential.get(),
            state_.virial.get()};
  }

  MinR2 least_;
  std::vector<DeviceArray<unsigned char>> memory_;
  DeviceArray<Control, Place::pinned> control_;
  double* image_ = nullptr;
  bool has_accelerations_ = false;
  bool has_potentials_ = false;  ///< those of a shared pass, which the columns do not have yet
};

}  // namespace orrery::sim::cuda
