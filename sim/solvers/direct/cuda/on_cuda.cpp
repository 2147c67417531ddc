// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#include "common/error.hpp"
#include "sim/backends/cuda/solver.hpp"
#include "sim/scaling.hpp"
#include "sim/solvers/cells/cells.hpp"
#include "sim/solvers/direct/cuda/bands.hpp"
#include "sim/solvers/direct/cuda/shared_rows.hpp"
#include "sim/solvers/direct/direct.hpp"
#include "sim/solvers/direct/sources.hpp"

namespace orrery::sim::direct {
namespace {

using namespace cuda;
using std::size_t;

template <class Number>
auto sum_pairs_in([[maybe_unused]] Precision precision) {
  if constexpr (std::is_same_v<Number, double>) {
    return &sum_pairs<Precision::float64>;
  } else {
    if (precision == Precision::mixed) return &sum_pairs<Precision::mixed>;
    return precision == Precision::float32 ? &sum_pairs<Precision::float32> : &sum_pairs<Precision::float32_exact_root>;
  }
}

/// Chooses the kernel; `requested` may be empty. pair_once takes the least work. In float64 with few chunks, more
/// threads with less work each finish sooner: several warps per 32 bodies, until shared memory limits them, then one
/// thread per body (on an H100: 9.9 µs per step of 1024 bodies, pair_once 27 µs). In floats the saved launch counts
/// (4.9 µs, pair_once 6.8 µs), but with very few bodies the update may have to widen extremes, which `fused` cannot.
/// `walk` computes the pairs of its sources twice.
PairKernel kernel_for(std::string_view requested, bool floats, size_t n, size_t sources, size_t forces) {
  const bool any = requested.empty();
  if (any && sources <= n / 4) return PairKernel::walk;
  const bool fits = n > FusedUpdate::few && n <= max_fused && sources == n && forces == 1;
  if (any && floats && fits) return PairKernel::fused;
  const bool tiled = any ? !floats && n < 3000 : requested == "tiled";
  if (!tiled) return PairKernel::pair_once;
  if (!floats && (n < 1800 || sources < n)) return PairKernel::tiled;
  return sources < n ? PairKernel::walk : PairKernel::one_sided;
}

/// Positions in floats are [6][stride]: high parts, then low parts.
constexpr size_t set_of_floats = 6;

/// Returns the bytes of sums per body and pair of chunks.
size_t bytes_of_sums(Outputs most, bool floats) {
  return outputs_per_body(most) * (floats ? sizeof(float) : sizeof(double));
}

/// `Number` is the type of pair arithmetic.
template <class Number>
class OnCuda final : public Solver {
  static constexpr bool floats = std::is_same_v<Number, float>;

 public:
  OnCuda(const System& system, const BackendOptions& options, Stream& stream, size_t stride)
      : device_(stream.device()),
        precision_(options.precision),
        n_(system.bodies.size()),
        stride_(stride),
        order_(order_of(floats, n_)),
        most_(max_outputs(system.jerk && !floats)) {
    refuse_more_ranks_than_rows(options, n_);
    if (options.ranks != nullptr) {
      shared_ =
          std::make_unique<SharedSums>(*options.ranks, device_, n_, stride_, order_.chunk, outputs_per_body(most_));
    }
    size_t slots = 0;
    for (const PairForce& force : system.forces) {
      Force& one = forces_.emplace_back(make_force(system, options, force, stream));
      is_fused_ = one.kernel == PairKernel::fused;  // then it is the only force and has no slots
      slots = std::max(slots, one.bands.buffers() * one.bands.slots * one.row);
      if (one.bands.buffers() > 1 && second_ == nullptr) second_ = std::make_unique<SecondQueue>(device_);
      if (one.bands.shares.size() != 1 && total_.get() == nullptr)
        total_ = DeviceArray<double>(device_, outputs_per_body(most_) * stride_);
    }
    partial_ = DeviceArray<Number>(device_, slots * outputs_per_body(most_));
    if constexpr (floats) floats_ = DeviceArray<float>(device_, (is_fused_ ? 2 : 1) * set_of_floats * stride_);
  }

  void evaluate(State& state, const Operation& evaluation, DeferredOps& deferred, Stream& stream) override {
    for (size_t k = 0; k < forces_.size(); ++k) {
      if (shared_ && shared_->have_moved()) take_rows(stream);
      const Force& force = forces_[k];
      const float* next = now_;
      if constexpr (floats) {
        // A fused kernel reads one of two sets and writes the other.
        float* const to = floats_.get() + (is_fused_ && now_ == floats_.get() ? set_of_floats * stride_ : 0);
        if (deferred.make_floats(state.at(Column::position), {to, to + 3 * stride_, force.scaling.length})) next = to;
      }
      carry_out(state, deferred, stream);
      now_ = next;
      Partials partials = start(k, state, evaluation.outputs, stream);
      partials.first = k == 0;
      partials.acceleration = state.at(Column::acceleration);
      partials.potential = state.potential.get();
      partials.jerk = evaluation.outputs == Outputs::jerk ? state.at(evaluation.column) : nullptr;
      deferred.add(partials);
    }
  }

  /// The pair sums of a fused kernel are deferred together with the update that follows them.
  void carry_out(State& state, DeferredOps& deferred, Stream& stream) override {
    if (!is_fused_ || deferred.update().partials.values == nullptr) return deferred.carry_out(stream.get());
    const Force& force = forces_.front();
    sum_pairs(force, field_of(force, state), {}, {.update = &deferred.update()}, deferred.update().partials.outputs,
              stream.get());
    deferred.clear();
  }

  /// Steps that several GPUs share are not recorded, since kernels that wait for other GPUs count their messages.
  [[nodiscard]] bool waits() const override { return shared_ != nullptr; }
  [[nodiscard]] double min_r2() const override { return min_r2_; }
  [[nodiscard]] std::string kernel() const override {
    const PairKernel kernel = forces_.front().kernel;
    if (kernel == PairKernel::pair_once) return "pair-once";
    if (kernel == PairKernel::fused) return "fused";
    return kernel == PairKernel::walk ? "sources alone" : "tiled";
  }

 private:
  struct Sources {
    DeviceArray<std::uint32_t> by_group, by_tile;
    DeviceArray<SourceList::Run> groups, tiles;
    DeviceArray<SourceList::Chunk> chunks;
    [[nodiscard]] SourcesOnDevice get() const {
      return {by_group.get(), by_tile.get(), groups.get(), tiles.get(), chunks.get()};
    }
  };
  struct Force {
    size_t law;
    double softening2;
    LawParameters parameters;  ///< in the lengths of `scaling`
    Scaling scaling;
    DeviceArray<double> target_factor;
    DeviceArray<Number> weight;
    PairKernel kernel;
    Sources sources;  ///< of walk
    Bands bands;
    size_t row;  ///< of a slot
  };
  /// The queue of every second band.
  struct SecondQueue {
    Stream stream;
    Event begun, gathered[2];
    explicit SecondQueue(const Device& device)
        : stream(device), begun(device), gathered{Event(device), Event(device)} {}
  };

  template <class Value>
  [[nodiscard]] DeviceArray<Value> on_device(const std::vector<Value>& values, Stream& stream) const {
    DeviceArray<Value> array(device_, values.size());
    stream.copy_in(array.get(), values.data(), values.size() * sizeof(Value));
    stream.wait();
    return array;
  }

  [[nodiscard]] Force make_force(const System& system, const BackendOptions& options, const PairForce& force,
                                 Stream& stream) {
    const Scaling scaling = floats ? scaling_of(system.bodies, force) : Scaling();
    min_r2_ = std::max(min_r2_, min_r2_in(precision_, force, scaling));
    std::vector<Number> weights;
    for (const double w : force.source) weights.push_back(static_cast<Number>(w * scaling.weight));
    const SourceList list = list_sources(force.source, order_.per_lane, order_.chunk);
    const size_t chunks = (n_ + order_.chunk - 1) / order_.chunk;
    Force one{.law = law_index(*force.law),
              .softening2 = force.softening2,
              .parameters = force.law->rescaled(force.parameters, scaling.length),
              .scaling = scaling,
              .target_factor = on_device(force.target_factor, stream),
              .weight = on_device(weights, stream),
              .kernel = kernel_for(options.kernel, floats, n_, list.size(), system.forces.size()),
              .sources = {},
              .bands = {},
              .row = order_.chunk};
    const size_t bytes = bytes_of_sums(most_, floats);
    if (shared_) {
      one.kernel = PairKernel::pair_once;
      one.bands = shared_->band();
    } else if (one.kernel == PairKernel::walk) {
      one.sources = {on_device(list.by_group, stream), on_device(list.by_tile, stream), on_device(list.groups, stream),
                     on_device(list.tiles, stream), on_device(list.chunks, stream)};
      one.row = stride_;
      one.bands = bands_of(one.kernel, list.chunks.size(), bytes);
    } else if (one.kernel != PairKernel::fused) {
      one.bands = bands_of(one.kernel, chunks, bytes);
    }
    return one;
  }

  /// Rows have moved from or to other ranks.
  void take_rows(Stream& stream) {
    const Bands band = shared_->band();
    for (Force& force : forces_) force.bands = band;
    stream.wait();
    partial_ = {};  // first, so that both are never there at once
    partial_ = DeviceArray<Number>(device_, band.slots * order_.chunk * outputs_per_body(most_));
  }

  [[nodiscard]] ParticleView<Number> field_of(const Force& force, const State& state) const {
    ParticleView<Number> field{};
    field.source = force.weight.get();
    field.n = n_;
    field.order = order_;
    field.softening2 = static_cast<Number>(force.softening2 * force.scaling.length * force.scaling.length);
    field.parameters = force.parameters;
    if constexpr (floats) {
      field.x = now_, field.y = now_ + stride_, field.z = now_ + 2 * stride_;
      field.rest_x = now_ + 3 * stride_, field.rest_y = now_ + 4 * stride_, field.rest_z = now_ + 5 * stride_;
    } else {
      const double *x = state.at(Column::position), *v = state.at(Column::velocity);
      field.x = x, field.y = x + stride_, field.z = x + 2 * stride_;
      field.vx = v, field.vy = v + stride_, field.vz = v + 2 * stride_;
    }
    return field;
  }

  /// Queues the partial sums of a force and returns how to add them up. A fused kernel computes them only when it is
  /// carried out; its Partials point to the positions.
  Partials start(size_t k, const State& state, Outputs outputs, Stream& stream) {
    const Force& force = forces_[k];
    const double unit = force.scaling.acceleration / (precision_ == Precision::mixed ? mixed_unit(force.law) : 1);
    Partials partials{};
    partials.values = is_fused_ ? static_cast<const void*>(now_) : partial_.get();
    partials.single = floats;
    partials.outputs = outputs;
    partials.target_factor = force.target_factor.get();
    partials.unit = unit;
    partials.potential_unit = force.scaling.potential;
    if (is_fused_) return partials;
    if (force.bands.shares.size() == 1) {
      const Share& all = force.bands.shares.front();
      const auto sum_all = [&] { launch(force, all, field_of(force, state), 0, outputs, stream.get()); };
      if (shared_) {
        shared_->time(stream, sum_all);
        const Slots<Number> slots = slots_of(force, all.band, 0);
        return of_total(partials, shared_->complete(slots, outputs_per_body(outputs), stream));
      }
      sum_all();
      partials.parts = all.band.narrow;
      partials.shift =
          force.kernel == PairKernel::walk ? one_piece : static_cast<unsigned>(std::countr_zero(force.row));
      partials.row = force.row;
      return partials;
    }
    if (force.bands.shares.empty()) {  // no sources
      stream.clear(total_.get(), outputs_per_body(outputs) * stride_ * sizeof(double));
    } else {
      sum_bands(force, field_of(force, state), outputs, stream);
    }
    return of_total(partials, total_.get());
  }
  /// `total`: [sums][stride]
  [[nodiscard]] Partials of_total(Partials partials, const double* total) const {
    partials.values = total;
    partials.single = false;
    partials.parts = 1, partials.shift = one_piece, partials.row = stride_;
    return partials;
  }

  /// Bands alternate between two queues and two buffers, so that a band begins while the last blocks of the previous
  /// one run. Their sums are added in order.
  void sum_bands(const Force& force, const ParticleView<Number>& field, Outputs outputs, Stream& stream) {
    Stream* const queues[] = {&stream, &second_->stream};
    Event(&gathered)[2] = second_->gathered;
    second_->begun.record(stream);
    second_->begun.hold(second_->stream);
    for (size_t b = 0; b < force.bands.shares.size(); ++b) {
      const Share& share = force.bands.shares[b];
      const size_t side = b % 2;
      launch(force, share, field, side, outputs, {queues[side]->get().stream, false});
      if (b > 0) gathered[1 - side].hold(*queues[side]);
      gather(slots_of(force, share.band, side), outputs_per_body(outputs), n_, total_.get(), stride_,
             queues[side]->get());
      gathered[side].record(*queues[side]);
    }
    if (force.bands.shares.size() % 2 == 0) gathered[1].hold(stream);  // the last band was in the second queue
  }

  [[nodiscard]] Slots<Number> slots_of(const Force& force, const Band& band, size_t side) const {
    return {partial_.get() + side * force.bands.slots * force.row * outputs_per_body(most_), band, force.row};
  }
  void launch(const Force& force, const Share& share, const ParticleView<Number>& field, size_t side, Outputs outputs,
              StreamHandle stream) const {
    sum_pairs(force, field, slots_of(force, share.band, side), {.count = share.count, .sources = force.sources.get()},
              outputs, stream);
  }
  void sum_pairs(const Force& force, const ParticleView<Number>& field, const Slots<Number>& slots, Launch launch,
                 Outputs outputs, StreamHandle stream) const {
    launch.kernel = force.kernel;
    sum_pairs_in<Number>(precision_)(launch, force.law, outputs, field, slots, stream);
  }

  const Device& device_;
  Precision precision_;
  size_t n_, stride_;
  Order order_;
  Outputs most_;
  double min_r2_ = default_min_r2;
  std::vector<Force> forces_;
  DeviceArray<Number> partial_;
  DeviceArray<double> total_;
  DeviceArray<float> floats_;
  const float* now_ = nullptr;  ///< the set with the present positions
  bool is_fused_ = false;
  std::unique_ptr<SecondQueue> second_;  ///< its destructor waits for its work
  std::unique_ptr<SharedSums> shared_;   ///< null for a single rank
};

std::unique_ptr<Solver> make(const System& system, const BackendOptions& options, Stream& stream, State& state) {
  if (has_cutoff(system)) {
    return cells::all_on_cuda(system, options, stream, state);
  }
  if (in_floats(options.precision)) return std::make_unique<OnCuda<float>>(system, options, stream, state.stride);
  return std::make_unique<OnCuda<double>>(system, options, stream, state.stride);
}

}  // namespace

const MakeOnCuda on_cuda = make;

size_t bytes_on_cuda(size_t bodies, Outputs most, Precision precision, int ranks) {
  const bool floats = in_floats(precision);
  const PairKernel kernel = ranks > 1 ? PairKernel::pair_once : kernel_for("", floats, bodies, bodies, 1);
  const size_t weights = bodies * 2 * sizeof(double), positions = floats ? bodies * set_of_floats * sizeof(float) : 0;
  if (kernel == PairKernel::fused) return weights + 2 * positions;
  const Order order = order_of(floats, bodies);
  const size_t chunks = (bodies + order.chunk - 1) / order.chunk, bytes = bytes_of_sums(most, floats);
  const size_t total = bodies * outputs_per_body(most) * sizeof(double);
  if (ranks == 1) {
    const Bands bands = bands_of(kernel, chunks, bytes);
    return weights + positions + bands.buffers() * bands.slots * order.chunk * bytes +
           (bands.buffers() > 1 ? total : 0);
  }
  size_t slots = 0;
  for (const RankRange& rows : rows_of_ranks(chunks, ranks, ahead_of_later(chunks, order.chunk, ranks)))
    slots = std::max(slots, band_of_rank(rows, chunks).slots);
  return weights + positions + slots * order.chunk * bytes + 3 * total;
}

}  // namespace orrery::sim::direct
