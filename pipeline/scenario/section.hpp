// SPDX-License-Identifier: MIT
// Tables of a TOML document, checked against Parameter descriptions. Hides toml++.
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
#include "sim/units.hpp"

namespace orrery::sim {
class PlugIns;
}

namespace orrery::pipeline {

struct ScenarioText;

/// "; did you mean `x`?" with the candidate most similar to `word`; "" if none is similar.
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

/// Values by dotted names, "initial[0].n".
using Keys = std::map<std::string, Value>;

/// Source locations "file:line:column" by key, or by "bodies[3]" for a record.
using Places = std::map<std::string, std::string, std::less<>>;

/// The values of a table and their source locations.
class Section {
 public:
  Section(Arguments values, std::string here, Places places, std::vector<Parameter> parameters)
      : values_(std::move(values)),
        here_(std::move(here)),
        places_(std::move(places)),
        parameters_(std::move(parameters)) {}

  [[nodiscard]] const Arguments& values() const { return values_; }
  [[nodiscard]] const Arguments* operator->() const { return &values_; }
  /// Replaces the value of a key. Its location stays.
  void set(std::string_view name, Value value) { values_.set(name, std::move(value)); }
  /// Sets a list of tables and the location of each.
  void set_records(const std::string& name, std::vector<Arguments> records, const std::vector<std::string>& places);
  /// Sets columns; `where` returns the location of row i.
  void set_columns(const std::string& name, SharedColumns columns, std::function<std::string(std::size_t)> where);
  /// Whether the document has the key, rather than the default being used.
  [[nodiscard]] bool given(std::string_view name) const { return places_.contains(name); }
  /// Whether the key comes from a flag rather than from the file.
  [[nodiscard]] bool overridden(std::string_view name) const;
  /// "file:line:column" of a key or record; that of the table if it has none.
  [[nodiscard]] std::string where(std::string_view name) const;
  /// Throws Error with "where: what", Fault::request.
  [[noreturn]] void complain(std::string_view name, const std::string& what) const;
  /// Its keys and values in the order of the parameters, including defaults.
  [[nodiscard]] std::vector<std::pair<std::string_view, const Value*>> entries() const;
  /// The same as lines `key = value` of TOML.
  [[nodiscard]] std::vector<std::string> lines() const;
  /// The system of units that its numbers are in.
  [[nodiscard]] const sim::Units& units() const { return *units_; }
  /// Whether some were given with units of their own, so that the system cannot change any more.
  [[nodiscard]] bool has_quantities() const { return has_quantities_; }
  void set_units(const sim::Units& units, bool has_quantities) { units_ = &units, has_quantities_ = has_quantities; }

 private:
  Arguments values_;
  std::string here_;
  Places places_;
  std::map<std::string, std::function<std::string(std::size_t)>, std::less<>> rows_;  ///< locations of rows of columns
  std::vector<Parameter> parameters_;
  const sim::Units* units_ = sim::all_units().data();
  bool has_quantities_ = false;
};

/// Values of keys that a document does not have, and where messages say that they are written; "": nowhere.
struct GivenKeys {
  Arguments values{};
  std::string place{};
  const sim::Units* units = sim::all_units().data();  ///< of numbers that are given with units
};

/// Checks keys that no document has, and adds defaults; `name` is that of the table in error messages. Throws Error, Fault::request.
Section section_of(GivenKeys given, const std::string& name, std::vector<Parameter> parameters);

/// A key of [sweep]: its values as TOML and their locations.
struct Listing {
  std::string key;  ///< dotted, as in --set
  std::string where;
  bool is_list;  ///< if not, `entries` holds the value itself
  std::vector<std::string> entries, places;
};

/// A TOML document. Tables are addressed by name and index; a nested array of tables by "figure[i].part".
class Document {
 public:
  /// `overrides` are those of overrides.hpp. Throws Error with file:line:column, Fault::request, also if parsing might take
  /// more memory than available.
  Document(const std::string& text, const std::string& file, std::span<const std::string> overrides,
           std::shared_ptr<const sim::PlugIns> plug_ins = {});
  Document(const ScenarioText& source, std::span<const std::string> overrides);
  ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;

  /// The system of units that it names; the first if it names none, or one that there is not.
  [[nodiscard]] const sim::Units& units() const;
  /// Laws, fields and integrators that it may name; never null.
  [[nodiscard]] const std::shared_ptr<const sim::PlugIns>& plug_ins() const;
  /// One line for each key that fell away with one that an override replaced.
  [[nodiscard]] const std::vector<std::string>& notes() const;
  /// Returns the keys of a table with this kind; nullopt if they are not known.
  using KeysOfKind =
      std::function<std::optional<std::vector<Parameter>>(std::string_view table, std::string_view kind)>;
  /// Throws one Error for all keys at the top that are neither in `keys` nor in `tables`, and all keys that their tables
  /// cannot have.
  void refuse_unknown(std::span<const Parameter> keys, std::span<const std::string_view> tables,
                      const KeysOfKind& keys_of) const;
  /// The keys at the top.
  [[nodiscard]] Section top(std::span<const Parameter> keys) const;
  /// The number of tables [[name]]; 1 for [name].
  [[nodiscard]] std::size_t count(std::string_view name) const;
  /// "file:line:column" of the first table of that name, which must exist.
  [[nodiscard]] std::string where(std::string_view name) const;
  /// The location of a key in table i; nullopt if it is absent.
  [[nodiscard]] std::optional<std::string> where(std::string_view name, std::size_t i, std::string_view key) const;
  /// Throws if there is more than one table of that name.
  void allow_one(std::string_view name) const;
  /// The key `kind` of table i, or `fallback` if it is absent. Throws if it is none of `kinds`, or absent while `fallback` is
  /// empty.
  [[nodiscard]] std::string kind(std::string_view name, std::size_t i, std::span<const std::string_view> kinds,
                                 std::string_view fallback) const;
  /// Table i of that name; if it is absent, a section of defaults. Keys that it does not have may be `given`.
  [[nodiscard]] Section table(std::string_view name, std::size_t i, std::vector<Parameter> parameters,
                              const GivenKeys& given = {}) const;
  /// The keys of table [name] in the order of the file; keys of nested tables are dotted.
  [[nodiscard]] std::vector<Listing> listings(std::string_view name) const;
  /// All values as they are written, whatever the keys mean. Lists of tables are numbered from 0.
  [[nodiscard]] Keys values() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A value as TOML.
std::string to_toml(const Value& value);
/// "key = value" and a line end.
std::string toml_line(std::string_view key, const Value& value);
/// The same for a message: a hash, if it is long.
std::string brief_toml(const Value& value);
/// The value of an override, as it is written; an empty text for one of --unset. Throws Error, Fault::request.
Value value_of(const std::string& override);
/// A number, whole or not; nullopt for any other value.
std::optional<double> number_in(const Value& value);
/// The shortest form of a number: 1e8 rather than 100000000.
std::string shortest_text(double value);

}  // namespace orrery::pipeline
