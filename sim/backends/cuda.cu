// SPDX-License-Identifier: MIT
// The cuda backend: the state lives on the device, every sum is made in the canonical order, only results come back.
#include "sim/backends/cuda.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "common/error.hpp"
#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/fma_rate.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/notes.hpp"
#include "sim/backends/cuda/pair_sums.hpp"
#include "sim/backends/cuda/waiting.hpp"
#include "sim/pair_order.hpp"

namespace orrery::sim {
namespace {

using std::size_t;

constexpr std::string_view kernels[] = {"pair-once", "tiled", "direct"};
constexpr Precision precisions[] = {Precision::float64, Precision::mixed, Precision::float32};

class Cuda final : public Backend {
 public:
  Cuda(System system, const BackendOptions& options)
      : device_(options.device),
        n_(system.bodies.size()),
        stride_((n_ + group_size - 1) / group_size * group_size),
        has_jerks_(system.jerk && options.precision == Precision::float64),
        fields_(std::move(system.fields)),
        mass_(n_),
        potential_(stride_),
        tracked_sums_(cuda::observable_count),
        extremes_on_device_(cuda::extreme_count),
        pairs_(system, options, queue_, stride_),
        waiting_(n_, stride_),
        notes_(n_, stride_) {
    for (int k = 0; k < static_cast<int>(Column::own) + system.own_columns; ++k) columns_.emplace_back(3 * stride_);
    queue_.copy_in(mass_.get(), system.bodies.mass.data(), n_ * sizeof(double));
    upload(Column::position, system.bodies.position);
    upload(Column::velocity, system.bodies.velocity);
  }

  void repeat(void (*step)(Backend&, double), double dt, std::int64_t times, bool tracked) override {
    // No more than two slices are queued at a time, so that a signal is not kept waiting. To wait for the one before the
    // last leaves the device something to do while this one is queued.
    std::swap(in_flight_, before_in_flight_);
    in_flight_->wait();
    const Repeated repeated{step, dt, tracked};
    // After a step, or two where a look has spared the first its only evaluation, what is known and what waits is that of
    // every step.
    for (int k = 0; k < 2 && times > 0; ++k, --times) take(repeated);
    if (times >= recorded_steps) record(repeated, times);
    while (times >= recorded_steps && steps_ && steps_->at_start == now(repeated)) {
      steps_->graph.launch(queue_);
      count_evaluations(steps_->evaluations);
      times -= recorded_steps;
    }
    for (; times > 0; --times) take(repeated);
    in_flight_->record(queue_);
  }

  [[nodiscard]] Vectors download(Column column) const override {
    flush();
    Vectors values(n_);
    const double* from = at(column);
    queue_.copy_out(values.x.data(), from, n_ * sizeof(double));
    queue_.copy_out(values.y.data(), from + stride_, n_ * sizeof(double));
    queue_.copy_out(values.z.data(), from + 2 * stride_, n_ * sizeof(double));
    queue_.wait();
    return values;
  }

  void upload(Column column, const Vectors& values) override {
    flush();
    double* to = at(column);
    queue_.copy_in(to, values.x.data(), n_ * sizeof(double));
    queue_.copy_in(to + stride_, values.y.data(), n_ * sizeof(double));
    queue_.copy_in(to + 2 * stride_, values.z.data(), n_ * sizeof(double));
    queue_.wait();
    if (column == Column::position) waiting_.floats_are_old();
    forget(column);
  }

  [[nodiscard]] Note noted() override { return notes_.read(); }
  [[nodiscard]] Extremes take_extremes() override {
    flush();
    return cuda::Notes::take(extremes_on_device_.get(), queue_);
  }
  [[nodiscard]] std::string hardware() const override { return device_.name(); }
  [[nodiscard]] std::string kernel() const override { return pairs_.kernel(); }
  [[nodiscard]] double least_r2() const override { return pairs_.least_r2(); }

 private:
  static constexpr int recorded_steps = 16;

  struct Repeated {
    void (*step)(Backend&, double);
    double dt;
    bool tracked;
    friend bool operator==(const Repeated&, const Repeated&) = default;
  };
  /// All that decides what a step queues.
  struct Situation {
    Repeated step;
    Known known;
    cuda::Waiting waiting;
    friend bool operator==(const Situation&, const Situation&) = default;
  };
  struct RecordedSteps {
    Situation at_start;
    cuda::Graph graph;
    std::int64_t evaluations;
  };
  [[nodiscard]] Situation now(const Repeated& step) const { return {step, known(), waiting_}; }
  void take(const Repeated& repeated) {
    repeated.step(*this, repeated.dt);
    if (repeated.tracked) track();
  }

  /// Records some steps and takes them, unless it was done before. They can be replayed where they end as they began.
  void record(const Repeated& repeated, std::int64_t& times) {
    const Situation before = now(repeated);
    if (steps_ && steps_->at_start == before) return;
    const std::int64_t evaluations_before = evaluations();
    cuda::Graph graph(queue_, [&] {
      for (int k = 0; k < recorded_steps; ++k) take(repeated);
    });
    graph.launch(queue_);
    times -= recorded_steps;
    if (now(repeated) == before) steps_.emplace(before, std::move(graph), evaluations() - evaluations_before);
  }

  [[nodiscard]] double* at(Column column) const { return columns_[static_cast<size_t>(column)].get(); }
  [[nodiscard]] cuda::Moment moment() const {
    return {mass_.get(), at(Column::position), at(Column::velocity), potential_.get(), n_, stride_};
  }
  void flush() const { waiting_.carry_out(queue_.get()); }

  void compute_acceleration(bool with_potential) override {
    sum_forces(with_potential ? Wanted::potential : Wanted::forces, nullptr);
  }

  void compute_acceleration_and_jerk(Column jerk) override {
    if (!has_jerks_) throw Error("cuda: jerks need precision = \"float64\", and a system that asks for them");
    sum_forces(Wanted::jerk, at(jerk));
  }

  void sum_forces(Wanted wanted, double* jerk) {
    const cuda::Targets to{at(Column::position),     at(Column::velocity), n_,  stride_, wanted,
                           at(Column::acceleration), potential_.get(),     jerk};
    if (pairs_.in_floats()) waiting_.make_floats(to.position, pairs_.floats());
    for (size_t k = 0; k < pairs_.size(); ++k) {
      flush();
      waiting_.add(pairs_.start(k, to, queue_.get()));
    }
    if (pairs_.size() == 0) {
      flush();
      queue_.clear(to.acceleration, 3 * stride_ * sizeof(double));
      if (wanted == Wanted::jerk) queue_.clear(jerk, 3 * stride_ * sizeof(double));
      if (wanted == Wanted::potential) queue_.clear(potential_.get(), stride_ * sizeof(double));
    }
    if (!fields_.empty()) flush();
    for (const ExternalField& field : fields_) {
      cuda::add_field(law_index(*field.law), field.numbers, to, queue_.get());
    }
  }

  void compute_combination(Column target, std::span<const Term> terms) override {
    if (!waiting_.has_room(terms.size())) flush();
    if (!waiting_.has_room(terms.size())) throw Error("cuda: a combination has too many terms");
    for (const Term& term : terms) waiting_.add(at(term.source), term.factor, &term == terms.data());
    waiting_.store(at(target));
    if (target == Column::position) waiting_.floats_are_old();
  }

  void begin_note(std::span<const Column> columns) override {
    flush();
    notes_.begin(queue_);
    cuda::observe(moment(), notes_.scratch(0), notes_.scratch(1), notes_.sums(), queue_.get());
    std::vector<const double*> sources;
    for (const Column column : columns) sources.push_back(at(column));
    notes_.write(sources, extremes_on_device_.get(), queue_);
  }

  void widen_extremes() override {
    // A step of few bodies takes little longer than a launch, so there it is part of the round.
    const bool few = n_ <= cuda::Round::few;
    if (!few || !waiting_.has_room(0)) flush();
    if (few) return waiting_.widen(extremes_on_device_.get(), moment());
    cuda::observe(moment(), notes_.scratch(0), notes_.scratch(1), tracked_sums_.get(), queue_.get());
    cuda::widen_extremes(tracked_sums_.get(), extremes_on_device_.get(), queue_.get());
  }

  Observables measure() override {
    begin_note({});
    return notes_.read().observables;
  }

  cuda::Device device_;
  mutable cuda::Queue queue_;
  size_t n_;
  size_t stride_;  ///< from one coordinate of a column to the next
  bool has_jerks_;
  std::vector<ExternalField> fields_;
  cuda::Array<double> mass_, potential_, tracked_sums_, extremes_on_device_;
  std::vector<cuda::Array<double>> columns_;
  cuda::PairSums pairs_;
  mutable cuda::Waiting waiting_;  ///< what has been asked for and not started, which nobody sees
  cuda::Notes notes_;
  std::unique_ptr<cuda::Event> in_flight_ = std::make_unique<cuda::Event>(),
                               before_in_flight_ = std::make_unique<cuda::Event>();
  std::optional<RecordedSteps> steps_;
};

}  // namespace

const BackendKind cuda_backend{
    .name = "cuda",
    .meaning = "an NVIDIA GPU, the same bits as the reference",
    .kernels = kernels,
    .precisions = precisions,
    .absence = [] { return cuda::Device::absence(); },
    .make = [](System system, const BackendOptions& options) -> std::unique_ptr<Backend> {
      return std::make_unique<Cuda>(std::move(system), options);
    },
    .fma_rate =
        [](const BackendOptions& options) {
          return cuda::fma_rate(options.device, options.precision == Precision::float64);
        },
    .device = [](const BackendOptions& options) { return cuda::facts(options.device); },
};

}  // namespace orrery::sim
