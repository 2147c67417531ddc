// SPDX-License-Identifier: MIT
// Snapshots of TIPSY, standard (big-endian) and native, written by ChaNGa, GASOLINE and pkdgrav: a header of 32 bytes,
// then gas, dark and star particles as records of floats. Source: the declarations of Quinn and Katz's TIPSY.
// In some files positions are doubles, in a few velocities, too; nothing says so but the size.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "pipeline/formats/binary_file.hpp"
#include "pipeline/formats/body_format.hpp"
#include "pipeline/refusal.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t kinds = 3, header_size = 32;
constexpr std::string_view kind_names[kinds] = {"gas", "dark", "stars"};
/// Floats of a record: mass, position, velocity, then density, temperature, smoothing length, metals, potential; softening, potential;
/// metals, time of formation, softening, potential.
constexpr std::uint64_t floats[kinds] = {12, 9, 11};

/// Where the particles are.
struct Layout {
  std::endian order;
  double time;
  std::array<std::uint64_t, kinds> count;
  std::size_t position, velocity;  ///< bytes of a coordinate

  [[nodiscard]] std::uint64_t bytes_of(std::size_t kind) const {
    return 4 * (floats[kind] - 6) + 3 * (position + velocity);
  }
  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t all = header_size;
    for (std::size_t kind = 0; kind < kinds; ++kind) all += count[kind] * bytes_of(kind);
    return all;
  }
};

/// The layout that the first bytes and the size of the file have; nullopt if there is none. Counts must add up, dimensions be 1 to 3, and
/// the size be that of a header and all particles: no other format fulfils all three.
std::optional<Layout> layout_of(std::string_view begin, std::uint64_t size) {
  if (begin.size() < header_size) return std::nullopt;
  for (const std::endian order : {std::endian::big, std::endian::little}) {
    const auto count = [&](std::size_t at) { return number_at<std::uint32_t>(&begin[at], order); };
    Layout layout{
        .order = order, .time = number_at<double>(begin.data(), order), .count = {}, .position = 4, .velocity = 4};
    const auto all = count(8), dimensions = count(12);
    std::uint64_t sum = 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) sum += layout.count[kind] = count(16 + 4 * kind);
    if (dimensions < 1 || dimensions > 3 || sum != all || all == 0) continue;
    for (const auto& [position, velocity] : {std::pair<std::size_t, std::size_t>{4, 4}, {8, 4}, {8, 8}}) {
      layout.position = position, layout.velocity = velocity;
      if (layout.size() == size) return layout;
    }
  }
  return std::nullopt;
}

bool is_tipsy(const std::filesystem::path& file, std::string_view begin) {
  std::error_code none;
  return layout_of(begin, std::filesystem::file_size(file, none)).has_value();
}

std::array<bool, kinds> wanted_kinds(const BodyFileOptions& options) {
  std::array<bool, kinds> wanted{};
  wanted.fill(options.components.empty());
  for (const std::string& name : options.components) {
    const auto found = std::ranges::find(kind_names, name);
    if (found == std::end(kind_names))
      throw ArgumentError("components",
                          fmt::format("`{}` is no kind of particles: {}", name, fmt::join(kind_names, ", ")));
    wanted[static_cast<std::size_t>(found - std::begin(kind_names))] = true;
  }
  return wanted;
}

BodyFile read_tipsy(const std::filesystem::path& file, const BodyFileOptions& options) {
  BinaryFile in(file);
  std::string begin(std::min<std::uint64_t>(in.size(), header_size), '\0');
  in.read(0, std::as_writable_bytes(std::span(begin)));
  const auto layout = layout_of(begin, in.size());
  if (!layout)
    in.fail(0, fmt::format("no header of TIPSY is here: the numbers of particles, their sum and the size of the file, "
                           "{} bytes, disagree",
                           in.size()));
  if (!std::isfinite(layout->time)) in.fail(0, fmt::format("the time is {}", layout->time));
  in.set_order(layout->order);
  const auto wanted = wanted_kinds(options);
  std::uint64_t bodies = 0;
  std::size_t groups = 0;
  for (std::size_t kind = 0; kind < kinds; ++kind)
    if (wanted[kind] && layout->count[kind] > 0) bodies += layout->count[kind], ++groups;
  if (bodies == 0) refuse(file, "has none of the wanted particles");
  require_memory_for(file, bodies, groups > 1 ? 1 : 0);

  auto columns = std::make_shared<Columns>();
  columns->rows = bodies;
  std::vector<double>&mass = columns->numbers["mass"], &x = columns->numbers["position"],
  &v = columns->numbers["velocity"];
  mass.resize(bodies), x.resize(3 * bodies), v.resize(3 * bodies);
  std::vector<std::string> components;
  if (groups > 1) components.resize(bodies);
  std::uint64_t at = header_size, row = 0;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const std::size_t width = layout->bytes_of(kind);
    if (wanted[kind]) {
      in.for_each_run(
          at, layout->count[kind], width, [&](std::uint64_t first, std::size_t count, const std::byte* bytes) {
            for (std::size_t k = 0; k < count; ++k, ++row) {
              const std::byte* next = bytes + k * width;
              const auto take = [&](std::size_t size, const char* name, double least) {
                const double value = size == 4 ? double{in.number_in<float>(next)} : in.number_in<double>(next);
                if (!std::isfinite(value) || value < least)
                  in.fail(
                      at + (first + k) * width + static_cast<std::uint64_t>(next - (bytes + k * width)),
                      fmt::format("a {} is {}, not a {}", name, value, least == 0 ? "number ≥ 0" : "finite number"));
                next += size;
                return value;
              };
              constexpr double any = std::numeric_limits<double>::lowest();
              mass[row] = take(4, "mass", 0);
              for (std::size_t axis = 0; axis < 3; ++axis)
                x[3 * row + axis] = take(layout->position, "coordinate", any);
              for (std::size_t axis = 0; axis < 3; ++axis) v[3 * row + axis] = take(layout->velocity, "velocity", any);
              if (!components.empty()) components[row] = kind_names[kind];
            }
          });
    }
    at += layout->count[kind] * width;
  }
  if (!components.empty()) columns->texts.emplace("component", std::move(components));

  BodyFile read;
  read.bodies = std::move(columns);
  read.where = [file](std::size_t body) { return fmt::format("{}: particle {}", file.string(), body); };
  read.units = FileUnits{};
  read.time = layout->time;
  if (wanted[0] && layout->count[0] > 0)
    read.remarks.emplace_back("gas becomes bodies: its density, temperature and so on are left out");
  return read;
}

constexpr std::string_view keys[] = {"components"};

}  // namespace

extern const BodyFormat tipsy_bodies{.name = "tipsy",
                                     .meaning = "snapshots of TIPSY, big- and little-endian",
                                     .recognises = is_tipsy,
                                     .read = read_tipsy,
                                     .keys = keys};

}  // namespace orrery::pipeline
