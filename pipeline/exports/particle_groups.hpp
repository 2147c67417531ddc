// SPDX-License-Identifier: MIT
// What formats of particles in groups have in common.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/export.hpp"

namespace orrery::pipeline {

/// Throws Error, Fault::request, if frames have no velocities.
void require_velocities(const ExportJob& job, std::string_view format);

/// Notes in one line what the format has no place for: names, charges, the box.
void note_what_is_left_out(const ExportJob& job, std::string_view format, bool has_box = false);

/// The edge of a box that is a cube from 0 on, periodic along all axes, as GADGET's is; else 0.
double periodic_cube(const sim::Domain& domain);

/// Whether numbers are written in double precision: as the frames are, unless the user asks for one.
bool in_double(const ExportJob& job);

/// The stored bodies by group: a group for each component of the run.
class Groups {
 public:
  /// `group_of` gives the group, below `count`, of the name of a component.
  Groups(const ExportJob& job, std::size_t count, const std::function<std::size_t(std::string_view)>& group_of);

  [[nodiscard]] std::size_t size(std::size_t group) const { return sizes_[group]; }
  /// The mass of all bodies of a group, if it is the same and not 0; else 0.
  [[nodiscard]] double common_mass(std::size_t group) const { return masses_[group]; }
  /// Calls visit(first, bodies) with the indices of bodies of a group, in runs of at most 65536.
  void for_each_run(std::size_t group,
                    const std::function<void(std::size_t first, std::span<const std::size_t> bodies)>& visit) const;

 private:
  const sim::Bodies& bodies_;
  std::vector<std::size_t> group_of_species_, sizes_;
  std::vector<double> masses_;
};

/// The unit of a quantity of the run as H5MD writes it, "km s-1"; empty without units.
struct ExportUnits {
  std::string length, mass, time, velocity;
};
ExportUnits units_of(const ExportJob& job);

/// The same in cgs: 0 without units.
struct CgsUnits {
  double length = 0, mass = 0, velocity = 0;
};
CgsUnits cgs_units_of(const ExportJob& job);

}  // namespace orrery::pipeline
