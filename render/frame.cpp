// SPDX-License-Identifier: MIT
#include "render/frame.hpp"

#include <algorithm>
#include <charconv>

namespace orrery::render {

void widen(Extent& extent, const Extent& other) {
  for (std::size_t k = 0; k < 3; ++k) {
    extent.low[k] = std::min(extent.low[k], other.low[k]);
    extent.high[k] = std::max(extent.high[k], other.high[k]);
  }
}

std::optional<std::size_t> find_body(const std::string& name, const RunInfo& info) {
  const auto named = std::ranges::find(info.names, name);
  if (!name.empty() && named != info.names.end()) return static_cast<std::size_t>(named - info.names.begin());
  std::size_t number = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  const bool is_number = error == std::errc() && stop == end && number < info.mass.size();
  return is_number ? std::optional(number) : std::nullopt;
}

std::string name_of(const RunInfo& info, std::size_t body) {
  const bool named = body < info.names.size() && !info.names[body].empty();
  return named ? info.names[body] : "body " + std::to_string(number_of(info, body));
}

std::string names_of(const std::set<std::size_t>& bodies, const RunInfo& info) {
  constexpr std::size_t most = 2;
  std::string all;
  std::size_t named = 0;
  for (const std::size_t body : bodies) {
    if (named == most && bodies.size() > most + 1) break;
    ++named;
    all += (named == 1 ? "" : named == bodies.size() ? " and " : ", ") + name_of(info, body);
  }
  return named < bodies.size() ? all + " and " + std::to_string(bodies.size() - named) + " others" : all;
}

std::string known_bodies(const RunInfo& info) {
  std::string all;
  for (std::size_t i = 0; i < info.mass.size(); ++i) {
    if (i >= 12) {
      all += ", …";
      break;
    }
    const bool named = i < info.names.size() && !info.names[i].empty();
    if (i > 0) all += ", ";
    all += named ? info.names[i] : std::to_string(i);
  }
  return " (there are: " + all + ")";
}

std::size_t index_in_summary(std::size_t body, const RunInfo& info) {
  if (info.summaries == nullptr) return body;
  const auto& bodies = info.summaries->bodies;
  return static_cast<std::size_t>(std::ranges::lower_bound(bodies, body) - bodies.begin());
}

}  // namespace orrery::render
