// SPDX-License-Identifier: MIT
// A GPU, memory on it, and the streams and graphs in which it works; CUDA's runtime is seen in this folder alone.
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

/// Throws Error with CUDA's own words where `status`, a cudaError_t, is not success.
void check(int status, const char* what);

/// One GPU. What is made on it knows it; two of them work in one process and thread.
class Device {
 public:
  /// Throws Error where there is no such device or it cannot be used.
  explicit Device(int index);
  /// "NVIDIA H200 (sm_90)"
  [[nodiscard]] const std::string& name() const { return name_; }
  /// It is the one that the calling thread's next calls of CUDA's runtime mean.
  void make_current() const;
  /// Empty where a device can be used; else why not, and what to do.
  static std::string absence();

 private:
  int index_;
  std::string name_;
};

/// Bytes, all zero at first, on the device or, pinned, where the device can copy to while it does other things.
enum class Place { device, pinned };
void* take_memory(const Device& device, std::size_t bytes, Place place);
/// Whichever device is current.
void free_memory(void* memory, Place place);

/// An array of n numbers. Throws Error where memory is short, saying how much was asked for.
template <class Number, Place place = Place::device>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(const Device& device, std::size_t n)
      : data_(n == 0 ? nullptr : static_cast<Number*>(take_memory(device, n * sizeof(Number), place))) {}
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

/// Where work is queued, and whether a kernel may come near while the one before it ends (compute capability 9.0).
struct StreamHandle {
  CUstream_st* stream;
  bool overlaps;
};

/// A queue of work. Copies and fills are queued like everything else; `wait` is until all of it is done, and so is its end.
class Stream {
 public:
  explicit Stream(const Device& device);
  ~Stream();
  Stream(Stream&& other) = delete;
  /// For a kernel to be started on the queue's device, which is made current.
  [[nodiscard]] StreamHandle get() const {
    device_.make_current();
    return handle_;
  }
  [[nodiscard]] const Device& device() const { return device_; }
  void copy_in(void* device, const void* host, std::size_t bytes);
  void copy_out(void* host, const void* device, std::size_t bytes);
  void copy(void* to, const void* from, std::size_t bytes);
  void clear(void* device, std::size_t bytes);
  /// Throws Error where the work has failed.
  void wait();
  /// The same, whatever has become of it.
  void end() noexcept;

 private:
  const Device& device_;
  StreamHandle handle_{};
};

/// A point in the work of a queue.
class Event {
 public:
  explicit Event(const Device& device);
  ~Event();
  Event(Event&& other) = delete;
  void record(const Stream& stream);
  /// Until that point is reached; at once where none was recorded. Throws Error where the work has failed.
  void wait();
  /// `stream` goes on when that point is reached.
  void hold(const Stream& stream);

 private:
  CUevent_st* event_ = nullptr;
};

/// Work that is recorded once and started again with one call.
class Graph {
 public:
  Graph() = default;
  /// Records what `work` would queue, without doing it.
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
