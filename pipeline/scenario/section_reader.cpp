// SPDX-License-Identifier: MIT
#include "pipeline/scenario/section_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <numeric>

#include "pipeline/quantity.hpp"
#include "pipeline/scenario/columns.hpp"
#include "pipeline/scenario/key_error.hpp"
#include "pipeline/scenario/other_names.hpp"
#include "pipeline/scenario/overrides.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/value_check.hpp"
#include "sim/orbit.hpp"

namespace orrery::pipeline {
namespace {

[[noreturn]] void complain(const toml::node& node, const std::string& what) {
  throw Error(place(node.source()) + ": " + what, Fault::request);
}

Where where(const toml::node& node) {
  return [&node] { return place(node.source()); };
}

Value checked_one(const toml::node& node, Kind kind, const Parameter& parameter,
                  const sim::Units& units = sim::all_units().front()) {
  return checked(value_of(node), kind, parameter, where(node), units);
}
double number(const toml::node& node, const Parameter& parameter, const sim::Units& units) {
  return std::get<double>(checked_one(node, Kind::number, parameter, units));
}
std::string text(const toml::node& node, const Parameter& parameter) {
  return std::get<std::string>(checked_one(node, Kind::text, parameter));
}

/// Appends the numbers of a nested array: [[0, 1], [2, 3]] gives 0, 1, 2, 3.
void flatten(const toml::node& node, const Parameter& parameter, const sim::Units& units, std::vector<double>& values) {
  const toml::array* array = node.as_array();
  if (array == nullptr) {
    values.push_back(number(node, parameter, units));
    return;
  }
  for (const toml::node& entry : *array) {
    const bool quantity = entry.is_string() && has_dimension(parameter.unit);
    if (!entry.is_array() && !entry.is_number() && !quantity)
      complain(entry, fmt::format("each entry of `{}` must be a number", parameter.name));
    flatten(entry, parameter, units, values);
  }
}

/// Checks an array and the number of its entries.
template <class Entries>
void check_array(const toml::node& node, const Parameter& parameter, const Entries& entries) {
  if (!node.is_array()) refuse_type(parameter.kind, parameter, where(node));
  check_count(entries.size(), parameter, where(node));
}

/// What a reader of values needs besides the node and its description.
struct Reading {
  Places& places;  ///< to which locations are added
  const ValueMeaning& meaning;
  bool& has_quantities;  ///< set if a number has a unit
};

/// Numbers if all entries are numbers; else texts, with numbers formatted to full precision.
Value numbers_or_texts(const toml::node& node, const Parameter& parameter, const Reading& reading) {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& entry : *array) {
      reading.places.emplace(fmt::format("{}[{}]", parameter.name, texts.size()), place(entry.source()));
      if (!entry.is_string()) numbers.push_back(number(entry, parameter, *reading.meaning.units));
      texts.push_back(entry.is_string() ? text(entry, parameter) : fmt::format("{}", numbers.back()));
    }
  }
  check_array(node, parameter, texts);
  if (numbers.size() == texts.size()) return numbers;
  return texts;
}

/// Calls use(values) for each entry of a list of tables.
template <class Use>
void each_record(const toml::node& node, const Parameter& parameter, const Reading& reading, Use use) {
  const std::vector<Parameter> fields(parameter.fields.begin(), parameter.fields.end());
  const std::string name = fmt::format("this entry of `{}`", parameter.name);
  std::size_t i = 0;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& entry : *array) {
      const toml::table* table = entry.as_table();
      if (table == nullptr) complain(entry, name + " must be a table: { … }");
      std::vector<UnknownKey> unknown;
      find_unknown(*table, fields, {}, unknown);
      refuse(std::move(unknown));
      const std::string here = place(entry.source());
      reading.places.emplace(fmt::format("{}[{}]", parameter.name, i++), here);
      const Section record = read_section(table, name, here, fields, reading.meaning);
      reading.has_quantities = reading.has_quantities || record.has_quantities();
      use(record.values());
    }
  }
}

std::vector<Arguments> records(const toml::node& node, const Parameter& parameter, const Reading& reading) {
  std::vector<Arguments> values;
  each_record(node, parameter, reading, [&](const Arguments& record) { values.push_back(record); });
  check_array(node, parameter, values);
  return values;
}

SharedColumns columns(const toml::node& node, const Parameter& parameter, const Reading& reading) {
  if (!node.is_array()) refuse_type(parameter.kind, parameter, where(node));
  const auto table = std::make_shared<Columns>();
  // No charge or radius is one of 0, while any element of an orbit may be 0 and be given.
  const auto missing = [](std::string_view name) { return name == "charge" || name == "radius" ? 0 : std::nan(""); };
  each_record(node, parameter, reading, [&](const Arguments& record) { add_row(*table, record, missing); });
  drop_empty_texts(*table);
  return table;
}

/// Whether a number was given as a text, or some of several.
bool is_quantity(const toml::node& node) {
  const toml::array* array = node.as_array();
  return array != nullptr ? std::ranges::any_of(*array, is_quantity) : node.is_string();
}

Value read(const toml::node& node, const Parameter& parameter, const Reading& reading) {
  const bool numeric = parameter.kind == Kind::number || parameter.kind == Kind::numbers;
  reading.has_quantities = reading.has_quantities || (numeric && is_quantity(node));
  switch (parameter.kind) {
    case Kind::numbers: {
      std::vector<double> values;
      if (node.is_array()) flatten(node, parameter, *reading.meaning.units, values);
      if (reading.meaning.dimensions == 2 && is_vector(parameter) && values.size() == 2) values.push_back(0);
      check_array(node, parameter, values);
      return values;
    }
    case Kind::text_or_texts:
      if (!node.is_array()) return std::vector{text(node, parameter)};
      [[fallthrough]];
    case Kind::texts: {
      std::vector<std::string> values;
      if (const toml::array* array = node.as_array()) {
        for (const toml::node& entry : *array) values.push_back(text(entry, parameter));
      }
      check_array(node, parameter, values);
      return values;
    }
    case Kind::numbers_or_texts:
      return numbers_or_texts(node, parameter, reading);
    case Kind::records:
      return records(node, parameter, reading);
    case Kind::columns:
      return columns(node, parameter, reading);
    default:
      return checked_one(node, parameter.kind, parameter, *reading.meaning.units);
  }
}

Value read_fallback(const Parameter& parameter) {
  const std::string text = "value = " + std::string(parameter.fallback);
  const toml::table parsed = toml::parse(std::string_view(text), std::string_view("default"));
  Places nowhere;
  const ValueMeaning numbers;
  bool none = false;
  return read(*parsed.get("value"), parameter, {nowhere, numbers, none});
}

/// The number of edits that turn one word into the other (Levenshtein 1966).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  for (const OtherName& known : other_names()) {
    if (word == known.other && std::ranges::find(candidates, known.ours) != candidates.end())
      return fmt::format("; did you mean `{}`?", known.ours);
  }
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  std::size_t effort = 100'000'000;  // both the word and the candidates, names of bodies, may come from a hostile file
  for (const std::string_view candidate : candidates) {
    // A truncated or extended word counts as one edit, whatever its length.
    const bool prefix = word.size() >= 3 && (candidate.starts_with(word) || word.starts_with(candidate));
    const bool only_case = std::ranges::equal(word, candidate, {}, lower, lower);
    std::size_t d = only_case ? 0 : 1;
    if (!only_case && !prefix) {
      const std::size_t shorter = std::min(word.size(), candidate.size());
      const std::size_t longer = std::max(word.size(), candidate.size());
      const std::size_t work = shorter * longer;
      if (longer - shorter >= std::min(least, candidate.size()) || work > effort) continue;  // the distance is more
      effort -= work;
      d = distance(word, candidate);
    }
    if (d < least && d < candidate.size()) {
      least = d;
      best = candidate;
    }
  }
  return best.empty() ? "" : fmt::format("; did you mean `{}`?", best);
}

namespace {

/// The symbol by which an element of an orbit may be given among the keys of a body, else "".
std::string_view symbol_of(std::string_view name, std::span<const Parameter> keys) {
  if (std::ranges::find(keys, "mean_anomaly", &Parameter::name) == keys.end()) return "";
  const auto* found = std::ranges::find(sim::orbital_element_list, name, &sim::OrbitalElement::name);
  return found == std::end(sim::orbital_element_list) ? "" : found->symbol;
}

/// The value of a key, which may be given by its symbol; null if it is not given.
const toml::node* node_of(const toml::table* table, const Parameter& parameter, std::span<const Parameter> keys) {
  if (table == nullptr) return nullptr;
  const toml::node* node = table->get(parameter.name);
  const std::string_view symbol = symbol_of(parameter.name, keys);
  const toml::node* other = symbol.empty() ? nullptr : table->get(symbol);
  if (node != nullptr && other != nullptr)
    complain(*other, fmt::format("`{}` is `{}`, which is given, too", symbol, parameter.name));
  return node != nullptr ? node : other;
}

/// "unknown key `x`" and what to do, for a key that is not in `known`.
std::string unknown_key(std::string_view name, std::span<const std::string_view> known,
                        std::optional<std::string_view> within) {
  std::string advice = suggestion(name, known);
  const std::string home = within ? where_key_belongs(name, *within) : "";
  if (advice.empty()) {
    std::vector<std::string_view> names;  // a kind may describe a common key anew
    for (const std::string_view one : known)
      if (std::ranges::find(names, one) == names.end()) names.push_back(one);
    advice = home.empty() ? fmt::format(" (there are: {})", fmt::join(names, ", ")) : fmt::format(": it {}", home);
  } else if (!home.empty()) {
    advice += fmt::format(" (`{}` {})", name, home);
  }
  return fmt::format("unknown key `{}`{}", name, advice);
}

}  // namespace

void find_unknown(const toml::table& table, std::span<const std::string_view> known,
                  std::optional<std::string_view> within, std::vector<UnknownKey>& found) {
  for (const auto& [key, node] : table) {
    const std::string_view name = key.str();
    if (std::ranges::find(known, name) == known.end())
      found.push_back({key.source().begin, place(key, node), std::string(name), unknown_key(name, known, within)});
  }
}

void find_unknown(const toml::table& table, std::span<const Parameter> keys, std::optional<std::string_view> within,
                  std::vector<UnknownKey>& found) {
  std::vector<std::string_view> known;
  for (const Parameter& key : keys) {
    known.push_back(key.name);
    if (const auto symbol = symbol_of(key.name, keys); !symbol.empty()) known.push_back(symbol);
  }
  find_unknown(table, known, within, found);
  for (const Parameter& key : keys) {
    const toml::array* list = key.fields.empty() ? nullptr : table.get_as<toml::array>(key.name);
    if (list == nullptr) continue;
    const std::vector<Parameter> fields(key.fields.begin(), key.fields.end());
    for (const toml::node& entry : *list) {
      if (const toml::table* record = entry.as_table()) find_unknown(*record, fields, {}, found);
    }
  }
}

void refuse(std::vector<UnknownKey> keys) {
  constexpr std::size_t most = 10;  // in a message
  if (keys.empty()) return;
  std::ranges::stable_sort(keys, {}, [](const UnknownKey& key) { return std::pair(key.at.line, key.at.column); });
  std::string message = keys.front().message;
  for (const UnknownKey& key : std::span(keys).subspan(1, std::min(keys.size(), most) - 1))
    message += fmt::format("; {}: {}", key.place, key.message);
  if (keys.size() > most) message += fmt::format("; and {} more", keys.size() - most);
  throw KeyError(keys.front().place, keys.front().key, message);
}

Section read_section(const toml::table* table, const std::string& name, std::string here,
                     std::vector<Parameter> parameters, const ValueMeaning& meaning, const GivenKeys& given) {
  Places places;
  Arguments values;
  bool has_quantities = false;
  std::vector<std::string_view> known;
  for (const Parameter& parameter : parameters) known.push_back(parameter.name);
  for (const auto& [name_given, _] : given.values) {
    if (std::ranges::find(known, name_given) == known.end()) {
      const bool of_a_table = name.starts_with('[') && name.ends_with(']') && name.find('.') == std::string::npos;
      const std::string within = of_a_table ? name.substr(1, name.size() - 2) : "";
      throw KeyError(
          given.place, name_given,
          unknown_key(name_given, known, of_a_table ? std::optional<std::string_view>(within) : std::nullopt));
    }
  }
  for (const Parameter& parameter : parameters) {
    const toml::node* node = node_of(table, parameter, parameters);
    const Value* value = node == nullptr ? given.values.find(parameter.name) : nullptr;
    if (node != nullptr && parameter.optional && node->value<std::string>() == "auto") node = nullptr;
    const bool of_kinds = parameter.kind == Kind::records && parameter.fields.empty();  // which are read separately
    if (value != nullptr && !given.place.empty()) places.emplace(parameter.name, given.place);
    if (node != nullptr && of_kinds) {
      places.emplace(parameter.name, place(node->source()));
    } else if (node != nullptr && parameter.kind == Kind::records && node->is_table()) {
      complain(*node,
               fmt::format("`{0}` must be a list of tables: write [[{1}.{0}]]", parameter.name,
                           name.substr(name.find_first_not_of('['), name.find(']') - name.find_first_not_of('['))));
    } else if (node != nullptr) {
      values.set(parameter.name, read(*node, parameter, {places, meaning, has_quantities}));
      places.emplace(parameter.name, place(node->source()));
    } else if (value != nullptr) {
      if (of_kinds) continue;
      const bool text =
          std::holds_alternative<std::string>(*value) || std::holds_alternative<std::vector<std::string>>(*value);
      Value found = checked(
          *value, parameter.kind, parameter, [&] { return given.place; }, *given.units);
      has_quantities =
          has_quantities ||
          (text && (std::holds_alternative<double>(found) || std::holds_alternative<std::vector<double>>(found)));
      values.set(parameter.name, std::move(found));
    } else if (!parameter.fallback.empty()) {
      values.set(parameter.name, read_fallback(parameter));
    } else if (!parameter.optional) {
      throw KeyError(here, parameter.name, fmt::format("{} needs `{}`: {}", name, parameter.name, parameter.meaning));
    }
  }
  Section section(std::move(values), std::move(here), std::move(places), std::move(parameters));
  section.set_units(table == nullptr ? *given.units : *meaning.units, has_quantities);
  return section;
}

Section section_of(GivenKeys given, const std::string& name, std::vector<Parameter> parameters) {
  return read_section(nullptr, name, given.place, std::move(parameters), {}, given);
}

void Section::set_records(const std::string& name, std::vector<Arguments> records,
                          const std::vector<std::string>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) places_.emplace(fmt::format("{}[{}]", name, i), places[i]);
  values_.set(name, std::move(records));
}

void Section::set_columns(const std::string& name, SharedColumns columns,
                          std::function<std::string(std::size_t)> where) {
  values_.set(name, std::move(columns));
  rows_.insert_or_assign(name, std::move(where));
}

bool Section::overridden(std::string_view name) const {
  const auto found = places_.find(name);
  return found != places_.end() && is_override(found->second);
}

std::string Section::where(std::string_view name) const {
  auto found = places_.find(name);
  const std::size_t bracket = name.find('[');
  if (found == places_.end() && bracket != std::string_view::npos) {
    const auto rows = rows_.find(name.substr(0, bracket));
    if (rows != rows_.end()) return rows->second(std::stoul(std::string(name.substr(bracket + 1))));
    found = places_.find(name.substr(0, bracket));
  }
  return found == places_.end() ? here_ : found->second;
}

void Section::complain(std::string_view name, const std::string& what) const {
  throw KeyError(where(name), name, what);
}

std::vector<std::pair<std::string_view, const Value*>> Section::entries() const {
  std::vector<std::pair<std::string_view, const Value*>> all;
  for (const Parameter& parameter : parameters_) {
    if (const Value* value = values_.find(parameter.name)) all.emplace_back(parameter.name, value);
  }
  return all;
}

std::vector<std::string> Section::lines() const {
  std::vector<std::string> lines;
  for (const auto& [key, value] : entries()) lines.push_back(fmt::format("{} = {}", key, to_toml(*value)));
  return lines;
}

}  // namespace orrery::pipeline
