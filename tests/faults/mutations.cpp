// SPDX-License-Identifier: MIT
// Bytes are mutated in memory, objects through the library, slots through the program's own writer.
#include "tests/faults/mutations.hpp"

#include <array>
#include <fstream>

#include "pipeline/trajectory/opening.hpp"
#include "pipeline/trajectory/record.hpp"
#include "pipeline/trajectory/slots.hpp"
#include "sim/boundaries/list.hpp"
#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

namespace fs = std::filesystem;

template <class Container>
const auto& any(const Container& list, Random& random) {
  return list[random() % list.size()];
}

constexpr std::array<std::uint64_t, 12> kNumbers{0,       1,          2,          3,          7,          255,
                                                 1 << 20, 1ull << 31, 1ull << 40, 1ull << 62, ~1ull >> 1, ~0ull};

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// Mutates one to eight bytes, or one integer, from `at` on.
void scribble(std::string& bytes, std::size_t at, std::size_t end, Random& random) {
  const std::uint64_t number = any(kNumbers, random);
  const std::size_t count = std::size_t{1} << random() % 4, way = random() % 3;
  for (std::size_t k = 0; k < count && at + k < end; ++k) {
    char& byte = bytes[at + k];
    if (way == 0) byte = static_cast<char>(byte ^ (1 << random() % 8));
    if (way == 1) byte = static_cast<char>(random());
    if (way == 2) byte = static_cast<char>(number >> (8 * k));
  }
}

std::string mutate_bytes(std::string& bytes, const Model& model, Random& random) {
  const std::size_t way = random() % 10;
  if (way == 0) {
    bytes.resize(random() % bytes.size());
    return "cut to " + std::to_string(bytes.size());
  }
  if (way == 1) {
    const std::size_t size = std::min<std::size_t>(bytes.size(), 1 + random() % 5000);
    const std::size_t from = random() % (bytes.size() - size + 1), to = random() % (bytes.size() - size + 1);
    bytes.replace(to, size, bytes.substr(from, size));
    return "copied " + std::to_string(size) + " from " + std::to_string(from) + " to " + std::to_string(to);
  }
  if (way == 2 || bytes.size() < model.bytes.size()) {
    const std::size_t at = random() % bytes.size();
    scribble(bytes, at, bytes.size(), random);
    return "scribbled at " + std::to_string(at);
  }
  const MetadataBlock& block = any(model.blocks, random);
  const std::size_t at = block.place + random() % block.size;
  scribble(bytes, at, block.place + block.size, random);
  forge(bytes, block);
  return "forged " + bytes.substr(block.place, 4) + " at " + std::to_string(block.place) + "+" +
         std::to_string(at - block.place);
}

hid_t any_type(Random& random) {
  const std::array types{H5T_STD_I8LE,     H5T_NATIVE_INT32,  H5T_NATIVE_INT64, H5T_NATIVE_UINT64,
                         H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE, H5T_STD_I64BE};
  const std::size_t way = random() % 10;
  if (way < types.size()) return H5Tcopy(types[way]);
  const hid_t text = H5Tcopy(H5T_C_S1);
  if (way < 9) H5Tset_size(text, way == 7 ? 1 + random() % 40 : H5T_VARIABLE);
  if (way < 9) return text;
  H5Tclose(text);
  const hid_t compound = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(compound, "sequence", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(compound, "count", 8, H5T_NATIVE_INT32);
  return compound;
}

hid_t any_space(Random& random, bool huge) {
  std::vector<hsize_t> extents(random() % 5);
  for (auto& n : extents) n = huge && random() % 4 == 0 ? any(kNumbers, random) : random() % 9;
  const hid_t space = extents.empty() ? H5Screate(H5S_SCALAR)
                                      : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
  return space >= 0 ? space : H5Screate(H5S_NULL);
}

// Replaces the object of this name by another.
std::string replace_object(hid_t file, const std::string& path, Random& random) {
  H5Ldelete(file, path.c_str(), H5P_DEFAULT);
  const std::size_t way = random() % 6;
  if (way == 0) return "deleted " + path;
  if (way == 1) {
    H5Gclose(H5Gcreate2(file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    return "a group for " + path;
  }
  if (way == 2) {
    const std::string to = path.substr(0, path.rfind('/'));
    H5Lcreate_soft(random() % 2 == 0 ? "/nowhere"
                   : to.empty()      ? "/"
                                     : to.c_str(),
                   file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    return "a link for " + path;
  }
  const hid_t type = any_type(random), space = any_space(random, true);
  const hid_t dataset = H5Dcreate2(file, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
  return "another dataset for " + path;
}

std::string change_attribute(hid_t file, const std::string& path, Random& random) {
  const hid_t object = H5Oopen(file, path.c_str(), H5P_DEFAULT);
  const std::vector<std::string> names = object < 0 ? std::vector<std::string>{} : hdf5::attribute_names(object);
  if (names.empty()) {
    H5Oclose(object);
    return "no attribute of " + path;
  }
  const std::string& name = any(names, random);
  std::array<double, 64> numbers{};
  numbers.fill(random() % 2 == 0 ? std::nan("") : -1e300);
  const hid_t old = H5Aopen(object, name.c_str(), H5P_DEFAULT);
  hid_t type = H5Aget_type(old), space = H5Aget_space(old);
  H5Aclose(old);
  const std::size_t way = random() % 4;
  if (way != 3 && way != 0) {
    H5Tclose(type);
    type = any_type(random);
  }
  if (way == 0 || way == 2) {
    H5Sclose(space);
    space = any_space(random, false);
  }
  H5Adelete(object, name.c_str());
  const bool variable = H5Tis_variable_str(type) > 0;
  const hid_t attribute =
      random() % 5 == 0 ? -1 : H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
  const auto bytes = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * H5Tget_size(type);
  std::string data(bytes + 8, '\xff');
  if (random() % 2 == 0)
    data.replace(0, std::min(bytes, sizeof numbers), reinterpret_cast<char*>(numbers.data()),
                 std::min(bytes, sizeof numbers));
  if (attribute >= 0 && !variable) H5Awrite(attribute, type, data.data());
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  H5Oclose(object);
  return "attribute " + name + " of " + path;
}

// Changes the length or the numbers.
std::string change_dataset(hid_t file, const std::string& path, Random& random) {
  const hid_t dataset = H5Dopen2(file, path.c_str(), H5P_DEFAULT);
  if (dataset < 0) return "no dataset " + path;
  hdf5::Extents extents = hdf5::extents(dataset);
  if (!extents.empty() && random() % 2 == 0) {
    extents[0] = random() % 2 == 0 ? any(kNumbers, random) : extents[0] + random() % 5 - 2;
    H5Dset_extent(dataset, extents.data());
  } else {
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const auto bytes = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * H5Tget_size(type);
    if (bytes < 1 << 20 && H5Tis_variable_str(type) <= 0) {
      std::string data(bytes, '\0');
      H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data());
      for (std::size_t k = 0; k < 3 && bytes > 0; ++k) scribble(data, random() % bytes, bytes, random);
      H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data());
    }
    H5Sclose(space);
    H5Tclose(type);
  }
  H5Dclose(dataset);
  return "other numbers in " + path;
}

// Slots with valid checksums and wrong contents.
std::string write_nonsense_slots(hid_t file, Random& random) {
  const trajectory::Shape shape = trajectory::read_shape(file);
  const auto number = [&] { return any(kNumbers, random); };
  trajectory::FrameBlock frames(shape);
  frames.resize(random() % std::min<std::size_t>(shape.chunk_frames, 5));
  trajectory::TailSlots(file, shape).write(number(), number(), frames);
  sim::Snapshot state;
  state.step = static_cast<std::int64_t>(number());
  state.position = state.velocity = sim::Vectors(shape.total_bodies);
  state.columns.assign(shape.columns, state.position);
  if (shape.images) state.image = state.position;
  trajectory::RestartSlots(file, shape)
      .write({.sequence = number(),
              .frames = static_cast<std::int64_t>(number()),
              .rows = static_cast<std::int64_t>(number()),
              .seconds = -1},
             state);
  return "nonsense in slots";
}

std::string mutate_objects(const fs::path& path, const Model& model, Random& random) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5Pset_file_locking(access, false, true);
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
  H5Pclose(access);
  const std::string& object = any(model.objects, random);
  try {
    switch (random() % 7) {
      case 0:
      case 1:
        return replace_object(file, object, random);
      case 2:
      case 3:
        return change_attribute(file, object, random);
      case 4:
      case 5:
        return change_dataset(file, object, random);
      default:
        return write_nonsense_slots(file, random);
    }
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

std::vector<Model> models(const fs::path& folder) {
  const SyntheticRun small{.bodies = 3, .frames = 5, .columns = 1, .commit_every = 2};
  const SyntheticRun rows{.bodies = 257, .frames = 150, .commit_every = 20};
  const SyntheticRun single{.bodies = 40, .frames = 4, .options = {.single_precision = true, .velocities = false}};
  std::vector<Model> all;
  const auto add = [&](const std::string& name, bool closed) {
    const fs::path path = folder / name;
    all.push_back({name, read_file(path), {}, closed ? objects(path, "/") : std::vector<std::string>{}, closed});
    all.back().blocks = metadata_blocks(all.back().bytes);
  };
  small.write(folder / "small");
  add("small", true);
  rows.write(folder / "rows");
  add("rows", true);
  single.write(folder / "single");
  add("single", true);
  {
    SyntheticRun box = rows;
    box.domain = {.dimensions = 2,
                  .boundary = {&sim::Periodic::kind, &sim::Reflecting::kind, &sim::Open::kind},
                  .low = {0, -1},
                  .edges = {1, 2}};
    box.virial = true;
    TrajectoryWriter writer(folder / "unfinished", box.initial_bodies(), box.record(), box.options);
    box.write(writer, 0, 139);
    fs::copy_file(folder / "unfinished", folder / "killed");
  }
  add("unfinished", true);
  add("killed", false);
  return all;
}

std::string mutate(const Model& model, Random& random, const fs::path& path) {
  std::string bytes = model.bytes, what = model.name;
  const bool objects_too = model.closed && random() % 2 == 0;
  const std::size_t count = 1 + random() % 3;
  if (!objects_too) {
    for (std::size_t k = 0; k < count && !bytes.empty(); ++k) what += "; " + mutate_bytes(bytes, model, random);
    write_file(path, bytes);
    return what;
  }
  write_file(path, bytes);
  for (std::size_t k = 0; k < count; ++k) what += "; " + mutate_objects(path, model, random);
  return what;
}

}  // namespace orrery::pipeline::testing
