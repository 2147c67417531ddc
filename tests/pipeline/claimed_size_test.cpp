// SPDX-License-Identifier: MIT
// A sparse file costs nothing and may claim any size: no memory is allocated for what it claims.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <utility>

#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

constexpr hsize_t terabyte = hsize_t{1} << 40U;

/// Replaces a dataset of a run by one of a terabyte, which is a hole in the file.
void claim(const std::filesystem::path& path, const std::string& dataset, std::vector<hsize_t> shape, hid_t type) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  ASSERT_GE(H5Ldelete(file, dataset.c_str(), H5P_DEFAULT), 0);
  const hid_t made = H5Dcreate2(file, dataset.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(made, 0);
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const std::uint64_t sum = 0;
  const hid_t checksum = H5Acreate2(made, "xxh3", H5T_NATIVE_UINT64, scalar, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(H5Awrite(checksum, H5T_NATIVE_UINT64, &sum), 0);
  H5Aclose(checksum), H5Sclose(scalar), H5Dclose(made), H5Sclose(space), H5Fclose(file);
  std::filesystem::resize_file(path, 4 * terabyte);
}

TEST(ClaimedSize, IsRefusedWithoutAllocation) {
  const Folder folder;
  const SyntheticRun run{.bodies = 3, .frames = 4};
  for (const auto& [dataset, shape] : {std::pair<std::string, std::vector<hsize_t>>{"mass", {terabyte / 8}},
                                       {"species", {terabyte / 8}},
                                       {"position/value", {4, terabyte / 32, 3}}}) {
    SCOPED_TRACE(dataset);
    const auto path = folder / "run.h5";
    std::filesystem::remove(path);
    run.write(path);
    ASSERT_NO_FATAL_FAILURE(claim(path, "/particles/all/" + dataset, shape, H5T_NATIVE_DOUBLE));
    rusage before{}, after{};
    ::getrusage(RUSAGE_SELF, &before);
    const std::string said = complaint([&] {
      const TrajectoryReader reader(path);
      (void)reader.bodies();
      (void)reader.frame(0);
    });
    ::getrusage(RUSAGE_SELF, &after);
    EXPECT_THAT(said, HasSubstr("run.h5: "));
    if (shape.size() == 1) {
      EXPECT_THAT(said, HasSubstr("/particles/all/" + dataset + " needs more memory than this machine has"));
    }
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 * 1024);
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
