// SPDX-License-Identifier: MIT
// Ranks that are processes of an MPI job. A module of its own, which is loaded only if a launcher has started the program.
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstring>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "common/error.hpp"
#include "common/export.hpp"
#include "sim/ranks/ranks.hpp"

namespace orrery::sim {
namespace {

using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::byte>;

constexpr int data_tag = 1, failure_tag = 2;
/// Without a word from a rank for so long, or for twenty times the longest silence so far, it counts as lost.
constexpr std::chrono::duration<double> patience{600};

class MpiRanks final : public Ranks {
 public:
  MpiRanks(int rank, int size) : Ranks(rank, size), longest_(0) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
    int neighbours = 1;
    MPI_Comm_size(machine, &neighbours);
    MPI_Comm_rank(machine, &position_);
    Place mine{::getpid(), rank, {}};
    CPU_ZERO(&mine.cores);
    ::sched_getaffinity(0, sizeof mine.cores, &mine.cores);
    std::vector<Place> all(static_cast<std::size_t>(neighbours));
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, machine);
    MPI_Comm_free(&machine);
    process_.resize(static_cast<std::size_t>(size));
    for (const Place& one : all) {
      process_[static_cast<std::size_t>(one.rank)] = one.process;
      ranks_per_node_ += CPU_EQUAL(&one.cores, &mine.cores) ? 1 : 0;
    }
    crowded_ = ranks_per_node_ > CPU_COUNT(&mine.cores);
  }
  ~MpiRanks() override {
    if (failed()) return;  // it could wait for a rank that has ended
    try {
      flush();
      MPI_Request done{};
      MPI_Ibarrier(MPI_COMM_WORLD, &done);
      int flag = 0;
      wait_for([&] { return MPI_Test(&done, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && flag != 0; }, 0);
      MPI_Finalize();
    } catch (const Error&) {  // then without its blessing
    }
  }
  using Ranks::receive;
  using Ranks::send;

  void send(int to, std::span<const std::byte> bytes) override {
    refuse_if_failed();
    while (!sent_.empty() && complete(sent_.front())) sent_.pop_front();
    each_part(bytes.size(), [&](std::size_t first, int count) {
      Sent& one = sent_.emplace_back(to, Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(first),
                                               bytes.begin() + static_cast<std::ptrdiff_t>(first) + count));
      MPI_Isend(one.bytes.data(), count, MPI_BYTE, to, data_tag, MPI_COMM_WORLD, &one.request);
    });
  }

  void receive(int from, std::span<std::byte> bytes, bool idle) override {
    refuse_if_failed();
    each_part(bytes.size(), [&](std::size_t first, int count) {
      MPI_Request request{};
      MPI_Status status{};
      MPI_Irecv(bytes.data() + first, count, MPI_BYTE, from, data_tag, MPI_COMM_WORLD, &request);
      wait_for(
          [&] {
            int done = 0;
            return MPI_Test(&request, &done, &status) == MPI_SUCCESS && done != 0;
          },
          from, idle);
      int received = 0;
      MPI_Get_count(&status, MPI_BYTE, &received);
      if (received != count) give_up("ranks disagree about the size of a message");
    });
  }

  /// MPI copies a long message in pieces, and moves them only in calls, where processes may not read each other's memory.
  void flush() override {
    for (refuse_if_failed(); !sent_.empty(); sent_.pop_front())
      wait_for([&] { return complete(sent_.front()); }, sent_.front().to);
  }

  void fail(const std::string& why) noexcept override {
    if (failed()) return;
    failure_ = why;
    for (int to = 0; to < size(); ++to) {
      if (to == rank()) continue;
      Sent& one = sent_.emplace_back(to, Bytes(why.size()));
      std::memcpy(one.bytes.data(), why.data(), why.size());
      MPI_Isend(one.bytes.data(), static_cast<int>(why.size()), MPI_BYTE, to, failure_tag, MPI_COMM_WORLD,
                &one.request);
    }
    // The messages need this process to be there while they are taken.
    for (int k = 0; k < 100 && !sent_.empty(); ++k) {
      while (!sent_.empty() && complete(sent_.front())) sent_.pop_front();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  void abandon() noexcept override { failure_ = "abandoned"; }
  [[nodiscard]] bool has_sent(int from) override {
    refuse_if_failed();
    hear_failure();
    int there = 0;
    MPI_Iprobe(from, data_tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (there == 0 && has_ended(from)) give_up(ended(from));
    return there != 0;
  }
  [[nodiscard]] Nearness nearness(int other) const override {
    return process_[static_cast<std::size_t>(other)] > 0 ? Nearness::machine : Nearness::elsewhere;
  }
  [[nodiscard]] std::string why_broken() const override {
    for (int other = 0; other < size(); ++other) {
      if (has_ended(other)) return ended(other);
    }
    return "";
  }
  [[nodiscard]] int position() const override { return position_; }
  [[nodiscard]] int ranks_per_node() const override { return ranks_per_node_; }

 private:
  /// Of a rank on this machine: its process, which can be asked whether it lives, and the cores that it may use.
  struct Place {
    pid_t process = 0;
    int rank = 0;
    cpu_set_t cores{};
  };
  struct Sent {
    Sent(int rank, Bytes content) : to(rank), bytes(std::move(content)) {}
    int to;
    Bytes bytes;
    MPI_Request request{};
  };

  [[nodiscard]] bool failed() const { return !failure_.empty(); }
  void refuse_if_failed() const {
    if (failed()) throw Error(failure_);
  }
  [[noreturn]] void give_up(const std::string& why) {
    failure_ = why;
    throw Error(why);
  }
  static bool complete(Sent& one) {
    int done = 0;
    return MPI_Test(&one.request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done != 0;
  }
  /// Counts of MPI are ints.
  template <class Act>
  static void each_part(std::size_t bytes, const Act& act) {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t first = 0; first < bytes; first += most)
      act(first, static_cast<int>(std::min(bytes - first, most)));
  }

  static std::string ended(int other) { return "rank " + std::to_string(other) + " has ended"; }

  /// Polls, since MPI_Wait would wait for ever for a rank that has ended.
  template <class Done>
  void wait_for(const Done& done, int from, bool idle = false) {
    using namespace std::chrono_literals;
    const auto begin = Clock::now();
    auto look = begin + 20ms;
    for (int k = 0; !done(); ++k) {
      if (k < 200) continue;
      const auto now = Clock::now();
      // Whoever yields a core to another program does not get it back soon, so only ranks that share cores do at once.
      if (crowded_ || now - begin > 20ms) ::sched_yield();
      if (idle && now - begin > 5ms) std::this_thread::sleep_for(200us);  // rank 0 may be drawing pictures
      if (now < look) continue;
      look = now + 20ms;
      hear_failure();
      if (has_ended(from)) {
        // What it sent last may still be on the way.
        for (const auto end = now + 100ms; Clock::now() < end;) {
          if (done()) return;
          hear_failure();
        }
        give_up(ended(from));
      }
      const std::chrono::duration<double> silence = now - begin;
      if (!idle && silence > std::max(patience, 20 * longest_))
        give_up("rank " + std::to_string(from) + " has sent nothing for " +
                std::to_string(std::lround(silence.count())) + " s");
    }
    if (!idle) longest_ = std::max<std::chrono::duration<double>>(longest_, Clock::now() - begin);
  }
  void hear_failure() {
    int there = 0;
    MPI_Status status{};
    if (MPI_Iprobe(MPI_ANY_SOURCE, failure_tag, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || there == 0) return;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    std::string why(static_cast<std::size_t>(count), ' ');
    MPI_Recv(why.data(), count, MPI_BYTE, status.MPI_SOURCE, failure_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    give_up("rank " + std::to_string(status.MPI_SOURCE) + ": " + why);
  }
  [[nodiscard]] bool has_ended(int other) const {
    const pid_t process = process_[static_cast<std::size_t>(other)];
    return other != rank() && process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
  }

  int position_ = 0, ranks_per_node_ = 0;
  bool crowded_ = false;        ///< there are more ranks than cores
  std::vector<pid_t> process_;  ///< of each rank on this machine; else 0
  std::deque<Sent> sent_;       ///< not known to be complete
  std::chrono::duration<double> longest_;
  std::string failure_;
};

}  // namespace

/// Called once. Returns null if the job has one process.
extern "C" ORRERY_EXPORT Ranks* orrery_start_mpi() {
  int provided = 0, rank = 0, size = 1;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1) return new MpiRanks(rank, size);
  MPI_Finalize();
  return nullptr;
}

}  // namespace orrery::sim
