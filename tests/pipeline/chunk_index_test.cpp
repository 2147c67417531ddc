// SPDX-License-Identifier: MIT
// The chunk index as read from the file, against the HDF5 library; and the index left by `keep`.
#include "pipeline/trajectory/chunk_index.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <numeric>

#include "pipeline/trajectory/hdf5.hpp"
#include "pipeline/trajectory/opening.hpp"
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using namespace trajectory;
using Numbers = std::vector<std::int64_t>;

/// A file with one dataset of integers, one per chunk.
class Chunks : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override { silence_hdf5(); }
  void make(std::size_t count) {
    std::filesystem::remove(path_);
    const hdf5::Handle access(H5Pcreate(H5P_FILE_ACCESS)), creation(H5Pcreate(H5P_FILE_CREATE));
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, false, 1);
    H5Pset_file_space_page_size(creation, 4096);
    const hdf5::Handle file(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation, access));
    const hdf5::Handle made = hdf5::create_growing(file, "numbers", H5T_NATIVE_INT64, {0}, {1}, GetParam());
    hdf5::write_text_attribute(made, "unit", "pages");
    write(made, 0, count);
  }
  static void write(hid_t dataset, std::size_t first, std::size_t count) {
    Numbers numbers(count);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::int64_t>(first) + 1000);
    hdf5::write_rows(dataset, H5T_NATIVE_INT64, first, count, numbers.data());
  }
  /// The dataset, opened; `close` closes it.
  hid_t open(unsigned flags = H5F_ACC_RDONLY) {
    const hdf5::Handle access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    file_ = hdf5::Handle(H5Fopen(path_.c_str(), flags, access));
    dataset_ = hdf5::open_dataset(file_, "numbers");
    return dataset_;
  }
  void close() {
    dataset_.close();
    file_.close();
  }
  /// Returns the result of `use` for the index of the closed file.
  template <class Use>
  auto with_index(Use use) {
    const haddr_t object = address_of(open());
    close();
    const int descriptor = ::open(path_.c_str(), O_RDWR);
    const auto result = use(ChunkIndex(descriptor, object));
    ::close(descriptor);
    return result;
  }
  void expect_numbers(hid_t dataset, std::size_t count) {
    Numbers numbers(count);
    ASSERT_EQ(hdf5::length(dataset), count);
    if (count == 0) return;
    ASSERT_GE(H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
    for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(numbers[k], static_cast<std::int64_t>(k) + 1000);
  }

  /// For each of `kept`: keeps that many, truncates, and continues writing.
  void expect_kept(std::size_t count, const std::vector<std::size_t>& kept) {
    make(count);
    const std::filesystem::path whole = folder_ / "whole.h5";
    std::filesystem::copy_file(path_, whole, std::filesystem::copy_options::overwrite_existing);
    for (const std::size_t some : kept) {
      SCOPED_TRACE(::testing::Message() << some << " of " << count);
      std::filesystem::copy_file(whole, path_, std::filesystem::copy_options::overwrite_existing);
      EXPECT_EQ(with_index([&](const ChunkIndex& index) { return index.truncate(some); }), some < count);
      EXPECT_FALSE(with_index([&](const ChunkIndex& index) { return index.truncate(some); }));
      hdf5::resize(open(H5F_ACC_RDWR), some);
      close();
      ASSERT_NO_FATAL_FAILURE(expect_numbers(open(), some));
      close();
      const std::size_t more = std::min<std::size_t>(count - some, 700) + 3;
      write(open(H5F_ACC_RDWR), some, more);
      close();
      ASSERT_NO_FATAL_FAILURE(expect_numbers(open(), some + more));
      close();
    }
  }
  void expect_places(std::size_t count) {
    make(count);
    const hid_t dataset = open();
    const ChunkIndex index(hdf5::descriptor_of(dataset), address_of(dataset));
    for (std::size_t k = 0; k < count; k += k < 300 ? 1 : 97) {
      const hsize_t corner = k;
      unsigned mask = 0;
      haddr_t place = 0;
      hsize_t size = 0;
      ASSERT_GE(H5Dget_chunk_info_by_coord(dataset, &corner, &mask, &place, &size), 0);
      ASSERT_EQ(index.address(k), place) << k;
    }
    EXPECT_EQ(index.address(count), std::nullopt);
    EXPECT_EQ(index.address(count + 4000), std::nullopt);
    Numbers read(300);
    const std::size_t last = count - read.size();
    ASSERT_TRUE(read_chunks_directly(dataset, H5T_NATIVE_INT64, last, read.size(), read.data()));
    for (std::size_t k = 0; k < read.size(); ++k) ASSERT_EQ(read[k], static_cast<std::int64_t>(last + k) + 1000);
    EXPECT_FALSE(read_chunks_directly(dataset, H5T_NATIVE_INT64, count - 1, 2, read.data()));
    EXPECT_FALSE(read_chunks_directly(dataset, H5T_NATIVE_DOUBLE, 0, 1, read.data()));
  }

  Folder folder_;
  std::filesystem::path path_ = folder_ / "chunks.h5";
  hdf5::Handle file_, dataset_;
};

TEST_P(Chunks, OffsetsEqualThoseOfHdf5) {
  expect_places(2500);
}

// Every kind of block, at its beginning, within, and at its end.
TEST_P(Chunks, OnlyGivenChunksAreKept) {
  expect_kept(0, {0});
  expect_kept(1, {0, 1});
  expect_kept(5, {0, 3, 4, 5});
  expect_kept(120, {0, 4, 19, 20, 21, 51, 52, 119});
  expect_kept(600, {0, 243, 244, 245, 500});
  expect_kept(2100, {2036, 2037});
}

// Data blocks have pages from entry 131 056 on.
TEST_P(Chunks, InPagesOfLargeBlocksSlow) {
  expect_places(140'000);
  expect_kept(140'000, {131'055, 131'056, 131'057, 132'079, 132'080, 132'081, 133'000, 133'500});
}

/// A data block of 512 entries is larger than a page: if its first half is of an older version, its checksum is wrong.
TEST_P(Chunks, AreFoundInATornBlock) {
  constexpr std::size_t before = 8400, after = 8600, safe = 8350;
  make(before);
  std::filesystem::copy_file(path_, folder_ / "before.h5");
  write(open(H5F_ACC_RDWR), before, after - before);
  close();
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  std::ifstream old(folder_ / "before.h5", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}}, were{std::istreambuf_iterator<char>(old), {}};
  file.clear();
  int torn = 0;
  const auto differ = [&](std::size_t page) { return bytes.compare(page, 4096, were, page, 4096) != 0; };
  for (std::size_t page = 4096; page + 4096 < were.size(); page += 4096) {
    if (bytes.compare(page - 4096, 4, "EADB") != 0 || !differ(page - 4096) || !differ(page)) continue;
    file.seekp(static_cast<std::streamoff>(page));
    file.write(were.data() + page, 4096);
    ++torn;
  }
  file.close();
  EXPECT_EQ(torn, 1);
  Numbers read(safe);
  const hid_t dataset = open();
  EXPECT_LT(H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, Numbers(after).data()), 0);
  hdf5::read_rows(dataset, H5T_NATIVE_INT64, 0, safe, read.data());
  EXPECT_EQ(read.back(), static_cast<std::int64_t>(safe) + 999);
  close();
  EXPECT_TRUE(with_index([&](const ChunkIndex& index) { return index.truncate(safe); }));
  hdf5::resize(open(H5F_ACC_RDWR), safe);
  close();
  write(open(H5F_ACC_RDWR), safe, 100);
  close();
  ASSERT_NO_FATAL_FAILURE(expect_numbers(open(), safe + 100));
}

INSTANTIATE_TEST_SUITE_P(Index, Chunks, ::testing::Bool(),
                         [](const auto& kind) { return kind.param ? "WithAFilter" : "Plain"; });

}  // namespace
}  // namespace orrery::pipeline::testing
