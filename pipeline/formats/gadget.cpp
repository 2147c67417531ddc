// SPDX-License-Identifier: MIT
#include "pipeline/formats/gadget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pipeline/formats/binary_file.hpp"
#include "pipeline/refusal.hpp"

namespace orrery::pipeline::gadget {
namespace {

constexpr std::int64_t most_files = 65536;

void scale(std::vector<double>& numbers, double factor) {
  if (factor == 1) return;
  for (double& x : numbers) x *= factor;
}

double checked(const char* key, double value) {
  if (!(value > 0) || !std::isfinite(value)) throw ArgumentError(key, fmt::format("`{}` must be greater than 0", key));
  return value;
}

}  // namespace

std::size_t type_of_component(std::string_view component) {
  const auto found = std::ranges::find(type_names, component);
  constexpr std::size_t halo = 1;
  const auto type = static_cast<std::size_t>(found - std::begin(type_names));
  return type < usual_types && type != 0 ? type : halo;  // gas needs an internal energy, which bodies lack
}

std::uint64_t Header::particles() const {
  return std::accumulate(here.begin(), here.end(), std::uint64_t{0});
}

bool Header::is_cosmological() const {
  return omega_matter != 0 || omega_lambda != 0 || redshift != 0;
}

void check(const Header& header, const std::string& place) {
  const auto require = [&](bool true_of_headers, const std::string& what) {
    if (!true_of_headers) refuse(place, what);
  };
  for (std::size_t type = 0; type < most_types; ++type) {
    require(std::isfinite(header.masses[type]) && header.masses[type] >= 0,
            fmt::format("the mass of type {} is {}, not a number ≥ 0", type, header.masses[type]));
    require(header.here[type] <= std::uint64_t{1} << 48,
            fmt::format("claims {} particles of type {}, which no file holds", header.here[type], type));
  }
  require(std::isfinite(header.time) && std::isfinite(header.redshift) && header.redshift > -1,
          fmt::format("has the time {} and the redshift {}", header.time, header.redshift));
  require(std::isfinite(header.box) && header.box >= 0, fmt::format("has a box of {}", header.box));
  require(std::isfinite(header.omega_matter) && std::isfinite(header.omega_lambda) && std::isfinite(header.hubble) &&
              header.hubble >= 0,
          fmt::format("has the cosmology Omega0 = {}, OmegaLambda = {}, HubbleParam = {}", header.omega_matter,
                      header.omega_lambda, header.hubble));
  require(header.files >= 0 && header.files <= most_files,
          fmt::format("claims that the snapshot has {} files", header.files));
  require(header.particles() > 0 || header.files > 1, "has no particles");
}

std::optional<double> scale_factor_of(const Header& header, const BodyFileOptions& options) {
  if (options.scale_factor) return checked("scale_factor", *options.scale_factor);
  const double of_redshift = 1 / (1 + header.redshift);
  // Of a comoving run the time is the scale factor.
  if (header.time > 0 && std::fabs(header.time - of_redshift) <= 1e-3 * of_redshift) return header.time;
  return std::nullopt;
}

Factors factors_of(const Header& header, const BodyFileOptions& options, std::vector<AskedKey>& asked) {
  if (!options.comoving && header.is_cosmological())
    asked.push_back(
        {"comoving", fmt::format("its header has Omega0 = {}, OmegaLambda = {}, Redshift = {}: true if lengths are "
                                 "comoving and velocities over √a, false if the run was without expansion",
                                 header.omega_matter, header.omega_lambda, header.redshift)});
  if (!options.hubble && header.hubble != 0 && header.hubble != 1)
    asked.push_back(
        {"hubble", fmt::format("its header has HubbleParam = {0}: {0} if lengths and masses are in units per h, "
                               "1 if they are not",
                               header.hubble)});
  Factors factors;
  if (options.hubble) factors.length = factors.mass = 1 / checked("hubble", *options.hubble);
  if (!options.comoving.value_or(false)) return factors;
  const auto a = scale_factor_of(header, options);
  if (!a) {
    asked.push_back({"scale_factor", fmt::format("its header has Time = {} and Redshift = {}, which disagree",
                                                 header.time, header.redshift)});
    return factors;
  }
  factors.length *= *a;
  factors.velocity = std::sqrt(*a);
  return factors;
}

std::array<bool, most_types> wanted_types(const BodyFileOptions& options) {
  std::array<bool, most_types> wanted{};
  wanted.fill(options.components.empty());
  for (const std::string& name : options.components) {
    bool known = false;
    for (std::size_t type = 0; type < most_types; ++type)
      if (name == type_names[type] || name == fmt::format("PartType{}", type)) wanted[type] = known = true;
    if (!known)
      throw ArgumentError("components",
                          fmt::format("`{}` is no type of particles: {}", name, fmt::join(type_names, ", ")));
  }
  return wanted;
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& file, std::int64_t count) {
  if (count <= 1) return {file};
  std::string name = file.filename().string(), ending;
  for (const char* known : {".hdf5", ".h5"}) {
    if (!name.ends_with(known)) continue;
    ending = known;
    name.resize(name.size() - ending.size());
    break;
  }
  const std::size_t dot = name.rfind('.');
  const bool numbered = dot != std::string::npos && dot + 1 < name.size() &&
                        std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(),
                                    [](char c) { return c >= '0' && c <= '9'; });
  if (!numbered)
    refuse(file,
           fmt::format("is one of {} files of a snapshot: name one as it was written, {}.0{}", count, name, ending));
  std::vector<std::filesystem::path> files;
  for (std::int64_t k = 0; k < count; ++k) {
    files.push_back(file.parent_path() / fmt::format("{}.{}{}", name.substr(0, dot), k, ending));
    std::error_code none;
    if (!std::filesystem::exists(files.back(), none))
      refuse(files.back(), fmt::format("is missing: the snapshot has {} files, says {}", count, file.string()));
  }
  return files;
}

Bodies::Bodies(const std::filesystem::path& file, const Counts& counts, const BodyFileOptions& options) : file_(file) {
  std::uint64_t bodies = 0, types = 0;
  for (const std::uint64_t count : counts) bodies += count, types += count > 0 ? 1 : 0;
  if (bodies == 0) refuse(file, "has none of the wanted particles");
  require_memory_for(file, bodies, types > 1 ? 1 : 0);
  columns_->rows = bodies;
  columns_->numbers["position"].resize(3 * bodies);
  columns_->numbers["velocity"].resize(3 * bodies);
  columns_->numbers["mass"].resize(bodies);
  if (types > 1) columns_->texts["component"].resize(bodies);
  if (options.ids) ids_.resize(bodies);
}

Bodies::Rows Bodies::next(std::size_t type, std::uint64_t count) {
  const auto rows = [&](const char* name, std::size_t width) {
    return std::span(columns_->numbers.find(name)->second).subspan(width * filled_, width * count);
  };
  const Rows next{rows("position", 3), rows("velocity", 3), rows("mass", 1),
                  ids_.empty() ? std::span<std::int64_t>() : std::span(ids_).subspan(filled_, count)};
  if (const auto texts = columns_->texts.find("component"); texts != columns_->texts.end())
    std::fill_n(texts->second.begin() + static_cast<std::ptrdiff_t>(filled_), count, std::string(type_names[type]));
  filled_ += count;
  gas_ = gas_ || (type == 0 && count > 0);
  return next;
}

BodyFile Bodies::finish(const Header& header, const Factors& factors, std::vector<AskedKey> asked) {
  scale(columns_->numbers["position"], factors.length);
  scale(columns_->numbers["velocity"], factors.velocity);
  scale(columns_->numbers["mass"], factors.mass);
  BodyFile read;
  read.bodies = std::move(columns_);
  read.ids = std::move(ids_);
  read.where = [file = file_](std::size_t row) { return fmt::format("{}: particle {}", file.string(), row); };
  read.units = FileUnits{};
  read.asked = std::move(asked);
  if (!header.is_cosmological()) read.time = header.time;
  if (header.box > 0) read.edges.fill(header.box * factors.length);
  if (gas_) read.remarks.emplace_back("gas becomes bodies: its internal energy, density and so on are left out");
  return read;
}

}  // namespace orrery::pipeline::gadget
