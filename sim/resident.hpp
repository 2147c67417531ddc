// SPDX-License-Identifier: MIT
// Solvers that keep the bodies and also move them, and the queue that fuses the operations of a backend into passes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/operation.hpp"

namespace orrery::sim {

/// One pass over the bodies: forces at the current positions, if requested, then kicks and drifts in order.
struct Pass {
  static constexpr int most = 8;

  bool forces = false;                ///< compute forces; else kicks use those kept by the previous pass
  Outputs outputs = Outputs::forces;  ///< what to compute besides forces
  bool keep_accelerations = false;    ///< for a later pass or a readback
  int count = 0;
  std::array<Operation, most> moves{};  ///< kicks and drifts

  [[nodiscard]] bool empty() const { return !forces && count == 0; }
  [[nodiscard]] bool drifts() const { return std::ranges::any_of(moves, &Operation::is_drift); }
  friend bool operator==(const Pass&, const Pass&) = default;
};

/// Keeps positions and velocities in an order and precision of its own, so that forces, kicks, drifts and boundary
/// conditions take one pass.
class ResidentSolver {
 public:
  ResidentSolver() = default;
  virtual ~ResidentSolver() = default;
  ResidentSolver(const ResidentSolver&) = delete;
  ResidentSolver& operator=(const ResidentSolver&) = delete;

  virtual void carry_out(const Pass& pass) = 0;
  /// The same pass `times` times, at most `max_batch()`.
  virtual void carry_out(const Pass& pass, std::int64_t times) {
    for (; times > 0; --times) carry_out(pass);
  }
  [[nodiscard]] virtual std::int64_t max_batch() const { return 1; }
  /// Writes its positions, velocities and images to the columns of the state; accelerations if they were kept,
  /// potentials and virials if the last forces included them.
  virtual void store() = 0;
  /// Reads positions, velocities, accelerations and images after others have changed the columns.
  virtual void load() = 0;
};

/// Collects the operations of a backend into passes and runs them when they are full or their results are needed.
class PassQueue {
 public:
  explicit PassQueue(ResidentSolver* solver = nullptr) : solver_(solver) {}
  explicit operator bool() const { return solver_ != nullptr; }

  /// An evaluation, a kick or a drift.
  void add(const Operation& one) {
    if (one.is_evaluation()) {
      carry_out(false);
      pass_.forces = true;
      pass_.outputs = one.outputs;
      return;
    }
    if (pass_.count == Pass::most) carry_out(true);
    pass_.moves.at(static_cast<std::size_t>(pass_.count++)) = one;
  }

  /// Runs everything that is pending and brings the columns of the state up to date.
  void flush() {
    carry_out(true);
    start();
    if (!stored_) solver_->store();
    stored_ = true;
  }
  /// Runs the complete passes.
  void start() {
    if (times_ == 0) return;
    solver_->carry_out(same_, times_);
    times_ = 0;
  }
  /// The columns were changed after `flush`.
  void columns_changed() { loaded_ = false; }

 private:
  void carry_out(bool keep) {
    if (pass_.empty()) return;
    if (!loaded_) solver_->load();
    pass_.keep_accelerations = keep;
    if (times_ > 0 && (pass_ != same_ || times_ >= solver_->max_batch())) start();
    same_ = pass_;
    ++times_;
    pass_ = {};
    loaded_ = true;
    stored_ = false;
  }

  ResidentSolver* solver_;
  Pass pass_;               ///< being assembled
  Pass same_;               ///< complete, to be run
  std::int64_t times_ = 0;  ///< this number of times
  bool loaded_ = false;     ///< the solver has read the columns
  bool stored_ = true;      ///< the columns are up to date
};

}  // namespace orrery::sim
