// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "pipeline/formats/body_format.hpp"
#include "pipeline/input_file.hpp"
#include "pipeline/named.hpp"
#include "pipeline/quantity.hpp"
#include "pipeline/refusal.hpp"
#include "sim/orbit.hpp"

namespace orrery::pipeline {

extern const BodyFormat horizons_bodies;     // horizons.cpp
extern const BodyFormat run_bodies;          // run_file.cpp
extern const BodyFormat gadget2_bodies;      // gadget2.cpp
extern const BodyFormat gadget_hdf5_bodies;  // gadget_hdf5.cpp
extern const BodyFormat h5md_bodies;         // h5md.cpp
extern const BodyFormat tipsy_bodies;        // tipsy.cpp
extern const BodyFormat extxyz_bodies;       // extxyz.cpp
extern const BodyFormat csv_bodies;          // csv.cpp

namespace {

constexpr std::size_t beginning = 4096;

double factor_of(const std::string& unit, std::string_view dimension, const char* key, const sim::Units& system) {
  try {
    return in_units(unit, dimension, system);
  } catch (const std::invalid_argument& error) {
    throw ArgumentError(key, fmt::format("`{}` {}", key, error.what()));
  }
}

}  // namespace

std::span<const BodyFormat* const> body_formats() {
  static constexpr const BodyFormat* list[] = {&horizons_bodies, &gadget2_bodies, &gadget_hdf5_bodies, &h5md_bodies,
                                               &run_bodies,      &tipsy_bodies,   &extxyz_bodies,      &csv_bodies};
  return list;
}

const BodyFormat& format_named(std::string_view name) {
  return named(body_formats(), name, "format of bodies");
}

const BodyFormat& format_of(const std::filesystem::path& file) {
  const std::string begin(InputFile(file).beginning(beginning));
  for (const BodyFormat* format : body_formats())
    if (format->recognises(file, begin)) return *format;
  refuse(file, fmt::format("is of no known format: `format` says which it is ({})", list_of_names(body_formats())));
}

std::int64_t frame_among(const BodyFileOptions& options, std::int64_t there) {
  const std::int64_t asked = options.frame.value_or(-1), frame = asked < 0 ? there + asked : asked;
  if (frame >= 0 && frame < there) return frame;
  throw ArgumentError(
      "frame", there == 0 ? std::string("has no frames")
                          : fmt::format("has no frame {}: there are 0 to {}, or {} to -1", asked, there - 1, -there));
}

double in_units(const std::string& unit, std::string_view dimension, const sim::Units& system) {
  return quantity_in(looks_like_quantity(unit) ? unit : "1 " + unit, dimension, system);
}

std::optional<std::pair<std::filesystem::path, std::int64_t>> frame_in_name(const std::filesystem::path& file) {
  std::error_code none;
  const std::string name = file.string();
  const std::size_t hash = name.rfind('#');
  if (hash == std::string::npos || std::filesystem::exists(file, none)) return std::nullopt;
  std::int64_t frame = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + hash + 1, end, frame);
  if (error != std::errc() || stop != end) return std::nullopt;
  return std::pair(std::filesystem::path(name.substr(0, hash)), frame);
}

Converted convert(BodyFile& file, const FileUnits& given, const sim::Units& system) {
  struct Scale {
    const char* key;
    std::vector<const char*> columns;
    std::string_view dimension, numbers;
    const std::string& given;
    std::string stated;
    double* applied;
  };
  Converted result;
  double mass = 1;
  const FileUnits stated = file.units.value_or(FileUnits{});
  const Scale scales[] = {
      {"length_unit", {"position", "radius"}, "length", "lengths", given.length, stated.length, &result.length},
      {"mass_unit", {"mass"}, "mass", "masses", given.mass, stated.mass, &mass},
      {"velocity_unit", {"velocity"}, "length/time", "velocities", given.velocity, stated.velocity, &result.velocity}};
  const bool on_orbits = std::ranges::any_of(sim::orbital_element_list, [&](const sim::OrbitalElement& element) {
    return file.bodies->numbers.contains(element.name);
  });
  for (const Scale& one : scales) {
    const std::string& unit = one.given.empty() ? one.stated : one.given;
    if (unit.empty()) {
      if (file.units && !system.length.empty())
        file.asked.push_back({one.key, fmt::format("the file does not state the unit of its {}", one.numbers)});
      continue;
    }
    if (!one.given.empty() && on_orbits)
      throw ArgumentError(one.key,
                          "a file with elements of orbits has the units of the scenario, or its numbers their own");
    if (system.length.empty() && one.given.empty())
      throw ArgumentError("units", fmt::format("the file has units ({}), the scenario none: give it `units`, for "
                                               "example \"galactic\"",
                                               unit));
    const double factor = factor_of(unit, one.dimension, one.key, system);
    if (!(factor > 0) || !std::isfinite(factor))
      throw ArgumentError(one.key, fmt::format("`{}` must be a positive quantity", one.key));
    *one.applied = factor;
    for (const char* name : one.columns) {
      const auto column = file.bodies->numbers.find(name);
      if (factor == 1 || column == file.bodies->numbers.end()) continue;
      for (double& x : column->second) x *= factor;
    }
  }
  return result;
}

}  // namespace orrery::pipeline
