// SPDX-License-Identifier: MIT
// RAII for CUDA's runtime: devices, memory, streams, events, graphs. Host code elsewhere does not see the runtime.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

struct CUstream_st;
struct CUevent_st;
struct CUgraphExec_st;

namespace orrery::sim::cuda {

/// Throws Error with CUDA's description if `status`, a cudaError_t, is not cudaSuccess. `what` says what was attempted.
void check(int status, const char* what);

/// Returns how many blocks of `block` items cover n items.
constexpr unsigned blocks_for(std::size_t n, std::size_t block) {
  return static_cast<unsigned>((n + block - 1) / block);
}

/// One GPU. Objects refer to the device that they were made on; several devices can be used from one thread.
class Device {
 public:
  /// Throws Error if there is no such device or it cannot be used.
  explicit Device(int index);
  /// "NVIDIA H200 (sm_90)"
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The number of GPUs that this process sees.
  static int count();
  [[nodiscard]] int index() const { return index_; }
  /// Lets this device read and write the memory of another one, of the same process. Returns whether it can.
  [[nodiscard]] bool connect(int other) const;
  /// Makes this the current device of the calling thread.
  void make_current() const;
  /// Returns why no device can be used and what to do; empty if one can.
  static std::string absence();

 private:
  int index_;
  std::string name_;
};

/// Memory of the device, or pinned memory of the host, to which the device can copy asynchronously.
enum class Place { device, pinned };
/// Returns zeroed memory. Throws Error with the requested size if memory is short.
void* allocate(const Device& device, std::size_t bytes, Place place);
/// Any device may be current.
void free_memory(void* memory, Place place);

/// An array of n numbers, initially zero. Throws Error if memory is short.
template <class Number, Place place = Place::device>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(const Device& device, std::size_t n)
      : data_(n == 0 ? nullptr : static_cast<Number*>(allocate(device, n * sizeof(Number), place))) {}
  ~DeviceArray() {
    if (data_ != nullptr) free_memory(data_, place);
  }
  DeviceArray(DeviceArray&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }

  [[nodiscard]] Number* get() const { return data_; }

 private:
  Number* data_ = nullptr;
};

/// A CUDA stream, and whether a kernel may start before the previous one ends (compute capability 9.0).
struct StreamHandle {
  CUstream_st* stream;
  bool overlaps;
};

/// A CUDA stream. Copies and fills are asynchronous; the destructor waits for all work. All but `end` throw Error.
class Stream {
 public:
  explicit Stream(const Device& device);
  ~Stream();
  Stream(Stream&& other) = delete;
  /// Returns the handle for a kernel launch and makes the stream's device current.
  [[nodiscard]] StreamHandle get() const {
    device_.make_current();
    return handle_;
  }
  [[nodiscard]] const Device& device() const { return device_; }
  void copy_in(void* device, const void* host, std::size_t bytes);
  void copy_out(void* host, const void* device, std::size_t bytes);
  void copy(void* to, const void* from, std::size_t bytes);
  /// Copies `rows` rows of `bytes` bytes, which begin so many bytes apart, between any two devices or a device and the host.
  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t bytes,
                 std::size_t rows);
  void clear(void* device, std::size_t bytes);
  /// Waits for all work; throws Error if some of it failed.
  void wait();
  /// Waits for all work and ignores errors.
  void end() noexcept;

 private:
  const Device& device_;
  StreamHandle handle_{};
};

/// A CUDA event; `timed`: it also keeps the time.
class Event {
 public:
  explicit Event(const Device& device, bool timed = false);
  ~Event();
  Event(Event&& other) = delete;
  void record(const Stream& stream);
  /// Blocks the host until the event is reached; returns at once if none was recorded. Throws Error if the work failed.
  void wait();
  /// Makes `stream` wait for the event.
  void hold(const Stream& stream);
  /// Seconds from another event of the device to this one; both are timed. Waits for this one.
  double seconds_since(const Event& earlier);

 private:
  CUevent_st* event_ = nullptr;
};

/// A CUDA graph: work that is captured once and replayed with one launch.
class Graph {
 public:
  Graph() = default;
  /// Captures what `work` queues on `stream`, without executing it.
  Graph(const Stream& stream, const std::function<void()>& work);
  ~Graph();
  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    std::swap(graph_, other.graph_);
    return *this;
  }
  void launch(const Stream& stream) const;
  explicit operator bool() const { return graph_ != nullptr; }

 private:
  CUgraphExec_st* graph_ = nullptr;
};

}  // namespace orrery::sim::cuda
