// SPDX-License-Identifier: MIT
#include "sim/ranks/shared_backend.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "common/thread_pool.hpp"
#include "sim/foreign.hpp"
#include "sim/integrator.hpp"
#include "sim/ranks/message.hpp"
#include "sim/ranks/thread_ranks.hpp"
#include "sim/solver.hpp"

namespace orrery::sim {
namespace {

/// What rank 0 asks the others for.
enum class Request : std::uint8_t { end, make, drop, execute, repeat, store, flush, work };

using BackendId = std::uint32_t;

/// A rank's answer to Request::make.
struct Made {
  std::string hardware, arithmetic, failure;
  Fault fault = Fault::work;
};

std::unique_ptr<Backend> make_own(const BackendKind& kind, System system, BackendOptions options,
                                  const std::shared_ptr<Ranks>& shared, Made& made) {
  Ranks& ranks = *shared;
  options.ranks = shared;
  try {
    if (!options.helpers.empty() && ranks.rank() > 0) {
      options.device = options.helpers[static_cast<std::size_t>(ranks.rank() - 1)];
    } else if (ranks.position() > 0 && kind.devices != nullptr) {
      options.device = (options.device + ranks.position()) % std::max(kind.devices(), 1);
    }
    if (ranks.rank() > 0) options.threads = std::min(options.threads, loop_threads());
    auto backend = kind.make(std::move(system), options);
    made.hardware = backend->hardware();
    made.arithmetic = backend->arithmetic();
    return backend;
  } catch (const Error& error) {
    made.failure = error.what();
    made.fault = error.fault();
    // What cannot be carried out as given fails on every rank alike; a device that fails leaves the others waiting.
    if (error.fault() != Fault::request) ranks.fail(error.what());
    return nullptr;
  }
}

}  // namespace

class SharedBackend final : public Backend {
 public:
  SharedBackend(const BackendKind& kind, System system, const BackendOptions& options)
      : Backend(system), ranks_(options.ranks), id_(ranks_->next_backend()) {
    MessageWriter message = request(Request::make);
    message(static_cast<std::size_t>(std::ranges::find(backend_kinds(), &kind) - backend_kinds().begin()));
    send(write(message, system, options));
    Made own;
    own_ = make_own(kind, std::move(system), options, ranks_, own);
    std::vector<std::string> hardware{own.hardware};
    for (int rank = 1; rank < ranks_->size(); ++rank) {
      const std::vector<std::byte> bytes = ranks_->receive_all(rank);
      Made other;
      MessageReader message_of_rank(bytes);
      message_of_rank(other.hardware)(other.arithmetic)(other.failure)(other.fault);
      if (own.failure.empty() && !other.failure.empty())
        own.failure = "rank " + std::to_string(rank) + ": " + other.failure, own.fault = other.fault;
      if (own.failure.empty() && in_floats(options.precision) && other.arithmetic != own.arithmetic)
        own.failure =
            "rank 0 has " + own.arithmetic + " and rank " + std::to_string(rank) + " " + other.arithmetic +
            ", which would not give the same bits in this precision: take precision = \"float64\", or equal ones",
        own.fault = Fault::request;
      hardware.push_back(other.hardware);
    }
    if (!own.failure.empty()) {
      drop();
      throw Error(own.failure, own.fault);
    }
    hardware_ = to_text(hardware);
  }
  ~SharedBackend() override { drop(); }

  void repeat(const Integrator& integrator, const Step& first, std::int64_t times, bool tracked) override {
    const auto index = static_cast<std::size_t>(std::ranges::find(integrators(), &integrator) - integrators().begin());
    if (index == integrators().size()) return Backend::repeat(integrator, first, times, tracked);
    const std::int64_t before = own_->evaluations();
    together(request(Request::repeat)(index)(first)(times)(tracked)(with_potential_), [&] {
      own_->expect_observation(with_potential_);
      own_->repeat(integrator, first, times, tracked);
    });
    count_evaluations(own_->evaluations() - before);
    known_ = own_->known_;
  }
  [[nodiscard]] Extremes take_extremes() override {
    return settled([&] { return own_->take_extremes(); });
  }
  void greatest(std::span<const Column> columns, std::span<Greatest> found) const override {
    settled([&] { own_->greatest(columns, found); });
  }
  void half_extents(std::span<const Column> columns, std::span<double> found) const override {
    settled([&] { own_->half_extents(columns, found); });
  }
  [[nodiscard]] Vectors download(Column column) const override {
    return settled([&] { return own_->download(column); });
  }
  [[nodiscard]] double min_r2() const override { return own_->min_r2(); }
  [[nodiscard]] std::string hardware() const override { return hardware_; }
  [[nodiscard]] std::string kernel() const override { return own_->kernel(); }

 private:
  void carry_out(const Operation& one) override {
    together(request(Request::execute)(one), [&] { own_->execute(one); });
  }
  void widen_extremes() override {
    settled([&] { own_->widen_extremes(); });
  }
  Observables measure() override {
    return settled([&] { return own_->measure(); });
  }
  void store(Column column, const Vectors& values) override {
    together(request(Request::store)(column)(values), [&] { own_->upload(column, values); });
  }
  void begin_readback(std::span<const Column> columns) override {
    settled([&] { own_->begin_readback(columns); });
  }
  Readback end_readback() override {
    return explained([&] { return own_->end_readback(); });
  }

  [[nodiscard]] MessageWriter request(Request what) const {
    MessageWriter message;
    message(what)(id_);
    return message;
  }
  void send(const MessageWriter& message) const {
    for (int rank = 1; rank < ranks_->size(); ++rank) ranks_->send_all(rank, message.bytes());
  }
  /// Lets every rank do the same.
  template <class Own>
  void together(const MessageWriter& message, const Own& own) const {
    send(message);
    explained(own);
  }
  /// Reads the backend of rank 0. A resident solver may have put off an evaluation until then.
  template <class Read>
  std::invoke_result_t<Read> settled(const Read& read) const {
    together(request(Request::flush), [&] { own_->flush(); });
    return explained(read);
  }
  /// If the work of this rank fails, tells the others, which would wait for it. If the reason is that another rank has ended,
  /// the error says so.
  template <class Own>
  std::invoke_result_t<Own> explained(const Own& own) const {
    try {
      return own();
    } catch (const Error& error) {
      const std::string why = ranks_->why_broken();
      ranks_->fail(error.what());
      if (!why.empty()) throw Error(why, error.fault());
      throw;
    }
  }
  void drop() noexcept {
    own_.reset();
    try {
      send(request(Request::drop));
    } catch (const Error&) {  // nobody is left
    }
  }
  /// "2 × NVIDIA H200 (sm_90)", or all of them.
  static std::string to_text(const std::vector<std::string>& hardware) {
    if (std::ranges::count(hardware, hardware.front()) == std::ssize(hardware))
      return std::to_string(hardware.size()) + " × " + hardware.front();
    std::string all;
    for (const std::string& one : hardware) all += (all.empty() ? "" : "; ") + one;
    return all;
  }

  std::shared_ptr<Ranks> ranks_;
  BackendId id_;
  std::unique_ptr<Backend> own_;
  std::string hardware_;
};

struct RankServer::Parts {
  std::shared_ptr<Ranks> shared;
  Ranks& ranks = *shared;
  Work work{};
  std::map<BackendId, std::unique_ptr<Backend>> backends{};

  void make(BackendId id, MessageReader& message) {
    const BackendKind& kind = *backend_kinds()[message.next<std::size_t>()];
    System system;
    BackendOptions options;
    read(message, system, options);
    Made made;
    backends[id] = make_own(kind, std::move(system), options, shared, made);
    ranks.send_all(0, MessageWriter()(made.hardware)(made.arithmetic)(made.failure)(made.fault).bytes());
  }

  static void act(Request what, Backend& backend, MessageReader& message) {
    switch (what) {
      case Request::execute: {
        Operation one;
        std::vector<Term> terms;
        message(one, terms);
        return backend.execute(one);
      }
      case Request::repeat: {
        const Integrator& integrator = *integrators()[message.next<std::size_t>()];
        const Step first = message.next<Step>();
        const auto times = message.next<std::int64_t>();
        const bool tracked = message.next<bool>();
        backend.expect_observation(message.next<bool>());
        return backend.repeat(integrator, first, times, tracked);
      }
      case Request::store: {
        const auto target = message.next<Column>();
        Vectors values;
        message(values);
        return backend.upload(target, values);
      }
      case Request::flush:
        return backend.flush();
      default:
        return;
    }
  }

  bool carry_out_next() {
    const std::vector<std::byte> bytes = ranks.receive_all(0, true);
    MessageReader message(bytes);
    const auto what = message.next<Request>();
    if (what == Request::end) {
      if (!message.next<bool>()) ranks.abandon();
      return false;
    }
    if (what == Request::work) {
      ranks.send_all(0, work(std::span(bytes).subspan(sizeof what)));
      return true;
    }
    const auto id = message.next<BackendId>();
    try {
      if (what == Request::make) {
        make(id, message);
      } else if (what == Request::drop) {
        backends.erase(id);
      } else if (const auto& backend = backends[id]; backend != nullptr) {
        act(what, *backend, message);
      }
    } catch (const Error& error) {
      ranks.fail(error.what());
      throw;
    }
    return true;
  }
};

RankServer::RankServer(std::shared_ptr<Ranks> ranks, Work work)
    : parts_(new Parts{.shared = std::move(ranks), .work = std::move(work)}) {}
RankServer::~RankServer() = default;
bool RankServer::carry_out_next() {
  return parts_->carry_out_next();
}

void request_work(Ranks& ranks, int rank, std::span<const std::byte> what) {
  std::vector<std::byte> message(1 + what.size(), static_cast<std::byte>(Request::work));
  std::ranges::copy(what, message.begin() + 1);
  ranks.send_all(rank, message);
}

void dismiss(Ranks& ranks, bool orderly) noexcept {
  try {
    for (int rank = 1; rank < ranks.size(); ++rank)
      ranks.send_all(rank, MessageWriter()(Request::end)(orderly).bytes());
    if (!orderly) ranks.abandon();
  } catch (const Error&) {  // nobody is left
  }
}

std::unique_ptr<Backend> make_backend(const BackendKind& kind, System system, const BackendOptions& options) {
  if (const std::string why = refusal_of_foreign(system, kind, options); !why.empty()) throw Error(why, Fault::request);
  const bool shares = kind.name != "reference" && solver_of(system).bytes_sent != nullptr;
  if (ranks_of(options) == 1) return kind.make(std::move(system), options);
  if (options.ranks != nullptr && !options.helpers.empty())
    throw Error("`devices` are for one process; of several, each takes one GPU", Fault::request);
  if (!shares) {
    const std::string what =
        kind.name == "reference" ? "backend reference" : "method " + std::string(solver_of(system).name);
    throw Error("the " + what + " is not shared by ranks: start one process, with one GPU", Fault::request);
  }
  BackendOptions shared = options;
  if (shared.ranks == nullptr) shared.ranks = start_thread_ranks(ranks_of(options));
  return make_shared_backend(kind, std::move(system), shared);
}

std::unique_ptr<Backend> make_shared_backend(const BackendKind& kind, System system, const BackendOptions& options) {
  return std::make_unique<SharedBackend>(kind, std::move(system), options);
}

}  // namespace orrery::sim
