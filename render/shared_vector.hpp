// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "common/huge_pages.hpp"

namespace orrery::render {

/// A vector that is copied in O(1): copies share the values until one of them is edited.
template <class T>
class SharedVector {
 public:
  using value_type = T;
  using const_iterator = const T*;

  SharedVector() = default;
  SharedVector(std::vector<T> values) : values_(std::make_shared<std::vector<T>>(std::move(values))) {}
  SharedVector(std::initializer_list<T> values) : SharedVector(std::vector<T>(values)) {}

  operator const std::vector<T>&() const {
    static const std::vector<T> none;
    return values_ ? *values_ : none;
  }
  [[nodiscard]] std::size_t size() const { return values_ ? values_->size() : 0; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const T* data() const { return values_ ? values_->data() : nullptr; }
  [[nodiscard]] const T* begin() const { return data(); }
  [[nodiscard]] const T* end() const { return data() + size(); }
  [[nodiscard]] const T& operator[](std::size_t i) const { return (*values_)[i]; }

  /// Returns the values to be changed, after copying them if they are shared.
  std::vector<T>& edit() {
    if (!values_ || values_.use_count() > 1) *this = std::vector<T>(static_cast<const std::vector<T>&>(*this));
    return *values_;
  }
  /// Returns `count` values to be overwritten: old ones if they are not shared, which saves the allocation, otherwise new ones.
  std::vector<T>& overwrite(std::size_t count) {
    if (!values_ || values_.use_count() > 1) values_ = std::make_shared<std::vector<T>>();
    if (values_->capacity() < count) {
      values_->reserve(count);
      use_huge_pages(values_->data(), count * sizeof(T));
    }
    values_->resize(count);
    return *values_;
  }

 private:
  std::shared_ptr<std::vector<T>> values_;
};

}  // namespace orrery::render
