// SPDX-License-Identifier: MIT
// Synthetic runs, and independent inspection of files through plain HDF5 calls.
#include "trajectory_support.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "pipeline/trajectory/frames.hpp"

namespace orrery::pipeline::testing {
namespace {

[[maybe_unused]] const bool as_in_the_program = (close_nothing_at_exit(), true);

// Different at every step, body and coordinate; exact in double, not in float.
double number(std::int64_t step, std::size_t body, int salt) {
  auto x = static_cast<std::uint64_t>(step) * 0x9e3779b97f4a7c15u + body * 0xbf58476d1ce4e5b9u +
           static_cast<std::uint64_t>(salt) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  return static_cast<double>(x >> 11) * 0x1p-52 - 1.0;
}

sim::Vectors vectors(std::int64_t step, std::size_t n, int salt) {
  sim::Vectors v(n);
  for (std::size_t i = 0; i < n; ++i) {
    v.x[i] = number(step, i, salt);
    v.y[i] = number(step, i, salt + 1);
    v.z[i] = number(step, i, salt + 2);
  }
  return v;
}

/// Integers of either sign; 0 along axes that are not joined.
sim::Vectors images(std::int64_t step, std::size_t n, const sim::Domain& domain) {
  sim::Vectors v = vectors(step, n, 40);
  std::size_t k = 0;
  for (auto* axis : {&v.x, &v.y, &v.z}) {
    const double most = domain.boundary[k++]->periodic ? 1e6 : 0;
    for (double& image : *axis) image = std::floor(most * image);
  }
  return v;
}

double stored(const SyntheticRun& run, double value) {
  return run.options.single_precision ? static_cast<double>(static_cast<float>(value)) : value;
}

void expect_stored(SyntheticRun run, const sim::Vectors& expected, const sim::Vectors& read,
                   bool whole_numbers = false) {
  const auto& kept = run.options.bodies;
  if (whole_numbers) run.options.single_precision = false;  // images are what they are
  ASSERT_EQ(kept.empty() ? expected.size() : kept.size(), read.size());
  for (std::size_t k = 0; k < read.size(); ++k) {
    const std::size_t i = kept.empty() ? k : static_cast<std::size_t>(kept[k]);
    ASSERT_EQ(stored(run, expected.x[i]), read.x[k]) << "body " << i;
    ASSERT_EQ(stored(run, expected.y[i]), read.y[k]) << "body " << i;
    ASSERT_EQ(stored(run, expected.z[i]), read.z[k]) << "body " << i;
  }
}

std::vector<char> bytes_of(hid_t file, const std::string& dataset) {
  const hid_t id = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
  const hid_t type = H5Dget_type(id), space = H5Dget_space(id);
  std::vector<char> bytes(H5Tget_size(type) * static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0) << dataset;
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(id);
  return bytes;
}

bool is_dataset(hid_t file, const std::string& path) {
  const hid_t id = H5Oopen(file, path.c_str(), H5P_DEFAULT);
  const bool dataset = H5Iget_type(id) == H5I_DATASET;
  H5Oclose(id);
  return dataset;
}

void list_of(hid_t file, const std::string& group, std::vector<std::string>& found) {
  const hid_t id = H5Gopen2(file, group.c_str(), H5P_DEFAULT);
  if (id < 0) throw Error(group + " leads nowhere");
  H5G_info_t info;
  H5Gget_info(id, &info);
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[256];
    H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
    const std::string path = (group == "/" ? "" : group) + "/" + name;
    found.push_back(path);
    if (!is_dataset(file, path)) list_of(file, path, found);
  }
  H5Gclose(id);
}

}  // namespace

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "trajectory-XXXXXX").string();
  path_ = ::mkdtemp(name.data());
}

Folder::~Folder() {
  std::filesystem::remove_all(path_);
}

sim::Bodies SyntheticRun::initial_bodies() const {
  sim::Bodies made;
  for (std::size_t i = 0; i < bodies; ++i) {
    made.mass.push_back(1 + number(0, i, 90));
    made.species.push_back(static_cast<std::int32_t>(i % 2));
    if (bodies < 1000) made.names.push_back("body " + std::to_string(i));
  }
  made.position = at(0).position;
  made.velocity = at(0).velocity;
  return made;
}

RunRecord SyntheticRun::record() const {
  RunRecord record;
  record.title = "Ein Märchen";
  record.author = "Scheherazade";
  record.scenario = "title = \"Ein Märchen\"\n# to the letter\n";
  record.resolved = "title = \"Ein Märchen\"\n";
  record.seed = 0xfedcba9876543210u;
  record.dt = 0.1;
  record.steps = last_step();
  record.frames = static_cast<std::int64_t>(expected_frames);
  record.provenance = {{"version", "0.1.0"}, {"commit", ""}, {"command_line", "orrery run “x y”.toml"}};
  record.components = {"disk", "bulge"};
  record.initial_facts = InitialFacts{.G = 0.1,
                                      .timescale = 2.5,
                                      .timescale_name = "crossing time",
                                      .mass = 3,
                                      .density = sim::DensityProfile{sim::DensityProfile::Form::uniform, 2, 0.3}};
  auto listed = std::make_shared<Columns>();
  listed->rows = 2;
  listed->numbers = {{"mass", {1, 2}}, {"position", {3, 4, 5, 6, 7, 8}}, {"velocity", {9, 10, 11, 12, 13, 14}}};
  listed->texts = {{"name", {"Dinarzade", "Schahriar"}}};
  record.initial.emplace(1, std::move(listed));
  record.units = "astronomical";
  record.length_unit = "au";
  record.time_unit = "yr";
  record.mass_unit = "Msun";
  for (std::size_t k = 0; k < columns; ++k) record.columns.push_back("slope_" + std::to_string(k));
  record.domain = domain;
  record.virial = virial;
  return record;
}

sim::Snapshot SyntheticRun::at(std::int64_t step) const {
  sim::Snapshot s;
  s.step = step;
  s.time = static_cast<double>(step) * 0.1;
  s.position = vectors(step, bodies, 0);
  s.velocity = vectors(step, bodies, 3);
  for (std::size_t k = 0; k < columns; ++k) s.columns.push_back(vectors(step, bodies, 6 + 3 * static_cast<int>(k)));
  if (domain.is_periodic()) s.image = images(step, bodies, domain);
  if (virial) s.observables.virial = number(step, 0, 85);
  s.observables.kinetic_energy = number(step, 0, 80);
  s.observables.potential_energy = number(step, 0, 81);
  s.observables.momentum = {number(step, 0, 82), number(step, 1, 82), number(step, 2, 82)};
  s.observables.angular_momentum = {number(step, 0, 83), number(step, 1, 83), number(step, 2, 83)};
  s.observables.center_of_mass = {number(step, 0, 84), number(step, 1, 84), number(step, 2, 84)};
  return s;
}

void SyntheticRun::write(TrajectoryWriter& writer, std::int64_t from, std::int64_t to,
                         const std::function<void(std::int64_t)>& after_commit) const {
  for (std::int64_t step = from; step <= to; ++step) {
    const sim::Snapshot now = at(step);
    writer.append(now, step % rows_a_frame == 0);
    if (commit_every == 0 || (step + 1) % commit_every != 0) continue;
    writer.commit(now);
    if (after_commit) after_commit(step);
  }
}

void SyntheticRun::write(const std::filesystem::path& path) const {
  TrajectoryWriter writer(path, initial_bodies(), record(), options);
  write(writer, 0, last_step());
  writer.finish(at(last_step()));
}

void SyntheticRun::go_on(const std::filesystem::path& path) const {
  const auto state = TrajectoryReader(path).restart();
  ASSERT_TRUE(state);
  TrajectoryWriter writer(path, options);
  write(writer, state->step + 1, last_step());
  writer.finish(at(last_step()));
}

void expect_frames(const SyntheticRun& run, const TrajectoryReader& reader) {
  ASSERT_EQ(reader.times().size(), reader.size());
  ASSERT_EQ(reader.steps().size(), reader.size());
  for (std::size_t i = 0; i < reader.size(); ++i) {
    const sim::Snapshot expected = run.at(static_cast<std::int64_t>(i) * run.rows_a_frame);
    const sim::Snapshot read = reader.snapshot(i);
    ASSERT_EQ(expected.step, read.step);
    ASSERT_EQ(expected.time, read.time);
    ASSERT_EQ(expected.step, reader.steps()[i]);
    ASSERT_EQ(expected.time, reader.times()[i]);
    ASSERT_NO_FATAL_FAILURE(expect_stored(run, expected.position, read.position)) << "frame " << i;
    if (run.domain.is_periodic()) {
      ASSERT_NO_FATAL_FAILURE(expect_stored(run, expected.image, read.image, true)) << "frame " << i;
    } else {
      ASSERT_EQ(read.image.size(), 0u);
    }
    if (!run.options.velocities) {
      ASSERT_EQ(read.velocity.size(), 0u);
    } else {
      ASSERT_NO_FATAL_FAILURE(expect_stored(run, expected.velocity, read.velocity)) << "frame " << i;
    }
  }
}

std::map<std::string, std::vector<char>> content_of(const std::filesystem::path& path) {
  std::map<std::string, std::vector<char>> content;
  for (const char* part : {"/particles", "/observables"}) {
    const auto names = objects(path, part);
    const hid_t file = open_plain(path);
    for (const auto& name : names) content[name] = is_dataset(file, name) ? bytes_of(file, name) : std::vector<char>();
    H5Fclose(file);
  }
  return content;
}

void expect_same_content(const std::filesystem::path& a, const std::filesystem::path& b) {
  const auto first = content_of(a), second = content_of(b);
  ASSERT_EQ(objects(a, "/particles"), objects(b, "/particles"));
  ASSERT_EQ(objects(a, "/observables"), objects(b, "/observables"));
  for (const auto& [name, bytes] : first) EXPECT_TRUE(bytes == second.at(name)) << name;
}

hid_t open_plain(const std::filesystem::path& path) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(access, false, true);  // within one process it must be as the writer has it
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  H5Pclose(access);
  return file;
}

std::uint64_t frame_checksum(const sim::Snapshot& snapshot, const TrajectoryOptions& options) {
  trajectory::FrameBlock block({.bodies = options.bodies.empty() ? snapshot.size() : options.bodies.size(),
                                .total_bodies = snapshot.size(),
                                .single_precision = options.single_precision,
                                .velocities = options.velocities,
                                .images = snapshot.image.size() > 0});
  block.add(snapshot, options.bodies);
  return block.checksum.front();
}

std::vector<std::uint64_t> stored_checksums(const std::filesystem::path& path) {
  return hdf5::read_flat<std::uint64_t>(hdf5::Handle(open_plain(path)), "/particles/all/checksum");
}

std::vector<std::string> objects(const std::filesystem::path& path, const std::string& below) {
  std::vector<std::string> found;
  const hid_t file = open_plain(path);
  list_of(file, below, found);
  H5Fclose(file);
  std::sort(found.begin(), found.end());
  return found;
}

std::size_t place_of(const std::filesystem::path& path, const std::string& dataset, std::size_t row, std::size_t at) {
  const hid_t file = open_plain(path);
  const hid_t id = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
  const hid_t creation = H5Dget_create_plist(id);
  haddr_t address = HADDR_UNDEF;
  if (H5Pget_layout(creation) == H5D_CHUNKED) {
    std::vector<hsize_t> chunk(8), offset(8, 0);
    H5Pget_chunk(creation, 8, chunk.data());
    offset[0] = row / chunk[0] * chunk[0];
    hsize_t size = 0;
    unsigned mask = 0;
    H5Dget_chunk_info_by_coord(id, offset.data(), &mask, &address, &size);
  } else {
    address = H5Dget_offset(id);
  }
  H5Pclose(creation);
  H5Dclose(id);
  H5Fclose(file);
  return address + at;
}

void flip(const std::filesystem::path& path, std::size_t place) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(place));
  const char byte = static_cast<char>(file.get() ^ 0x40);
  file.seekp(static_cast<std::streamoff>(place));
  file.put(byte);
}

std::string complaint(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  return "";
}

}  // namespace orrery::pipeline::testing
