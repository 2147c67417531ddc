// SPDX-License-Identifier: MIT
// Descriptions of the parameters of a plug-in, and their values.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orrery {

/// The type of a value. text_or_texts: a single text is a list of one. numbers_or_texts: a list without texts is
/// numbers, any other one texts. `records` and `columns` are written as lists of tables; columns are stored column by
/// column, for many rows.
enum class Kind {
  boolean,
  integer,
  number,
  text,
  number_or_text,
  text_or_texts,
  numbers,
  texts,
  numbers_or_texts,
  records,
  columns
};

/// An interval of numbers; `low_open` and `high_open` exclude its ends.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;

  [[nodiscard]] constexpr bool contains(double x) const {
    return (low_open ? x > low : x >= low) && (high_open ? x < high : x <= high);
  }
};

inline constexpr Range any_number{};
inline constexpr Range positive{.low = 0, .low_open = true};
inline constexpr Range not_negative{.low = 0};

struct Parameter;

/// A view of an array of parameters. It can be a member of Parameter, which std::span cannot: that needs a complete type.
class ParameterList {
 public:
  constexpr ParameterList() = default;
  template <std::size_t size>
  constexpr ParameterList(const Parameter (&array)[size])
      : first_(array), size_(size) {}  // NOLINT: for designated members

  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr const Parameter* begin() const { return first_; }
  [[nodiscard]] constexpr const Parameter* end() const;

 private:
  const Parameter* first_ = nullptr;
  std::size_t size_ = 0;
};

/// One key of a plug-in, for the scenario reader, `orrery list`, the trajectory and the tests.
struct Parameter {
  std::string_view name;
  Kind kind = Kind::number;
  std::string_view fallback{};                  ///< default value as TOML; empty: none
  std::string_view example{};                   ///< as TOML, for `orrery list`, if there is no default
  std::string_view meaning;                     ///< one line of help
  std::string_view unit{};                      ///< "length", "mass", …; empty: dimensionless
  Range range = any_number;                     ///< of a number or of each entry of an array
  std::size_t count = 0;                        ///< length of an array; 0: any
  std::span<const std::string_view> choices{};  ///< allowed texts; empty: any
  ParameterList fields{};                       ///< of each record; empty: those of its `kind`
  bool optional = false;                        ///< may be absent without a default
};

constexpr const Parameter* ParameterList::end() const {
  return first_ + size_;
}

class Arguments;

/// A table stored by column. A field that is absent or empty in all rows has no column; rows without an optional field
/// contain 0.
struct Columns {
  std::size_t rows = 0;
  std::map<std::string, std::vector<double>, std::less<>> numbers;  ///< [rows × Parameter::count], row-major
  std::map<std::string, std::vector<std::string>, std::less<>> texts;

  friend bool operator==(const Columns&, const Columns&) = default;
};
using SharedColumns = std::shared_ptr<const Columns>;

using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<double>, std::vector<std::string>,
                           std::vector<Arguments>, SharedColumns>;

/// An invalid value that no range excludes, for example masses with zero sum.
class ArgumentError : public std::runtime_error {
 public:
  ArgumentError(std::string_view name, const std::string& what) : std::runtime_error(what), name_(name) {}
  /// The invalid key.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// The values of a plug-in's parameters, checked, with defaults filled in.
class Arguments {
 public:
  Arguments() = default;
  Arguments(std::initializer_list<std::pair<const std::string, Value>> values) : values_(values) {}

  void set(std::string_view name, Value value) { values_.insert_or_assign(std::string(name), std::move(value)); }
  void erase(std::string_view name) {
    if (const auto found = values_.find(name); found != values_.end()) values_.erase(found);
  }
  [[nodiscard]] bool has(std::string_view name) const { return values_.contains(name); }
  /// The value of any type; null if absent.
  [[nodiscard]] const Value* find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }

  /// Each throws std::logic_error if there is no parameter of that name and type.
  [[nodiscard]] bool boolean(std::string_view name) const { return get<bool>(name); }
  [[nodiscard]] std::int64_t integer(std::string_view name) const { return get<std::int64_t>(name); }
  [[nodiscard]] double number(std::string_view name) const { return get<double>(name); }
  [[nodiscard]] const std::string& text(std::string_view name) const { return get<std::string>(name); }
  [[nodiscard]] const std::vector<double>& numbers(std::string_view name) const {
    return get<std::vector<double>>(name);
  }
  [[nodiscard]] const std::vector<std::string>& texts(std::string_view name) const {
    return get<std::vector<std::string>>(name);
  }
  [[nodiscard]] const std::vector<Arguments>& records(std::string_view name) const {
    return get<std::vector<Arguments>>(name);
  }
  [[nodiscard]] const Columns& columns(std::string_view name) const { return *get<SharedColumns>(name); }
  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.end(); }

 private:
  template <class T>
  [[nodiscard]] const T& get(std::string_view name) const {
    const auto found = values_.find(name);
    if (found == values_.end() || !std::holds_alternative<T>(found->second)) {
      throw std::logic_error("no such argument of that kind: " + std::string(name));
    }
    return std::get<T>(found->second);
  }

  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace orrery
