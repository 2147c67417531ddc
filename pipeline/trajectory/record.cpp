// SPDX-License-Identifier: MIT
// The schema of the file, and the parts of it that never change.
#include "pipeline/trajectory/record.hpp"

#include <array>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "pipeline/trajectory/rows.hpp"
#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {
namespace {

using hdf5::Failure;
using hdf5::Handle;

void write_h5md(hid_t file, const RunRecord& record) {
  const Handle h5md = hdf5::create_group(file, "h5md");
  constexpr std::array<std::int32_t, 2> version{1, 1};
  hdf5::write_attribute(h5md, "version", hdf5::type_of<std::int32_t>(), {2}, version.data());
  hdf5::write_text_attribute(hdf5::create_group(h5md, "author"), "name",
                             record.author.empty() ? "unknown" : record.author);
  const Handle creator = hdf5::create_group(h5md, "creator");
  const auto made_by = record.provenance.find("version");
  hdf5::write_text_attribute(creator, "name", "orrery");
  hdf5::write_text_attribute(creator, "version", made_by == record.provenance.end() ? "unknown" : made_by->second);
}

void write_box(hid_t particles, const TrajectoryBox& box) {
  const Handle group = hdf5::create_group(particles, "box");
  const auto dimension = static_cast<std::size_t>(box.dimension);
  if (box.dimension != 2 && box.dimension != 3) throw Failure("a box has two or three dimensions");
  if (!box.edges.empty() && box.edges.size() != dimension) throw Failure("a box has one edge a dimension");
  if (!box.boundary.empty() && box.boundary.size() != dimension) throw Failure("a box has one boundary a dimension");
  hdf5::write_attribute(group, "dimension", static_cast<std::int32_t>(dimension));
  const std::vector<std::string> open(dimension, "none");
  hdf5::write_texts_attribute(group, "boundary", box.boundary.empty() ? open : box.boundary);
  if (!box.edges.empty()) hdf5::write_flat(group, "edges", std::span(box.edges));
}

TrajectoryBox read_box(hid_t file) {
  const Handle group = hdf5::open_group(file, "/particles/all/box");
  TrajectoryBox box;
  box.dimension = hdf5::read_attribute<std::int32_t>(group, "dimension");
  box.boundary = hdf5::read_texts_attribute(group, "boundary");
  if (hdf5::exists(group, "edges")) box.edges = hdf5::read_flat<double>(group, "edges");
  if (box.edges.empty() && box.boundary == std::vector<std::string>(box.boundary.size(), "none")) box.boundary.clear();
  return box;
}

template <class T>
void check_sum(hid_t parameters, const std::string& name, const std::vector<T>& values) {
  if (hdf5::read_attribute<std::uint64_t>(parameters, "xxh3_" + name) == hash_of(values)) return;
  throw Failure("/particles/all/" + name + " does not match its checksum");
}

void check_bodies(const sim::Bodies& bodies, const std::vector<std::int64_t>& kept) {
  if (bodies.size() == 0) throw Failure("a trajectory needs at least one body");
  const auto check = [&](const char* name, std::size_t entries) {
    if (entries != bodies.size()) throw Failure(std::string(name) + ": one entry a body is needed");
  };
  check("species", bodies.species.size());
  if (!bodies.charge.empty()) check("charge", bodies.charge.size());
  if (!bodies.names.empty()) check("names", bodies.names.size());
  std::int64_t last = -1;
  for (const std::int64_t id : kept) {
    if (id <= last || std::cmp_greater_equal(id, bodies.size())) throw Failure("bodies to keep: ascending numbers");
    last = id;
  }
}

void write_bodies(hid_t particles, hid_t parameters, const sim::Bodies& bodies, std::vector<std::int64_t> id,
                  const RunRecord& record) {
  const auto write = [&]<class T>(const char* name, const std::vector<T>& values) {
    hdf5::write_flat(particles, name, std::span(values));
    hdf5::write_attribute(parameters, std::string("xxh3_") + name, hash_of(values));
  };
  if (id.empty()) {
    id.resize(bodies.size());
    std::iota(id.begin(), id.end(), 0);
  }
  write("mass", bodies.mass);
  write("id", id);
  write("species", bodies.species);
  hdf5::write_texts_attribute(hdf5::open_dataset(particles, "species"), "names", record.components);
  if (!bodies.charge.empty()) write("charge", bodies.charge);
  if (!bodies.names.empty()) hdf5::write_texts(particles, "names", bodies.names);
}

// H5MD's way with units: "au yr-1". N-body units have none.
void write_units(hid_t file, const RunRecord& record, bool velocities) {
  const std::string &length = record.length_unit, &time = record.time_unit, &mass = record.mass_unit;
  const auto say = [&](const std::string& dataset, const std::string& unit) {
    hdf5::write_text_attribute(hdf5::open_dataset(file, dataset), "unit", unit);
  };
  const std::string all = "/particles/all/", seen = "/observables/";
  if (!length.empty()) {
    say(all + "position/value", length);
    say(seen + "center_of_mass/value", length);
  }
  if (!time.empty()) {
    say(all + "position/time", time);
    say(seen + "kinetic_energy/time", time);
  }
  if (!mass.empty()) say(all + "mass", mass);
  if (length.empty() || time.empty()) return;
  if (velocities) say(all + "velocity/value", length + " " + time + "-1");
  if (mass.empty()) return;
  for (const char* energy : {"kinetic_energy", "potential_energy", "total_energy"}) {
    say(seen + energy + "/value", mass + " " + length + "+2 " + time + "-2");
  }
  say(seen + "momentum/value", mass + " " + length + " " + time + "-1");
  say(seen + "angular_momentum/value", mass + " " + length + "+2 " + time + "-1");
}

void write_parameters(hid_t group, const RunRecord& record, const TrajectoryOptions& options) {
  hdf5::write_text(group, "scenario", record.scenario);
  hdf5::write_text(group, "resolved", record.resolved);
  hdf5::write_text(group, "physics", record.physics);
  hdf5::write_text_attribute(group, "title", record.title);
  hdf5::write_attribute(group, "seed", record.seed);
  hdf5::write_attribute(group, "dt", record.dt);
  hdf5::write_attribute(group, "steps", record.steps);
  hdf5::write_attribute(group, "commit", options.commit);
  hdf5::write_attribute(group, "sync", options.sync);
  hdf5::write_text_attribute(group, "length_unit", record.length_unit);
  hdf5::write_text_attribute(group, "time_unit", record.time_unit);
  hdf5::write_text_attribute(group, "mass_unit", record.mass_unit);
  hdf5::write_texts_attribute(group, "columns", record.columns);
  const Handle provenance = hdf5::create_group(group, "provenance");
  for (const auto& [key, value] : record.provenance) hdf5::write_text_attribute(provenance, key, value);
  const std::int32_t finished = 0;
  hdf5::write_flat(group, "finished", std::span(&finished, 1));
}

}  // namespace

Shape shape_of(const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options) {
  return {.bodies = options.bodies.empty() ? bodies.size() : options.bodies.size(),
          .whole = bodies.size(),
          .single_precision = options.single_precision,
          .velocities = options.velocities,
          .columns = record.columns.size()};
}

void write_schema(hid_t file, const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options) {
  check_bodies(bodies, options.bodies);
  const Shape shape = shape_of(bodies, record, options);
  write_h5md(file, record);
  const Handle parameters = hdf5::create_group(file, "parameters");
  hdf5::write_attribute(parameters, "bodies", static_cast<std::int64_t>(shape.whole));
  write_parameters(parameters, record, options);
  const Handle all = hdf5::create_group(hdf5::create_group(file, "particles"), "all");
  write_box(all, record.box);
  write_bodies(all, parameters, stored_bodies(bodies, options), options.bodies, record);
  FrameSeries::create(all, shape);
  RowSeries::create(file);
  RestartSlots::create(file, shape);
  TailSlots::create(file, shape);
  write_units(file, record, options.velocities);
}

RunRecord read_record(hid_t file) {
  const Handle group = hdf5::open_group(file, "/parameters");
  const Handle provenance = hdf5::open_group(group, "provenance");
  RunRecord record;
  record.title = hdf5::read_text_attribute(group, "title");
  record.author = hdf5::read_text_attribute(hdf5::open_group(file, "/h5md/author"), "name");
  record.scenario = hdf5::read_text(group, "scenario");
  record.resolved = hdf5::read_text(group, "resolved");
  record.physics = hdf5::read_text(group, "physics");
  record.seed = hdf5::read_attribute<std::uint64_t>(group, "seed");
  record.dt = hdf5::read_attribute<double>(group, "dt");
  record.steps = hdf5::read_attribute<std::int64_t>(group, "steps");
  for (const auto& key : hdf5::attribute_names(provenance)) {
    record.provenance[key] = hdf5::read_text_attribute(provenance, key);
  }
  record.components = hdf5::read_texts_attribute(hdf5::open_dataset(file, "/particles/all/species"), "names");
  record.length_unit = hdf5::read_text_attribute(group, "length_unit");
  record.time_unit = hdf5::read_text_attribute(group, "time_unit");
  record.mass_unit = hdf5::read_text_attribute(group, "mass_unit");
  record.columns = hdf5::read_texts_attribute(group, "columns");
  record.box = read_box(file);
  return record;
}

TrajectoryOptions read_options(hid_t file) {
  const Handle group = hdf5::open_group(file, "/parameters");
  const Shape shape = read_shape(file);
  return {.single_precision = shape.single_precision,
          .velocities = shape.velocities,
          .bodies = shape.bodies < shape.whole ? read_ids(file) : std::vector<std::int64_t>(),
          .commit = hdf5::read_attribute<double>(group, "commit"),
          .sync = hdf5::read_attribute<double>(group, "sync")};
}

sim::Bodies read_bodies(hid_t file) {
  const Handle all = hdf5::open_group(file, "/particles/all");
  const Handle parameters = hdf5::open_group(file, "/parameters");
  sim::Bodies bodies;
  bodies.mass = hdf5::read_flat<double>(all, "mass");
  check_sum(parameters, "mass", bodies.mass);
  bodies.species = hdf5::read_flat<std::int32_t>(all, "species");
  check_sum(parameters, "species", bodies.species);
  if (hdf5::exists(all, "charge")) {
    bodies.charge = hdf5::read_flat<double>(all, "charge");
    check_sum(parameters, "charge", bodies.charge);
  }
  if (hdf5::exists(all, "names")) bodies.names = hdf5::read_texts(all, "names");
  bodies.position = bodies.velocity = sim::Vectors(bodies.size());
  return bodies;
}

std::vector<std::int64_t> read_ids(hid_t file) {
  auto id = hdf5::read_flat<std::int64_t>(hdf5::open_group(file, "/particles/all"), "id");
  check_sum(hdf5::open_group(file, "/parameters"), "id", id);
  return id;
}

Shape read_shape(hid_t file) {
  for (const char* path : {"/h5md", "/particles", "/particles/all", "/particles/all/stamp", "/restart", "/tail"}) {
    if (!hdf5::exists(file, path))
      throw Failure("an HDF5 file, but not a trajectory of orrery: it has no " + std::string(path));
  }
  const Handle value = hdf5::open_uncached(file, "/particles/all/position/value");
  const Handle type(H5Dget_type(value));
  const hdf5::Extents extents = hdf5::extents(value);
  if (extents.size() != 3 || extents[1] == 0 || extents[2] != 3) throw Failure("position/value is not [T][N][3]");
  const Handle parameters = hdf5::open_group(file, "/parameters");
  return {.bodies = extents[1],
          .whole = static_cast<std::size_t>(hdf5::read_attribute<std::int64_t>(parameters, "bodies")),
          .single_precision = H5Tget_size(type) == sizeof(float),
          .velocities = hdf5::exists(file, "/particles/all/velocity"),
          .columns = hdf5::read_texts_attribute(parameters, "columns").size()};
}

bool read_finished(hid_t file) {
  const auto words = hdf5::read_flat<std::int32_t>(file, "/parameters/finished");
  if (words.size() != 1) throw Failure("/parameters/finished is damaged");
  return words[0] != 0;
}

void write_finished(hid_t file) {
  const std::int32_t yes = 1;
  hdf5::write_all(hdf5::open_dataset(file, "/parameters/finished"), hdf5::type_of<std::int32_t>(), &yes);
}

}  // namespace orrery::pipeline::trajectory
