// SPDX-License-Identifier: MIT
// From the keys of [domain] to a domain.
#include "pipeline/scenario/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "common/parameter.hpp"

namespace orrery::pipeline {
namespace {

/// A list of one entry for each dimension; zeros where the key is absent.
std::array<double, 3> lengths(const Section& section, std::string_view key, std::size_t dimensions) {
  std::array<double, 3> all{};
  if (!section->has(key)) return all;
  const auto& numbers = section->numbers(key);
  if (numbers.size() != dimensions)
    section.complain(key, fmt::format("`{}` must have {} entries, one for each of `dimensions`, it has {}", key,
                                      dimensions, numbers.size()));
  std::ranges::copy(numbers, all.begin());
  return all;
}

}  // namespace

sim::Domain domain_of(const Section& section) {
  sim::Domain domain{.dimensions = static_cast<int>(section->integer("dimensions"))};
  const auto dimensions = static_cast<std::size_t>(domain.dimensions);
  const auto& names = section->texts("boundary");
  if (names.size() != 1 && names.size() != dimensions)
    section.complain("boundary",
                     fmt::format("`boundary` must have one entry, or {}, one for each of `dimensions`; it has {}",
                                 dimensions, names.size()));
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    const std::string& name = names[names.size() == 1 ? 0 : axis];
    domain.boundary[axis] = *std::ranges::find(sim::boundaries(), name, &sim::Boundary::name);
  }
  domain.edges = lengths(section, "edges", dimensions);
  domain.low = lengths(section, "low", dimensions);
  try {
    check(domain);
  } catch (const ArgumentError& error) {
    // What is missing is asked for where the boundary wants it.
    const bool missing = !section.given(error.name());
    section.complain(missing ? "boundary" : error.name(),
                     fmt::format("{}{}", error.what(), missing ? fmt::format(": give `{}`", error.name()) : ""));
  }
  return domain;
}

void refuse_walls(const Section& section, const sim::Integrator& integrator) {
  if (domain_of(section).is_open()) return;
  if (!integrator.why_open.empty())
    section.complain("boundary", fmt::format("{} needs boundary = \"open\": {}", integrator.name, integrator.why_open));
  section.complain("boundary",
                   "boundaries other than open need a short-range force, and this version has none: take boundary = "
                   "\"open\", or leave it out");
}

void refuse_outside(const Section& section, const sim::Domain& domain, const sim::Bodies& bodies,
                    std::span<const sim::ExternalField> fields) {
  if (domain.dimensions == 3) return;
  const auto& [x, y, z] = bodies.position;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto refuse = [&](std::string_view what, double value) {
      const std::string name = bodies.names.empty() || bodies.names[i].empty() ? "" : ", " + bodies.names[i];
      section.complain("dimensions",
                       fmt::format("in two dimensions every {} is 0; body {}{} has {}", what, i, name, value));
    };
    if (z[i] != 0) refuse("z", z[i]);
    if (bodies.velocity.z[i] != 0) refuse("velocity along z", bodies.velocity.z[i]);
    for (const sim::ExternalField& field : fields) {
      const double pull = field.law->acceleration(field.numbers, {x[i], y[i], z[i]}).z;
      if (pull != 0) refuse(fmt::format("pull along z, that of {} too,", field.law->name), pull);
    }
  }
}

}  // namespace orrery::pipeline
