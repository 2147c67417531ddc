// SPDX-License-Identifier: MIT
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
#include "sim/operation.hpp"
#include "sim/pair_order.hpp"
#include "sim/precision.hpp"
#include "sim/snapshot.hpp"

namespace orrery::sim {

struct ForceSolver;
class Ranks;

/// The values of an integrator's parameters in their order, then zeros. Of fixed size, so that a backend can compare
/// the steps that it has recorded.
struct KeyValues {
  std::array<double, 4> at{};

  constexpr KeyValues(double first = 0) : at{first} {}
  friend bool operator==(const KeyValues&, const KeyValues&) = default;
};

/// A step of an integrator.
struct Step {
  std::int64_t number = 0;  ///< number of steps before it
  double time = 0;          ///< at its beginning: number·dt, so that no rounding accumulates; never −0
  double dt = 0;            ///< negative when integrating backward
  KeyValues keys{};

  /// The step that comes `steps` later.
  [[nodiscard]] Step later(std::int64_t steps) const {
    return {number + steps, static_cast<double>(number + steps) * dt + 0.0, dt, keys};
  }
  /// A substep of length factor·dt of a composed method, with the number and time of the whole step.
  [[nodiscard]] Step part(double factor) const { return {number, time, factor * dt, keys}; }
};

struct Integrator;

/// The values of a solver's parameters, in their order; empty, or missing at the end: not given.
using SolverValues = std::vector<std::optional<double>>;

/// What a backend is constructed from.
struct System {
  Bodies bodies;
  std::vector<PairForce> forces;
  std::vector<ExternalField> fields;    ///< applied after all pair forces, in this order
  int scratch_columns = 0;              ///< number of scratch columns of the integrator
  bool jerk = false;                    ///< whether it calls `accelerate_with_jerk`
  bool bath = false;                    ///< whether it calls `thermalise`
  std::string_view integrator{};        ///< its name, for messages; empty: several, or none yet
  const ForceSolver* solver = nullptr;  ///< of the pair forces; null: the default of solver_of()
  SolverValues solver_values{};
  Domain domain{};
};

/// Holds the state in float64 and carries out the operations that integrators consist of. All backends give the same
/// bits (docs/canonical-order.md).
class Backend {
 public:
  virtual ~Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  /// a ← Σ forces at the current positions; does nothing if they are known already. Column `acceleration` is valid
  /// until the positions change.
  void accelerate();
  /// The same, bit for bit, and also jerk ← da/dt for the current velocities; `jerk` is a scratch column. Throws Error if
  /// the system was built without `jerk` or pairs are not computed in float64.
  void accelerate_with_jerk(Column jerk);
  /// target ← Σₖ factorₖ · sourceₖ, one fused multiply-add per term in the given order. A leading term with
  /// factor 1 is copied, any other leading term is a plain product, so that signed zeros agree. Throws Error for no
  /// term or more than `max_terms`.
  void combine(Column target, std::span<const Term> terms);
  void combine(Column target, std::initializer_list<Term> terms) { combine(target, {terms.begin(), terms.size()}); }
  /// v ← v + dt·a
  void kick(double dt) { execute(Operation::kick(dt)); }
  /// x ← x + dt·v, followed by the boundary conditions of the domain.
  void drift(double dt) { execute(Operation::drift(dt)); }
  /// Any of these. An evaluation is carried out even if its results are known.
  void execute(const Operation& one);
  /// Applies a heat bath to the velocities (sim/heat_bath.hpp), on the host. Throws Error if the system was built
  /// without `bath`.
  void thermalise(const HeatBath& bath);

  /// Takes `times` steps of an integrator, beginning with `first`. A backend may record and replay steps unless the
  /// integrator `uses_time`. `tracked`: calls `track` after each step.
  virtual void repeat(const Integrator& integrator, const Step& first, std::int64_t times, bool tracked);

  /// While true, `accelerate` also computes the potential, because the observables are needed soon.
  void expect_observation(bool soon) { with_potential_ = soon; }
  /// Starts a readback of the observables and of these columns, which `take_readback` returns once. A device continues
  /// with further steps meanwhile.
  void request_readback(std::span<const Column> columns);
  struct Readback {
    Observables observables;
    Extremes extremes{};  ///< as returned by `take_extremes`
    Approach closest{};   ///< the closest pair of at most `few_bodies` bodies
    std::vector<Vectors> columns;
  };
  /// Throws Error if no readback was requested since the last call.
  [[nodiscard]] Readback take_readback();
  Observables observe() {
    request_readback({});
    return take_readback().observables;
  }
  /// Carries out what was put off, so that the columns are up to date.
  virtual void flush() const {}

  /// Includes the current state in the extremes of energy and angular momentum, and its closest pair if there are at
  /// most `few_bodies`.
  void track();
  /// Returns and resets the extremes of the tracked states.
  [[nodiscard]] virtual Extremes take_extremes() { return std::exchange(extremes_, {}); }

  /// found[k] ← the component of columns[k] that is largest in absolute value. On a device one call is one round trip.
  virtual void greatest(std::span<const Column> columns, std::span<Greatest> found) const;
  template <std::size_t n>
  [[nodiscard]] std::array<Greatest, n> greatest(const Column (&columns)[n]) const {
    std::array<Greatest, n> found;
    greatest(columns, found);
    return found;
  }
  /// found[k] ← half of the extent of columns[k] along its widest axis. On a device one call is one round trip.
  virtual void half_extents(std::span<const Column> columns, std::span<double> found) const;
  template <std::size_t n>
  [[nodiscard]] std::array<double, n> half_extents(const Column (&columns)[n]) const {
    std::array<double, n> found;
    half_extents(columns, found);
    return found;
  }

  [[nodiscard]] virtual Vectors download(Column column) const = 0;
  /// Throws Error if the number of values is not the number of bodies.
  void upload(Column column, const Vectors& values);

  /// The column of image counts (whole numbers, see Snapshot::image); none if no axis of the domain is periodic.
  [[nodiscard]] std::optional<Column> image() const { return image_; }
  [[nodiscard]] const Domain& domain() const { return domain_; }
  /// Number of bodies.
  [[nodiscard]] std::size_t size() const { return bodies_; }
  /// Pairs whose softened r² is below this have no force in the arithmetic of this backend.
  [[nodiscard]] virtual double min_r2() const = 0;
  /// Number of pair interactions in an evaluation of the forces, as its solver counts them at the start.
  [[nodiscard]] double interactions() const { return interactions_; }
  /// Number of force evaluations so far.
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }
  /// For example "avx512, 2 threads", or the name of a device: affects the speed, never the bits.
  [[nodiscard]] virtual std::string hardware() const = 0;
  /// What decides the bits of float32: the SIMD target, or the name of the device.
  [[nodiscard]] virtual std::string arithmetic() const { return hardware(); }
  /// How it iterates over pairs: "pair-once" or "tiled".
  [[nodiscard]] virtual std::string kernel() const = 0;

 protected:
  friend class SharedBackend;
  friend class RankServer;
  /// For this number of bodies in open space.
  explicit Backend(std::size_t bodies) : bodies_(bodies) {}
  explicit Backend(const System& system);
  /// Number of columns of the state, including scratch columns and images.
  [[nodiscard]] static std::size_t columns_of(const System& system) {
    return static_cast<std::size_t>(Column::scratch) + static_cast<std::size_t>(system.scratch_columns) +
           (system.domain.is_periodic() ? 1 : 0);
  }
  /// For `repeat`: counts evaluations that were replayed.
  void count_evaluations(std::int64_t more) { evaluations_ += more; }
  enum class Known { nothing, acceleration, potential_too };
  [[nodiscard]] Known known() const { return known_; }

  /// Includes the current state, whose potential is known, in the extremes.
  virtual void widen_extremes();
  /// The closest pair of the current positions; none beyond `few_bodies` bodies.
  [[nodiscard]] Approach closest_pair() const { return bodies_ <= few_bodies ? closest_of_few() : Approach(); }

  Extremes extremes_;  ///< since the last `take_extremes`, if the host keeps them

 private:
  virtual void carry_out(const Operation& one) = 0;
  /// The potential of the current positions is known.
  virtual Observables measure() = 0;
  virtual void store(Column column, const Vectors& values) = 0;
  /// Queues the copies on a device; the default makes them at once.
  virtual void begin_readback(std::span<const Column> columns);
  virtual Readback end_readback() { return std::move(readback_); }

  void know_potential();
  [[nodiscard]] virtual Approach closest_of_few() const;

  Known known_ = Known::nothing;  ///< at the current positions
  bool with_potential_ = false;
  std::int64_t evaluations_ = 0;
  double interactions_ = 0;  ///< per evaluation
  std::size_t bodies_;
  Domain domain_{};
  std::optional<Column> image_{};
  std::vector<double> mobility_{};  ///< of each body, for a heat bath
  bool readback_requested_ = false;
  Readback readback_;
};

/// Options of a backend; each is ignored where it does not apply. Bits in float64 depend on none of them.
struct BackendOptions {
  int threads = 1;                           ///< of the processor
  int device = 0;                            ///< index of the GPU
  std::vector<int> helpers{};                ///< indices of further GPUs, each of which is a rank of its own
  std::string_view kernel{};                 ///< one of BackendKind::kernels; empty: the default
  Precision precision = Precision::float64;  ///< one of BackendKind::precisions
  std::shared_ptr<Ranks> ranks{};            ///< of which this process is one, and which share the evaluations
};

/// A device other than the processor, as its driver describes it.
struct DeviceFacts {
  std::string name{};
  std::string bus_id{};  ///< PCI bus id: "00000000:0F:00.0"
  int multiprocessors = 0;
  double clock = 0;  ///< maximum clock of a multiprocessor in Hz; 0 if unknown
  /// Further properties as text: "memory", "140 GiB".
  std::vector<std::pair<std::string, std::string>> limits{};
};

/// Describes and creates backends of one kind.
struct BackendKind {
  std::string_view name;
  std::string_view meaning;
  /// Its ways of iterating over pairs.
  std::span<const std::string_view> kernels;
  std::span<const Precision> precisions;
  /// Empty if it is available here; else one line that says why not and how to get it.
  std::string (*absence)();
  /// Makes that of this rank, one of `ranks` if there are any: see make_backend. Throws Error if the device fails or has too little memory.
  std::unique_ptr<Backend> (*make)(System system, const BackendOptions& options);
  /// Measures the peak rate of fused multiply-adds of all threads or the device, in 1/s: in double for float64, else in
  /// float. Null: not available. Throws Error.
  double (*fma_rate)(const BackendOptions& options) = nullptr;
  /// Measures the rate at which all threads or the device copy arrays larger than the caches, in bytes/s read plus
  /// written. Null: not available. Throws Error.
  double (*copy_rate)(const BackendOptions& options) = nullptr;
  /// The device that it would run on; null if that is the processor. Throws Error.
  DeviceFacts (*device)(const BackendOptions& options) = nullptr;
  /// The number of its devices; null if there is only the processor. Throws Error.
  int (*devices)() = nullptr;
};

std::span<const BackendKind* const> backend_kinds();

/// Makes a backend on all ranks or all GPUs of the options (sim/ranks/), or, usually, on one device.
/// Throws Error.
std::unique_ptr<Backend> make_backend(const BackendKind& kind, System system, const BackendOptions& options);

}  // namespace orrery::sim
