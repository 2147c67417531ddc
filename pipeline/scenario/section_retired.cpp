// SPDX-License-Identifier: MIT
// Retired keys and values in a parsed scenario.
#include "pipeline/scenario/retired.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <functional>

#include "pipeline/scenario/section_reader.hpp"

namespace orrery::pipeline {
namespace {

/// Calls use(table) for each table of a dotted name like "figure.part", in arrays or not.
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

/// Leaves out what is retired in an archived table, or says it as it is said now, and tells so; refuses it in another. "" where
/// it does not stand there.
std::string pass_over(toml::table& table, const Retired& entry, bool archived) {
  const toml::node* node = table.get(entry.key);
  if (node == nullptr || (!entry.value.empty() && to_toml(*node) != entry.value)) return "";
  if (entry.was_default && !archived) return "";
  const std::string what =
      fmt::format("{}: `{}{}{}{}{}`", place(node->source()), entry.table, entry.table.empty() ? "" : ".", entry.key,
                  entry.value.empty() ? "" : " = ", entry.value);
  if (!archived) {
    throw Error(fmt::format("{} is not there any more since {}: {}", what, entry.since,
                            entry.instead.empty() ? "leave it out" : fmt::format("write {}", entry.instead)),
                2);
  }
  if (entry.instead.empty()) {
    table.erase(entry.key);
    return fmt::format("{} means nothing any more since {}, and is passed over", what, entry.since);
  }
  const std::string text = fmt::format("value = {}", entry.instead);
  const toml::table now = toml::parse(std::string_view(text), std::string_view("retired"));
  table.insert_or_assign(entry.key, *now.get("value"));
  return fmt::format("{} is called {} since {}", what, entry.instead, entry.since);
}

}  // namespace

std::vector<std::string> pass_over_retired(toml::table& root, std::span<const Retired> list, bool archived) {
  std::vector<std::string> notes;
  for (const Retired& entry : list) {
    each_table(root, entry.table, [&](toml::table& table) {
      const std::string note = pass_over(table, entry, archived);
      if (!note.empty() && !entry.changed_nothing) notes.push_back(note);
    });
  }
  return notes;
}

}  // namespace orrery::pipeline
