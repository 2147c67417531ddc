// SPDX-License-Identifier: MIT
#include "sim/backends/cuda/exchange.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "common/error.hpp"

namespace orrery::sim::cuda {
namespace {

/// For machines whose GPUs claim to reach each other but do not: copies go through the host.
bool avoids_peers() {
  const char* const text = std::getenv("ORRERY_NO_PEERS");
  return text != nullptr && std::string(text) != "0";
}

/// What precedes copies through the host.
struct Header {
  std::size_t to, pitch, bytes, rows;
};

std::byte* bytes_of(double* buffer) {
  return reinterpret_cast<std::byte*>(buffer);
}

}  // namespace

/// How other ranks reach the buffer of one.
struct Exchange::Handle {
  double* buffer;             ///< in the same process
  cudaIpcMemHandle_t shared;  ///< on the same machine
  cudaUUID_t gpu;
  int device;
  bool is_shared;
};

Exchange::Handle Exchange::own_handle() {
  Handle handle{.buffer = buffer_.get(), .shared = {}, .gpu = {}, .device = device_.index(), .is_shared = false};
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device_.index()), "querying the GPU");
  handle.gpu = properties.uuid;
  handle.is_shared = cudaIpcGetMemHandle(&handle.shared, buffer_.get()) == cudaSuccess;
  (void)cudaGetLastError();
  return handle;
}

void Exchange::open(int other, const Handle& handle) {
  Peer& peer = peers_[static_cast<std::size_t>(other)];
  const Ranks::Nearness near = ranks_.nearness(other);
  if (near == Ranks::Nearness::elsewhere) return;
  device_.make_current();
  if (near == Ranks::Nearness::process) {
    if (device_.connect(handle.device)) peer.buffer = handle.buffer;
  } else if (handle.is_shared) {
    if (cudaIpcOpenMemHandle(&peer.opened, handle.shared, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess)
      peer.buffer = static_cast<double*>(peer.opened);
    (void)cudaGetLastError();
  }
  if (peer.buffer != nullptr) peer.arrivals = reinterpret_cast<std::uint32_t*>(peer.buffer + numbers_);
}

bool Exchange::are_distinct(std::span<const Handle> handles) {
  for (const Handle& one : handles) {
    const auto same = [&](const Handle& other) { return std::memcmp(&one.gpu, &other.gpu, sizeof one.gpu) == 0; };
    if (std::ranges::count_if(handles, same) > 1) return false;
  }
  return true;
}

Exchange::Exchange(Ranks& ranks, const Device& device, std::size_t numbers)
    : ranks_(ranks),
      device_(device),
      numbers_(numbers),
      buffer_(device, numbers + static_cast<std::size_t>(ranks.size())),
      arrivals_(reinterpret_cast<std::uint32_t*>(buffer_.get() + numbers)),
      lost_(device, 1),
      peers_(static_cast<std::size_t>(ranks.size())) {
  std::vector<Handle> handles(peers_.size());
  handles[static_cast<std::size_t>(ranks.rank())] = own_handle();
  const auto each_other = [&](const auto& act) {
    for (int other = 0; other < ranks.size(); ++other) {
      const auto k = static_cast<std::size_t>(other);
      if (other != ranks.rank()) act(other, peers_[k], handles[k]);
    }
  };
  each_other(
      [&](int other, Peer&, Handle&) { ranks.send(other, &handles[static_cast<std::size_t>(ranks.rank())], 1); });
  each_other([&](int other, Peer&, Handle& handle) { ranks.receive(other, &handle, 1); });
  // A kernel that waits for another rank must not keep that rank's kernels from being loaded or started.
  const bool waits_on_gpus = !avoids_peers() && are_distinct(handles);
  each_other([&](int other, Peer& peer, const Handle& handle) {
    if (waits_on_gpus) open(other, handle);
    const bool reached = peer.buffer != nullptr;
    ranks.send(other, &reached, 1);
  });
  each_other([&](int other, Peer& peer, Handle&) { ranks.receive(other, &peer.is_reached_by, 1); });
  is_direct_ = peers_.size() <= Signals::max_peers + 1;
  each_other(
      [&](int, const Peer& peer, Handle&) { is_direct_ = is_direct_ && peer.buffer != nullptr && peer.is_reached_by; });
  each_other([&, mine = is_direct_](int other, Peer&, Handle&) { ranks.send(other, &mine, 1); });
  each_other([&](int other, Peer&, Handle&) {
    bool theirs = false;
    ranks.receive(other, &theirs, 1);
    is_direct_ = is_direct_ && theirs;
  });
  // A kernel that waits for a rank that has ended would wait for ever.
  watch_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (!ranks_.why_broken().empty()) *static_cast<volatile std::uint32_t*>(lost_.get()) = 1;
    }
  });
}

Exchange::~Exchange() {
  watch_.request_stop();
  close_handles();
}

void Exchange::close() {
  close_handles();
  bool closed = true;
  for (int k = 1; k < ranks_.size(); ++k) ranks_.send((ranks_.rank() + k) % ranks_.size(), &closed, 1);
  for (int k = 1; k < ranks_.size(); ++k) ranks_.receive((ranks_.rank() + k) % ranks_.size(), &closed, 1);
}

void Exchange::close_handles() {
  for (Peer& peer : peers_) {
    if (peer.opened != nullptr) (void)cudaIpcCloseMemHandle(std::exchange(peer.opened, nullptr));
  }
}

void Exchange::send(int to, std::span<const PitchedRows> rows, Stream& stream) {
  Peer& peer = peers_[static_cast<std::size_t>(to)];
  if (peer.buffer != nullptr) {
    for (const PitchedRows& one : rows)
      stream.copy_rows(bytes_of(peer.buffer) + one.to, one.pitch, one.from, one.pitch, one.bytes, one.rows);
    return announce(peer.arrivals + ranks_.rank(), ++peer.sent, stream.get());
  }
  std::size_t bytes = 0;
  for (const PitchedRows& one : rows) bytes += sizeof(Header) + one.rows * one.bytes;
  staged_.resize(bytes);
  std::byte* at = staged_.data();
  for (const PitchedRows& one : rows) {
    const Header header{one.to, one.pitch, one.bytes, one.rows};
    std::memcpy(at, &header, sizeof header);
    at += sizeof header;
    stream.copy_rows(at, one.bytes, one.from, one.pitch, one.bytes, one.rows);
    at += one.rows * one.bytes;
  }
  stream.wait();
  ranks_.send_all(to, staged_);
}

void Exchange::receive(int from, Stream& stream) {
  Peer& peer = peers_[static_cast<std::size_t>(from)];
  if (peer.is_reached_by) return await(arrivals_ + from, ++peer.received, lost_.get(), stream.get());
  const std::vector<std::byte> bytes = ranks_.receive_all(from);
  for (const std::byte* at = bytes.data(); at < bytes.data() + bytes.size();) {
    Header header{};
    std::memcpy(&header, at, sizeof header);
    at += sizeof header;
    stream.copy_rows(bytes_of(buffer_.get()) + header.to, header.pitch, at, header.bytes, header.bytes, header.rows);
    at += header.rows * header.bytes;
  }
  stream.wait();
}

void Exchange::swap(std::span<const Parcel> parcels, Stream& stream) {
  if (is_direct_) return swap_directly(parcels, stream);
  for (int k = 0; k < ranks_.size(); ++k) {
    const int other = (ranks_.rank() + k) % ranks_.size();
    std::vector<PitchedRows> rows;
    for (const Parcel& one : parcels) {
      if (one.rank == other) rows.push_back({one.from, one.to, one.bytes, one.bytes, 1});
    }
    if (k > 0) {
      send(other, rows, stream);
    } else {
      for (const PitchedRows& one : rows) stream.copy(bytes_of(buffer_.get()) + one.to, one.from, one.bytes);
    }
  }
  for (int k = 1; k < ranks_.size(); ++k) receive((ranks_.rank() + k) % ranks_.size(), stream);
}

Signals Exchange::next_signals() {
  Signals signals{};
  signals.finished = arrivals_ + ranks_.size();
  signals.lost = lost_.get();
  for (int k = 1; k < ranks_.size(); ++k) {
    const int other = (ranks_.rank() + k) % ranks_.size();
    Peer& peer = peers_[static_cast<std::size_t>(other)];
    signals.peers[signals.peer_count++] = {peer.arrivals + ranks_.rank(), arrivals_ + other, ++peer.sent,
                                           ++peer.received};
  }
  return signals;
}

void Exchange::swap_directly(std::span<const Parcel> parcels, Stream& stream) {
  Swap swap{};
  swap.signals = next_signals();
  const int peers = std::exchange(swap.signals.peer_count, 0);  // only the last kernel signals
  for (const Parcel& one : parcels) {
    if (one.bytes == 0) continue;
    if (swap.copy_count == static_cast<int>(Swap::max_copies)) {
      start_swap(swap, stream.get());
      swap.copy_count = 0;
    }
    swap.copies[swap.copy_count++] = {one.from, bytes_of(buffer_of(one.rank)) + one.to, one.bytes};
  }
  swap.signals.peer_count = peers;
  start_swap(swap, stream.get());
}

double* SharedColumns::complete(std::size_t columns, Stream& stream) {
  double* const all = mine();
  const std::size_t first = part().first * width_, last = part().last * width_;
  const PitchedRows rows =
      rows_of(all + first, static_cast<std::size_t>(all - exchange_.buffer()) + first, stride_, last - first, columns);
  for (int k = 1; k < ranks_.size(); ++k) exchange_.send((ranks_.rank() + k) % ranks_.size(), {&rows, 1}, stream);
  for (int k = 1; k < ranks_.size(); ++k) exchange_.receive((ranks_.rank() + k) % ranks_.size(), stream);
  even_ = !even_;
  return all;
}

}  // namespace orrery::sim::cuda
