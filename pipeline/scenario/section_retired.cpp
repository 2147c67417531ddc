// SPDX-License-Identifier: MIT
#include "pipeline/scenario/retired.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <functional>

#include "pipeline/scenario/section_reader.hpp"

namespace orrery::pipeline {
namespace {

/// Calls use(table) for each table with a dotted name like "figure.part", also in arrays.
void each_table(toml::table& within, std::string_view name, const std::function<void(toml::table&)>& use) {
  if (name.empty()) return use(within);
  const std::size_t dot = std::min(name.find('.'), name.size());
  toml::node* node = within.get(name.substr(0, dot));
  if (node == nullptr) return;
  const auto enter = [&](toml::node& next) {
    if (auto* table = next.as_table()) each_table(*table, name.substr(std::min(dot + 1, name.size())), use);
  };
  if (auto* array = node->as_array()) {
    for (toml::node& entry : *array) enter(entry);
  } else {
    enter(*node);
  }
}

/// Removes or translates `entry` in an archived table and returns a note; "" if the table does not have it. Throws Error if the
/// table is not archived.
std::string handle(toml::table& table, const Retired& entry, bool archived) {
  const toml::node* node = table.get(entry.key);
  if (node == nullptr || (!entry.value.empty() && to_toml(*node) != entry.value)) return "";
  if (entry.was_default && !archived) return "";
  const std::string what =
      fmt::format("{}: `{}{}{}{}{}`", place(node->source()), entry.table, entry.table.empty() ? "" : ".", entry.key,
                  entry.value.empty() ? "" : " = ", entry.value);
  if (!archived) {
    throw Error(fmt::format("{} was removed in version {}: {}", what, entry.since,
                            entry.instead.empty() ? "leave it out" : fmt::format("write {}", entry.instead)),
                2);
  }
  if (entry.instead.empty()) {
    table.erase(entry.key);
    return fmt::format("{} was removed in version {}, and is ignored", what, entry.since);
  }
  const std::string text = fmt::format("value = {}", entry.instead);
  const toml::table now = toml::parse(std::string_view(text), std::string_view("retired"));
  table.insert_or_assign(entry.key, *now.get("value"));
  return fmt::format("{} is called {} since version {}", what, entry.instead, entry.since);
}

}  // namespace

std::vector<std::string> handle_retired(toml::table& root, std::span<const Retired> list, bool archived) {
  std::vector<std::string> notes;
  for (const Retired& entry : list) {
    each_table(root, entry.table, [&](toml::table& table) {
      const std::string note = handle(table, entry, archived);
      if (!note.empty() && !entry.changed_nothing) notes.push_back(note);
    });
  }
  return notes;
}

}  // namespace orrery::pipeline
