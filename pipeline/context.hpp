// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "common/usable_threads.hpp"
#include "pipeline/messages.hpp"
#include "sim/ranks/ranks.hpp"
#include "sim/stop_request.hpp"

namespace orrery::sim {
class PlugIns;  // sim/foreign.hpp
}

namespace orrery::pipeline {

/// What computes where nothing else is asked for.
struct Resources {
  int threads = usable_threads();
  int device = 0;  ///< index of the GPU, modulo their number
  /// Those that share the forces, of which this process is the first; null: it is alone.
  std::shared_ptr<sim::Ranks> ranks{};
};

/// One use of the library: where it computes, whom it tells, and who stops it. This class computes on everything, tells
/// nobody and is never stopped; the program derives its own. Two in one process do not see each other.
class Context : public Messages {
 public:
  Context() = default;
  explicit Context(Resources given) : resources(std::move(given)) {}

  Resources resources{};
  /// Those that its scenarios and runs may name: the library's, and those that the program has registered. Null: no such ones.
  std::shared_ptr<const sim::PlugIns> plug_ins{};

  /// Whether the work shall end as soon as its result is consistent. Asked between steps, frames and pictures.
  [[nodiscard]] virtual bool stopped() const { return false; }
  /// The same for the engine.
  [[nodiscard]] sim::StopRequest stop() const {
    return [this] { return stopped(); };
  }
  /// Waits for `time` or until it is stopped.
  void pause(std::chrono::duration<double> time) const {
    const auto end = std::chrono::steady_clock::now() + time;
    while (!stopped() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }

  enum class Phase {
    orderly,   ///< `stopped` is asked, and an end in the middle would leave files behind
    stepping,  ///< a slice of steps, which cannot ask and may last for any time
    once       ///< the same, of work that is not repeated
  };
  /// Tells the context of a phase while it exists. Phases may be nested, and `stepping` on several threads.
  class During {
   public:
    During(Context& context, Phase phase) : context_(context), phase_(phase) { context_.enter(phase_); }
    ~During() { context_.leave(phase_, std::chrono::steady_clock::now() - begin_); }
    During(const During&) = delete;
    During& operator=(const During&) = delete;

   private:
    Context& context_;
    Phase phase_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  };

  /// Called by During.
  virtual void enter(Phase /*phase*/) {}
  virtual void leave(Phase /*phase*/, std::chrono::duration<double> /*took*/) {}
};

/// A part of the work of another context, of which it says nothing.
class Silenced : public Context {
 public:
  Silenced(Context& whole, Resources given) : Context(std::move(given)), whole_(whole) { plug_ins = whole.plug_ins; }
  explicit Silenced(Context& whole) : Silenced(whole, whole.resources) {}
  [[nodiscard]] bool stopped() const override { return whole_.stopped(); }
  void enter(Phase phase) override { whole_.enter(phase); }
  void leave(Phase phase, std::chrono::duration<double> took) override { whole_.leave(phase, took); }

 protected:
  Context& whole_;
};

}  // namespace orrery::pipeline
