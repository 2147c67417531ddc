// SPDX-License-Identifier: MIT
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace orrery::pipeline::trajectory {

/// Streaming 64-bit XXH3: `Hash().add(a).add(b).value()` is the hash of the bytes of a followed by those of b.
class Hash {
 public:
  Hash() : state_(XXH3_createState()) {
    if (!state_) throw std::bad_alloc();
    reset();
  }
  void reset() { XXH3_64bits_reset(state_.get()); }
  template <class T>
  Hash& add(std::span<const T> values) {
    XXH3_64bits_update(state_.get(), values.data(), values.size_bytes());
    return *this;
  }
  [[nodiscard]] std::uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_;
};

/// XXH3 of an array.
template <class Array>
std::uint64_t hash_of(const Array& values) {
  const std::span bytes = std::as_bytes(std::span(values));
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace orrery::pipeline::trajectory
