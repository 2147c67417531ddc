// SPDX-License-Identifier: MIT
// What GADGET's two kinds of snapshots have in common: types of particles, the header, comoving units. Sources: Springel, "User guide for
// GADGET-2" (2005), sections 6.1 to 6.3; Springel et al. 2021, MNRAS 506, 2871 for GADGET-4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/formats/body_format.hpp"

namespace orrery::pipeline::gadget {

/// Names of the types 0 to 5 in the user guide, which are names of components here; 6, neutrinos, is SWIFT's.
constexpr std::string_view type_names[] = {"gas", "halo", "disk", "bulge", "stars", "boundary", "neutrinos"};
constexpr std::size_t most_types = std::size(type_names);

/// Types of binary files, and those that are written.
constexpr std::size_t usual_types = 6;

using Counts = std::array<std::uint64_t, most_types>;

/// The type of a component: its own if it has a type's name, else "halo", which GADGET knows as collisionless particles.
std::size_t type_of_component(std::string_view component);

/// The header of one file of a snapshot.
struct Header {
  Counts here{}, total{};                   ///< particles by type in this file and in all
  std::array<double, most_types> masses{};  ///< of all particles of a type; 0: each has its own
  double time = 0, redshift = 0;            ///< time is the scale factor in a cosmological run
  std::int64_t files = 1;                   ///< of the snapshot
  double box = 0;
  double omega_matter = 0, omega_lambda = 0, hubble = 0;  ///< 0: not given

  [[nodiscard]] std::uint64_t particles() const;
  [[nodiscard]] bool is_cosmological() const;
};

/// Throws Error, Fault::request, at `place` for numbers that no header has.
void check(const Header& header, const std::string& place);

/// What numbers of a file are multiplied with to become physical lengths, masses and velocities.
struct Factors {
  double length = 1, mass = 1, velocity = 1;
};

/// The factors of a file that states no exponents of a and h: x a/h, m/h, u √a. Asks for `comoving` and `hubble` where the header makes them
/// necessary. Throws ArgumentError for options out of range.
Factors factors_of(const Header& header, const BodyFileOptions& options, std::vector<AskedKey>& asked);

/// The scale factor of the options or of the header; nullopt if neither says. Throws ArgumentError.
std::optional<double> scale_factor_of(const Header& header, const BodyFileOptions& options);

/// The types that options.components wants, by name or as "PartType1"; all if it is empty. Throws ArgumentError.
std::array<bool, most_types> wanted_types(const BodyFileOptions& options);

/// The files of a snapshot of several: "snapshot_005.3.hdf5" is one of `count`. Throws Error, Fault::request, unless all exist.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& file, std::int64_t count);

/// The columns of a snapshot while they are filled, type by type in each file.
class Bodies {
 public:
  /// Allocates, also for their identifiers if options.ids. Throws Error, Fault::request, without the memory.
  Bodies(const std::filesystem::path& file, const Counts& counts, const BodyFileOptions& options);

  /// The rows of `count` further bodies of a type: 3, 3 and 1 numbers each, and 1 or none.
  struct Rows {
    std::span<double> position, velocity, mass;
    std::span<std::int64_t> id;
  };
  Rows next(std::size_t type, std::uint64_t count);
  /// The file has no identifiers.
  void drop_ids() { ids_.clear(); }
  /// The file of these bodies, and all that convert() and callers need to know of the header.
  BodyFile finish(const Header& header, const Factors& factors, std::vector<AskedKey> asked);

 private:
  std::filesystem::path file_;
  std::shared_ptr<Columns> columns_ = std::make_shared<Columns>();
  std::vector<std::int64_t> ids_;
  std::size_t filled_ = 0;
  bool gas_ = false;
};

}  // namespace orrery::pipeline::gadget
