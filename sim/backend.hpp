// SPDX-License-Identifier: MIT
// A backend holds the state and carries out the verbs that integrators are written in; the list of all backends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/domain.hpp"
#include "sim/external_field.hpp"
#include "sim/force.hpp"
#include "sim/greatest.hpp"
#include "sim/heat_bath.hpp"
#include "sim/pair_order.hpp"
#include "sim/precision.hpp"
#include "sim/snapshot.hpp"

namespace orrery::sim {

/// A column of the state: a vector for each body. Those from `own` on belong to the integrator, in the order
/// it declares them: own_column(0), own_column(1), …
enum class Column : int { position, velocity, acceleration, own };

constexpr Column own_column(int k) {
  return static_cast<Column>(static_cast<int>(Column::own) + k);
}

/// `factor` times a column.
struct Term {
  double factor;
  Column source;
};

/// Terms of a combination, at the most.
inline constexpr std::size_t most_terms = 32;

struct ForceSolver;

/// The values of an integrator's keys in the order in which it declares them; 0 beyond them. By value and of fixed count, so
/// that a backend that records steps can compare them.
struct KeyValues {
  std::array<double, 4> at{};

  constexpr KeyValues(double first = 0) : at{first} {}
  friend bool operator==(const KeyValues&, const KeyValues&) = default;
};

/// A step of dt, as an integrator is told of it.
struct Step {
  std::int64_t number = 0;  ///< how many steps of the run came before it
  double time = 0;          ///< at which it begins: number · dt, so that no rounding adds up; never −0
  double dt = 0;            ///< below 0 where time falls
  KeyValues keys{};

  /// The one that comes so many steps later.
  [[nodiscard]] Step later(std::int64_t steps) const {
    return {number + steps, static_cast<double>(number + steps) * dt + 0.0, dt, keys};
  }
  /// With a part of its dt, for methods made of others; number and time remain those of the whole.
  [[nodiscard]] Step part(double factor) const { return {number, time, factor * dt, keys}; }
};

struct Integrator;

/// Everything a backend must know before it can start.
struct System {
  Bodies bodies;
  std::vector<PairForce> forces;
  std::vector<ExternalField> fields;    ///< act after all pair forces, in this order
  int own_columns = 0;                  ///< how many the integrator declares
  bool jerk = false;                    ///< it uses `accelerate_with_jerk`
  bool bath = false;                    ///< it uses `thermalise`
  const ForceSolver* solver = nullptr;  ///< of the pair forces; null: all pairs
  Domain domain{};                      ///< that they move in
};

/// Verbs over a state in double. Every backend gives the same bits; docs/canonical-order.md says which.
class Backend {
 public:
  virtual ~Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  /// a ← Σ forces at the present positions. Costs nothing where it is known already: a column `acceleration`
  /// is good from here until positions change, and not kept beyond.
  void accelerate();
  /// The same, bit for bit, and jerk, an work vector, ← da/dt as the bodies move now. Throws Error where the system did not
  /// ask for it or pairs are not computed in float64.
  void accelerate_with_jerk(Column jerk);
  /// target ← Σₖ factorₖ · sourceₖ, one fused multiply-add a term in the order given. A leading term with
  /// factor 1 is copied, any other leading term is a plain product, so that signed zeros agree. Throws Error where there are
  /// more than `most_terms`, or none.
  void combine(Column target, std::span<const Term> terms);
  void combine(Column target, std::initializer_list<Term> terms) { combine(target, {terms.begin(), terms.size()}); }
  /// v ← v + dt·a
  void kick(double dt) { compute_kick(dt); }
  /// x ← x + dt·v, and where the domain has ends, what becomes of bodies that went beyond them.
  void drift(double dt);
  /// v ← what a heat bath makes of it, as sim/heat_bath.hpp has it. The velocities come to the host for that, from wherever
  /// they are. Throws Error where the system did not ask for it.
  void thermalise(const HeatBath& bath);

  /// Takes `times` steps of an integrator, `first` and those that follow it. A backend may record what some of them come
  /// to and replay it, unless the integrator says that it uses their time. `tracked`: the state after each of them is met
  /// as by `track`.
  virtual void repeat(const Integrator& integrator, const Step& first, std::int64_t times, bool tracked);

  /// While true, `accelerate` computes the potential along with the forces, since it will be observed soon.
  void expect_observation(bool soon) { with_potential_ = soon; }
  /// Remembers the observables of the present state and these columns of it; `noted` gives them once. A device goes on
  /// with the next steps meanwhile.
  void request_readback(std::span<const Column> columns);
  struct Readback {
    Observables observables;
    Extremes extremes{};  ///< as `take_extremes` would have given them
    std::vector<Vectors> columns;
  };
  /// Throws Error where nothing was noted since the last call.
  [[nodiscard]] Readback take_readback();
  /// The observables of the present state.
  Observables observe() {
    request_readback({});
    return take_readback().observables;
  }

  /// Widens the extremes of energy and angular momentum by the present state.
  void track();
  /// Those of all that `track` met since a note was made or this was called.
  [[nodiscard]] virtual Extremes take_extremes() { return std::exchange(extremes_, {}); }

  /// found[k] ← the greatest component of columns[k]. One call is one round trip where the columns lie on a device: who
  /// wants several asks for them together.
  virtual void greatest(std::span<const Column> columns, std::span<Greatest> found) const;
  template <std::size_t n>
  [[nodiscard]] std::array<Greatest, n> greatest(const Column (&columns)[n]) const {
    std::array<Greatest, n> found;
    greatest(columns, found);
    return found;
  }
  /// found[k] ← half of what columns[k] spans along its widest axis. One round trip, as with `greatest`.
  virtual void half_extents(std::span<const Column> columns, std::span<double> found) const;
  template <std::size_t n>
  [[nodiscard]] std::array<double, n> half_extents(const Column (&columns)[n]) const {
    std::array<double, n> found;
    half_extents(columns, found);
    return found;
  }

  [[nodiscard]] virtual Vectors download(Column column) const = 0;
  /// Throws Error where these are not as many as there are bodies.
  void upload(Column column, const Vectors& values);

  /// Where it counts how often bodies went around: a column of whole numbers, as Snapshot::image. None where no axis of the
  /// domain is joined.
  [[nodiscard]] std::optional<Column> image() const { return image_; }
  /// The domain that the bodies move in.
  [[nodiscard]] const Domain& domain() const { return domain_; }
  /// Below this r², softened, a pair has no force in the arithmetic of this backend.
  [[nodiscard]] virtual double least_r2() const = 0;
  /// How many times forces were computed.
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }
  /// "avx512, 2 threads" or the name of a device: what the bits do not depend on but the speed does.
  [[nodiscard]] virtual std::string hardware() const = 0;
  /// How it goes through pairs: "pair-once", or "tiled".
  [[nodiscard]] virtual std::string kernel() const = 0;

 protected:
  /// For so many bodies in open space.
  explicit Backend(std::size_t bodies) : bodies_(bodies) {}
  explicit Backend(const System& system);
  /// Columns of the state with the integrator's own and the images.
  [[nodiscard]] static std::size_t columns_of(const System& system) {
    return static_cast<std::size_t>(Column::own) + static_cast<std::size_t>(system.own_columns) +
           (system.domain.is_joined() ? 1 : 0);
  }
  /// To be called by `repeat` for evaluations that were replayed.
  void count_evaluations(std::int64_t more) { evaluations_ += more; }
  enum class Known { nothing, acceleration, potential_too };
  [[nodiscard]] Known known() const { return known_; }

  /// Both as combinations; a drift in a domain with ends is more than that.
  virtual void compute_kick(double dt);
  virtual void compute_drift(double dt);

  /// `track`, with the potential of the present positions.
  virtual void widen_extremes();

  Extremes extremes_;  ///< met since they were taken, where the host keeps them

 private:
  virtual void compute_acceleration(bool with_potential) = 0;
  virtual void compute_acceleration_and_jerk(Column jerk) = 0;
  virtual void compute_combination(Column target, std::span<const Term> terms) = 0;
  /// May rely on the potential of the present positions.
  virtual Observables measure() = 0;
  virtual void store(Column column, const Vectors& values) = 0;
  /// `note` for a device: queues the copies. Here they are made at once.
  virtual void begin_readback(std::span<const Column> columns);
  virtual Readback end_readback() { return std::move(readback_); }

  void evaluate(bool with_potential);

  Known known_ = Known::nothing;  ///< at the present positions
  bool with_potential_ = false;
  std::int64_t evaluations_ = 0;
  std::size_t bodies_;
  Domain domain_{};
  std::optional<Column> image_{};
  std::vector<double> mobility_{};  ///< of each body, for a bath
  bool has_note_ = false;
  Readback readback_;
};

/// What a backend may be told besides the system; each counts where it means something. In float64 no bit depends on
/// any of them.
struct BackendOptions {
  int threads = 1;                           ///< of the processor
  int device = 0;                            ///< which GPU
  std::string_view kernel{};                 ///< one of the kind's; empty: what it thinks best
  Precision precision = Precision::float64;  ///< one of the kind's
};

/// A device besides the processor, as its driver describes it.
struct DeviceFacts {
  std::string name{};
  std::string bus_id{};  ///< by which the driver's tools know it: "00000000:0F:00.0"
  int multiprocessors = 0;
  double clock = 0;  ///< of a multiprocessor at most; Hz, 0 where unknown
  /// What else it has, by names for people: "memory", "140 GiB".
  std::vector<std::pair<std::string, std::string>> limits{};
};

/// A kind of backend describes itself and makes backends.
struct BackendKind {
  std::string_view name;
  std::string_view meaning;
  /// The ways in which it can go through pairs.
  std::span<const std::string_view> kernels;
  std::span<const Precision> precisions;
  /// Empty where it can be used here; else one line that says why not and how to get it.
  std::string (*absence)();
  /// Throws Error where the device fails or has too little memory.
  std::unique_ptr<Backend> (*make)(System system, const BackendOptions& options);
  /// Measures the fused multiply-adds a second that all threads or the device do at most: in double for float64, else
  /// in float. Null where nobody asks how fast it could be. Throws Error.
  double (*fma_rate)(const BackendOptions& options) = nullptr;
  /// Measures the bytes a second, read and written, at which all threads or the device copy arrays that no cache holds. Null
  /// where nobody asks. Throws Error.
  double (*copy_rate)(const BackendOptions& options) = nullptr;
  /// Which device it would run on; null where that is the processor. Throws Error.
  DeviceFacts (*device)(const BackendOptions& options) = nullptr;
};

std::span<const BackendKind* const> backend_kinds();

}  // namespace orrery::sim
