// SPDX-License-Identifier: MIT
// orrery bench --suite trajectory, and the fast checksum of its files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <vector>

#include "pipeline/measure/files.hpp"
#include "pipeline/trajectory/hdf5_checksums.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

/// The checksum by definition, word by word.
std::uint32_t plainly(const std::vector<std::byte>& bytes) {
  std::uint32_t sum = 0, sums = 0;
  const auto wrapped = [](std::uint32_t x) { return x > 65535 ? x - 65535 : x; };
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    sum =
        wrapped(sum + (std::to_integer<std::uint32_t>(bytes[i]) << 8U) + std::to_integer<std::uint32_t>(bytes[i + 1]));
    sums = wrapped(sums + sum);
  }
  return sums << 16U | sum;
}

TEST(Fletcher32, EqualsTheDefinition) {
  std::mt19937 random(5);
  for (const std::size_t words : {0U, 1U, 2U, 31U, 32U, 33U, 65U, 360U, 11519U, 11520U, 11521U, 40001U}) {
    std::vector<std::byte> bytes(2 * words);
    EXPECT_EQ(trajectory::fletcher32(bytes), 0U) << words;
    std::ranges::fill(bytes, std::byte{255});
    EXPECT_EQ(trajectory::fletcher32(bytes), plainly(bytes)) << words;
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    EXPECT_EQ(trajectory::fletcher32(bytes), plainly(bytes)) << words;
    if (words == 0) continue;
    std::ranges::fill(bytes, std::byte{0});
    bytes[random() % bytes.size()] = std::byte{7};
    EXPECT_EQ(trajectory::fletcher32(bytes), plainly(bytes)) << words;
  }
}

TEST(BenchFiles, EveryNumberIsMeasured) {
  const Folder folder;
  const std::filesystem::path where = folder / "here";
  std::filesystem::create_directory(where);
  for (const bool single : {false, true}) {
    FileRow row{.bodies = 257, .frames = 300, .options = {.single_precision = single}};
    double last = -1;
    measure_files(row, where, [&](double done) {
      EXPECT_GT(done, last);
      EXPECT_LT(last = done, 1);
      return false;
    });
    EXPECT_EQ(row.frame_bytes, 257 * 6 * (single ? 4 : 8));
    EXPECT_EQ(row.write.repetitions, 5);
    EXPECT_GT(row.file_bytes, 300 * row.frame_bytes);
    EXPECT_LT(row.file_bytes, 1100 * row.frame_bytes + 2e6) << "chunk rows of 128 or 256, slots of as many";
    EXPECT_GT(row.csv_bytes, 257 * 6 * 15);
    for (const double value :
         {row.write.median, row.plain.median, row.share_of_plain, row.open, row.read, row.csv_write})
      EXPECT_TRUE(value > 0 && std::isfinite(value)) << value;
    EXPECT_TRUE(std::filesystem::is_empty(where));
  }
}

TEST(BenchFiles, CommandSlow) {
  const Folder folder;
  const Outcome outcome =
      run(folder, {"bench", "--suite", "trajectory", "--n", "1000000", "--quiet", "--json", "b.json", "-o", "here"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("of plain"));
  EXPECT_TRUE(is_json(read(folder / "b.json")));
  EXPECT_THAT(read(folder / "b.json"), HasSubstr("share_of_plain"));
  EXPECT_EQ(run(folder, {"bench", "--suite", "trajectory", "-o", "b.json/x"}).code, 1);
}

}  // namespace
}  // namespace orrery::pipeline::testing
