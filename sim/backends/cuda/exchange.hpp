// SPDX-License-Identifier: MIT
// Copies between the GPUs of ranks: directly where they can address each other's memory, else through the host.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "sim/backends/cuda/device.hpp"
#include "sim/ranks/ranks.hpp"

namespace orrery::sim::cuda {

/// Some bytes in each of several rows, which begin so many bytes apart where they are and where they go to.
struct PitchedRows {
  const void* from;
  std::size_t to;  ///< place of the first in the buffer
  std::size_t pitch, bytes, rows;
};
/// The same of numbers.
inline PitchedRows rows_of(const double* from, std::size_t to, std::size_t pitch, std::size_t count, std::size_t rows) {
  constexpr std::size_t number = sizeof(double);
  return {from, number * to, number * pitch, number * count, rows};
}

/// Bytes for the buffer of a rank, which may be this one. Places and sizes are multiples of four.
struct Parcel {
  int rank;
  const void* from;
  std::size_t to, bytes;
};

/// How a kernel tells other GPUs that it has written to them, and waits until they have done the same.
struct Signals {
  static constexpr std::size_t max_peers = 31;
  struct Peer {
    std::uint32_t* there;       ///< of the other GPU, to be set
    const std::uint32_t* here;  ///< set by the other GPU
    std::uint32_t sent, expected;
  } peers[max_peers];  ///< the next rank first, the previous one last
  int peer_count;
  unsigned* finished;  ///< blocks, 0 between kernels
  const std::uint32_t* lost;
};
/// The work of one kernel: copies, then signals.
struct Swap {
  static constexpr std::size_t max_copies = 64;
  struct Copy {
    const void* from;
    void* to;
    std::size_t bytes;
  } copies[max_copies];
  int copy_count;
  Signals signals;
};

/// A buffer on the GPU of each rank, into which the other ranks write. Each rank calls the constructor, and `send` and
/// `receive` for each pair of ranks, in the same order. All work is queued on streams; where GPUs cannot address each
/// other's memory, calls wait for the copies.
class Exchange {
 public:
  /// Throws Error if memory is short, or a rank has ended.
  Exchange(Ranks& ranks, const Device& device, std::size_t numbers);
  ~Exchange();
  /// Afterwards no rank uses the buffer of another one, so that it can be freed while the run goes on. Each rank calls it, after its
  /// work on streams.
  void close();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  [[nodiscard]] double* buffer() const { return buffer_.get(); }
  /// Copies rows into the buffer of another rank, and lets its `receive` proceed after that.
  void send(int to, std::span<const PitchedRows> rows, Stream& stream);
  /// Holds `stream` until the other rank's next `send` is complete. Its kernel fails if that rank has ended.
  void receive(int from, Stream& stream);
  /// Sends parcels to other ranks, and receives one `swap` of each; one kernel if all GPUs reach each other.
  void swap(std::span<const Parcel> parcels, Stream& stream);

  /// A barrier on the GPUs: what was queued before it on any rank has happened when it ends.
  void barrier(Stream& stream) { swap({}, stream); }

  /// Whether all GPUs reach each other, which all ranks agree on. Then kernels may write into the buffers of all ranks, and signal it.
  [[nodiscard]] bool is_direct() const { return is_direct_; }
  [[nodiscard]] double* buffer_of(int rank) const {
    return rank == ranks_.rank() ? buffer_.get() : peers_[static_cast<std::size_t>(rank)].buffer;
  }
  /// By how many bytes the buffer of another rank is after that of this one.
  [[nodiscard]] std::ptrdiff_t bytes_to(int rank) const {
    return reinterpret_cast<std::byte*>(buffer_of(rank)) - reinterpret_cast<std::byte*>(buffer());
  }
  /// The next signal to every other rank, and from it.
  [[nodiscard]] Signals next_signals();

 private:
  /// How this rank reaches another one.
  struct Peer {
    double* buffer = nullptr;           ///< null: through the host
    std::uint32_t* arrivals = nullptr;  ///< of that rank, [ranks]
    void* opened = nullptr;             ///< memory of another process
    bool is_reached_by = false;         ///< whether it reaches the buffer of this rank
    std::uint32_t sent = 0, received = 0;
  };
  struct Handle;

  [[nodiscard]] Handle own_handle();
  /// Whether each is on a GPU of its own.
  [[nodiscard]] static bool are_distinct(std::span<const Handle> handles);
  void open(int other, const Handle& handle);
  void close_handles();
  void swap_directly(std::span<const Parcel> parcels, Stream& stream);

  Ranks& ranks_;
  const Device& device_;
  std::size_t numbers_;
  DeviceArray<double> buffer_;                      ///< then the counts of arrivals, from each rank
  std::uint32_t* arrivals_;                         ///< after them the count of finished blocks of a swap
  DeviceArray<std::uint32_t, Place::pinned> lost_;  ///< not 0: a rank has ended, do not wait any longer
  std::vector<Peer> peers_;
  bool is_direct_ = false;
  std::vector<std::byte> staged_;
  std::jthread watch_{};
};

/// Columns of all bodies, with `width` numbers of a body side by side, of which each rank computes a part: twice, for even and odd
/// evaluations, since a rank may be one evaluation ahead of another, which still uses those of the one before.
class SharedColumns {
 public:
  SharedColumns(Ranks& ranks, const Device& device, std::size_t n, std::size_t stride, std::size_t columns,
                std::size_t width = 1)
      : ranks_(ranks),
        stride_(stride * width),
        width_(width),
        size_(columns * stride_),
        parts_(even_parts(n, &ranks)),
        exchange_(ranks, device, 2 * size_) {}

  /// The bodies of this rank.
  [[nodiscard]] RankRange part() const { return part_of(parts_, &ranks_); }
  /// Where this rank writes its part of the next evaluation, [columns][stride][width].
  [[nodiscard]] double* mine() const { return exchange_.buffer() + (even_ ? size_ : 0); }
  /// Returns the columns with the parts of all ranks.
  double* complete(std::size_t columns, Stream& stream);

 private:
  Ranks& ranks_;
  std::size_t stride_, width_, size_;
  std::vector<RankRange> parts_;
  Exchange exchange_;
  bool even_ = false;
};

/// Queues: count ← value, visible to other devices after everything before it.
void announce(std::uint32_t* count, std::uint32_t value, StreamHandle stream);
/// Queues: waits until count ≥ value. The kernel fails if *lost is not 0.
void await(const std::uint32_t* count, std::uint32_t value, const std::uint32_t* lost, StreamHandle stream);
void start_swap(const Swap& swap, StreamHandle stream);

}  // namespace orrery::sim::cuda
