// SPDX-License-Identifier: MIT
// Values as bytes, for other ranks: all run the same program on the same kind of machine.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/backend.hpp"

namespace orrery::sim {

/// Appends values: writer(a)(b)(c).
class MessageWriter {
 public:
  template <class Value>
  requires std::is_trivially_copyable_v<Value> MessageWriter& operator()(const Value& value) {
    append(&value, sizeof value);
    return *this;
  }
  template <class Value>
  MessageWriter& operator()(const std::vector<Value>& values) {
    (*this)(values.size());
    if constexpr (std::is_trivially_copyable_v<Value>) {
      append(values.data(), values.size() * sizeof(Value));
    } else {
      for (const Value& value : values) (*this)(value);
    }
    return *this;
  }
  MessageWriter& operator()(std::string_view text) { return (*this)(std::vector<char>(text.begin(), text.end())); }
  MessageWriter& operator()(const std::string& text) { return (*this)(std::string_view(text)); }
  MessageWriter& operator()(const Vectors& values) { return (*this)(values.x)(values.y)(values.z); }
  MessageWriter& operator()(const Operation& one) {
    return (*this)(one.verb)(one.outputs)(one.column)(one.dt)(std::vector<Term>(one.terms.begin(), one.terms.end()));
  }

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  void append(const void* from, std::size_t count) {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + count);
    if (count > 0) std::memcpy(bytes_.data() + before, from, count);
  }
  std::vector<std::byte> bytes_;
};

/// Reads them in the same order.
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class Value>
  requires std::is_trivially_copyable_v<Value> MessageReader& operator()(Value& value) {
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return *this;
  }
  template <class Value>
  MessageReader& operator()(std::vector<Value>& values) {
    values.resize(next<std::size_t>());
    if constexpr (std::is_trivially_copyable_v<Value>) {
      const std::size_t bytes = values.size() * sizeof(Value);
      if (bytes > 0) std::memcpy(values.data(), rest_.data(), bytes);
      rest_ = rest_.subspan(bytes);
    } else {
      for (Value& value : values) (*this)(value);
    }
    return *this;
  }
  MessageReader& operator()(std::string& text) {
    std::vector<char> letters;
    (*this)(letters);
    text.assign(letters.begin(), letters.end());
    return *this;
  }
  MessageReader& operator()(Vectors& values) { return (*this)(values.x)(values.y)(values.z); }
  /// `terms` are set to those of the operation, which refers to them.
  MessageReader& operator()(Operation& one, std::vector<Term>& terms) {
    (*this)(one.verb)(one.outputs)(one.column)(one.dt)(terms);
    one.terms = terms;
    return *this;
  }
  template <class Value>
  [[nodiscard]] Value next() {
    Value value{};
    (*this)(value);
    return value;
  }

 private:
  std::span<const std::byte> rest_;
};

/// A system and the backend that it is for. Plug-ins are passed as their indices in the lists of this program, which
/// all ranks share.
MessageWriter& write(MessageWriter& to, const System& system, const BackendOptions& options);
void read(MessageReader& from, System& system, BackendOptions& options);

}  // namespace orrery::sim
