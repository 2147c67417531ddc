// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>

namespace orrery {

/// A function, or a function with data of its own, which it does not own. Unlike std::function it can be a constant, so that
/// the descriptions of plug-ins are tables.
template <class Signature>
class FunctionView;

template <class Result, class... Arguments>
class FunctionView<Result(Arguments...)> {
 public:
  using Plain = Result (*)(Arguments...);
  using WithData = Result (*)(const void* data, Arguments...);

  constexpr FunctionView(std::nullptr_t = nullptr) {}
  template <std::convertible_to<Plain> Function>
  constexpr FunctionView(Function function) : plain_(function) {}
  constexpr FunctionView(const void* data, WithData function) : function_(function), data_(data) {}

  /// Calls a member function of `object`, which must live as long.
  template <auto member, class Object>
  static constexpr FunctionView of(const Object& object) {
    return {&object, [](const void* data, Arguments... arguments) -> Result {
              return (static_cast<const Object*>(data)->*member)(arguments...);
            }};
  }

  // Inlined, since loops that are compiled for one processor call it.
  __attribute__((always_inline)) Result operator()(Arguments... arguments) const {
    return plain_ != nullptr ? plain_(arguments...) : function_(data_, arguments...);
  }
  friend constexpr bool operator==(const FunctionView& a, std::nullptr_t) {
    return a.plain_ == nullptr && a.function_ == nullptr;
  }

 private:
  Plain plain_ = nullptr;
  WithData function_ = nullptr;
  const void* data_ = nullptr;
};

}  // namespace orrery
