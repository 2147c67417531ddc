// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/record.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/physical_unit.hpp"
#include "pipeline/trajectory/bodies.hpp"
#include "pipeline/trajectory/box.hpp"
#include "pipeline/trajectory/checksums.hpp"
#include "pipeline/trajectory/rows.hpp"
#include "pipeline/trajectory/slots.hpp"

namespace orrery::pipeline::trajectory {
namespace {

using hdf5::Failure;
using hdf5::Handle;

constexpr std::int32_t kFormat = 5;
constexpr std::int64_t max_frames = 1'000'000'000'000'000;  // as a scenario can have steps
constexpr const char* kStep = "step";                       // attribute of a RunPart

/// What a reader must know of to read a file: what its checksums cover.
namespace feature {
constexpr std::string_view states = "states", extremes = "extremes", approach = "closest-approach", virial = "virial",
                           pressure = "pressure", images = "images";
}
constexpr std::array known_features{feature::states, feature::extremes, feature::approach,
                                    feature::virial, feature::pressure, feature::images};

std::vector<std::string> features_of(const Shape& shape, const RowParts& rows) {
  std::vector<std::string> features;
  const auto add = [&](bool has, std::string_view feature) {
    if (has) features.emplace_back(feature);
  };
  add(true, feature::states);  // as restart states are stored since the first release
  add(rows.extremes, feature::extremes);
  add(rows.stores_approach(), feature::approach);
  add(rows.virial, feature::virial);
  add(rows.stores_pressure(), feature::pressure);
  add(shape.images, feature::images);
  return features;
}

/// Refuses a file of another format, or that requires an unknown feature.
void check_format(hid_t file) {
  const Handle parameters = hdf5::open_group(file, "/parameters");
  const auto has = [&](const char* attribute) { return hdf5::has_attribute(parameters, attribute); };
  const std::int32_t format = has("format") ? hdf5::read_attribute<std::int32_t>(parameters, "format") : 1;
  std::string what = "in format " + std::to_string(format);
  if (format == kFormat && !has("requires")) {
    what = "before the release of 0.1.0";
  } else if (format == kFormat) {
    std::string unknown;
    for (const std::string& feature : hdf5::read_texts_attribute(parameters, "requires")) {
      if (std::ranges::find(known_features, feature) == known_features.end())
        unknown += (unknown.empty() ? "" : ", ") + feature;
    }
    if (unknown.empty()) return;
    what = "with " + unknown + ", which this version does not know";
  }
  const bool named = hdf5::exists(file, "/h5md/creator");
  const auto by = named ? hdf5::read_texts_attribute(hdf5::open_group(file, "/h5md/creator"), "version")
                        : std::vector<std::string>{};
  throw Failure("written by orrery " + (by.empty() ? "of an unknown version" : by.front()) + " " + what +
                "; this orrery reads format " + std::to_string(kFormat));
}

void write_h5md(hid_t file, const RunRecord& record) {
  const Handle h5md = hdf5::create_group(file, "h5md");
  constexpr std::array<std::int32_t, 2> version{1, 1};
  hdf5::write_attribute(h5md, "version", hdf5::type_of<std::int32_t>(), {2}, version.data());
  hdf5::write_text_attribute(hdf5::create_group(h5md, "author"), "name",
                             record.author.empty() ? "unknown" : record.author);
  add_checksum(h5md, "author");
  const Handle creator = hdf5::create_group(h5md, "creator");
  const auto made_by = record.provenance.find("version");
  hdf5::write_text_attribute(creator, "name", "orrery");
  hdf5::write_text_attribute(creator, "version", made_by == record.provenance.end() ? "unknown" : made_by->second);
}

void write_provenance(hid_t group, const std::map<std::string, std::string>& provenance) {
  for (const auto& [key, value] : provenance) hdf5::write_text_attribute(group, key, value);
  add_checksum(group, ".");
}

std::map<std::string, std::string> read_provenance(hid_t group) {
  verify_checksum(group, ".");
  std::map<std::string, std::string> provenance;
  for (const auto& key : hdf5::attribute_names(group)) {
    if (key != kStep && key != checksum_name) provenance[key] = hdf5::read_text_attribute(group, key);
  }
  return provenance;
}

void write_density(hid_t parameters, const sim::DensityProfile& profile) {
  const Handle density = hdf5::create_group(parameters, "density");
  hdf5::write_text_attribute(density, "form", std::string(sim::name_of(profile.form)));
  hdf5::write_attribute(density, "mass", profile.mass);
  hdf5::write_attribute(density, "length", profile.length);
  if (profile.parameter != 0) hdf5::write_attribute(density, "parameter", profile.parameter);
  if (profile.edge != 0) hdf5::write_attribute(density, "edge", profile.edge);
  add_checksum(parameters, "density");
}

void write_parameters(hid_t file, const RunRecord& record, const TrajectoryOptions& options, std::size_t bodies,
                      const std::vector<std::string>& features) {
  const Handle group = hdf5::create_group(file, "parameters");
  hdf5::write_attribute(group, "format", kFormat);
  hdf5::write_texts_attribute(group, "requires", features);
  hdf5::write_attribute(group, "bodies", static_cast<std::int64_t>(bodies));
  hdf5::write_text_attribute(group, "title", record.title);
  hdf5::write_attribute(group, "seed", record.seed);
  hdf5::write_attribute(group, "dt", record.dt);
  hdf5::write_attribute(group, "steps", record.steps);
  hdf5::write_attribute(group, "frames", record.frames);
  hdf5::write_attribute(group, "commit", options.commit);
  hdf5::write_attribute(group, "sync", options.sync);
  hdf5::write_attribute(group, "G", record.initial_facts.G);
  hdf5::write_attribute(group, "mass", record.initial_facts.mass);
  hdf5::write_attribute(group, "timescale", record.initial_facts.timescale);
  hdf5::write_text_attribute(group, "timescale_name", record.initial_facts.timescale_name);
  hdf5::write_text_attribute(group, "units", record.units);
  hdf5::write_text_attribute(group, "length_unit", record.length_unit);
  hdf5::write_text_attribute(group, "time_unit", record.time_unit);
  hdf5::write_text_attribute(group, "mass_unit", record.mass_unit);
  if (record.epoch) {
    hdf5::write_text_attribute(group, "epoch", to_text(*record.epoch));
    hdf5::write_attribute(group, "julian_date", record.epoch->julian_date());
  }
  hdf5::write_texts_attribute(group, "columns", record.columns);
  add_checksum(file, "parameters");
  const auto write_text = [&](const char* name, const std::string& text) {
    hdf5::write_text(group, name, text);
    add_checksum(group, name);
  };
  write_text("scenario", record.scenario);
  write_text("resolved", record.resolved);
  if (record.initial_facts.density) write_density(group, *record.initial_facts.density);
  write_initial(group, record.initial);
  write_provenance(hdf5::create_group(group, "provenance"), record.provenance);
  hdf5::create_group(group, "parts", 64);
  const std::array<std::uint64_t, 2> not_yet{0, ~std::uint64_t{0}};
  hdf5::write_flat(group, "finished", std::span<const std::uint64_t>(not_yet));
}

/// Adds H5MD's `unit` attributes (module units 1.0) to all datasets; does nothing in N-body units.
void write_units(hid_t file, const RunRecord& record, bool velocities) {
  const PhysicalUnit length(record.length_unit), time(record.time_unit), mass(record.mass_unit);
  if (length.empty() && time.empty() && mass.empty()) return;
  const Handle module = hdf5::create_group(hdf5::create_group(hdf5::open_group(file, "/h5md"), "modules"), "units");
  constexpr std::array<std::int32_t, 2> version{1, 0};
  hdf5::write_attribute(module, "version", hdf5::type_of<std::int32_t>(), {2}, version.data());
  hdf5::write_text_attribute(module, "system", record.units == "si" ? "SI" : record.units, H5T_CSET_ASCII);
  const auto set = [&](const std::string& dataset, const PhysicalUnit& unit) {
    if (!unit.empty())
      hdf5::write_text_attribute(hdf5::open_dataset(file, dataset), "unit", unit.h5md(), H5T_CSET_ASCII);
  };
  const std::string particles = "/particles/all/", observables = "/observables/";
  const PhysicalUnit speed = length / time, energy = mass * speed * speed;
  set(particles + "position/value", length);
  set(particles + "position/time", time);
  set(particles + "mass", mass);
  if (velocities) set(particles + "velocity/value", speed);
  set(observables + "kinetic_energy/time", time);
  set(observables + "center_of_mass/value", length);
  for (const char* kind : {"kinetic_energy", "potential_energy", "total_energy"})
    set(observables + kind + "/value", energy);
  set(observables + "momentum/value", mass * speed);
  set(observables + "angular_momentum/value", mass * length * speed);
  if (record.virial) {
    for (const char* kind : {"virial", "temperature"}) set(observables + kind + "/value", energy);
    const PhysicalUnit area = length * length;
    if (record.domain.volume() > 0)
      set(observables + "pressure/value", energy / (record.domain.dimensions == 2 ? area : area * length));
  }
  if (!hdf5::exists(file, observables + "states")) return;
  set(observables + "total_energy_range/value", energy);
  set(observables + "angular_momentum_range/value", mass * length * speed);
  if (hdf5::exists(file, observables + "closest_approach")) set(observables + "closest_approach/value", length);
}

std::string read_checked_text(hid_t group, const std::string& name) {
  verify_checksum(group, name);
  return hdf5::read_text(group, name);
}

std::vector<RunPart> read_parts(hid_t parameters) {
  const Handle parts = hdf5::open_group(parameters, "parts");
  std::vector<RunPart> found;
  for (std::string name = "1"; hdf5::exists(parts, name); name = std::to_string(found.size() + 1)) {
    const Handle part = hdf5::open_group(parts, name);
    found.push_back({hdf5::read_attribute<std::int64_t>(part, kStep), read_provenance(part)});
  }
  return found;
}

std::optional<Date> read_epoch(hid_t parameters) {
  if (!hdf5::has_attribute(parameters, "epoch")) return std::nullopt;
  try {
    return parse_date(hdf5::read_text_attribute(parameters, "epoch"));
  } catch (const std::invalid_argument&) {
    throw Failure("it has an epoch that is no date");
  }
}

InitialFacts read_initial_facts(hid_t parameters) {
  InitialFacts facts{.G = hdf5::read_attribute<double>(parameters, "G"),
                     .timescale = hdf5::read_attribute<double>(parameters, "timescale"),
                     .timescale_name = hdf5::read_text_attribute(parameters, "timescale_name"),
                     .mass = hdf5::read_attribute<double>(parameters, "mass")};
  if (!hdf5::exists(parameters, "density")) return facts;
  verify_checksum(parameters, "density");
  const Handle density = hdf5::open_group(parameters, "density");
  if (const auto form = sim::density_form(hdf5::read_text_attribute(density, "form"))) {
    const auto optional = [&](const char* name) {
      return hdf5::has_attribute(density, name) ? hdf5::read_attribute<double>(density, name) : 0;
    };
    const double parameter = optional("parameter"), edge = optional("edge");
    if (!(parameter >= 0 && parameter <= 16 && edge >= 0)) return facts;  // others may take for ever to compute
    facts.density = sim::DensityProfile{*form, hdf5::read_attribute<double>(density, "mass"),
                                        hdf5::read_attribute<double>(density, "length"), parameter, edge};
  }
  return facts;
}

}  // namespace

Shape shape_of(const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options) {
  Shape shape{.bodies = options.bodies.empty() ? bodies.size() : options.bodies.size(),
              .total_bodies = bodies.size(),
              .single_precision = options.single_precision,
              .velocities = options.velocities,
              .images = record.domain.is_periodic(),
              .columns = record.columns.size()};
  shape.chunk_frames = shape.best_chunk_frames(static_cast<std::size_t>(record.frames));
  return shape;
}

namespace {

RowParts rows_of(const RunRecord& record, const TrajectoryOptions& options, const Shape& shape) {
  return {.extremes = options.extremes,
          .virial = record.virial,
          .pressure = record.domain.volume() > 0,
          .approach = has_approach(shape.total_bodies)};
}

}  // namespace

void write_schema(hid_t file, const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options) {
  check_bodies(bodies, options.bodies);
  const Shape shape = shape_of(bodies, record, options);
  write_h5md(file, record);
  const RowParts rows = rows_of(record, options, shape);
  write_parameters(file, record, options, shape.total_bodies, features_of(shape, rows));
  const Handle all = hdf5::create_group(hdf5::create_group(file, "particles"), "all");
  write_box(all, record.domain, record.length_unit);
  write_bodies(all, stored_bodies(bodies, options), options.bodies, record.components);
  FrameSeries::create(all, shape, static_cast<std::size_t>(record.frames));
  RowSeries::create(file, record.expected_rows, rows);
  RestartSlots::create(file, shape);
  TailSlots::create(file, shape);
  write_units(file, record, options.velocities);
  add_checksums_of_bodies(all);
}

RunRecord read_record(hid_t file) {
  const Handle group = hdf5::open_group(file, "/parameters");
  RunRecord record;
  record.title = hdf5::read_text_attribute(group, "title");
  verify_checksum(file, "/h5md/author");
  record.author = hdf5::read_text_attribute(hdf5::open_group(file, "/h5md/author"), "name");
  record.scenario = read_checked_text(group, "scenario");
  record.resolved = read_checked_text(group, "resolved");
  record.seed = hdf5::read_attribute<std::uint64_t>(group, "seed");
  record.dt = hdf5::read_attribute<double>(group, "dt");
  record.steps = hdf5::read_attribute<std::int64_t>(group, "steps");
  if (hdf5::has_attribute(group, "frames")) record.frames = hdf5::read_attribute<std::int64_t>(group, "frames");
  if (record.frames < 0 || record.frames > max_frames) throw Failure("it has an invalid number of frames");
  record.provenance = read_provenance(hdf5::open_group(group, "provenance"));
  record.parts = read_parts(group);
  record.components = read_components(file);
  record.units = hdf5::read_text_attribute(group, "units");
  record.length_unit = hdf5::read_text_attribute(group, "length_unit");
  record.time_unit = hdf5::read_text_attribute(group, "time_unit");
  record.mass_unit = hdf5::read_text_attribute(group, "mass_unit");
  record.epoch = read_epoch(group);
  record.initial_facts = read_initial_facts(group);
  record.columns = hdf5::read_texts_attribute(group, "columns");
  record.domain = read_box(file);
  record.virial = hdf5::exists(file, "/observables/virial");
  const bool images = hdf5::exists(file, "/particles/all/image");
  if (images != record.domain.is_periodic())
    throw Failure(images ? "it has /particles/all/image and no box that is periodic"
                         : "its box is periodic, and it has no /particles/all/image");
  return record;
}

void add_part(hid_t file, const RunPart& part) {
  const Handle parts = hdf5::open_group(file, "/parameters/parts");
  std::size_t n = 1;
  for (const RunPart& before : read_parts(hdf5::open_group(file, "/parameters"))) n += before.step < part.step ? 1 : 0;
  for (std::size_t old = n; hdf5::exists(parts, std::to_string(old)); ++old) {
    hdf5::check(H5Ldelete(parts, std::to_string(old).c_str(), H5P_DEFAULT));
    if (!hdf5::exists(parts, std::to_string(old + 1)))
      hdf5::flush_and_sync(file);  // before the space that it occupied is reused
  }
  const Handle group = hdf5::create_unlinked_group(file);
  hdf5::write_attribute(group, kStep, part.step);
  write_provenance(group, part.provenance);
  hdf5::link(group, parts, std::to_string(n));
}

TrajectoryOptions read_options(hid_t file) {
  const Handle group = hdf5::open_group(file, "/parameters");
  const Shape shape = read_shape(file);
  return {.single_precision = shape.single_precision,
          .velocities = shape.velocities,
          .extremes = hdf5::exists(file, "/observables/states"),
          .bodies = shape.bodies < shape.total_bodies ? read_ids(file) : std::vector<std::int64_t>(),
          .commit = hdf5::read_attribute<double>(group, "commit"),
          .sync = hdf5::read_attribute<double>(group, "sync")};
}

Shape read_shape(hid_t file) {
  const auto need = [&](const std::string& path) {
    if (hdf5::exists(file, path)) return;
    throw Failure("an HDF5 file, but not a trajectory of orrery: it has no " + path);
  };
  if (hdf5::exists(file, "/Header") && (hdf5::exists(file, "/PartType0") || hdf5::exists(file, "/PartType1"))) {
    throw Failure(
        "a snapshot in the format of GADGET, not a trajectory of orrery: write its bodies to a CSV file, which "
        "kind = \"table\" in [initial] reads (`file`)");
  }
  need("/h5md");
  need("/parameters");
  check_format(file);
  verify_checksum(file, "/parameters");
  for (const char* path : {"/particles", "/particles/all", "/particles/all/stamp", "/restart", "/tail"}) need(path);
  const Handle value = hdf5::open_uncached(file, "/particles/all/position/value");
  const Handle type(H5Dget_type(value));
  const hdf5::Extents extents = hdf5::extents(value);
  if (extents.size() != 3 || extents[1] == 0 || extents[2] != 3) throw Failure("position/value is not [T][N][3]");
  const Handle parameters = hdf5::open_group(file, "/parameters");
  return {.bodies = extents[1],
          .total_bodies = static_cast<std::size_t>(hdf5::read_attribute<std::int64_t>(parameters, "bodies")),
          .single_precision = H5Tget_size(type) == sizeof(float),
          .velocities = hdf5::exists(file, "/particles/all/velocity"),
          .images = hdf5::exists(file, "/particles/all/image"),
          .columns = hdf5::read_texts_attribute(parameters, "columns").size(),
          .chunk_frames = hdf5::chunk_rows(value)};
}

sim::Ensemble read_ensemble(hid_t file) {
  const Handle parameters = hdf5::open_group(file, "/parameters");
  const auto bodies = static_cast<std::size_t>(hdf5::read_attribute<std::int64_t>(parameters, "bodies"));
  return sim::ensemble_of(bodies, read_initial_facts(parameters).mass, read_box(file));
}

std::uint64_t read_finished(hid_t file) {
  const auto words = hdf5::read_flat<std::uint64_t>(file, "/parameters/finished");
  if (words.size() != 2 || words[0] != ~words[1]) throw Failure("/parameters/finished is damaged");
  return words[0];
}

void write_finished(hid_t file, std::uint64_t sequence) {
  const std::array words{sequence, ~sequence};
  hdf5::write_all(hdf5::open_dataset(file, "/parameters/finished"), hdf5::type_of<std::uint64_t>(), words.data());
}

}  // namespace orrery::pipeline::trajectory

namespace orrery::pipeline {

double trajectory_size(const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options) {
  using namespace trajectory;
  const Shape shape = shape_of(bodies, record, options);
  const auto in_chunks = [](double entries, std::size_t chunk) {
    return std::ceil(entries / static_cast<double>(chunk)) * static_cast<double>(chunk);
  };
  const auto frames = static_cast<double>(record.frames), rows = static_cast<double>(record.expected_rows);
  double frame = 0;
  for (const Part part : shape.parts()) frame += static_cast<double>(shape.frame_bytes(part));
  constexpr double numbers = 32;                      // of a frame: step, time, checksum and stamp
  constexpr double constants = 20, overhead = 7.6e4;  // of a body that is kept; HDF5's names, attributes and indices
  const double tails = 3 * static_cast<double>(shape.chunk_frames - 1);
  const double state = 24 * static_cast<double>(shape.total_bodies * (2 + shape.columns + (shape.images ? 1 : 0)));
  return (in_chunks(frames, shape.chunk_frames) + tails) * frame +
         in_chunks(frames, hdf5::chunk_for(static_cast<std::size_t>(record.frames))) * numbers +
         in_chunks(rows, hdf5::chunk_for(record.expected_rows)) *
             static_cast<double>(rows_of(record, options, shape).row_bytes()) +
         3 * state + static_cast<double>(shape.bodies) * constants + overhead;
}

}  // namespace orrery::pipeline
