// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/bodies.hpp"

#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "pipeline/trajectory/checksums.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/orbit.hpp"

namespace orrery::pipeline::trajectory {
namespace {

using hdf5::Failure;
using hdf5::Handle;

constexpr const char* kInitial = "/parameters/initial";
constexpr std::array kDatasets{"mass", "id", "species", "charge", "radius", "names"};

/// Throws Failure unless a dataset matches its checksum and has one entry per stored body.
void check_entries(hid_t particles, const std::string& name) {
  verify_checksum(particles, name);
  const hdf5::Extents frames = hdf5::extents(hdf5::open_dataset(particles, "position/value"));
  const hdf5::Extents mine = hdf5::extents(hdf5::open_dataset(particles, name));
  if (mine != hdf5::Extents{frames.at(1)}) throw Failure("/particles/all/" + name + " should have one entry per body");
}

template <class T>
std::vector<T> read_checked(hid_t particles, const std::string& name) {
  check_entries(particles, name);
  return hdf5::read_flat<T>(particles, name);
}

void check_ids(const std::vector<std::int64_t>& ids, std::size_t bodies) {
  std::int64_t last = -1;
  for (const std::int64_t id : ids) {
    if (id <= last || std::cmp_greater_equal(id, bodies)) throw Failure("bodies to keep: ascending numbers");
    last = id;
  }
}

std::string table_path(std::size_t i) {
  return std::string(kInitial) + "/" + std::to_string(i);
}

bool has_table(hid_t file, std::size_t i) {
  return hdf5::exists(file, kInitial) && hdf5::exists(file, table_path(i));
}

}  // namespace

void check_bodies(const sim::Bodies& bodies, const std::vector<std::int64_t>& kept) {
  if (bodies.size() == 0) throw Failure("a trajectory needs at least one body");
  const auto check = [&](const char* name, std::size_t entries) {
    if (entries != bodies.size()) throw Failure(std::string(name) + ": one entry per body is needed");
  };
  check("species", bodies.species.size());
  if (!bodies.charge.empty()) check("charge", bodies.charge.size());
  if (!bodies.radius.empty()) check("radius", bodies.radius.size());
  if (!bodies.names.empty()) check("names", bodies.names.size());
  check_ids(kept, bodies.size());
}

void write_bodies(hid_t particles, const sim::Bodies& stored, std::vector<std::int64_t> kept,
                  const std::vector<std::string>& components) {
  if (kept.empty()) {
    kept.resize(stored.size());
    std::iota(kept.begin(), kept.end(), 0);
  }
  hdf5::write_flat(particles, "mass", std::span(stored.mass));
  hdf5::write_flat<std::int64_t>(particles, "id", std::span(kept));
  hdf5::write_flat(particles, "species", std::span(stored.species));
  hdf5::write_texts_attribute(hdf5::open_dataset(particles, "species"), "names", components);
  if (!stored.charge.empty()) hdf5::write_flat(particles, "charge", std::span(stored.charge));
  if (!stored.radius.empty()) hdf5::write_flat(particles, "radius", std::span(stored.radius));
  if (!stored.names.empty()) hdf5::write_texts(particles, "names", stored.names);
}

void add_checksums_of_bodies(hid_t particles) {
  for (const char* name : kDatasets) {
    if (hdf5::exists(particles, name)) add_checksum(particles, name);
  }
}

sim::Bodies read_bodies(hid_t file) {
  const Handle all = hdf5::open_group(file, "/particles/all");
  sim::Bodies bodies;
  bodies.mass = read_checked<double>(all, "mass");
  bodies.species = read_checked<std::int32_t>(all, "species");
  if (hdf5::exists(all, "charge")) bodies.charge = read_checked<double>(all, "charge");
  if (hdf5::exists(all, "radius")) bodies.radius = read_checked<double>(all, "radius");
  if (hdf5::exists(all, "names")) {
    check_entries(all, "names");
    bodies.names = hdf5::read_texts(all, "names");
  }
  return bodies;
}

std::vector<std::int64_t> read_ids(hid_t file) {
  auto ids = read_checked<std::int64_t>(hdf5::open_group(file, "/particles/all"), "id");
  const auto whole = hdf5::read_attribute<std::int64_t>(hdf5::open_group(file, "/parameters"), "bodies");
  check_ids(ids, static_cast<std::size_t>(whole));
  return ids;
}

std::vector<std::string> read_components(hid_t file) {
  verify_checksum(file, "/particles/all/species");
  return hdf5::read_texts_attribute(hdf5::open_dataset(file, "/particles/all/species"), "names");
}

void write_initial(hid_t parameters, const std::map<std::size_t, SharedColumns>& tables) {
  if (tables.empty()) return;
  const Handle initial = hdf5::create_group(parameters, "initial");
  for (const auto& [i, columns] : tables) {
    const Handle table = hdf5::create_group(initial, std::to_string(i));
    for (const auto& [name, values] : columns->numbers) {
      const std::size_t count = values.size() / columns->rows;
      hdf5::write_flat(table, name, std::span(values),
                       count == 1 ? hdf5::Extents{columns->rows} : hdf5::Extents{columns->rows, count});
      add_checksum(table, name);
    }
    for (const auto& [name, texts] : columns->texts) {
      hdf5::write_texts(table, name, texts);
      add_checksum(table, name);
    }
  }
}

std::size_t initial_rows(hid_t file, std::size_t i) {
  if (!has_table(file, i)) return 0;
  return hdf5::length(hdf5::open_dataset(file, table_path(i) + "/mass"));
}

SharedColumns read_initial(hid_t file, std::size_t i) {
  if (!has_table(file, i)) return nullptr;
  const Handle table = hdf5::open_group(file, table_path(i));
  auto columns = std::make_shared<Columns>();
  columns->rows = initial_rows(file, i);
  const auto read = [&](const char* name, const hdf5::Extents& row) {
    if (!hdf5::exists(table, name)) return false;
    const Handle dataset = hdf5::open_dataset(table, name);
    hdf5::require_rows(dataset, row);
    if (hdf5::length(dataset) != columns->rows) throw Failure(table_path(i) + ": its columns are of different lengths");
    verify_checksum(table, name);
    return true;
  };
  const auto read_numbers = [&](const std::string& name, const hdf5::Extents& row) {
    const bool there = read(name.c_str(), row);
    if (there) columns->numbers.emplace(name, hdf5::read_flat<double>(table, name));
    return there;
  };
  if (!read_numbers("mass", {})) throw Failure(table_path(i) + " has no mass");
  read_numbers("charge", {});
  read_numbers("radius", {});
  bool on_orbits = false;
  for (const auto& element : sim::orbital_element_list)
    on_orbits = read_numbers(std::string(element.name), {}) || on_orbits;
  for (const char* name : {"position", "velocity"}) {
    if (!read_numbers(name, {3}) && !on_orbits) throw Failure(table_path(i) + " has no " + name);
  }
  for (const char* name : {"name", "component", "around", "plane"}) {
    if (read(name, {})) columns->texts.emplace(name, hdf5::read_texts(table, name));
  }
  return columns;
}

std::map<std::size_t, SharedColumns> read_all_initial(hid_t file) {
  std::map<std::size_t, SharedColumns> tables;
  if (!hdf5::exists(file, kInitial)) return tables;
  const Handle group = hdf5::open_group(file, kInitial);
  H5G_info_t info;
  hdf5::check(H5Gget_info(group, &info));
  constexpr std::size_t max_tables = 100'000;  // more than any scenario has
  for (std::size_t i = 0; tables.size() < info.nlinks && i < max_tables; ++i) {
    if (SharedColumns table = read_initial(file, i)) tables.emplace(i, std::move(table));
  }
  return tables;
}

}  // namespace orrery::pipeline::trajectory

namespace orrery::pipeline {
namespace {

template <class T>
void keep_only(std::vector<T>& values, const std::vector<std::int64_t>& kept) {
  if (values.empty()) return;
  std::vector<T> chosen;
  chosen.reserve(kept.size());
  for (const std::int64_t n : kept) chosen.push_back(values[static_cast<std::size_t>(n)]);
  values = std::move(chosen);
}

}  // namespace

sim::Bodies stored_bodies(const sim::Bodies& bodies, const TrajectoryOptions& options) {
  sim::Bodies stored = bodies;
  if (options.bodies.empty()) return stored;
  for (sim::Vectors* v : {&stored.position, &stored.velocity}) {
    for (auto* axis : {&v->x, &v->y, &v->z}) keep_only(*axis, options.bodies);
  }
  keep_only(stored.mass, options.bodies);
  keep_only(stored.charge, options.bodies);
  keep_only(stored.radius, options.bodies);
  keep_only(stored.species, options.bodies);
  keep_only(stored.names, options.bodies);
  return stored;
}

}  // namespace orrery::pipeline
