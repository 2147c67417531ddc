// SPDX-License-Identifier: MIT
// The document as toml++ parsed it: which tables it has, and what --set changed in it.
#include "pipeline/section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>

#include "pipeline/section_reader.hpp"

namespace orrery::pipeline {
namespace {

/// Parses, or throws with the place and toml++'s own words.
toml::table parse(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}: {}", place(error.source()), error.description()), 2);
  }
}

/// One step of a dotted path: `film[0]` is name film and index 0.
struct Step {
  std::string name;
  std::size_t index = 0;
  bool indexed = false;
};

std::vector<Step> steps_of(const std::string& path, const std::string& override) {
  std::vector<Step> steps;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    Step step{path.substr(begin, end - begin)};
    if (const auto bracket = step.name.find('['); bracket != std::string::npos) {
      const auto digits = step.name.substr(bracket + 1, step.name.size() - bracket - 2);
      if (step.name.back() != ']' || digits.empty() || digits.size() > 6 ||
          digits.find_first_not_of("0123456789") != std::string::npos) {
        throw Error(fmt::format("--set {}: write an index as name[0]", override), 2);
      }
      step.index = std::stoul(digits);
      step.indexed = true;
      step.name.resize(bracket);
    }
    if (step.name.empty()) throw Error(fmt::format("--set {}: write it as section.key=value", override), 2);
    steps.push_back(std::move(step));
    begin = end + 1;
  }
  return steps;
}

/// Puts the value of "a.b=value" where it belongs, making [a] if need be.
void apply(toml::table& root, const std::string& override) {
  const auto equals = override.find('=');
  if (equals == std::string::npos) throw Error(fmt::format("--set {}: write it as section.key=value", override), 2);
  const std::string path = override.substr(0, equals);
  const auto steps = steps_of(path, override);
  toml::table value = parse("value = " + override.substr(equals + 1), "--set " + override);
  toml::table* table = &root;
  for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
    toml::node* next = table->get(steps[k].name);
    if (next == nullptr) next = &table->insert(steps[k].name, toml::table{}).first->second;
    if (toml::array* array = next->as_array()) next = array->get(steps[k].index);
    table = next == nullptr ? nullptr : next->as_table();
    if (table == nullptr) throw Error(fmt::format("--set {}: there is no table `{}` here", override, steps[k].name), 2);
  }
  table->insert_or_assign(steps.back().name, std::move(*value.get("value")));
}

}  // namespace

std::string place(const toml::source_region& source) {
  const std::string file = source.path ? *source.path : "scenario";
  if (file.starts_with("--set ")) return file;
  return fmt::format("{}:{}:{}", file, source.begin.line, source.begin.column);
}

struct Document::Impl {
  toml::table root;
  std::string file;

  /// Table i of that name; null where there is none.
  [[nodiscard]] const toml::table* find(std::string_view name, std::size_t i) const {
    const toml::node* node = root.get(name);
    if (node == nullptr) return nullptr;
    if (const toml::array* array = node->as_array()) node = array->get(i);
    const toml::table* table = node == nullptr ? nullptr : node->as_table();
    if (node != nullptr && table == nullptr) {
      throw Error(fmt::format("{}: `{}` must be a table: write [{}]", place(node->source()), name, name), 2);
    }
    return table;
  }
};

Document::Document(const std::string& text, const std::string& file, std::span<const std::string> overrides)
    : impl_(std::make_unique<Impl>(Impl{parse(text, file), file})) {
  for (const std::string& override : overrides) apply(impl_->root, override);
}
Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

void Document::allow(std::span<const Parameter> keys, std::span<const std::string_view> tables, NotYet not_yet) const {
  std::vector<std::string_view> known(tables.begin(), tables.end());
  for (const Parameter& key : keys) known.push_back(key.name);
  for (const auto& [key, node] : impl_->root) refuse_unknown(key, known, not_yet, node.source());
}

Section Document::top(std::span<const Parameter> keys) const {
  toml::table only;
  for (const Parameter& key : keys) {
    const auto found = impl_->root.find(key.name);
    if (found != impl_->root.end()) only.insert(found->first, found->second);
  }
  return read_section(&only, impl_->file + ":1:1", {keys.begin(), keys.end()}, {});
}

std::size_t Document::count(std::string_view name) const {
  const toml::node* node = impl_->root.get(name);
  if (node == nullptr) return 0;
  return node->is_array() ? node->as_array()->size() : 1;
}

std::string Document::kind(std::string_view name, std::size_t i, std::span<const std::string_view> kinds, NotYet not_yet,
                           std::string_view fallback) const {
  const toml::table* table = impl_->find(name, i);
  const toml::node* kind = table == nullptr ? nullptr : table->get("kind");
  if (kind == nullptr) {
    if (!fallback.empty()) return std::string(fallback);
    const std::string here = table == nullptr ? impl_->file + ":1:1" : place(table->source());
    throw Error(fmt::format("{}: [{}] needs a `kind`: one of {}", here, name, fmt::join(kinds, ", ")), 2);
  }
  const auto text = kind->value<std::string>();
  if (!text) throw Error(fmt::format("{}: `kind` must be a text", place(kind->source())), 2);
  if (std::ranges::find(not_yet, *text) != not_yet.end()) {
    throw Error(fmt::format("{}: {} \"{}\" is not available yet", place(kind->source()), name, *text), 2);
  }
  if (std::ranges::find(kinds, *text) == kinds.end()) {
    throw Error(fmt::format("{}: there is no {} \"{}\"{} (see `orrery list {}`)", place(kind->source()), name, *text,
                            suggestion(*text, kinds), name),
                2);
  }
  return *text;
}

Section Document::table(std::string_view name, std::size_t i, std::vector<Parameter> parameters, NotYet not_yet) const {
  const toml::table* table = impl_->find(name, i);
  const std::string here = table == nullptr ? fmt::format("{}: [{}]", impl_->file, name) : place(table->source());
  return read_section(table, here, std::move(parameters), not_yet);
}

}  // namespace orrery::pipeline
