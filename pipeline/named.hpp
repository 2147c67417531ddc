// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/error.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {

template <class Entry>
const auto& entry_of(const Entry& entry) {
  if constexpr (std::is_pointer_v<Entry>) {
    return *entry;
  } else {
    return entry;
  }
}

template <class List>
std::vector<std::string_view> names_of(const List& list) {
  std::vector<std::string_view> names;
  for (const auto& entry : list) names.push_back(entry_of(entry).name);
  return names;
}

/// "csv, xdmf, json".
template <class List>
std::string list_of_names(const List& list) {
  return fmt::format("{}", fmt::join(names_of(list), ", "));
}

/// Returns the entry with that name in a list of objects or pointers. Throws Error, Fault::request, that lists all entries;
/// `what` is the kind of entry.
template <class List>
const auto& named(const List& list, std::string_view name, std::string_view what) {
  for (const auto& entry : list) {
    if (entry_of(entry).name == name) return entry_of(entry);
  }
  throw Error(fmt::format("there is no {} `{}`{} (there are: {})", what, name, suggestion(name, names_of(list)),
                          list_of_names(list)),
              Fault::request);
}

}  // namespace orrery::pipeline
