// SPDX-License-Identifier: MIT
// Snapshots of other programs. Those in HDF5 have checksums in their metadata, which HDF5 trusts (SECURITY.md), so changed bytes reach the
// numbers; what else is hostile in them is in the seeds.
#include <hdf5.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include "common/error.hpp"
#include "pipeline/formats/body_format.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/pipeline/written_bytes.hpp"

namespace orrery::fuzz {
namespace {

namespace fs = std::filesystem;
using pipeline::testing::WrittenBytes;

/// Reads as `import` does, with answers to all that can be asked, and without.
std::function<void(const fs::path&)> reading(const std::string& format) {
  return [format](const fs::path& file) {
    try {
      const auto& known = pipeline::format_named(format);
      (void)known.read(file, {});
      (void)known.read(file, {.hubble = 0.7, .comoving = format == "gadget2" ? std::optional(true) : std::nullopt});
    } catch (const ArgumentError& error) {
      throw Error(error.what(), Fault::request);
    }
  };
}

std::string gadget2(std::endian order, bool labelled, std::size_t width, double hubble) {
  WrittenBytes file(order), head(order), vectors(order), ids(order), masses(order);
  for (const std::uint32_t n : {0, 2, 0, 1, 0, 0}) head.add(n);
  for (const double mass : {0.0, 0.5, 0.0, 0.0, 0.0, 0.0}) head.add(mass);
  head.add(0.5).add(1.0).zeros(8);
  for (const std::uint32_t n : {0, 2, 0, 1, 0, 0}) head.add(n);
  head.zeros(4).add(1).add(10.0).add(0.3).add(0.7).add(hubble).zeros(96);
  for (int k = 0; k < 9; ++k) vectors.real(k * 0.5 - 1, width);
  for (std::uint32_t k = 1; k <= 3; ++k) ids.add(k);
  masses.real(2, width);
  for (const auto& [label, data] : {std::pair("HEAD", head.text),
                                    {"POS ", vectors.text},
                                    {"VEL ", vectors.text},
                                    {"ID  ", ids.text},
                                    {"MASS", masses.text}})
    file.gadget_block(label, data, labelled);
  return file.text;
}

std::string tipsy(std::endian order, std::size_t width) {
  WrittenBytes file(order);
  file.add(0.5);
  for (const std::uint32_t n : {3, 3, 1, 1, 1, 0}) file.add(n);
  for (const int others : {5, 2, 4}) {
    file.add(1.0F);
    for (int k = 0; k < 3; ++k) file.real(k, width);
    for (int k = 0; k < 3 + others; ++k) file.add(0.25F);
  }
  return file.text;
}

/// A file in the format whose metadata have checksums.
class Hdf5Seed {
 public:
  explicit Hdf5Seed(fs::path path) : path_(std::move(path)), links_(H5Pcreate(H5P_LINK_CREATE)) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_create_intermediate_group(links_, 1);
    file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
  }
  void numbers(const std::string& path, std::vector<hsize_t> extents, hid_t type = H5T_IEEE_F64LE,
               bool compressed = false, bool empty = false) {
    const hid_t space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    std::size_t count = 1;
    for (hsize_t& n : extents) count *= n, n = std::min<hsize_t>(n, 4);
    if (compressed)
      H5Pset_chunk(creation, static_cast<int>(extents.size()), extents.data()), H5Pset_deflate(creation, 6);
    const hid_t made = H5Dcreate2(file_, path.c_str(), type, space, links_, creation, H5P_DEFAULT);
    const std::vector<double> values(empty ? 0 : count, 0.75);
    if (!empty) H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(made), H5Pclose(creation), H5Sclose(space);
  }
  void attribute(const std::string& object, const char* name, const std::vector<double>& values,
                 hid_t type = H5T_IEEE_F64LE) {
    const hsize_t count = values.size();
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    if (H5Lexists(file_, object.c_str(), H5P_DEFAULT) <= 0)
      H5Gclose(H5Gcreate2(file_, object.c_str(), links_, H5P_DEFAULT, H5P_DEFAULT));
    const hid_t opened = H5Oopen(file_, object.c_str(), H5P_DEFAULT);
    const hid_t made = H5Acreate2(opened, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, H5T_NATIVE_DOUBLE, values.data());
    H5Aclose(made), H5Oclose(opened), H5Sclose(space);
  }
  std::string bytes() {
    H5Pclose(links_), H5Fclose(file_);
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  fs::path path_;
  hid_t file_ = H5I_INVALID_HID, links_;
};

/// Values that a file may have where a count, a mass, a unit or an exponent should be.
constexpr double hostile[] = {0, 1, 2, 3, -1, 0.5, 1e300, -1e300, 4294967295.0, 1e18, NAN, INFINITY, 1e-320};

std::vector<std::string> gadget_hdf5_seeds(const fs::path& folder) {
  std::vector<std::string> seeds;
  for (std::size_t k = 0; k < 4 * std::size(hostile); ++k) {
    const double odd = hostile[k / 4];
    const std::size_t where = k % 4;
    Hdf5Seed seed(folder / "seed.hdf5");
    const hid_t type = k % 2 == 0 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
    seed.attribute("/Header", "NumPart_ThisFile", {0, where == 0 ? odd : 200, 0, 0, 50});
    seed.attribute("/Header", "NumPart_Total", {0, 200, 0, 0, 50});
    seed.attribute("/Header", "MassTable", {0, where == 1 ? odd : 0.5});
    seed.attribute("/Header", "NumFilesPerSnapshot", {where == 2 ? odd : 1});
    for (const char* name : {"Time", "Redshift", "HubbleParam", "BoxSize"})
      seed.attribute("/Header", name, {where == 3 ? odd : 0.7});
    for (const auto& [group, count] : {std::pair<std::string, hsize_t>{"/PartType1", 200}, {"/PartType4", 50}}) {
      for (const char* name : {"/Coordinates", "/Velocities"}) {
        seed.numbers(group + name, {count, 3}, type, k % 3 == 0);
        if (k % 5 != 0) continue;
        seed.attribute(group + name, "a_scaling", {where == 1 ? odd : 0.5});
        seed.attribute(group + name, "h_scaling", {where == 2 ? odd : -1});
        seed.attribute(group + name, "to_cgs", {where == 3 ? odd : 3e21});
      }
    }
    if (k % 7 != 6) seed.numbers("/PartType4/Masses", {50}, H5T_STD_I32LE);
    seeds.push_back(seed.bytes());
  }
  Hdf5Seed empty(folder / "seed.hdf5");
  empty.attribute("/Header", "NumPart_ThisFile", {0, 4e9});
  empty.numbers("/PartType1/Coordinates", {4'000'000'000, 3}, H5T_IEEE_F64LE, true, true);
  seeds.push_back(empty.bytes());
  return seeds;
}

std::vector<std::string> h5md_seeds(const fs::path& folder) {
  std::vector<std::string> seeds;
  const std::vector<std::vector<hsize_t>> shapes{{3, 100, 3}, {1, 300, 2}, {200, 3}, {2, 2, 4},
                                                 {0, 2, 3},   {3, 0, 3},   {6},      {1, 2, 3, 1}};
  for (std::size_t k = 0; k < 4 * shapes.size(); ++k) {
    const auto& shape = shapes[k / 4];
    const std::size_t where = k % 4;
    const std::string group = "/particles/all";
    Hdf5Seed seed(folder / "seed.h5");
    seed.attribute("/h5md", "version", {1, 1}, H5T_STD_I32LE);
    seed.numbers(group + "/position/value", shape, H5T_IEEE_F32LE, k % 3 == 0);
    seed.numbers(group + "/position/step", {where == 1 ? hsize_t{1} : shape[0]}, H5T_STD_I32LE);
    seed.numbers(group + "/velocity/value", where == 0 ? shapes[0] : shape);
    seed.numbers(group + "/mass", {shape[std::min<std::size_t>(1, shape.size() - 1)]});
    seed.numbers(group + (where == 2 ? "/box/edges" : "/box/edges/value"), {3, 3});
    if (where == 3) seed.numbers("/particles/more/position", {2, 3});
    seed.attribute(group + "/box", "dimension", {3}, H5T_STD_I32LE);
    seeds.push_back(seed.bytes());
  }
  return seeds;
}

}  // namespace

std::optional<Reader> reader_of_bodies(const std::string& name, const fs::path& folder) {
  using namespace std::string_literals;
  constexpr auto little = std::endian::little, big = std::endian::big;
  const std::vector<std::string> words{"\0\0\0\0"s,
                                       "\xff\xff\xff\xff",
                                       "\0\1\0\0"s,
                                       "\0\0\1\0"s,
                                       "HEAD",
                                       "POS ",
                                       "MASS",
                                       "\0\0\xc0\x7f"s,
                                       "\0\0\0\0\0\0\xf8\x7f"s,
                                       "\0\0\x80\x7f"s,
                                       "\0\0\0\0\0\0\xf0\x3f"s};
  if (name == "gadget2")
    return Reader{name,
                  "snapshot",
                  {gadget2(little, false, 4, 1), gadget2(big, false, 8, 0.7), gadget2(little, true, 8, 0.7),
                   gadget2(big, true, 4, 0)},
                  words,
                  {},
                  reading(name)};
  if (name == "tipsy")
    return Reader{name, "snapshot", {tipsy(big, 4), tipsy(little, 4), tipsy(big, 8)}, words, {}, reading(name)};
  if (name == "gadget-hdf5") return Reader{name, "a.hdf5", gadget_hdf5_seeds(folder), words, {}, reading(name)};
  if (name == "h5md") return Reader{name, "a.h5", h5md_seeds(folder), words, {}, reading(name)};
  return std::nullopt;
}

}  // namespace orrery::fuzz
