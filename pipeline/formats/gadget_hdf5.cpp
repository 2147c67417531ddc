// SPDX-License-Identifier: MIT
// Snapshots of GADGET-2 to -4, AREPO and SWIFT in HDF5: a group PartTypeN for each type of particles, and a Header of attributes. Sources:
// Springel, "User guide for GADGET-2" (2005), section 6.3; Springel et al. 2021, MNRAS 506, 2871, and GADGET-4's documentation of snapshots;
// Schaller et al. 2024, MNRAS 530, 2378, and SWIFT's documentation of snapshots.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "pipeline/formats/gadget.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/trajectory/hdf5_input.hpp"

namespace orrery::pipeline {
namespace {

using gadget::Counts;
using gadget::Header;

constexpr const char *header_group = "/Header", *parameters_group = "/Parameters", *cosmology_group = "/Cosmology",
                     *coordinates = "Coordinates", *velocities = "Velocities";
constexpr const char* mass_names[] = {"Masses", "Mass", "DynamicalMasses"};

/// Names of attributes of a dataset: exponents of a and h, and the unit in cgs.
struct ScalingNames {
  const char *a, *h, *cgs;
};
constexpr ScalingNames scaling_names[] = {
    {"a_scaling", "h_scaling", "to_cgs"},  // GADGET-4, AREPO
    {"a-scale exponent", "h-scale exponent",
     "Conversion factor to CGS (not including cosmological corrections)"},  // SWIFT
    {"aexp-scale-exponent", "h-scale-exponent", "CGSConversionFactor"},     // OWLS, EAGLE
};

/// Where a unit is in cgs if datasets do not have it: groups and attributes, of length, mass, velocity, and of time.
struct UnitNames {
  const char *group, *length, *mass, *velocity, *time;
};
constexpr UnitNames unit_names[] = {
    {"/Parameters", "UnitLength_in_cm", "UnitMass_in_g", "UnitVelocity_in_cm_per_s", nullptr},
    {"/Header", "UnitLength_in_cm", "UnitMass_in_g", "UnitVelocity_in_cm_per_s", nullptr},
    {"/Units", "UnitLength_in_cm", "UnitMass_in_g", "UnitVelocity_in_cm_per_s", nullptr},
    {"/Units", "Unit length in cgs (U_L)", "Unit mass in cgs (U_M)", nullptr, "Unit time in cgs (U_t)"},
};

/// What a dataset says of its numbers.
struct Stated {
  std::optional<double> a, h;  ///< exponents
  std::string unit;            ///< "kpc", "3.0857e21 cm"; empty: not said
};

/// base to a power that is a multiple of ½, by operations with the same bits everywhere.
double power(double base, double exponent) {
  double result = std::floor(exponent) == exponent ? 1 : std::sqrt(base);
  const int whole = static_cast<int>(std::floor(exponent));
  for (int k = 0; k < std::abs(whole); ++k) result = whole > 0 ? result * base : result / base;
  return result;
}

std::string group_of(std::size_t type) {
  return fmt::format("/PartType{}", type);
}

class GadgetHdf5File {
 public:
  explicit GadgetHdf5File(const std::filesystem::path& path) : path_(path), in_(path) {
    if (!in_.contains(header_group)) in_.fail(header_group, "is missing: every snapshot of GADGET has it");
    const auto put = [&](const char* name, auto& to) {
      const auto numbers = in_.numbers(header_group, name);
      for (std::size_t k = 0; k < std::min(numbers.size(), to.size()); ++k)
        to[k] = static_cast<std::remove_reference_t<decltype(to[k])>>(checked(name, numbers[k]));
      return !numbers.empty();
    };
    if (!put("NumPart_ThisFile", header_.here)) in_.fail("/Header@NumPart_ThisFile", "is missing");
    put("MassTable", header_.masses);
    Counts high{};
    put("NumPart_Total", header_.total);
    put("NumPart_Total_HighWord", high);
    for (std::size_t type = 0; type < gadget::most_types; ++type) header_.total[type] += high[type] << 32U;
    header_.time = found("Time").value_or(0);
    header_.redshift = found("Redshift").value_or(0);
    header_.files = static_cast<std::int64_t>(std::clamp(found("NumFilesPerSnapshot").value_or(1), -1.0, 1e9));
    header_.box = found("BoxSize").value_or(0);
    header_.omega_matter = found("Omega0").value_or(0);
    header_.omega_lambda = found("OmegaLambda").value_or(0);
    header_.hubble = found("HubbleParam").value_or(0);
    gadget::check(header_, fmt::format("{}: {}", path_.string(), header_group));
  }

  [[nodiscard]] const Header& header() const { return header_; }
  [[nodiscard]] const Hdf5Input& file() const { return in_; }

  /// The name of the masses of a type; empty if they are in the header or the type has no particles.
  [[nodiscard]] std::string masses(std::size_t type) const {
    if (header_.here[type] == 0 || header_.masses[type] > 0) return "";
    for (const char* name : mass_names)
      if (in_.contains(group_of(type) + "/" + name)) return group_of(type) + "/" + name;
    in_.fail(group_of(type) + "/Masses", "is missing, and the header has no mass of this type");
  }

  /// What the first dataset of that name says.
  [[nodiscard]] Stated stated(const char* name) const {
    for (std::size_t type = 0; type < gadget::most_types; ++type) {
      const std::string dataset = name == nullptr ? masses(type) : group_of(type) + "/" + name;
      if (header_.here[type] == 0 || dataset.empty() || !in_.contains(dataset)) continue;
      Stated said{.a = {}, .h = {}, .unit = in_.text(dataset, "unit")};
      for (const ScalingNames& names : scaling_names) {
        const auto a = in_.number(dataset, names.a), h = in_.number(dataset, names.h),
                   cgs = in_.number(dataset, names.cgs);
        if (!a && !cgs) continue;
        said.a = a.value_or(0);
        said.h = h.value_or(0);
        for (const auto& exponent : {said.a, said.h})
          if (!(std::fabs(*exponent) <= 10) || 2 * *exponent != std::floor(2 * *exponent))
            in_.fail(dataset, fmt::format("has an exponent of {}, not of halves from −10 to 10", *exponent));
        if (cgs && *cgs > 0 && said.unit.empty()) {
          said.unit = fmt::format("{} {}", *cgs, name == nullptr ? "g" : name == coordinates ? "cm" : "cm/s");
        }
        break;
      }
      return said;
    }
    return {};
  }

  /// A unit in cgs from the groups that have them; empty if none does.
  [[nodiscard]] std::string unit(const char* UnitNames::*name, const char* cgs) const {
    for (const UnitNames& names : unit_names) {
      if (!in_.contains(names.group)) continue;
      std::optional<double> value;
      if (names.*name != nullptr) {
        value = in_.number(names.group, names.*name);
      } else if (const auto length = in_.number(names.group, names.length), time = in_.number(names.group, names.time);
                 length && time) {
        value = *length / *time;
      }
      if (value && *value > 0 && std::isfinite(*value)) return fmt::format("{} {}", *value, cgs);
    }
    return "";
  }

  [[nodiscard]] std::optional<double> scale_factor(const BodyFileOptions& options) const {
    if (options.scale_factor) return gadget::scale_factor_of(header_, options);
    for (const char* group : {header_group, cosmology_group}) {
      if (!in_.contains(group)) continue;
      const auto a = in_.number(group, "Scale-factor");
      if (a && *a > 0 && std::isfinite(*a)) return a;
    }
    return gadget::scale_factor_of(header_, options);
  }
  [[nodiscard]] std::optional<double> hubble(const BodyFileOptions& options) const {
    if (options.hubble) return options.hubble;
    if (header_.hubble > 0) return header_.hubble;
    return in_.contains(cosmology_group) ? in_.number(cosmology_group, "h") : std::nullopt;
  }

  void read(const std::array<bool, gadget::most_types>& wanted, gadget::Bodies& bodies) const {
    for (std::size_t type = 0; type < gadget::most_types; ++type) {
      const std::uint64_t count = header_.here[type];
      if (!wanted[type] || count == 0) continue;
      const auto rows = bodies.next(type, count);
      read(group_of(type) + "/" + coordinates, {count, 3}, rows.position);
      read(group_of(type) + "/" + velocities, {count, 3}, rows.velocity);
      if (const std::string ids = group_of(type) + "/ParticleIDs"; rows.id.empty() || !in_.contains(ids)) {
        bodies.drop_ids();
      } else {
        constexpr double exact = 0x1p53;
        std::vector<double> numbers(count);
        read(ids, {count}, numbers);
        if (std::ranges::any_of(numbers, [](double id) { return std::abs(id) > exact; })) {
          bodies.drop_ids();
        } else {
          std::ranges::transform(numbers, rows.id.begin(), [](double id) { return static_cast<std::int64_t>(id); });
        }
      }
      if (const std::string masses_of_type = masses(type); !masses_of_type.empty())
        read(masses_of_type, {count}, rows.mass, 0);
      else
        std::ranges::fill(rows.mass, header_.masses[type]);
    }
  }
  /// Throws unless all datasets have the particles that the header claims.
  void check_shapes(const std::array<bool, gadget::most_types>& wanted) const {
    for (std::size_t type = 0; type < gadget::most_types; ++type) {
      const std::uint64_t count = header_.here[type];
      if (!wanted[type] || count == 0) continue;
      require_shape(group_of(type) + "/" + coordinates, {count, 3});
      require_shape(group_of(type) + "/" + velocities, {count, 3});
      if (const std::string name = masses(type); !name.empty()) require_shape(name, {count});
    }
  }

 private:
  [[nodiscard]] double checked(const char* name, double number) const {
    if (!(number >= 0) || number > 0x1p62) in_.fail(fmt::format("/Header@{}", name), fmt::format("holds {}", number));
    return number;
  }

  /// A number of the header, or of GADGET-4's parameters.
  [[nodiscard]] std::optional<double> found(const char* name) const {
    const auto number = in_.number(header_group, name);
    if (number) return number;
    return in_.contains(parameters_group) && in_.numbers(parameters_group, name).size() == 1
               ? in_.number(parameters_group, name)
               : std::nullopt;
  }

  void require_shape(const std::string& dataset, const std::vector<std::uint64_t>& shape) const {
    if (!in_.contains(dataset)) in_.fail(dataset, "is missing");
    const auto there = in_.shape(dataset);
    if (there != shape)
      in_.fail(dataset, fmt::format("has the shape {}, not {}", fmt::join(there, "×"), fmt::join(shape, "×")));
  }

  void read(const std::string& dataset, const std::vector<std::uint64_t>& shape, std::span<double> numbers,
            double least = std::numeric_limits<double>::lowest()) const {
    require_shape(dataset, shape);
    in_.read(dataset, numbers);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (!std::isfinite(numbers[k]) || numbers[k] < least)
        in_.fail(dataset, fmt::format("{} of particle {} is not a {}", numbers[k], k / (shape.size() == 2 ? 3 : 1),
                                      least == 0 ? "number ≥ 0" : "finite number"));
  }

  std::filesystem::path path_;
  Hdf5Input in_;
  Header header_;
};

/// Factors and units of a snapshot.
struct Meaning {
  gadget::Factors factors;
  FileUnits units;
};

Meaning meaning_of(const GadgetHdf5File& in, const BodyFileOptions& options, std::vector<AskedKey>& asked) {
  const Stated length = in.stated(coordinates), velocity = in.stated(velocities), mass = in.stated(nullptr);
  Meaning meaning;
  const auto first = [](const std::string& said, const std::string& otherwise) {
    return said.empty() ? otherwise : said;
  };
  meaning.units = {.length = first(length.unit, in.unit(&UnitNames::length, "cm")),
                   .mass = first(mass.unit, in.unit(&UnitNames::mass, "g")),
                   .velocity = first(velocity.unit, in.unit(&UnitNames::velocity, "cm/s"))};
  if (!length.a) {
    meaning.factors = gadget::factors_of(in.header(), options, asked);
    return meaning;
  }
  if (options.comoving)
    throw ArgumentError("comoving",
                        "the file states for each of its columns how it depends on a and h: leave `comoving` out");
  const Stated of_mass = mass.a ? mass : Stated{.a = 0, .h = length.h, .unit = {}};
  const auto needs = [&](std::optional<double> Stated::*exponent) {
    return *(length.*exponent) != 0 || (velocity.*exponent).value_or(0) != 0 || *(of_mass.*exponent) != 0;
  };
  const auto a = in.scale_factor(options), h = in.hubble(options);
  if (needs(&Stated::a) && !a) asked.push_back({"scale_factor", "its columns depend on a, which its header lacks"});
  if (needs(&Stated::h) && !(h && *h > 0))
    asked.push_back({"hubble", "its columns depend on h, which its header lacks"});
  if (!asked.empty()) return meaning;
  const auto factor = [&](const Stated& said) {
    const double of_a = said.a.value_or(0) == 0 ? 1 : power(*a, *said.a);
    return of_a * (said.h.value_or(0) == 0 ? 1 : power(*h, *said.h));
  };
  meaning.factors = {.length = factor(length), .mass = factor(of_mass), .velocity = factor(velocity)};
  return meaning;
}

bool recognises(const std::filesystem::path& file, std::string_view begin) {
  if (!begin.starts_with(hdf5_signature)) return false;
  try {
    const Hdf5Input in(file);
    return in.contains(header_group) && !in.numbers(header_group, "NumPart_ThisFile").empty();
  } catch (const Error&) {
    return false;
  }
}

BodyFile read_gadget_hdf5(const std::filesystem::path& file, const BodyFileOptions& options) {
  const auto wanted = gadget::wanted_types(options);
  const GadgetHdf5File first(file);
  const Header& header = first.header();
  const auto files = gadget::files_of(file, header.files);
  Counts counts{}, all{};
  for (const auto& part : files) {
    const GadgetHdf5File in(part);
    in.check_shapes(wanted);
    for (std::size_t type = 0; type < gadget::most_types; ++type) {
      all[type] += in.header().here[type];
      if (wanted[type]) counts[type] += in.header().here[type];
    }
  }
  for (std::size_t type = 0; files.size() > 1 && type < gadget::most_types; ++type) {
    if (all[type] != header.total[type])
      first.file().fail("/Header@NumPart_Total",
                        fmt::format("claims {} particles of type {} in {} files, which hold {}", header.total[type],
                                    type, files.size(), all[type]));
  }
  std::vector<AskedKey> asked;
  const Meaning meaning = meaning_of(first, options, asked);
  gadget::Bodies bodies(file, counts, options);
  for (const auto& part : files) GadgetHdf5File(part).read(wanted, bodies);
  BodyFile read = bodies.finish(header, meaning.factors, std::move(asked));
  read.units = meaning.units;
  const auto box = first.file().numbers(header_group, "BoxSize");
  for (std::size_t axis = 0; box.size() == 3 && axis < 3; ++axis)
    read.edges[axis] = std::isfinite(box[axis]) && box[axis] > 0 ? box[axis] * meaning.factors.length : 0;
  return read;
}

constexpr std::string_view keys[] = {"hubble", "comoving", "scale_factor", "components"};

}  // namespace

extern const BodyFormat gadget_hdf5_bodies{.name = "gadget-hdf5",
                                           .meaning = "snapshots of GADGET, AREPO and SWIFT in HDF5",
                                           .recognises = recognises,
                                           .read = read_gadget_hdf5,
                                           .keys = keys};

}  // namespace orrery::pipeline
