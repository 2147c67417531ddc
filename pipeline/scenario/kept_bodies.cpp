// SPDX-License-Identifier: MIT
#include "pipeline/scenario/bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace orrery::pipeline {
namespace {

std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

/// Parses "12"; nullopt for any other text.
std::optional<std::int64_t> index_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

/// Marks the bodies of one entry of `bodies`: a name, "12" or "10:19".
void mark(std::vector<bool>& kept, const std::string& entry, const Section& section, const sim::Bodies& bodies) {
  if (const auto named = std::ranges::find(bodies.names, entry); !entry.empty() && named != bodies.names.end()) {
    kept[static_cast<std::size_t>(named - bodies.names.begin())] = true;
    return;
  }
  const auto colon = std::min(entry.find(':'), entry.size());
  const auto first = index_in(std::string_view(entry).substr(0, colon));
  const auto last = colon == entry.size() ? first : index_in(std::string_view(entry).substr(colon + 1));
  if (!first || !last || *last < *first) {
    section.complain("bodies", fmt::format("no body is named \"{}\"{}; give names, or indices such as \"3\" or \"0:9\"",
                                           entry, suggestion(entry, views_of(bodies.names))));
  }
  if (*last >= static_cast<std::int64_t>(bodies.size())) {
    section.complain("bodies", fmt::format("there is no body {}: indices are 0 to {}", *last,
                                           static_cast<std::int64_t>(bodies.size()) - 1));
  }
  std::fill(kept.begin() + *first, kept.begin() + *last + 1, true);
}

/// Whether each component is selected by key `components`; default: all.
std::vector<bool> selected_components(const Section& section, const std::vector<std::string>& components) {
  if (!section->has("components")) return std::vector<bool>(components.size(), true);
  std::vector<bool> selected(components.size(), false);
  for (const std::string& name : section->texts("components")) {
    if (std::ranges::find(components, name) == components.end()) {
      section.complain("components", fmt::format("there is no component \"{}\"{}; there are {}", name,
                                                 suggestion(name, views_of(components)), to_toml(components)));
    }
    for (std::size_t k = 0; k < components.size(); ++k) selected[k] = selected[k] || components[k] == name;
  }
  return selected;
}

}  // namespace

std::vector<std::int64_t> kept_bodies(const Section& trajectory, const sim::Bodies& bodies,
                                      const std::vector<std::string>& components) {
  std::vector<bool> kept(bodies.size(), false);
  if (trajectory->has("bodies")) {
    for (const std::string& entry : trajectory->texts("bodies")) mark(kept, entry, trajectory, bodies);
  }
  if (trajectory->has("bodies_every") || trajectory->has("components") || !trajectory->has("bodies")) {
    const std::vector<bool> selected = selected_components(trajectory, components);
    const std::int64_t every = trajectory->has("bodies_every") ? trajectory->integer("bodies_every") : 1;
    std::int64_t count = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (selected[static_cast<std::size_t>(bodies.species[i])] && count++ % every == 0) kept[i] = true;
    }
  }
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) numbers.push_back(static_cast<std::int64_t>(i));
  }
  if (numbers.empty()) {
    trajectory.complain(trajectory->has("components") ? "components" : "bodies",
                        "frames would store no body: remove the key to store all bodies");
  }
  if (numbers.size() == bodies.size()) numbers.clear();
  return numbers;
}

}  // namespace orrery::pipeline
