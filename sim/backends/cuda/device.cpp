// SPDX-License-Identifier: MIT
#include "sim/backends/cuda/device.hpp"

#include <cuda_runtime.h>

#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "common/error.hpp"
#include "sim/backends/cuda/kernels.cuh"

namespace orrery::sim::cuda {
namespace {

std::string advice(cudaError_t error) {
  switch (error) {
    case cudaErrorNoDevice:
      return "no NVIDIA GPU was found; backend.kind = \"cpu\" gives the same bits";
    case cudaErrorInsufficientDriver: {
      int driver = 0;  // 0: no driver
      const bool is_there = cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
      return std::string(is_there ? "the NVIDIA driver is older than this program's CUDA: update it"
                                  : "no NVIDIA driver is installed") +
             "; backend.kind = \"cpu\" gives the same bits";
    }
    case cudaErrorMemoryAllocation:
      return "the GPU's memory is full: take fewer bodies, another GPU with --device, or backend.kind = "
             "\"cpu\"";
    case cudaErrorNoKernelImageForDevice:
      return "this program was not built for this GPU: configure with -DCMAKE_CUDA_ARCHITECTURES=native";
    case cudaErrorDevicesUnavailable:
      return "another program uses the GPU exclusively; choose another one with --device";
    default:
      return "the GPU failed or was lost; see `nvidia-smi`";
  }
}

}  // namespace

void check(int status, const char* what) {
  const auto error = static_cast<cudaError_t>(status);
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // clears the error, or the next kernel launch would report it
  throw Error(std::string("cuda: ") + what + ": " + cudaGetErrorString(error) + ": " + advice(error));
}

int Device::count() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "looking for GPUs");
  return count;
}

Device::Device(int index) : index_(index) {
  const int count = Device::count();
  if (index < 0 || index >= count) {
    throw Error("cuda: there is no device " + std::to_string(index) + ": this machine has " + std::to_string(count) +
                    ", numbered from 0 (CUDA_VISIBLE_DEVICES may hide some)",
                Fault::request);
  }
  make_current();
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "querying the GPU");
  check(kernels_present(), "looking for this program's kernels");
  name_ = std::string(properties.name) + " (sm_" + std::to_string(properties.major) + std::to_string(properties.minor) +
          ")";
}

bool Device::connect(int other) const {
  if (index_ == other) return true;
  int possible = 0;
  check(cudaDeviceCanAccessPeer(&possible, index_, other), "asking how GPUs are connected");
  if (possible == 0) return false;
  static std::mutex mutex;
  static std::set<std::pair<int, int>> connected;
  const std::lock_guard lock(mutex);
  if (!connected.emplace(index_, other).second) return true;
  make_current();
  check(cudaDeviceEnablePeerAccess(other, 0), "connecting GPUs");
  return true;
}

void Device::make_current() const {
  check(cudaSetDevice(index_), "selecting the GPU");
}

std::string Device::absence() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return "";
  return "the cuda backend cannot be used: " + advice(error == cudaSuccess ? cudaErrorNoDevice : error);
}

void* allocate(const Device& device, std::size_t bytes, Place place) {
  device.make_current();
  const std::string what = "allocating " + std::to_string(bytes >> 20) + " MiB";
  void* memory = nullptr;
  if (place == Place::pinned) {
    check(cudaMallocHost(&memory, bytes), (what + " of the host").c_str());
    std::memset(memory, 0, bytes);
  } else {
    check(cudaMalloc(&memory, bytes), what.c_str());
    cudaError_t cleared = cudaMemset(memory, 0, bytes);
    if (cleared == cudaSuccess) cleared = cudaDeviceSynchronize();  // non-blocking streams do not wait for the memset
    if (cleared != cudaSuccess) cudaFree(memory);
    check(cleared, "clearing memory");
  }
  return memory;
}

void free_memory(void* memory, Place place) {
  place == Place::pinned ? cudaFreeHost(memory) : cudaFree(memory);
}

Stream::Stream(const Device& device) : device_(device) {
  device.make_current();
  check(cudaStreamCreateWithFlags(&handle_.stream, cudaStreamNonBlocking), "creating a stream");
  handle_.overlaps = kernels_overlap();
}

Stream::~Stream() {
  end();
  cudaStreamDestroy(handle_.stream);
}

// NOLINTBEGIN(readability-make-member-function-const): queueing work changes the stream.
void Stream::copy_in(void* device, const void* host, std::size_t bytes) {
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, get().stream), "copying to the GPU");
}

void Stream::copy_out(void* host, const void* device, std::size_t bytes) {
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, get().stream), "copying from the GPU");
}

void Stream::copy(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, get().stream), "copying on the GPU");
}

void Stream::copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t bytes,
                       std::size_t rows) {
  if (bytes == 0) return;
  check(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, bytes, rows, cudaMemcpyDefault, get().stream),
        "copying between GPUs");
}

void Stream::clear(void* device, std::size_t bytes) {
  check(cudaMemsetAsync(device, 0, bytes, get().stream), "clearing memory");
}

void Stream::wait() {
  check(cudaStreamSynchronize(handle_.stream), "waiting for the GPU");
}

void Stream::end() noexcept {
  (void)cudaStreamSynchronize(handle_.stream);
}
// NOLINTEND(readability-make-member-function-const)

Event::Event(const Device& device, bool timed) {
  device.make_current();
  check(cudaEventCreateWithFlags(&event_, timed ? cudaEventDefault : cudaEventDisableTiming), "creating an event");
}

Event::~Event() {
  cudaEventDestroy(event_);
}

void Event::record(const Stream& stream) {
  check(cudaEventRecord(event_, stream.get().stream), "recording an event");
}

void Event::wait() {
  check(cudaEventSynchronize(event_), "waiting for the GPU");
}

void Event::hold(const Stream& stream) {
  check(cudaStreamWaitEvent(stream.get().stream, event_), "waiting for an event");
}

double Event::seconds_since(const Event& earlier) {
  wait();
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "measuring time on the GPU");
  return 1e-3 * static_cast<double>(milliseconds);
}

Graph::Graph(const Stream& stream, const std::function<void()>& work) {
  check(cudaStreamBeginCapture(stream.get().stream, cudaStreamCaptureModeThreadLocal), "recording steps");
  cudaGraph_t graph = nullptr;
  try {
    work();
  } catch (...) {
    cudaStreamEndCapture(stream.get().stream, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    (void)cudaGetLastError();  // of the unfinished capture: the exception of `work` says more
    throw;
  }
  check(cudaStreamEndCapture(stream.get().stream, &graph), "recording steps");
  const cudaError_t made = cudaGraphInstantiate(&graph_, graph, 0);
  cudaGraphDestroy(graph);
  check(made, "recording steps");
}

Graph::~Graph() {
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
}

void Graph::launch(const Stream& stream) const {
  check(cudaGraphLaunch(graph_, stream.get().stream), "starting recorded steps");
}

}  // namespace orrery::sim::cuda
