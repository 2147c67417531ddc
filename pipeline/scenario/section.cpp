// SPDX-License-Identifier: MIT
#include "pipeline/scenario/section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "pipeline/memory.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/scenario/overrides.hpp"
#include "pipeline/scenario/scenario_text.hpp"
#include "pipeline/scenario/section_reader.hpp"
#include "pipeline/scenario/toml_depth.hpp"
#include "pipeline/text_encoding.hpp"
#include "sim/foreign.hpp"

namespace orrery::pipeline {
namespace {

/// Throws Error with the location and message of toml++.
toml::table parse(std::string_view text, const std::string& file) {
  constexpr double bytes_a_letter = 60;  // upper bound: "[0,0,0" makes a node of every second letter
  const double need = bytes_a_letter * static_cast<double>(text.size()), have = static_cast<double>(usable_memory());
  if (need > have) {
    throw Error(fmt::format("{}: {} of text may need {} of memory to be read, this machine has {}", file,
                            in_bytes(static_cast<double>(text.size())), in_bytes(need), in_bytes(have)),
                Fault::request);
  }
  require_utf8(text, file);
  if (const auto deep = too_deep(text))
    throw Error(fmt::format("{}:{}:{}: {}", file, deep->line, deep->column, deep->what), Fault::request);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}: {}", place(error.source()), error.description()), Fault::request);
  }
}

bool from_set(const toml::source_region& source) {
  return source.path && is_override(*source.path);
}

void add_values(const toml::table& table, const std::string& prefix, Keys& keys) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* within = node.as_table()) {
      add_values(*within, name + ".", keys);
    } else if (node.is_array_of_tables()) {
      std::size_t i = 0;
      for (const toml::node& entry : *node.as_array())
        add_values(*entry.as_table(), fmt::format("{}[{}].", name, i++), keys);
    } else {
      keys.emplace(name, value_of(node));
    }
  }
}

/// Collects the keys of a table and its nested tables with their dotted names.
void leaves(const toml::table& table, const std::string& prefix,
            std::vector<std::tuple<std::string, const toml::key*, const toml::node*>>& found) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const auto* within = node.as_table()) {
      leaves(*within, name + ".", found);
    } else {
      found.emplace_back(name, &key, &node);
    }
  }
}

}  // namespace

std::string place(const toml::source_region& source) {
  std::string file = source.path ? *source.path : "scenario";
  if (from_set(source)) return file;
  return fmt::format("{}:{}:{}", file, source.begin.line, source.begin.column);
}

std::string place(const toml::key& key, const toml::node& value) {
  return place(key.source().begin.line == 0 ? value.source() : key.source());
}

struct Document::Impl {
  toml::table root;
  std::string file;
  std::vector<std::string> notes{};
  std::shared_ptr<const sim::PlugIns> plug_ins{};

  /// The number of dimensions of [domain], if it is a valid one.
  [[nodiscard]] int dimensions() const {
    const toml::table* domain = find("domain", 0);
    const toml::node* number = domain == nullptr ? nullptr : domain->get("dimensions");
    return number != nullptr && number->value<std::int64_t>() == 2 ? 2 : 3;
  }
  [[nodiscard]] const sim::Units& units() const {
    const toml::node* node = root.get("units");
    const auto name = node == nullptr ? std::nullopt : node->value<std::string>();
    const auto found = std::ranges::find(sim::all_units(), name.value_or(""), &sim::Units::name);
    return found == sim::all_units().end() ? sim::all_units().front() : *found;
  }
  [[nodiscard]] ValueMeaning meaning() const { return {dimensions(), &units()}; }
  /// The location reported for absent tables.
  [[nodiscard]] std::string top() const { return file + ":1:1"; }
  /// The node "figure", or "figure[2].part" for one within table 2; null if absent.
  [[nodiscard]] const toml::node* named(std::string_view name) const {
    const auto dot = name.find("].");
    if (dot == std::string_view::npos) return root.get(name);
    const auto bracket = name.find('[');
    const toml::table* outer =
        find(name.substr(0, bracket), std::stoul(std::string(name.substr(bracket + 1, dot - bracket - 1))));
    return outer == nullptr ? nullptr : outer->get(name.substr(dot + 2));
  }
  /// The TOML header: "[force]" for "force", "[[figure.part]]" for "figure[2].part".
  [[nodiscard]] static std::string header(std::string_view name) {
    const auto dot = name.find("].");
    if (dot == std::string_view::npos) return fmt::format("[{}]", name);
    return fmt::format("[[{}.{}]]", name.substr(0, name.find('[')), name.substr(dot + 2));
  }
  /// Table i of that name; null if absent.
  [[nodiscard]] const toml::table* find(std::string_view name, std::size_t i) const {
    const toml::node* node = named(name);
    if (node == nullptr) return nullptr;
    if (const toml::array* array = node->as_array()) {
      node = array->get(i);
    } else if (i > 0) {
      node = nullptr;
    }
    const toml::table* table = node == nullptr ? nullptr : node->as_table();
    if (node != nullptr && table == nullptr) {
      const std::string_view key = name.substr(name.find("].") == std::string_view::npos ? 0 : name.find("].") + 2);
      throw Error(fmt::format("{}: `{}` must be a table: write {}", place(node->source()), key, header(name)),
                  Fault::request);
    }
    return table;
  }
};

Document::Document(const std::string& text, const std::string& file, std::span<const std::string> overrides,
                   std::shared_ptr<const sim::PlugIns> plug_ins)
    : impl_(std::make_unique<Impl>(Impl{parse(text, file), file})) {
  impl_->plug_ins = plug_ins != nullptr ? std::move(plug_ins) : std::make_shared<const sim::PlugIns>();
  impl_->notes = apply_overrides(impl_->root, overrides, *impl_->plug_ins);
}
Document::Document(const ScenarioText& source, std::span<const std::string> overrides)
    : Document(source.text, source.name, overrides, source.plug_ins) {}

const std::shared_ptr<const sim::PlugIns>& Document::plug_ins() const {
  return impl_->plug_ins;
}

const sim::Units& Document::units() const {
  return impl_->units();
}

const std::vector<std::string>& Document::notes() const {
  return impl_->notes;
}

Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

void Document::refuse_unknown(std::span<const Parameter> keys, std::span<const std::string_view> tables,
                              const KeysOfKind& keys_of) const {
  std::vector<UnknownKey> found;
  std::vector<std::string_view> known(tables.begin(), tables.end());
  for (const Parameter& key : keys) known.push_back(key.name);
  find_unknown(impl_->root, known, "", found);
  const auto search = [&](const auto& again, const toml::node& node, std::string_view name) -> void {
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& entry : *list) again(again, entry, name);
    }
    const toml::table* table = node.as_table();
    if (table == nullptr) return;
    const toml::node* kind = table->get("kind");
    const auto own = keys_of(name, kind == nullptr ? "" : kind->value<std::string>().value_or("?"));
    if (own) find_unknown(*table, *own, name, found);
    if (const toml::node* parts = own ? table->get("part") : nullptr) again(again, *parts, name);
  };
  for (const auto& [key, node] : impl_->root) {
    if (std::ranges::find(tables, key.str()) != tables.end()) search(search, node, key.str());
  }
  refuse(std::move(found));
}

Section Document::top(std::span<const Parameter> keys) const {
  return read_section(&impl_->root, "the scenario", impl_->top(), {keys.begin(), keys.end()}, impl_->meaning());
}

std::size_t Document::count(std::string_view name) const {
  const toml::node* node = impl_->named(name);
  if (node == nullptr) return 0;
  return node->is_array() ? node->as_array()->size() : 1;
}

std::string Document::where(std::string_view name) const {
  return place(impl_->find(name, 0)->source());
}

std::optional<std::string> Document::where(std::string_view name, std::size_t i, std::string_view key) const {
  const toml::table* table = impl_->find(name, i);
  const auto found = table == nullptr ? toml::table::const_iterator() : table->find(key);
  if (table == nullptr || found == table->cend()) return std::nullopt;
  return place(found->first, found->second);
}

void Document::allow_one(std::string_view name) const {
  if (count(name) > 1)
    throw Error(fmt::format("{}: only one [{}] is allowed", place(impl_->find(name, 1)->source()), name),
                Fault::request);
}

std::string Document::kind(std::string_view name, std::size_t i, std::span<const std::string_view> kinds,
                           std::string_view fallback) const {
  const toml::table* table = impl_->find(name, i);
  const bool within = name.find("].") != std::string_view::npos;
  const std::string_view what = within ? "figure" : name;  // parts of a picture are figures
  const toml::node* kind = table == nullptr ? nullptr : table->get("kind");
  if (kind == nullptr) {
    if (!fallback.empty()) return std::string(fallback);
    const std::string here = table == nullptr ? impl_->top() : place(table->source());
    throw Error(fmt::format("{}: {} needs a `kind`: one of {}", here, Impl::header(name), fmt::join(kinds, ", ")),
                Fault::request);
  }
  const auto text = kind->value<std::string>();
  if (!text) throw Error(fmt::format("{}: `kind` must be a text", place(kind->source())), Fault::request);
  if (std::ranges::find(kinds, *text) == kinds.end()) {
    throw Error(fmt::format("{}: there is no {} \"{}\"{} (there are: {})", place(kind->source()), what, *text,
                            suggestion(*text, kinds), fmt::join(kinds, ", ")),
                Fault::request);
  }
  return *text;
}

Section Document::table(std::string_view name, std::size_t i, std::vector<Parameter> parameters,
                        const GivenKeys& given) const {
  const toml::table* table = impl_->find(name, i);
  if (table != nullptr) {
    std::vector<UnknownKey> unknown;
    find_unknown(*table, parameters, name, unknown);
    refuse(std::move(unknown));
  }
  const std::string here = !given.place.empty() ? given.place
                           : table == nullptr   ? impl_->top()
                                                : place(table->source());
  GivenKeys more = given;
  more.units = &impl_->units();
  return read_section(table, Impl::header(name), here, std::move(parameters), impl_->meaning(), more);
}

Keys Document::values() const {
  Keys keys;
  add_values(impl_->root, "", keys);
  return keys;
}

std::vector<Listing> Document::listings(std::string_view name) const {
  std::vector<std::tuple<std::string, const toml::key*, const toml::node*>> found;
  if (const toml::table* table = impl_->find(name, 0)) leaves(*table, "", found);
  // toml++ sorts keys by name. Keys from --set follow those of the file.
  std::ranges::stable_sort(found, {}, [](const auto& leaf) {
    const auto& source = std::get<1>(leaf)->source();
    return std::tuple(source.begin.line == 0 || from_set(source), source.begin.line, source.begin.column);
  });
  std::vector<Listing> all;
  for (const auto& [key, _, node] : found) {
    Listing listing{key, place(node->source()), node->is_array(), {}, {}};
    const auto add = [&](const toml::node& entry) {
      listing.entries.push_back(to_toml(entry));
      listing.places.push_back(place(entry.source()));
    };
    if (const toml::array* list = node->as_array()) {
      for (const toml::node& entry : *list) add(entry);
    } else {
      add(*node);
    }
    all.push_back(std::move(listing));
  }
  return all;
}

}  // namespace orrery::pipeline
