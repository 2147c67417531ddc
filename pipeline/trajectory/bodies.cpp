// SPDX-License-Identifier: MIT
// The datasets of /particles/all that never change.
#include "pipeline/trajectory/bodies.hpp"

#include <array>
#include <numeric>
#include <span>
#include <utility>

#include "pipeline/trajectory/checksums.hpp"

namespace orrery::pipeline::trajectory {
namespace {

using hdf5::Failure;

constexpr std::array kDatasets{"mass", "id", "species", "charge", "names"};

/// Refuses a dataset that does not match its checksum, or has not one entry a body of the frames.
void check_entries(hid_t particles, const std::string& name) {
  verify_checksum(particles, name);
  const hdf5::Extents frames = hdf5::extents(hdf5::open_dataset(particles, "position/value"));
  const hdf5::Extents mine = hdf5::extents(hdf5::open_dataset(particles, name));
  if (mine != hdf5::Extents{frames.at(1)}) throw Failure("/particles/all/" + name + " should have one entry a body");
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

}  // namespace

void check_bodies(const sim::Bodies& bodies, const std::vector<std::int64_t>& kept) {
  if (bodies.size() == 0) throw Failure("a trajectory needs at least one body");
  const auto check = [&](const char* name, std::size_t entries) {
    if (entries != bodies.size()) throw Failure(std::string(name) + ": one entry a body is needed");
  };
  check("species", bodies.species.size());
  if (!bodies.charge.empty()) check("charge", bodies.charge.size());
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
  if (!stored.names.empty()) hdf5::write_texts(particles, "names", stored.names);
}

void add_checksums_of_bodies(hid_t particles) {
  for (const char* name : kDatasets) {
    if (hdf5::exists(particles, name)) add_checksum(particles, name);
  }
}

sim::Bodies read_bodies(hid_t file) {
  const hdf5::Handle all = hdf5::open_group(file, "/particles/all");
  sim::Bodies bodies;
  bodies.mass = read_checked<double>(all, "mass");
  bodies.species = read_checked<std::int32_t>(all, "species");
  if (hdf5::exists(all, "charge")) bodies.charge = read_checked<double>(all, "charge");
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

}  // namespace orrery::pipeline::trajectory
