// SPDX-License-Identifier: MIT
// One table of a scenario, read against the description of its keys; toml++ is seen by section.cpp alone.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/error.hpp"
#include "common/parameter.hpp"
#include "pipeline/scenario/retired.hpp"

namespace orrery::pipeline {

/// "; did you mean `x`?" for the candidate nearest to `word`, or nothing where none is near.
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

/// Where things stand: "file:line:column" by the name of a key, and by "bodies[3]" for a record.
using Places = std::map<std::string, std::string, std::less<>>;

/// The values of a table, and where each stands in the file.
class Section {
 public:
  Section(Arguments values, std::string here, Places places, std::vector<Parameter> parameters)
      : values_(std::move(values)),
        here_(std::move(here)),
        places_(std::move(places)),
        parameters_(std::move(parameters)) {}

  [[nodiscard]] const Arguments& values() const { return values_; }
  [[nodiscard]] const Arguments* operator->() const { return &values_; }
  /// Puts records in the place of a key that only pointed to them; `places` of them, in order.
  void replace(std::string_view pointer, const std::string& name, std::vector<Arguments> records,
               const std::vector<std::string>& places);
  /// The same with columns; `where` says where row i stands, for complaints.
  void fill(const std::string& name, SharedColumns columns, std::function<std::string(std::size_t)> where);
  /// Puts a value in the place of one that only stood for it.
  void settle(std::string_view name, Value value) { values_.set(name, std::move(value)); }
  /// Takes a default away that something else decides.
  void erase(std::string_view name) { values_.erase(name); }
  /// The key stands in the file, rather than having its default.
  [[nodiscard]] bool given(std::string_view name) const { return places_.contains(name); }
  /// "file:line:column" of a key or record; of what holds it, where it has no place of its own.
  [[nodiscard]] std::string where(std::string_view name) const;
  /// Throws Error with "where: what", exit code 2.
  [[noreturn]] void complain(std::string_view name, const std::string& what) const;
  /// `key = value` lines with every default written out, as TOML, in the order of the parameters; but for the keys `without`.
  [[nodiscard]] std::vector<std::string> lines(std::span<const std::string_view> without = {}) const;

 private:
  Arguments values_;
  std::string here_;
  Places places_;
  std::map<std::string, std::function<std::string(std::size_t)>, std::less<>> rows_;  ///< where rows of columns stand
  std::vector<Parameter> parameters_;
};

/// A key of a table that holds lists: the entries as TOML, and where each stands.
struct Listing {
  std::string key;  ///< dotted, as --set has it
  std::string where;
  bool is_list;  ///< else the one entry is the value itself
  std::vector<std::string> entries, places;
};

/// A whole TOML document, of which sections are taken one by one. A table within table i goes by "figure[i].part".
class Document {
 public:
  /// `overrides` are "dotted.key=value" as given to --set. `archived`: the text comes from a run or a picture, where `list` is
  /// passed over. Throws Error with file:line:column, exit code 2; also where reading it would take more memory than there is.
  Document(const std::string& text, const std::string& file, std::span<const std::string> overrides,
           bool archived = false, std::span<const Retired> list = retired());
  ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;

  /// A line for each retired key that was passed over.
  [[nodiscard]] const std::vector<std::string>& notes() const;
  /// Refuses every key at the top that is neither in `keys` nor in `tables`.
  void allow(std::span<const Parameter> keys, std::span<const std::string_view> tables) const;
  /// The keys at the top.
  [[nodiscard]] Section top(std::span<const Parameter> keys) const;
  /// How many tables [[name]] there are; [name] counts as one.
  [[nodiscard]] std::size_t count(std::string_view name) const;
  /// "file:line:column" of the first of them, which must be there.
  [[nodiscard]] std::string where(std::string_view name) const;
  /// The place of a key in table i; nothing where it does not stand there.
  [[nodiscard]] std::optional<std::string> where(std::string_view name, std::size_t i, std::string_view key) const;
  /// Refuses a second table of that name.
  void allow_one(std::string_view name) const;
  /// The text of the key `kind` in table i; a complaint where it is missing or is none of `kinds`. `fallback`
  /// may be empty.
  [[nodiscard]] std::string kind(std::string_view name, std::size_t i, std::span<const std::string_view> kinds,
                                 std::string_view fallback) const;
  /// Table i of that name, or an empty one that has only defaults where it is absent.
  [[nodiscard]] Section table(std::string_view name, std::size_t i, std::vector<Parameter> parameters) const;
  /// What table [name] holds, keys of tables within it dotted, in the order of the file.
  [[nodiscard]] std::vector<Listing> listings(std::string_view name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A value as TOML.
std::string to_toml(const Value& value);
/// A number for people: 1e8 rather than 100000000.
std::string in_digits(double value);

}  // namespace orrery::pipeline
