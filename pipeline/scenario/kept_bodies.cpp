// SPDX-License-Identifier: MIT
// Bodies by name, by number, by component and by turn.
#include "pipeline/scenario/kept_bodies.hpp"

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

/// "12"; none where that is no whole number.
std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

/// Marks what one entry of `bodies` means: a name, "12" or "10:19".
void mark(std::vector<bool>& kept, const std::string& entry, const Section& section, const sim::Bodies& bodies) {
  if (const auto named = std::ranges::find(bodies.names, entry); !entry.empty() && named != bodies.names.end()) {
    kept[static_cast<std::size_t>(named - bodies.names.begin())] = true;
    return;
  }
  const auto colon = std::min(entry.find(':'), entry.size());
  const auto first = number_in(std::string_view(entry).substr(0, colon));
  const auto last = colon == entry.size() ? first : number_in(std::string_view(entry).substr(colon + 1));
  if (!first || !last || *last < *first) {
    section.complain("bodies", fmt::format("no body is named \"{}\"{}; bodies go by name, or by number: \"3\", \"0:9\"",
                                           entry, suggestion(entry, views_of(bodies.names))));
  }
  if (*last >= static_cast<std::int64_t>(bodies.size())) {
    section.complain("bodies", fmt::format("there is no body {}: they are counted from 0 to {}", *last,
                                           static_cast<std::int64_t>(bodies.size()) - 1));
  }
  std::fill(kept.begin() + *first, kept.begin() + *last + 1, true);
}

/// Which of the components are asked for; all where none is named.
std::vector<bool> asked_for(const Section& section, const std::vector<std::string>& components) {
  if (!section->has("components")) return std::vector<bool>(components.size(), true);
  std::vector<bool> asked(components.size(), false);
  for (const std::string& name : section->texts("components")) {
    if (std::ranges::find(components, name) == components.end()) {
      section.complain("components", fmt::format("there is no component \"{}\"{}; there are {}", name,
                                                 suggestion(name, views_of(components)), to_toml(components)));
    }
    for (std::size_t k = 0; k < components.size(); ++k) asked[k] = asked[k] || components[k] == name;
  }
  return asked;
}

}  // namespace

std::vector<std::int64_t> kept_bodies(const Section& trajectory, const sim::Bodies& bodies,
                                      const std::vector<std::string>& components) {
  std::vector<bool> kept(bodies.size(), false);
  if (trajectory->has("bodies")) {
    for (const std::string& entry : trajectory->texts("bodies")) mark(kept, entry, trajectory, bodies);
  }
  if (trajectory->has("bodies_every") || trajectory->has("components") || !trajectory->has("bodies")) {
    const std::vector<bool> asked = asked_for(trajectory, components);
    const std::int64_t every = trajectory->has("bodies_every") ? trajectory->integer("bodies_every") : 1;
    std::int64_t turn = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (asked[static_cast<std::size_t>(bodies.species[i])] && turn++ % every == 0) kept[i] = true;
    }
  }
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) numbers.push_back(static_cast<std::int64_t>(i));
  }
  if (numbers.empty()) {
    trajectory.complain(trajectory->has("components") ? "components" : "bodies",
                        "frames would keep no body at all: leave the key out, and they keep every body");
  }
  if (numbers.size() == bodies.size()) numbers.clear();
  return numbers;
}

}  // namespace orrery::pipeline
