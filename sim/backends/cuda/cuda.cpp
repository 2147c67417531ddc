// SPDX-License-Identifier: MIT
// The cuda backend: the state stays on the device, sums are made in the canonical order, only results are read back.
#include "sim/backends/cuda.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "sim/backends/cuda/deferred_ops.hpp"
#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/extremal.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/rates.hpp"
#include "sim/backends/cuda/readbacks.hpp"
#include "sim/backends/cuda/solver.hpp"
#include "sim/integrator.hpp"
#include "sim/pair_order.hpp"
#include "sim/solver.hpp"

namespace orrery::sim {
namespace {

using std::size_t;

constexpr std::string_view kernels[] = {"pair-once", "tiled"};

class Cuda final : public Backend {
 public:
  Cuda(System system, const BackendOptions& options)
      : Backend(system),
        device_(options.device),
        stream_(device_),
        n_(system.bodies.size()),
        stride_((n_ + group_size - 1) / group_size * group_size),
        has_jerks_(system.jerk && options.precision == Precision::float64),
        fields_(std::move(system.fields)),
        foreign_fields_(
            std::ranges::count_if(fields_, [](const ExternalField& field) { return field.law->of_bodies != nullptr; })),
        state_{n_,
               stride_,
               {},
               {device_, n_},
               {device_, stride_},
               {device_, std::ranges::any_of(system.forces, is_short_range) ? stride_ : 0}},
        tracked_sums_(device_, cuda::observable_count),
        extremes_on_device_(device_, cuda::extreme_count),
        from_host_(device_, foreign_fields_ > 0 ? 4 * stride_ : 0),
        deferred_(n_, stride_),
        extremals_(device_, n_, stride_),
        readbacks_(device_, n_, stride_) {
    for (size_t k = 0; k < columns_of(system); ++k) state_.columns.emplace_back(device_, 3 * stride_);
    if (!system.forces.empty()) {
      const ForceSolver& solver = checked_solver(system, options.precision);
      if (solver.on_cuda == nullptr)
        throw Error(
            "cuda: the solver " + std::string(solver.name) + " has no code for GPUs: take backend.kind = \"cpu\"",
            Fault::request);
      solver_ = solver.on_cuda(system, options, stream_, state_);
      passes_ = PassQueue(solver_->resident());
    }
    stream_.copy_in(state_.mass.get(), system.bodies.mass.data(), n_ * sizeof(double));
    store(Column::position, system.bodies.position);
    store(Column::velocity, system.bodies.velocity);
  }

  void repeat(const Integrator& integrator, const Step& first, std::int64_t times, bool tracked) override {
    // At most two slices are queued at a time, so that signals are handled soon. Waiting for the one before the last
    // keeps the device busy while this one is queued.
    std::swap(last_slice_, slice_before_);
    last_slice_->wait();
    const StepKind kind{&integrator, first.dt, first.keys, tracked};
    const auto take_next = [&, all = times] { take(kind, first.later(all - times)), --times; };
    // After one step, or two if a readback has saved the first its only evaluation, the situation is that of every
    // step.
    for (int k = 0; k < 2 && times > 0; ++k) take_next();
    // A recorded step would repeat one time; a resident solver takes many steps at once by itself.
    const bool recordable = !integrator.uses_time && foreign_fields_ == 0 && !passes_ && !(solver_ && solver_->waits());
    if (recordable && times >= recorded_steps) record(kind, times);
    while (recordable && times >= recorded_steps && steps_ && steps_->at_start == now(kind)) {
      steps_->graph.launch(stream_);
      count_evaluations(steps_->evaluations);
      times -= recorded_steps;
    }
    while (times > 0) take_next();
    if (passes_) passes_.start();
    last_slice_->record(stream_);
  }

  [[nodiscard]] Vectors download(Column column) const override {
    flush();
    Vectors values(n_);
    const double* from = at(column);
    stream_.copy_out(values.x.data(), from, n_ * sizeof(double));
    stream_.copy_out(values.y.data(), from + stride_, n_ * sizeof(double));
    stream_.copy_out(values.z.data(), from + 2 * stride_, n_ * sizeof(double));
    stream_.wait();
    return values;
  }

  void greatest(std::span<const Column> columns, std::span<Greatest> found) const override {
    flush();
    std::ranges::transform(extremals_.of(at(columns), stream_), found.begin(), &cuda::Extremal::greatest);
  }
  void half_extents(std::span<const Column> columns, std::span<double> found) const override {
    flush();
    std::ranges::transform(extremals_.of(at(columns), stream_), found.begin(), &cuda::Extremal::half_extent);
  }

  [[nodiscard]] Extremes take_extremes() override {
    flush();
    return cuda::Readbacks::take(extremes_on_device_.get(), stream_);
  }
  [[nodiscard]] std::string hardware() const override { return device_.name(); }
  [[nodiscard]] std::string kernel() const override { return solver_ ? solver_->kernel() : "none"; }
  [[nodiscard]] double min_r2() const override { return solver_ ? solver_->min_r2() : default_min_r2; }
  void flush() const override {
    if (passes_) passes_.flush();
    if (solver_) {
      solver_->carry_out(state_, deferred_, stream_);
    } else {
      deferred_.carry_out(stream_.get());
    }
  }

 private:
  /// Steps in a recorded graph.
  static constexpr int recorded_steps = 16;

  struct StepKind {
    const Integrator* integrator;
    double dt;
    KeyValues keys;
    bool tracked;
    friend bool operator==(const StepKind&, const StepKind&) = default;
  };
  /// Everything that determines what a step queues.
  struct Situation {
    StepKind step;
    Known known;
    cuda::DeferredOps deferred;
    friend bool operator==(const Situation&, const Situation&) = default;
  };
  struct RecordedSteps {
    Situation at_start;
    cuda::Graph graph;
    std::int64_t evaluations;
  };
  [[nodiscard]] Situation now(const StepKind& step) const { return {step, known(), deferred_}; }
  void take(const StepKind& kind, const Step& step) {
    kind.integrator->step(*this, step);
    if (kind.tracked) track();
  }

  /// Records and takes some steps, unless they are recorded. They can be replayed if they end in the same situation.
  void record(const StepKind& kind, std::int64_t& times) {
    const Situation before = now(kind);
    if (steps_ && steps_->at_start == before) return;
    const std::int64_t evaluations_before = evaluations();
    cuda::Graph graph(stream_, [&] {
      for (int k = 0; k < recorded_steps; ++k) take(kind, {.dt = kind.dt, .keys = kind.keys});
    });
    graph.launch(stream_);
    times -= recorded_steps;
    if (now(kind) == before) steps_ = RecordedSteps{before, std::move(graph), evaluations() - evaluations_before};
  }

  [[nodiscard]] double* at(Column column) const { return state_.at(column); }
  [[nodiscard]] std::vector<const double*> at(std::span<const Column> columns) const {
    std::vector<const double*> all;
    for (const Column column : columns) all.push_back(at(column));
    return all;
  }
  [[nodiscard]] cuda::ObservedState observed_state() const {
    const auto periods = domain().periods();
    return {.mass = state_.mass.get(),
            .position = at(Column::position),
            .velocity = at(Column::velocity),
            .potential = state_.potential.get(),
            .virial = state_.virial.get(),
            .n = n_,
            .stride = stride_,
            .periods = {periods[0], periods[1], periods[2]}};
  }
  void store(Column column, const Vectors& values) override {
    flush();
    double* to = at(column);
    stream_.copy_in(to, values.x.data(), n_ * sizeof(double));
    stream_.copy_in(to + stride_, values.y.data(), n_ * sizeof(double));
    stream_.copy_in(to + 2 * stride_, values.z.data(), n_ * sizeof(double));
    stream_.wait();
    written(column);
  }
  void written(Column column) {
    if (column == Column::position) deferred_.invalidate_floats();
    if (passes_) passes_.columns_changed();
  }

  void carry_out(const Operation& one) override {
    if (one.is_evaluation()) return sum_forces(one);
    if (passes_ && one.verb != Operation::Verb::combine) return passes_.add(one);
    as_combination(one, [&](Column target, std::span<const Term> terms) { combine_columns(target, terms); });
    if (!one.is_drift() || domain().is_open()) return;
    flush();
    double* const images = image() ? at(*image()) : nullptr;
    cuda::cross(domain(), at(Column::position), at(Column::velocity), images, n_, stride_, stream_.get());
  }

  void sum_forces(const Operation& one) {
    const Outputs outputs = one.outputs;
    if (outputs == Outputs::jerk && !has_jerks_)
      throw Error("cuda: jerks need precision = \"float64\", and a system that asks for them");
    if (passes_) {
      passes_.add(one);
    } else if (solver_) {
      solver_->evaluate(state_, one, deferred_, stream_);
    } else {
      flush();
      stream_.clear(at(Column::acceleration), 3 * stride_ * sizeof(double));
      if (outputs == Outputs::jerk) stream_.clear(at(one.column), 3 * stride_ * sizeof(double));
      if (outputs == Outputs::potential) stream_.clear(state_.potential.get(), stride_ * sizeof(double));
    }
    if (fields_.empty()) return;
    flush();
    written(Column::acceleration);
    double* const jerk = outputs == Outputs::jerk ? at(one.column) : nullptr;
    const cuda::Targets to{at(Column::position),     at(Column::velocity),   n_,  stride_, outputs,
                           at(Column::acceleration), state_.potential.get(), jerk};
    for (const ExternalField& field : fields_) {
      if (field.law->of_bodies != nullptr) {
        add_on_host(field, to);
      } else {
        cuda::add_field(law_index(*field.law), field.parameters, to, stream_.get());
      }
    }
  }
  /// A field that is a function of the program: positions go to the host, and what acts on them comes back.
  void add_on_host(const ExternalField& field, const cuda::Targets& to) {
    const Vectors x = download(Column::position);
    const bool potential = to.outputs == Outputs::potential;
    std::vector<double> found(4 * stride_, -0.0);  // to which anything may be added
    double* const rows[] = {found.data(), found.data() + stride_, found.data() + 2 * stride_,
                            found.data() + 3 * stride_};
    add_foreign(field, n_, {x.x.data(), x.y.data(), x.z.data()}, {rows[0], rows[1], rows[2]},
                potential ? rows[3] : nullptr);
    stream_.copy_in(from_host_.get(), found.data(), (potential ? 4 : 3) * stride_ * sizeof(double));
    cuda::add_columns(from_host_.get(), to, stream_.get());
    stream_.wait();  // before `found` ends
  }

  void combine_columns(Column target, std::span<const Term> terms) {
    static_assert(max_terms < cuda::FusedUpdate::most);
    if (passes_) passes_.flush();
    if (!deferred_.has_room(terms.size())) flush();
    for (const Term& term : terms) deferred_.add(at(term.source), term.factor, &term == terms.data());
    deferred_.store(at(target));
    written(target);
    if (passes_) flush();  // a resident solver changes columns by itself, so nothing may be deferred
  }

  void begin_readback(std::span<const Column> columns) override {
    flush();
    readbacks_.begin(stream_);
    cuda::observe(observed_state(), readbacks_.scratch(0), readbacks_.scratch(1), readbacks_.sums(), stream_.get());
    // Without a kernel there is none, but the numbers must be cleared.
    widen(readbacks_.closest(stream_));
    readbacks_.write(at(columns), extremes_on_device_.get(), stream_);
  }

  void widen_extremes() override {
    // A step of few bodies takes little longer than a launch, so there this is part of the fused update.
    const bool few = n_ <= cuda::FusedUpdate::few && !passes_;
    if (!few || !deferred_.has_room(0)) flush();
    if (few) return deferred_.widen(extremes_on_device_.get(), observed_state());
    cuda::observe(observed_state(), readbacks_.scratch(0), readbacks_.scratch(1), tracked_sums_.get(), stream_.get());
    cuda::widen_extremes(tracked_sums_.get(), extremes_on_device_.get(), stream_.get());
    widen(extremes_on_device_.get() + cuda::approach_begin);
  }
  /// Includes the closest pair of the current state, in which nothing is deferred.
  void widen(double* approach) {
    if (n_ <= few_bodies) cuda::widen_approach(observed_state(), approach, stream_.get());
  }

  Observables measure() override {
    begin_readback({});
    return readbacks_.read().observables;
  }

  Readback end_readback() override { return readbacks_.read(); }

  cuda::Device device_;
  mutable cuda::Stream stream_;
  size_t n_;
  size_t stride_;  ///< from one coordinate of a column to the next
  bool has_jerks_;
  std::vector<ExternalField> fields_;
  std::ptrdiff_t foreign_fields_;  ///< functions of the program, which it calls
  mutable cuda::State state_;
  cuda::DeviceArray<double> tracked_sums_, extremes_on_device_, from_host_;
  std::unique_ptr<cuda::Solver> solver_;
  mutable PassQueue passes_;            ///< of a resident solver
  mutable cuda::DeferredOps deferred_;  ///< operations that are requested but not yet queued
  mutable cuda::Extremals extremals_;
  cuda::Readbacks readbacks_;
  std::unique_ptr<cuda::Event> last_slice_ = std::make_unique<cuda::Event>(device_),
                               slice_before_ = std::make_unique<cuda::Event>(device_);
  std::optional<RecordedSteps> steps_;
  /// Waits for the device before any of the members above is destroyed.
  struct End {
    cuda::Stream& stream;
    ~End() { stream.end(); }
  } end_{stream_};
};

}  // namespace

const BackendKind cuda_backend{
    .name = "cuda",
    .meaning = "an NVIDIA GPU, the same bits as the reference",
    .kernels = kernels,
    .precisions = every_precision,
    .absence = [] { return cuda::Device::absence(); },
    .make = [](System system, const BackendOptions& options) -> std::unique_ptr<Backend> {
      return std::make_unique<Cuda>(std::move(system), options);
    },
    .fma_rate =
        [](const BackendOptions& options) {
          return cuda::fma_rate(options.device, options.precision == Precision::float64);
        },
    .copy_rate = [](const BackendOptions& options) { return cuda::copy_rate(options.device); },
    .device = [](const BackendOptions& options) { return cuda::facts(options.device); },
    .devices = [] { return cuda::Device::count(); },
};

}  // namespace orrery::sim
