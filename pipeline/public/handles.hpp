// SPDX-License-Identifier: MIT
// What is behind the handles of orrery.h, and how its functions answer.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/thread_pool.hpp"
#include "pipeline/context.hpp"
#include "pipeline/public/orrery.h"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/scenario/model_toml.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/foreign.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {

/// The caller breaks a rule of the interface.
class Misuse : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A context of a user of the library, with the last error. Shared by its handles.
class LibraryContext : public Context {
 public:
  explicit LibraryContext(const orrery_context_options& options);

  [[nodiscard]] bool stopped() const override { return stop_.load(); }
  /// Ends the work that is going on.
  void stop_now() { stop_ = true; }
  /// Tells the user of progress, and stops if he says so.
  void reach(double fraction, const std::string& what);
  [[nodiscard]] std::unique_ptr<ProgressLine> progress_line(bool at_once) override;
  /// The user has freed it, and perhaps what its callbacks need: handles that are left work without them.
  void drop_callbacks() { options_.log = nullptr, options_.progress = nullptr; }

  /// A call of the interface, which forgets the last error and stop. False while another call with the context is going on, in a
  /// callback of which, or on another thread, this one is.
  class Call {
   public:
    explicit Call(LibraryContext& context) noexcept;
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    explicit operator bool() const { return alone_; }

   private:
    LibraryContext& context_;
    bool alone_;
  };
  /// Keeps the exception that is being handled as the last error, and returns what it means.
  orrery_status keep_error() noexcept;

  /// The last error.
  std::string message{}, key{}, place{};

 private:
  void write(Kind kind, const std::string& line) override;

  orrery_context_options options_;
  std::atomic<bool> stop_ = false, busy_ = false;
};
using SharedContext = std::shared_ptr<LibraryContext>;

/// Carries out a function of the interface: work() returns a status or nothing. No exception leaves.
template <class Work>
orrery_status answer(const SharedContext context,
                     const Work& work) noexcept {  // NOLINT: a callback may free the handle
  const LibraryContext::Call call(*context);
  if (!call) return ORRERY_MISUSED;
  try {
    const UseThreads threads(context->resources.threads);
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      return ORRERY_OK;
    } else {
      return work();
    }
  } catch (...) {
    return context->keep_error();
  }
}
/// The same for a handle, which may be null.
template <class Handle, class Work>
orrery_status answer_of(Handle* handle, const Work& work) noexcept {
  return handle == nullptr ? ORRERY_MISUSED : answer(handle->context, [&] { return work(*handle); });
}

/// Throws Misuse if a pointer is null.
template <class T>
T& needed(T* pointer, const char* name) {
  if (pointer == nullptr) throw Misuse(std::string("`") + name + "` is null");
  return *pointer;
}
inline std::string needed_text(const char* text, const char* name) {
  return &needed(text, name);
}

/// Throws Misuse unless a struct has the size of this version or of an earlier one, which had at least `least` bytes.
void check_size(std::size_t size, std::size_t least, std::size_t ours, const char* name);
/// A struct of the caller, which may be one of an earlier version, as one of this version; null: all default.
template <class Struct>
Struct given_struct(const Struct* given, const char* name) {
  Struct ours{};
  if (given == nullptr) return ours;
  check_size(given->size, sizeof(std::size_t), sizeof(Struct), name);
  std::copy_n(reinterpret_cast<const char*>(given), given->size, reinterpret_cast<char*>(&ours));
  return ours;
}
/// Fills a struct of the caller, as much of it as he has.
template <class Struct>
void fill(Struct* target, Struct values, const char* name) {
  check_size(needed(target, name).size, sizeof(std::size_t), sizeof(Struct), name);
  values.size = target->size;
  std::copy_n(reinterpret_cast<const char*>(&values), values.size, reinterpret_cast<char*>(target));
}

/// Typed keys. Throws Misuse.
Arguments arguments_of(const orrery_key* keys, std::size_t count);
std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* name);

inline orrery_numbers_view view_of(const std::vector<double>& numbers) {
  return {numbers.data(), 1, numbers.size()};
}
inline orrery_vectors view_of(const sim::Vectors& vectors) {
  if (vectors.size() == 0) return {nullptr, nullptr, nullptr, 1, 0};
  return {vectors.x.data(), vectors.y.data(), vectors.z.data(), 1, vectors.size()};
}
/// Copies n vectors. Throws Misuse if the pointers or the count do not fit.
sim::Vectors vectors_of(const orrery_vectors& from, std::size_t n, const char* name);
void copy_to(const orrery_vectors_out& to, const sim::Vectors& from, const char* name);

orrery_observables observables_of(const sim::Observables& now, const sim::InitialEnergy& first);
orrery_state state_of(const sim::Snapshot& now, const std::vector<double>& mass);

/// What a scenario is needed for, where the model does not say how long a run is.
enum class Purpose {
  run,   ///< then it must
  step,  ///< it has no steps
  look   ///< at its bodies: it need not have dt either
};

}  // namespace orrery::pipeline

struct orrery_context {
  orrery::pipeline::SharedContext context;
};

struct orrery_model {
  orrery::pipeline::SharedContext context;
  std::shared_ptr<const orrery::sim::PlugIns>
      plug_ins;  ///< those that were registered when it was made, or last named one
  orrery::pipeline::ScenarioTables tables;
  /// The text that it came from, with its overrides; empty: none. It has the pictures.
  std::string text{}, name{"model"};
  std::vector<std::string> overrides{};
  bool changed = true;  ///< the tables are not those of the text

  // Made when they are asked for.
  std::optional<orrery::sim::Model> made{};
  std::vector<const char*> names{};
  std::string toml{};

  /// After a change of the tables.
  void touch() { changed = true, made.reset(); }
  /// Before it names a plug-in: those that were registered since.
  void see_plug_ins() { plug_ins = context->plug_ins; }
  /// Its text: what it came from, if that says it all, else its tables and pictures. CSV files hold bodies of which it cannot, called after
  /// `name`; empty: their hash stands there.
  [[nodiscard]] orrery::pipeline::ModelText written(const std::string& name = "") const;
  /// Itself as a scenario, with `output` and `backend` instead of its own tables, if they are given.
  [[nodiscard]] orrery::pipeline::Scenario scenario(orrery::pipeline::Purpose purpose) const;
  /// As the purpose `look` makes it.
  const orrery::sim::Model& model();
};

struct orrery_simulation {
  orrery::pipeline::SharedContext context;
  orrery::pipeline::Scenario scenario;
  orrery::pipeline::Setup setup{};
  /// The model's integrator with further scratch columns, if they are asked for.
  std::vector<orrery::sim::ScratchColumn> columns{};
  std::optional<orrery::sim::Integrator> integrator{};
  int first_scratch = 0;  ///< the first of those
  int scratch = 0;        ///< how many there are
  orrery::pipeline::ChosenBackend chosen{};
  std::optional<orrery::sim::Simulation> simulation{};
  orrery::sim::InitialEnergy first{};
  std::optional<orrery::sim::Snapshot> state{};  ///< the current one, once it is asked for
  bool observed = false;                         ///< it has observables
};

namespace orrery::pipeline {

/// [backend] with these options instead of the keys that they set.
Section backend_table(const Section& own, const orrery_backend_options& options);

}  // namespace orrery::pipeline
