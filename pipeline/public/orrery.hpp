// SPDX-License-Identifier: MIT
// C++20 over orrery.h, which is the only binary interface: this header compiles into its user. Objects own handles, failures
// are exceptions, texts and arrays are those of the standard library; what functions do, and what is refused, is written in
// orrery.h.
//
// Exceptions in callbacks stop the work, and are thrown again by the call that made it. An object, and all that were made with
// the same context, are for one thread at a time.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "orrery.h"

namespace orrery {
/// Names of symbols that the library itself does not have.
inline namespace client {

using Vec3 = std::array<double, 3>;

/// Why a call failed.
class Error : public std::runtime_error {
 public:
  Error(orrery_status status, const std::string& message, std::string key = "", std::string place = "")
      : std::runtime_error(message), status_(status), key_(std::move(key)), place_(std::move(place)) {}
  [[nodiscard]] orrery_status status() const { return status_; }
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  orrery_status status_;
  std::string key_, place_;
};

/// A named value: {"softening", 0.05}, {"dt", "1/100 period"}, {"boundary", std::vector<std::string>{"periodic", "open", "open"}}.
class Key {
 public:
  using List = std::vector<Key>;
  using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<double>, std::vector<std::string>,
                             std::vector<List>>;

  Key(std::string name, bool value) : name_(std::move(name)), value_(value) {}
  template <std::integral Whole>
  requires(!std::same_as<Whole, bool>) Key(std::string name, Whole value)
      : name_(std::move(name)), value_(static_cast<std::int64_t>(value)) {}
  Key(std::string name, double value) : name_(std::move(name)), value_(value) {}
  Key(std::string name, const char* value) : name_(std::move(name)), value_(std::string(value)) {}
  Key(std::string name, std::string value) : name_(std::move(name)), value_(std::move(value)) {}
  Key(std::string name, std::vector<double> value) : name_(std::move(name)), value_(std::move(value)) {}
  Key(std::string name, std::vector<std::string> value) : name_(std::move(name)), value_(std::move(value)) {}
  Key(std::string name, std::vector<List> value) : name_(std::move(name)), value_(std::move(value)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Value& value() const { return value_; }

 private:
  std::string name_;
  Value value_;
};
using Keys = Key::List;

/// Keys as C takes them, which refer to `keys`.
class KeyArray {
 public:
  KeyArray(const Keys& keys) {  // NOLINT(google-explicit-constructor): for calls
    for (const Key& key : keys) std::visit([&](const auto& value) { add(key.name().c_str(), value); }, key.value());
  }
  KeyArray(const KeyArray&) = delete;
  KeyArray& operator=(const KeyArray&) = delete;
  [[nodiscard]] const orrery_key* data() const { return keys_.data(); }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }

 private:
  void add(const char* name, bool value) { keys_.push_back(orrery_boolean(name, value ? 1 : 0)); }
  void add(const char* name, std::int64_t value) { keys_.push_back(orrery_integer(name, value)); }
  void add(const char* name, double value) { keys_.push_back(orrery_number(name, value)); }
  void add(const char* name, const std::string& value) { keys_.push_back(orrery_text(name, value.c_str())); }
  void add(const char* name, const std::vector<double>& values) {
    keys_.push_back(orrery_numbers(name, values.data(), values.size()));
  }
  void add(const char* name, const std::vector<std::string>& values) {
    auto& texts = texts_.emplace_back();
    for (const std::string& text : values) texts.push_back(text.c_str());
    keys_.push_back(orrery_texts(name, texts.data(), texts.size()));
  }
  void add(const char* name, const std::vector<Keys>& values) {
    auto& records = records_.emplace_back();
    for (const Keys& record : values) {
      const KeyArray& within = *within_.emplace_back(std::make_unique<KeyArray>(record));
      records.push_back({within.data(), within.size()});
    }
    keys_.push_back(orrery_records(name, records.data(), records.size()));
  }

  std::vector<orrery_key> keys_{};
  std::deque<std::vector<const char*>> texts_{};
  std::deque<std::vector<orrery_record>> records_{};
  std::vector<std::unique_ptr<KeyArray>> within_{};
};

/// Vectors of a view: three spans of one length.
struct Vectors {
  std::span<const double> x{}, y{}, z{};

  Vectors() = default;
  Vectors(const orrery_vectors& view)  // NOLINT(google-explicit-constructor)
      : x(view.x, view.x == nullptr ? 0 : view.count), y(view.y, x.size()), z(view.z, x.size()) {}
  [[nodiscard]] std::size_t size() const { return x.size(); }
  [[nodiscard]] Vec3 operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
};
inline std::span<const double> span_of(const orrery_numbers_view& view) {
  return {view.data, view.count};
}
/// [n] vectors of the caller.
inline orrery_vectors view_of(std::span<const Vec3> vectors) {
  return orrery_rows_of_three(vectors.empty() ? nullptr : vectors.front().data(), vectors.size());
}
inline orrery_vectors_out target_of(std::span<Vec3> vectors) {
  return orrery_rows_of_three_out(vectors.empty() ? nullptr : vectors.front().data(), vectors.size());
}

/// Whom a context tells, and where it computes.
struct ContextOptions {
  int threads = 0;  ///< 0: all that this process may use
  int device = 0;   ///< index of the GPU
  std::function<void(orrery_log_kind, std::string_view)> log{};
  /// The part that is done and what it is a part of; returns whether to go on.
  std::function<bool(double, std::string_view)> progress{};
};

class Context {
 public:
  explicit Context(ContextOptions options = {}) : shared_(std::make_shared<Shared>(std::move(options))) {}

  /// Copies are the same context; there is no moving, so that an object that was moved from still has it for its error.
  Context(const Context&) = default;
  Context& operator=(const Context&) = default;

  [[nodiscard]] orrery_context* handle() const { return shared_->handle; }
  /// Returns whether the call came to its end, rather than was stopped. Throws what a callback threw, or Error.
  bool check(orrery_status status) const {
    if (shared_->thrown) std::rethrow_exception(std::exchange(shared_->thrown, nullptr));
    if (status == ORRERY_OK) return true;
    if (status == ORRERY_STOPPED) return false;
    std::string text = orrery_context_message(handle());
    if (text.empty()) {
      text = status == ORRERY_MISUSED ? "an object that was moved from, or a call within a callback of its own context"
                                      : "it failed";
    }
    throw Error(status, text, orrery_context_key(handle()), orrery_context_place(handle()));
  }
  /// Calls a function of the user from C: what it throws is kept, and `otherwise` returned.
  template <class Result, class Call>
  Result guarded(Result otherwise, const Call& call) const noexcept {
    try {
      if (!shared_->thrown) return call();
    } catch (...) {
      shared_->thrown = std::current_exception();
    }
    return otherwise;
  }

 private:
  struct Shared {
    ContextOptions options;
    orrery_context* handle = nullptr;
    std::exception_ptr thrown{};

    explicit Shared(ContextOptions given) : options(std::move(given)) {
      orrery_context_options all = ORRERY_INIT(orrery_context_options);
      all.threads = options.threads;
      all.device = options.device;
      all.user = this;
      if (options.log) all.log = &Shared::log;
      // Also without a function: it ends the work after something was thrown.
      all.progress = &Shared::progress;
      const orrery_status status = orrery_context_create(&all, &handle);
      if (status != ORRERY_OK) throw Error(status, "no context with these options");
    }
    ~Shared() { orrery_context_free(handle); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

    static void log(void* user, orrery_log_kind kind, const char* text) noexcept {
      auto& self = *static_cast<Shared*>(user);
      try {
        self.options.log(kind, text);
      } catch (...) {
        if (!self.thrown) self.thrown = std::current_exception();
      }
    }
    static int progress(void* user, double done, const char* what) noexcept {
      auto& self = *static_cast<Shared*>(user);
      try {
        if (!self.thrown) return !self.options.progress || self.options.progress(done, what) ? 0 : 1;
      } catch (...) {
        self.thrown = std::current_exception();
      }
      return 1;
    }
  };
  std::shared_ptr<Shared> shared_;
};

/// A handle of a context and its release.
template <class Handle, void (*release)(Handle*)>
class Owner {
 public:
  [[nodiscard]] Handle* handle() const { return handle_.get(); }
  [[nodiscard]] const Context& context() const { return context_; }

 protected:
  explicit Owner(Context context) : context_(std::move(context)) {}
  /// Calls make(&handle), which makes the handle. Returns whether it came to its end.
  template <class Make>
  bool make(const Make& call) {
    Handle* made = nullptr;
    const orrery_status status = call(&made);
    handle_.reset(made);
    return context_.check(status);
  }
  bool check(orrery_status status) const { return context_.check(status); }

 private:
  struct Release {
    void operator()(Handle* one) const { release(one); }
  };
  Context context_;
  std::unique_ptr<Handle, Release> handle_{};
};

/// Bodies of a model, [n] each; charges, names and radii may be empty. Views: until the model is changed.
struct BodiesView {
  std::span<const double> mass{}, charge{};
  Vectors position{}, velocity{};
  std::span<const char* const> names{};
  std::span<const double> radius{};
};
/// Bodies to add; velocities, charges, names and radii may be empty.
struct Bodies {
  std::span<const double> mass{};
  std::span<const Vec3> position{}, velocity{};
  std::span<const double> charge{};
  std::vector<std::string> names{};
  std::string component{};
  /// Orbits: elements by name or symbol, NaN for bodies with positions; what each body is around, and in which plane.
  std::map<std::string, std::vector<double>> elements{};
  std::vector<std::string> around{}, planes{};
  std::span<const double> radius{};
};

/// Everything that decides the bits of a run.
class Model : public Owner<orrery_model, orrery_model_free> {
 public:
  /// Open space without bodies, gravity, leapfrog.
  explicit Model(Context context) : Owner(std::move(context)) {
    make([&](orrery_model** model) { return orrery_model_create(this->context().handle(), model); });
  }
  /// A scenario in TOML.
  static Model of_toml(const Context& context, const std::string& text, const std::vector<std::string>& overrides = {},
                       const std::string& name = "scenario", const std::string& folder = "") {
    return Model(context, overrides, [&](const char* const* texts, std::size_t count, orrery_model** model) {
      return orrery_model_from_toml(context.handle(), text.c_str(), name.c_str(), folder.c_str(), texts, count, model);
    });
  }
  /// A file: a scenario, a picture, a trajectory.
  static Model of_file(const Context& context, const std::string& file,
                       const std::vector<std::string>& overrides = {}) {
    return Model(context, overrides, [&](const char* const* texts, std::size_t count, orrery_model** model) {
      return orrery_model_from_file(context.handle(), file.c_str(), texts, count, model);
    });
  }

  /// A model of its own with the same tables.
  [[nodiscard]] Model copy() const {
    return Model(context(), {}, [&](const char* const*, std::size_t, orrery_model** model) {
      return orrery_model_copy(handle(), model);
    });
  }

  void add_bodies(const Bodies& bodies) {
    orrery_bodies all = ORRERY_INIT(orrery_bodies);
    all.count = bodies.mass.size();
    all.mass = bodies.mass.data();
    all.position = view_of(bodies.position);
    all.velocity = view_of(bodies.velocity);
    if (!bodies.charge.empty() && bodies.charge.size() != all.count)
      throw Error(ORRERY_MISUSED, "`charge` has another size than `mass`");
    if (!bodies.radius.empty() && bodies.radius.size() != all.count)
      throw Error(ORRERY_MISUSED, "`radius` has another size than `mass`");
    if (!bodies.names.empty() && bodies.names.size() != all.count)
      throw Error(ORRERY_MISUSED, "`names` has another size than `mass`");
    all.charge = bodies.charge.empty() ? nullptr : bodies.charge.data();
    all.radius = bodies.radius.empty() ? nullptr : bodies.radius.data();
    std::vector<const char*> names;
    for (const std::string& name : bodies.names) names.push_back(name.c_str());
    all.names = names.empty() ? nullptr : names.data();
    all.component = bodies.component.empty() ? nullptr : bodies.component.c_str();
    std::vector<orrery_element> elements;
    for (const auto& [name, values] : bodies.elements) {
      if (values.size() != all.count) throw Error(ORRERY_MISUSED, "`" + name + "` has another size than `mass`");
      elements.push_back({name.c_str(), values.data(), 1});
    }
    all.elements = elements.data();
    all.element_count = elements.size();
    const auto pointers = [&](const std::vector<std::string>& texts, const char* what) {
      if (!texts.empty() && texts.size() != all.count)
        throw Error(ORRERY_MISUSED, std::string("`") + what + "` has another size than `mass`");
      std::vector<const char*> views;
      for (const std::string& text : texts) views.push_back(text.c_str());
      return views;
    };
    const auto around = pointers(bodies.around, "around"), planes = pointers(bodies.planes, "planes");
    all.around = around.empty() ? nullptr : around.data();
    all.planes = planes.empty() ? nullptr : planes.data();
    check(orrery_model_add_bodies(handle(), &all));
  }
  void add_initial(const std::string& kind, const Keys& keys = {}) { call(orrery_model_add_initial, kind, keys); }
  void perturb(const Keys& keys) {
    const KeyArray all(keys);
    check(orrery_model_perturb(handle(), all.data(), all.size()));
  }
  void set_force(const std::string& kind, const Keys& keys = {}) { call(orrery_model_set_force, kind, keys); }
  void set_solver(const std::string& name, const Keys& keys = {}) { call(orrery_model_set_solver, name, keys); }
  void add_field(const std::string& kind, const Keys& keys = {}) { call(orrery_model_add_field, kind, keys); }
  void set_integrator(const std::string& kind, const Keys& keys = {}) { call(orrery_model_set_integrator, kind, keys); }
  void set_steps(double dt, std::int64_t steps) { check(orrery_model_set_steps(handle(), dt, steps)); }
  void set_domain(const Keys& keys) {
    const KeyArray all(keys);
    check(orrery_model_set_domain(handle(), all.data(), all.size()));
  }
  void set_units(const std::string& name) { check(orrery_model_set_units(handle(), name.c_str())); }
  void set_precision(const std::string& name) { check(orrery_model_set_precision(handle(), name.c_str())); }
  double quantity(const std::string& text, const std::string& dimension) {
    double value = 0;
    check(orrery_model_quantity(handle(), text.c_str(), dimension.c_str(), &value));
    return value;
  }
  void set_epoch(const std::string& epoch) { check(orrery_model_set_epoch(handle(), epoch.c_str())); }
  void set_seed(std::int64_t seed) { check(orrery_model_set_seed(handle(), seed)); }
  void set_title(const std::string& title) { check(orrery_model_set_title(handle(), title.c_str())); }

  [[nodiscard]] BodiesView bodies() const {
    orrery_bodies_view view = ORRERY_INIT(orrery_bodies_view);
    check(orrery_model_bodies(handle(), &view));
    return {span_of(view.mass), span_of(view.charge),     view.position,
            view.velocity,      {view.names, view.count}, span_of(view.radius)};
  }
  [[nodiscard]] std::string toml() const {
    const char* text = "";
    check(orrery_model_toml(handle(), &text));
    return text;
  }
  /// As a file .toml, with CSV files for many bodies beside it; `replace`: files of another content.
  void save(const std::string& file, bool replace = false) const {
    check(orrery_model_save(handle(), file.c_str(), replace ? 1 : 0));
  }
  /// Whether both have the same bits.
  friend bool operator==(const Model& a, const Model& b) {
    int equal = 0;
    a.check(orrery_model_equal(a.handle(), b.handle(), &equal));
    return equal != 0;
  }

 private:
  template <class From>
  Model(const Context& context, const std::vector<std::string>& overrides, const From& from) : Owner(context) {
    std::vector<const char*> texts;
    for (const std::string& text : overrides) texts.push_back(text.c_str());
    make([&](orrery_model** model) { return from(texts.data(), texts.size(), model); });
  }
  template <class Function>
  void call(Function function, const std::string& kind, const Keys& keys) {
    const KeyArray all(keys);
    check(function(handle(), kind.c_str(), all.data(), all.size()));
  }
};

/// Where steps are computed; see orrery_backend_options.
struct Backend {
  std::string kind{}, kernel{}, devices{};  ///< empty: the default
  int threads = 0;
  int scratch_columns = 0;
  bool jerk = false;

  /// The result refers to this object.
  [[nodiscard]] orrery_backend_options options() const {
    const auto text = [](const std::string& one) { return one.empty() ? nullptr : one.c_str(); };
    orrery_backend_options all = ORRERY_INIT(orrery_backend_options);
    all.kind = text(kind);
    all.kernel = text(kernel);
    all.devices = text(devices);
    all.threads = threads;
    all.scratch_columns = scratch_columns;
    all.jerk = jerk ? 1 : 0;
    return all;
  }
};

/// A moment of a run, as views.
struct State {
  std::int64_t step = 0;
  double time = 0;
  std::span<const double> mass{};
  Vectors position{}, velocity{};
  Vectors image{};  ///< empty if no axis is periodic

  State() = default;
  State(const orrery_state& of)  // NOLINT(google-explicit-constructor)
      : step(of.step),
        time(of.time),
        mass(span_of(of.mass)),
        position(of.position),
        velocity(of.velocity),
        image(of.image) {}
};
using Observables = orrery_observables;

/// A model being stepped.
class Simulation : public Owner<orrery_simulation, orrery_simulation_free> {
 public:
  explicit Simulation(const Model& model, const Backend& backend = {}) : Owner(model.context()) {
    const orrery_backend_options options = backend.options();
    make([&](orrery_simulation** made) { return orrery_simulation_create(model.handle(), &options, made); });
  }

  /// Returns whether all steps were taken, rather than the context stopped.
  bool advance(std::int64_t steps) { return check(orrery_simulation_advance(handle(), steps)); }
  [[nodiscard]] std::int64_t step() const { return orrery_simulation_step(handle()); }
  [[nodiscard]] double time() const { return orrery_simulation_time(handle()); }
  [[nodiscard]] std::size_t size() const { return orrery_simulation_count(handle()); }
  [[nodiscard]] std::string backend() const { return orrery_simulation_backend(handle()); }
  /// Valid until the simulation advances or changes.
  [[nodiscard]] State state() const {
    orrery_state now = ORRERY_INIT(orrery_state);
    check(orrery_simulation_state(handle(), &now));
    return now;
  }
  [[nodiscard]] Observables observe() const {
    Observables now = ORRERY_INIT(orrery_observables);
    check(orrery_simulation_observe(handle(), &now));
    return now;
  }
  [[nodiscard]] std::string hash() const {
    char digits[17] = "";
    check(orrery_simulation_hash(handle(), digits));
    return digits;
  }

  void accelerate() { check(orrery_simulation_accelerate(handle())); }
  void accelerate_with_jerk(orrery_column jerk) { check(orrery_simulation_accelerate_with_jerk(handle(), jerk)); }
  void kick(double dt) { check(orrery_simulation_kick(handle(), dt)); }
  void drift(double dt) { check(orrery_simulation_drift(handle(), dt)); }
  void combine(orrery_column target, std::initializer_list<orrery_term> terms) {
    check(orrery_simulation_combine(handle(), target, terms.begin(), terms.size()));
  }
  [[nodiscard]] std::vector<Vec3> download(orrery_column column) const {
    std::vector<Vec3> all(size());
    check(orrery_simulation_download(handle(), column, target_of(all)));
    return all;
  }
  void upload(orrery_column column, std::span<const Vec3> values) {
    check(orrery_simulation_upload(handle(), column, view_of(values)));
  }
};
/// Scratch column k of Backend::scratch_columns.
inline orrery_column scratch(int k) {
  return ORRERY_SCRATCH + k;
}

/// What a run stores and who watches it.
struct RunOptions {
  Keys trajectory{}, observables{};
  std::optional<Backend> backend{};
  bool replace = false;
  /// Called at step 0, every so many steps and at the last one; returns whether to go on.
  std::function<bool(const State&, const Observables&)> observe{};
  std::int64_t observe_every = 0;
};

/// The options as C takes them, and what they refer to.
class RunCall {
 public:
  RunCall(const RunOptions& options, const Context& context)
      : options_(options), context_(context), trajectory_(options.trajectory), observables_(options.observables) {
    all_.trajectory = trajectory_.data();
    all_.trajectory_count = trajectory_.size();
    all_.observables = observables_.data();
    all_.observables_count = observables_.size();
    if (options.backend) backend_ = options.backend->options(), all_.backend = &backend_;
    all_.replace = options.replace ? 1 : 0;
    all_.observe_every = options.observe_every;
    all_.user = this;
    if (options.observe) all_.observe = &RunCall::observe;
  }
  RunCall(const RunCall&) = delete;
  RunCall& operator=(const RunCall&) = delete;
  [[nodiscard]] const orrery_run_options* options() const { return &all_; }

 private:
  static int observe(void* user, const orrery_state* state, const orrery_observables* observables) noexcept {
    const auto& self = *static_cast<RunCall*>(user);
    return self.context_.guarded(1, [&] { return self.options_.observe(*state, *observables) ? 0 : 1; });
  }

  const RunOptions& options_;
  const Context& context_;
  KeyArray trajectory_, observables_;
  orrery_backend_options backend_ = ORRERY_INIT(orrery_backend_options);
  orrery_run_options all_ = ORRERY_INIT(orrery_run_options);
};

/// Runs a model and writes its trajectory. Returns whether it came to its end, rather than was stopped.
inline bool run(const Model& model, const std::string& file, const RunOptions& options = {}) {
  const RunCall call(options, model.context());
  return model.context().check(orrery_run(model.handle(), call.options(), file.c_str()));
}
/// Goes on with the run in a file.
inline bool resume(const Context& context, const std::string& file, const RunOptions& options = {}) {
  const RunCall call(options, context);
  return context.check(orrery_resume(context.handle(), file.c_str(), call.options()));
}
/// Writes a finished run of frames that another program computed: `position` is [times][bodies][3], `velocity` too, or empty.
inline void import_frames(const Model& model, const std::string& file, const std::vector<double>& time,
                          const std::vector<double>& position, const std::vector<double>& velocity = {}) {
  model.context().check(orrery_import_frames(model.handle(), file.c_str(), time.size(), time.data(), position.data(),
                                             velocity.empty() ? nullptr : velocity.data()));
}
/// Whether a repetition of a run has the same bits.
inline bool verify(const Context& context, const std::string& file) {
  int same = 0;
  return context.check(orrery_verify(context.handle(), file.c_str(), &same)) && same != 0;
}
/// Whether two files hold the same run.
inline bool same(const Context& context, const std::string& a, const std::string& b) {
  int equal = 0;
  return context.check(orrery_diff(context.handle(), a.c_str(), b.c_str(), &equal)) && equal != 0;
}

/// A file that is written frame by frame; the first is that of step 0.
class Writer : public Owner<orrery_writer, orrery_writer_free> {
 public:
  Writer(const Simulation& simulation, const std::string& file, const Keys& keys = {}) : Owner(simulation.context()) {
    const KeyArray all(keys);
    make([&](orrery_writer** made) {
      return orrery_writer_create(simulation.handle(), all.data(), all.size(), file.c_str(), made);
    });
  }
  void append(const Simulation& simulation) { check(orrery_writer_append(handle(), simulation.handle())); }
  void finish() { check(orrery_writer_finish(handle())); }
};

/// A frame of a trajectory; without velocities if the file has none.
struct Frame {
  double time = 0;
  std::int64_t step = 0;
  std::vector<Vec3> position{}, velocity{};
};

/// The file of a run.
class Trajectory : public Owner<orrery_trajectory, orrery_trajectory_free> {
 public:
  Trajectory(Context context, const std::string& file) : Owner(std::move(context)) {
    make(
        [&](orrery_trajectory** made) { return orrery_trajectory_open(this->context().handle(), file.c_str(), made); });
  }
  /// Sees what was written since; views end.
  void refresh() { check(orrery_trajectory_refresh(handle())); }
  [[nodiscard]] orrery_trajectory_info info() const {
    orrery_trajectory_info all = ORRERY_INIT(orrery_trajectory_info);
    check(orrery_trajectory_describe(handle(), &all));
    return all;
  }
  [[nodiscard]] std::size_t size() const { return times().size(); }
  [[nodiscard]] std::span<const double> times() const { return numbers(orrery_trajectory_times); }
  [[nodiscard]] std::span<const double> masses() const { return numbers(orrery_trajectory_masses); }
  [[nodiscard]] std::span<const std::int64_t> steps() const {
    const std::int64_t* all = nullptr;
    check(orrery_trajectory_steps(handle(), &all));
    return {all, size()};
  }
  [[nodiscard]] std::span<const std::int64_t> indices() const {
    const std::int64_t* all = nullptr;
    check(orrery_trajectory_indices(handle(), &all));
    return {all, masses().size()};
  }
  [[nodiscard]] std::span<const char* const> names() const {
    const char* const* all = nullptr;
    check(orrery_trajectory_names(handle(), &all));
    return {all, masses().size()};
  }
  [[nodiscard]] std::span<const double> radii() const { return numbers(orrery_trajectory_radii); }
  [[nodiscard]] std::span<const double> charges() const { return numbers(orrery_trajectory_charges); }
  [[nodiscard]] std::span<const char* const> components() const {
    const char* const* all = nullptr;
    check(orrery_trajectory_components(handle(), &all));
    return {all, masses().size()};
  }
  /// A part of frames first, first + step, … of some bodies: body bodies[k] in frame j is at [j · bodies.size() + k]. Empty if it
  /// was stopped.
  [[nodiscard]] std::vector<Vec3> read(orrery_part part, std::size_t first, std::ptrdiff_t step, std::size_t frames,
                                       std::span<const std::int64_t> bodies) const {
    orrery_slice slice = ORRERY_INIT(orrery_slice);
    slice.part = part, slice.first = first, slice.step = step, slice.frames = frames;
    slice.bodies = bodies.data(), slice.count = bodies.size();
    std::vector<Vec3> all(frames * bodies.size());
    double* const to = all.empty() ? nullptr : all.front().data();
    if (!check(orrery_trajectory_read_slice(handle(), &slice, to))) all.clear();
    return all;
  }
  [[nodiscard]] Frame frame(std::size_t k) const {
    Frame one;
    one.position.resize(masses().size());
    if (info().velocities != 0) one.velocity.resize(one.position.size());
    check(orrery_trajectory_read(handle(), k, target_of(one.position), target_of(one.velocity)));
    one.time = times()[k];
    one.step = steps()[k];
    return one;
  }
  [[nodiscard]] std::vector<std::string> columns() const {
    std::vector<std::string> all;
    for (std::size_t k = 0; k < orrery_trajectory_column_count(handle()); ++k)
      all.emplace_back(orrery_trajectory_column_name(handle(), k));
    return all;
  }
  [[nodiscard]] std::span<const double> column(const std::string& name) const {
    orrery_numbers_view all{};
    check(orrery_trajectory_column(handle(), name.c_str(), &all));
    return span_of(all);
  }

 private:
  template <class Function>
  [[nodiscard]] std::span<const double> numbers(Function function) const {
    orrery_numbers_view all{};
    check(function(handle(), &all));
    return span_of(all);
  }
};

/// Draws a figure of a run into a file.
inline bool draw_figure(const Context& context, const std::string& run, const std::string& kind,
                        const std::string& file, const Keys& keys = {}) {
  const KeyArray all(keys);
  return context.check(
      orrery_draw(context.handle(), run.c_str(), ORRERY_FIGURE, kind.c_str(), all.data(), all.size(), file.c_str()));
}
/// Draws a film of a run into a file. Returns whether it came to its end, rather than was stopped.
inline bool draw_film(const Context& context, const std::string& run, const std::string& kind, const std::string& file,
                      const Keys& keys = {}) {
  const KeyArray all(keys);
  return context.check(
      orrery_draw(context.handle(), run.c_str(), ORRERY_FILM, kind.c_str(), all.data(), all.size(), file.c_str()));
}

/// Writes a page of runs into a file, of at most `size` MB, 0 for 5. Returns whether it came to its end, rather than was stopped.
inline bool write_page(const Context& context, const std::vector<std::string>& runs, const std::string& file,
                       double size = 0) {
  std::vector<const char*> names;
  for (const std::string& run : runs) names.push_back(run.c_str());
  return context.check(orrery_write_page(context.handle(), names.data(), names.size(), file.c_str(), size));
}

/// A picture in memory.
class Picture : public Owner<orrery_picture, orrery_picture_free> {
 public:
  /// `format` is the extension, "png". No bytes if it was stopped.
  Picture(const Context& context, const std::string& run, const std::string& kind, const std::string& format,
          const Keys& keys = {}, orrery_picture_type type = ORRERY_FIGURE)
      : Owner(context) {
    const KeyArray all(keys);
    make([&](orrery_picture** made) {
      return orrery_picture_create(context.handle(), run.c_str(), type, kind.c_str(), all.data(), all.size(),
                                   format.c_str(), made);
    });
  }
  [[nodiscard]] std::span<const unsigned char> bytes() const {
    std::size_t count = 0;
    const unsigned char* all = orrery_picture_bytes(handle(), &count);
    return {all, count};
  }
};

/// The curves of a figure, as views of the object.
class Charts : public Owner<orrery_charts, orrery_charts_free> {
 public:
  Charts(const Context& context, const std::string& run, const std::string& kind, const Keys& keys = {})
      : Owner(context) {
    const KeyArray all(keys);
    make([&](orrery_charts** made) {
      return orrery_charts_create(context.handle(), run.c_str(), kind.c_str(), all.data(), all.size(), made);
    });
  }
  [[nodiscard]] std::size_t size() const { return orrery_charts_count(handle()); }
  [[nodiscard]] orrery_chart operator[](std::size_t chart) const {
    orrery_chart one = ORRERY_INIT(orrery_chart);
    check(orrery_charts_chart(handle(), chart, &one));
    return one;
  }
  struct Curve {
    std::string_view name{};
    std::span<const double> x{}, y{};
    std::span<const double> low{};  ///< of a band; else empty
  };
  [[nodiscard]] Curve curve(std::size_t chart, std::size_t k) const {
    orrery_curve one = ORRERY_INIT(orrery_curve);
    check(orrery_charts_curve(handle(), chart, k, &one));
    return {one.name, {one.x, one.count}, {one.y, one.count}, {one.low, one.low == nullptr ? 0 : one.count}};
  }
};

/// The plug-ins of a topic.
inline std::vector<const orrery_plug_in*> plug_ins(orrery_topic topic) {
  std::vector<const orrery_plug_in*> all;
  for (std::size_t k = 0; k < orrery_plug_in_count(topic); ++k) all.push_back(orrery_plug_in_at(topic, k));
  return all;
}
inline std::vector<const orrery_parameter*> parameters(const orrery_plug_in& plug_in) {
  std::vector<const orrery_parameter*> all;
  for (std::size_t k = 0; k < plug_in.parameter_count; ++k) all.push_back(orrery_parameter_at(&plug_in, k));
  return all;
}

// ---- One's own law, field and integrator ------------------------------------------------------------------------------------
//
// See orrery.h for what they must do. What their functions throw ends the call that needed them with Error, which has the text.

/// A number that a plug-in takes: `fallback` unless it is given or `required`; any number if `low` and `high` are both 0.
struct OwnParameter {
  std::string name, meaning{}, unit{};
  bool required = false;
  double fallback = 0, low = 0, high = 0;
};

/// Pairs of which a law is asked: n of each, u and slope none unless they are needed.
struct Pairs {
  std::span<const double> r2;
  std::span<double> c, u, slope;
  const double* parameters;
};
struct OwnLaw {
  std::string name, meaning{};
  std::vector<OwnParameter> parameters{};
  orrery_acts_by acts_by = ORRERY_BY_MASS;
  bool slope = false;
  std::function<void(const Pairs&)> pairs{};
};

/// Bodies on which a field acts: x, y and z of n bodies; `potential` is empty unless it is needed.
struct FieldBodies {
  std::span<const double> x, y, z;
  std::span<double> gx, gy, gz, potential;
  const double* parameters;
};
struct OwnField {
  std::string name, meaning{};
  std::vector<OwnParameter> parameters{};
  std::function<void(const FieldBodies&)> bodies{};
};

/// The operations of a step. One that fails throws, and the work ends with its message.
class Stepper {
 public:
  explicit Stepper(orrery_stepper* handle) : handle_(handle) {}
  void accelerate() const { check(orrery_step_accelerate(handle_)); }
  void accelerate_with_jerk(orrery_column jerk) const { check(orrery_step_accelerate_with_jerk(handle_, jerk)); }
  void kick(double dt) const { check(orrery_step_kick(handle_, dt)); }
  void drift(double dt) const { check(orrery_step_drift(handle_, dt)); }
  void combine(orrery_column target, std::initializer_list<orrery_term> terms) const {
    check(orrery_step_combine(handle_, target, terms.begin(), terms.size()));
  }
  [[nodiscard]] std::size_t size() const { return orrery_step_count(handle_); }
  [[nodiscard]] std::vector<Vec3> download(orrery_column column) const {
    std::vector<Vec3> all(size());
    check(orrery_step_download(handle_, column, target_of(all)));
    return all;
  }
  void upload(orrery_column column, std::span<const Vec3> values) const {
    check(orrery_step_upload(handle_, column, view_of(values)));
  }

 private:
  static void check(orrery_status status) {
    if (status != ORRERY_OK) throw Error(status, "an operation of a step failed");
  }
  orrery_stepper* handle_;
};
struct OwnIntegrator {
  struct Column {
    std::string name;
    bool persistent = false;
  };
  std::string name, meaning{}, reference{};
  std::vector<OwnParameter> parameters{};
  std::vector<Column> columns{};
  int order = 1, evaluations = 1;
  bool symplectic = false, symmetric = false, drifts_first = false, jerk = false, same_each_step = false;
  std::function<void(const Stepper&, const orrery_step&)> step{};
  std::function<void(const Stepper&)> start{};
};

namespace detail {
inline std::vector<orrery_own_parameter> own_parameters(const std::vector<OwnParameter>& given) {
  std::vector<orrery_own_parameter> all;
  for (const OwnParameter& one : given) {
    orrery_own_parameter& each = all.emplace_back(ORRERY_INIT(orrery_own_parameter));
    each.name = one.name.c_str(), each.meaning = one.meaning.c_str(), each.unit = one.unit.c_str();
    each.required = one.required, each.fallback = one.fallback, each.low = one.low, each.high = one.high;
  }
  return all;
}
/// Fills what all plug-ins have, and calls register(plug_in), which owns a copy of `own` after it has succeeded.
template <class Struct, class Own, class Register>
void register_own(const Context& context, Struct plug_in, const Own& own, const Register& register_it) {
  auto copy = std::make_unique<Own>(own);
  const auto parameters = own_parameters(copy->parameters);
  plug_in.name = copy->name.c_str(), plug_in.meaning = copy->meaning.c_str();
  plug_in.parameters = parameters.data(), plug_in.parameter_count = parameters.size();
  plug_in.user = copy.get();
  plug_in.release = [](void* user) { delete static_cast<Own*>(user); };
  context.check(register_it(context.handle(), &plug_in));
  (void)copy.release();
}
}  // namespace detail

inline void register_law(const Context& context, const OwnLaw& law) {
  orrery_law all = ORRERY_INIT(orrery_law);
  all.acts_by = law.acts_by;
  all.slope = law.slope;
  all.pairs = [](void* user, std::size_t n, const double* r2, double* c, double* u, double* slope,
                 const double* parameters) {
    const auto some = [n](double* p) { return std::span<double>(p, p == nullptr ? 0 : n); };
    static_cast<const OwnLaw*>(user)->pairs({{r2, n}, {c, n}, some(u), some(slope), parameters});
    return 0;
  };
  detail::register_own(context, all, law, orrery_register_law);
}

inline void register_field(const Context& context, const OwnField& field) {
  orrery_field all = ORRERY_INIT(orrery_field);
  all.bodies = [](void* user, std::size_t n, const double* const* x, double* const* g, double* potential,
                  const double* parameters) {
    static_cast<const OwnField*>(user)->bodies({{x[0], n},
                                                {x[1], n},
                                                {x[2], n},
                                                {g[0], n},
                                                {g[1], n},
                                                {g[2], n},
                                                {potential, potential == nullptr ? 0 : n},
                                                parameters});
    return 0;
  };
  detail::register_own(context, all, field, orrery_register_field);
}

inline void register_integrator(const Context& context, const OwnIntegrator& own) {
  orrery_integrator all = ORRERY_INIT(orrery_integrator);
  std::vector<orrery_own_column> columns;
  for (const auto& [name, persistent] : own.columns) {
    orrery_own_column& each = columns.emplace_back(ORRERY_INIT(orrery_own_column));
    each.name = name.c_str(), each.persistent = persistent;
  }
  all.columns = columns.data(), all.column_count = columns.size();
  all.reference = own.reference.c_str();
  all.order = own.order, all.evaluations = own.evaluations;
  all.symplectic = own.symplectic, all.symmetric = own.symmetric, all.drifts_first = own.drifts_first;
  all.jerk = own.jerk, all.same_each_step = own.same_each_step;
  all.step = [](void* user, orrery_stepper* stepper, const orrery_step* step) {
    static_cast<const OwnIntegrator*>(user)->step(Stepper(stepper), *step);
    return 0;
  };
  if (own.start) {
    all.start = [](void* user, orrery_stepper* stepper) {
      static_cast<const OwnIntegrator*>(user)->start(Stepper(stepper));
      return 0;
    };
  }
  detail::register_own(context, all, own, orrery_register_integrator);
}

}  // namespace client
}  // namespace orrery
