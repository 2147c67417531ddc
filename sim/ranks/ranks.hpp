// SPDX-License-Identifier: MIT
// Processes, or threads with a GPU each, that share the force evaluations of one run.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/backend.hpp"

namespace orrery::sim {

/// Items [first, last) of a rank.
struct RankRange {
  std::size_t first, last;
};

/// One of several ranks. Each has the whole state and computes a part of the forces; rank 0 leads. Used by one thread.
/// After the first Error all further calls throw it.
class Ranks {
 public:
  Ranks(int rank, int size) : rank_(rank), size_(size) {}
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Sends a copy; does not wait until it is received.
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  /// Receives what rank `from` sent, in the order in which it was sent, of exactly this size. Throws Error if that rank
  /// has ended or has failed, or if it says nothing for too long and is not `idle`.
  virtual void receive(int from, std::span<std::byte> bytes, bool idle = false) = 0;
  /// Waits until what was sent is received. A long message may need its sender, which would else compute meanwhile.
  virtual void flush() {}
  /// Returns whether something of rank `from` can be received.
  [[nodiscard]] virtual bool has_sent(int from) = 0;
  /// Tells all others why this rank cannot go on.
  virtual void fail(const std::string& why) noexcept = 0;
  /// Leaves without waiting for the others, since the launcher is ending all of them.
  virtual void abandon() noexcept {}
  /// Where another rank is. On the same machine, GPUs of different processes can share memory.
  enum class Nearness { process, machine, elsewhere };
  [[nodiscard]] virtual Nearness nearness(int other) const = 0;
  /// Returns which rank has ended or failed, as far as is known without a message; empty if none has. For any thread.
  [[nodiscard]] virtual std::string why_broken() const = 0;
  /// The position of this rank among those of the same machine, which share its GPUs.
  [[nodiscard]] virtual int position() const = 0;
  /// The number of ranks, with this one, that may use the same cores.
  [[nodiscard]] virtual int ranks_per_node() const = 0;

  template <class Number>
  void send(int to, const Number* numbers, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Number>);
    send(to, std::as_bytes(std::span(numbers, count)));
  }
  template <class Number>
  void receive(int from, Number* numbers, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Number>);
    receive(from, std::as_writable_bytes(std::span(numbers, count)));
  }
  /// Bytes of any number, whose receiver learns how many they are.
  void send_all(int to, std::span<const std::byte> bytes) {
    const std::size_t count = bytes.size();
    send(to, &count, 1);
    if (count > 0) send(to, bytes);
  }
  [[nodiscard]] std::vector<std::byte> receive_all(int from, bool idle = false) {
    std::size_t count = 0;
    receive(from, std::as_writable_bytes(std::span(&count, 1)), idle);
    std::vector<std::byte> bytes(count);
    if (count > 0) receive(from, bytes);
    return bytes;
  }

  /// Every rank has computed items `parts[rank]` of several rows; afterwards each has all of them.
  void share(std::span<double* const> rows, std::span<const RankRange> parts) {
    const auto [first, last] = parts[static_cast<std::size_t>(rank_)];
    for (int other = 0; other < size_; ++other) {
      for (double* row : rows) {
        if (other != rank_ && last > first) send(other, row + first, last - first);
      }
    }
    for (int other = 0; other < size_; ++other) {
      const auto [begin, end] = parts[static_cast<std::size_t>(other)];
      for (double* row : rows) {
        if (other != rank_ && end > begin) receive(other, row + begin, end - begin);
      }
    }
    flush();
  }

  /// For rank 0: a number for a backend that all ranks make.
  [[nodiscard]] std::uint32_t next_backend() { return ++backends_; }

 private:
  int rank_, size_;
  std::uint32_t backends_ = 0;
};

/// The number of ranks of a backend.
inline int ranks_of(const BackendOptions& options) {
  return options.ranks != nullptr ? options.ranks->size() : 1 + static_cast<int>(options.helpers.size());
}

/// `count` items divided evenly among the ranks; one part if there are none.
inline std::vector<RankRange> even_parts(std::size_t count, const Ranks* ranks) {
  std::vector<RankRange> parts;
  const std::size_t size = ranks != nullptr ? static_cast<std::size_t>(ranks->size()) : 1;
  for (std::size_t r = 0; r < size; ++r) parts.push_back({count * r / size, count * (r + 1) / size});
  return parts;
}
/// The part of this rank; the first one if there are no ranks.
inline RankRange part_of(std::span<const RankRange> parts, const Ranks* ranks) {
  return parts[ranks != nullptr ? static_cast<std::size_t>(ranks->rank()) : 0];
}

}  // namespace orrery::sim
