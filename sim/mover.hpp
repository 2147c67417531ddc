// SPDX-License-Identifier: MIT
// A force solver that also moves the bodies, and what a backend asks of it, put off until it can be done in one pass.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/arithmetic.hpp"

namespace orrery::sim {

/// Forces at the present positions, if they are wanted, and the kicks and drifts that follow, in their order.
struct Pass {
  struct Part {
    enum class Verb { kick, drift } verb = Verb::kick;
    double dt = 0;
    friend bool operator==(const Part&, const Part&) = default;
  };
  static constexpr int most = 8;

  bool forces = false;                ///< else kicks go by those of the pass before, which kept them
  Outputs outputs = Outputs::forces;  ///< besides
  bool keep_accelerations = false;    ///< for a later pass, or whoever looks
  int count = 0;
  std::array<Part, most> parts{};

  [[nodiscard]] bool empty() const { return !forces && count == 0; }
  [[nodiscard]] bool drifts() const {
    return std::ranges::any_of(parts, [](const Part& part) { return part.verb == Part::Verb::drift; });
  }
  friend bool operator==(const Pass&, const Pass&) = default;
};

/// Holds positions and velocities in an order and a precision of its own, so that forces, kicks and drifts, with what the domain
/// does to bodies that have drifted, are one pass over them.
class Mover {
 public:
  Mover() = default;
  virtual ~Mover() = default;
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;

  virtual void carry_out(const Pass& pass) = 0;
  /// So many of them, at most `most_at_once`, of which equal passes are brought together.
  virtual void carry_out(const Pass& pass, std::int64_t times) {
    for (; times > 0; --times) carry_out(pass);
  }
  [[nodiscard]] virtual std::int64_t most_at_once() const { return 1; }
  /// The columns of the state ← what it holds: positions, velocities, images; accelerations where they were kept, potentials and
  /// virials where the last forces had them.
  virtual void give() = 0;
  /// Those columns were written by others: positions, velocities, accelerations, images.
  virtual void take() = 0;
};

/// Verbs for a mover, until somebody wants to see what they come to.
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

  /// The columns are as they were asked for.
  void settle() {
    carry_out(true);
    start();
    if (!given_) mover_->give();
    given_ = true;
  }
  /// What is complete is begun.
  void start() {
    if (times_ == 0) return;
    mover_->carry_out(same_, times_);
    times_ = 0;
  }
  /// Others wrote to columns that were settled.
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
    if (times_ > 0 && (pass_ != same_ || times_ >= mover_->most_at_once())) start();
    same_ = pass_;
    ++times_;
    pass_ = {};
    taken_ = true;
    given_ = false;
  }

  Mover* mover_;
  Pass pass_;               ///< that is being put together
  Pass same_;               ///< that comes next,
  std::int64_t times_ = 0;  ///< and how often
  bool taken_ = false;      ///< the mover holds what the columns held last
  bool given_ = true;       ///< the columns hold what the mover does
};

}  // namespace orrery::sim
