// SPDX-License-Identifier: MIT
#include "pipeline/scenario/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "common/parameter.hpp"
#include "pipeline/refusal.hpp"

namespace orrery::pipeline {
namespace {

/// A list with one entry per dimension; zeros if the key is absent.
std::array<double, 3> lengths(const Section& section, std::string_view key, std::size_t dimensions) {
  std::array<double, 3> all{};
  if (!section->has(key)) return all;
  const auto& numbers = section->numbers(key);
  if (numbers.size() != dimensions)
    section.complain(
        key, fmt::format("`{}` must have {} entries, one per dimension; it has {}", key, dimensions, numbers.size()));
  std::ranges::copy(numbers, all.begin());
  return all;
}

}  // namespace

sim::Domain domain_of(const Section& section) {
  sim::Domain domain{.dimensions = static_cast<int>(section->integer("dimensions"))};
  const auto dimensions = static_cast<std::size_t>(domain.dimensions);
  const auto& names = section->texts("boundary");
  if (names.size() != 1 && names.size() != dimensions)
    section.complain("boundary", fmt::format("`boundary` must have one entry, or {}, one per dimension; it has {}",
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
    // A missing key is reported at `boundary`, which requires it.
    const bool missing = !section.given(error.name());
    section.complain(missing ? "boundary" : error.name(),
                     fmt::format("{}{}", error.what(), missing ? fmt::format(": give `{}`", error.name()) : ""));
  }
  return domain;
}

void check_boundaries(const Section& section, const sim::Model& model) {
  const sim::Domain& domain = model.domain;
  if (domain.is_open()) return;
  const sim::Integrator& integrator = *model.integrator;
  if (!integrator.why_open.empty())
    section.complain("boundary", fmt::format("{} needs boundary = \"open\": {}", integrator.name, integrator.why_open));
  if (!domain.is_periodic()) return;
  if (const sim::ForceLaw& law = *model.force.plugin; law.cutoff == nullptr)
    section.complain("boundary", fmt::format("{} in a periodic box is a sum over infinitely many images, which is not "
                                             "supported: use \"open\" or \"reflecting\", or a law with a cutoff",
                                             law.name));
  if (!model.fields.empty())
    section.complain("boundary", fmt::format("the potential of {} is not periodic, as the box is: use \"open\" or "
                                             "\"reflecting\"",
                                             model.fields.front().plugin->name));
}

void check_inside(const Section& section, const sim::Domain& domain, const sim::Bodies& bodies,
                  std::span<const sim::ExternalField> fields, const std::function<std::string(std::size_t)>& where) {
  const auto refuse_body = [&](std::size_t i, std::string_view key, const std::string& what) {
    const std::string place = where(i);
    if (place.empty()) section.complain(key, what);
    refuse(place, what);
  };
  const auto& [x, y, z] = bodies.position;
  const auto name_of = [&](std::size_t i) {
    return bodies.names.empty() || bodies.names[i].empty() ? std::string() : ", " + bodies.names[i];
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const sim::Boundary& boundary = *domain.boundary[axis];
    if (!boundary.bounded) continue;
    const double low = domain.low[axis], high = low + domain.edges[axis];
    const std::vector<double>& at = *std::array{&x, &y, &z}[axis];
    const auto outside = [&](double a) { return !(a >= low && (boundary.periodic ? a < high : a <= high)); };
    if (const auto found = std::ranges::find_if(at, outside); found != at.end()) {
      const auto i = static_cast<std::size_t>(found - at.begin());
      refuse_body(i, "boundary",
                  fmt::format("body {}{} is outside the box, which is from {} to {} along {}: it is at {}", i,
                              name_of(i), low, high, "xyz"[axis], at[i]));
    }
  }
  if (domain.dimensions == 3) return;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto refuse_value = [&](std::string_view what, double value) {
      refuse_body(i, "dimensions",
                  fmt::format("in two dimensions every {} must be 0; body {}{} has {}", what, i, name_of(i), value));
    };
    if (z[i] != 0) refuse_value("z", z[i]);
    if (bodies.velocity.z[i] != 0) refuse_value("velocity along z", bodies.velocity.z[i]);
    for (const sim::ExternalField& field : fields) {
      const double pull = field.law->acceleration(field.parameters, {x[i], y[i], z[i]}).z;
      if (pull != 0) refuse_value(fmt::format("acceleration along z, including that of {},", field.law->name), pull);
    }
  }
}

}  // namespace orrery::pipeline
