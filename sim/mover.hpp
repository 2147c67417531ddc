// SPDX-License-Identifier: MIT
// Solvers that also move the bodies, and the queue that fuses the operations of a backend into passes for them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/arithmetic.hpp"

namespace orrery::sim {

/// One pass over the bodies: forces at the current positions, if requested, then kicks and drifts in order.
struct Pass {
  struct Part {
    enum class Verb { kick, drift } verb = Verb::kick;
    double dt = 0;
    friend bool operator==(const Part&, const Part&) = default;
  };
  static constexpr int most = 8;

  bool forces = false;                ///< compute forces; else kicks use those kept by the previous pass
  Outputs outputs = Outputs::forces;  ///< what to compute besides forces
  bool keep_accelerations = false;    ///< for a later pass or a readback
  int count = 0;
  std::array<Part, most> parts{};

  [[nodiscard]] bool empty() const { return !forces && count == 0; }
  [[nodiscard]] bool drifts() const {
    return std::ranges::any_of(parts, [](const Part& part) { return part.verb == Part::Verb::drift; });
  }
  friend bool operator==(const Pass&, const Pass&) = default;
};

/// Keeps positions and velocities in an order and precision of its own, so that forces, kicks, drifts and boundary
/// conditions take one pass.
class Mover {
 public:
  Mover() = default;
  virtual ~Mover() = default;
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;

  virtual void carry_out(const Pass& pass) = 0;
  /// The same pass `times` times, at most `max_batch()`.
  virtual void carry_out(const Pass& pass, std::int64_t times) {
    for (; times > 0; --times) carry_out(pass);
  }
  [[nodiscard]] virtual std::int64_t max_batch() const { return 1; }
  /// Writes its positions, velocities and images to the columns of the state; accelerations if they were kept,
  /// potentials and virials if the last forces included them.
  virtual void give() = 0;
  /// Reads positions, velocities, accelerations and images after others have changed the columns.
  virtual void take() = 0;
};

/// Collects the operations of a backend into passes and runs them when they are full or their results are needed.
class MoverQueue {
 public:
  explicit MoverQueue(Mover* mover = nullptr) : mover_(mover) {}
  explicit operator bool() const { return mover_ != nullptr; }

  void accelerate(Outputs outputs) {
    carry_out(false);
    pass_.forces = true;
    pass_.outputs = outputs;
  }
  void kick(double dt) { add({Pass::Part::Verb::kick, dt}); }
  void drift(double dt) { add({Pass::Part::Verb::drift, dt}); }

  /// Runs everything that is pending and brings the columns of the state up to date.
  void settle() {
    carry_out(true);
    start();
    if (!given_) mover_->give();
    given_ = true;
  }
  /// Runs the complete passes.
  void start() {
    if (times_ == 0) return;
    mover_->carry_out(same_, times_);
    times_ = 0;
  }
  /// The columns were changed after `settle`.
  void columns_changed() { taken_ = false; }

 private:
  void add(const Pass::Part& part) {
    if (pass_.count == Pass::most) carry_out(true);
    pass_.parts.at(static_cast<std::size_t>(pass_.count++)) = part;
  }
  void carry_out(bool keep) {
    if (pass_.empty()) return;
    if (!taken_) mover_->take();
    pass_.keep_accelerations = keep;
    if (times_ > 0 && (pass_ != same_ || times_ >= mover_->max_batch())) start();
    same_ = pass_;
    ++times_;
    pass_ = {};
    taken_ = true;
    given_ = false;
  }

  Mover* mover_;
  Pass pass_;               ///< being assembled
  Pass same_;               ///< complete, to be run
  std::int64_t times_ = 0;  ///< this number of times
  bool taken_ = false;      ///< the mover has read the columns
  bool given_ = true;       ///< the columns are up to date
};

}  // namespace orrery::sim
