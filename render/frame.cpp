// SPDX-License-Identifier: MIT
#include "render/frame.hpp"

#include <algorithm>
#include <charconv>

#include "render/bands.hpp"

namespace orrery::render {

void interpolate(const Frame& a, const Frame& b, double time, const Bounds& bounds, bool velocities, Frame& now) {
  const std::size_t count = a.position.size();
  const bool curved = !a.velocity.empty();
  const double h = b.time - a.time, s = (time - a.time) / h;
  now.time = time;
  now.density = {};
  float* position = now.position.overwrite(count).data();
  float* velocity = now.velocity.overwrite(velocities ? a.velocity.size() : 0).data();
  std::int32_t* image = now.image.overwrite(a.image.size()).data();
  const float *from = a.position.data(), *to = b.position.data(), *v_from = a.velocity.data(),
              *v_to = b.velocity.data();
  parallel_parts(count, count, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last && velocity != nullptr; ++k) {
      const auto v0 = static_cast<double>(v_from[k]), v1 = static_cast<double>(v_to[k]);
      velocity[k] = static_cast<float>(v0 + s * (v1 - v0));
    }
    const auto place = [&](std::size_t k, double x1) {
      const double x0 = static_cast<double>(from[k]), chord = x1 - x0;
      return curved ? hermite(s, x0, h * static_cast<double>(v_from[k]), x1, h * static_cast<double>(v_to[k]))
                    : hermite(s, x0, h * (chord / h), x1, h * (chord / h));
    };
    if (!bounds.any()) {
      for (std::size_t k = first; k < last; ++k) position[k] = static_cast<float>(place(k, static_cast<double>(to[k])));
      return;
    }
    for (std::size_t k = first; k < last; ++k) {
      const double laps = images_crossed(bounds, a, b, k);
      const double x = place(k, static_cast<double>(to[k]) + laps * bounds.period(k % 3));
      position[k] = static_cast<float>(wrapped_coordinate(bounds, k % 3, x));
      if (image != nullptr) image[k] = a.image[k] + static_cast<std::int32_t>(image_index(bounds, k % 3, x));
    }
  });
}

void widen(Extent& extent, const Extent& other) {
  for (std::size_t k = 0; k < 3; ++k) {
    extent.low[k] = std::min(extent.low[k], other.low[k]);
    extent.high[k] = std::max(extent.high[k], other.high[k]);
  }
}

ShownUnit shown_density(const RunInfo& info, int power, std::string_view body) {
  const ShownUnit length = shown_length(info), mass = shown_mass(info);
  if (length.name.empty()) return {};
  const std::string above = body.empty() ? mass.name : std::string(body);
  return {above + "/" + length.name + (power == 2 ? "²" : "³"),
          (body.empty() ? mass.length : 1) /
              (power == 2 ? length.length * length.length : length.length * length.length * length.length)};
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
