// SPDX-License-Identifier: MIT
// Snapshots of TIPSY, written here from the declarations of its records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "pipeline/formats/body_format.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/written_bytes.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Tipsy {
  std::array<std::uint32_t, 3> count{1, 2, 1};  ///< gas, dark, stars
  std::endian order = std::endian::big;
  std::size_t position = 4, velocity = 4;  ///< bytes of a coordinate
  std::uint32_t dimensions = 3;

  static double number(std::size_t k) { return 0.37 * static_cast<double>(k) - 2.1; }
  static double m(std::size_t k) { return 0.5 + static_cast<double>(k); }

  [[nodiscard]] std::string text() const {
    WrittenBytes file(order);
    file.add(0.75).add(count[0] + count[1] + count[2]).add(dimensions);
    for (const auto n : count) file.add(n);
    file.zeros(4);
    constexpr std::array<std::size_t, 3> others{5, 2, 4};
    std::size_t k = 0;
    for (std::size_t kind = 0; kind < 3; ++kind) {
      for (std::uint32_t n = 0; n < count[kind]; ++n, ++k) {
        file.real(m(k), 4);
        for (std::size_t axis = 0; axis < 3; ++axis) file.real(number(6 * k + axis), position);
        for (std::size_t axis = 3; axis < 6; ++axis) file.real(number(6 * k + axis), velocity);
        for (std::size_t other = 0; other < others[kind]; ++other) file.add(9.0F);
      }
    }
    return file.text;
  }
};

class TipsyBodies : public ::testing::Test {
 protected:
  [[nodiscard]] BodyFile read(const Tipsy& snapshot, const BodyFileOptions& options = {}) const {
    write(path_, snapshot.text());
    const BodyFormat& format = format_of(path_);
    EXPECT_EQ(format.name, "tipsy");
    return format.read(path_, options);
  }
  [[nodiscard]] std::string fault(const std::string& bytes) const {
    write(path_, bytes);
    return complaint([&] { (void)format_named("tipsy").read(path_, {}); });
  }
  Folder folder_;
  std::filesystem::path path_ = folder_ / "galaxy.00300";
};

TEST_F(TipsyBodies, OrdersAndPrecisions) {
  for (const std::uint32_t dark : {0U, 1U, 256U}) {
    for (const std::endian order : {std::endian::big, std::endian::little}) {
      for (const auto& [position, velocity] : {std::pair<std::size_t, std::size_t>{4, 4}, {8, 4}, {8, 8}}) {
        const BodyFile file = read({.count = {0, dark, 1}, .order = order, .position = position, .velocity = velocity});
        ASSERT_EQ(file.bodies->rows, dark + 1);
        const auto &x = file.bodies->numbers.at("position"), &v = file.bodies->numbers.at("velocity");
        for (std::size_t n = 0; n <= dark; ++n) {
          const double px = Tipsy::number(6 * n + 1), vz = Tipsy::number(6 * n + 5);
          ASSERT_EQ(x[3 * n + 1], position == 8 ? px : static_cast<float>(px));
          ASSERT_EQ(v[3 * n + 2], velocity == 8 ? vz : static_cast<float>(vz));
          ASSERT_EQ(file.bodies->numbers.at("mass")[n], Tipsy::m(n));
        }
        EXPECT_EQ(file.time, 0.75);
      }
    }
  }
}

TEST_F(TipsyBodies, KindsAreComponents) {
  const BodyFile all = read({});
  EXPECT_THAT(all.bodies->texts.at("component"), ElementsAre("gas", "dark", "dark", "stars"));
  EXPECT_THAT(all.remarks, ElementsAre(HasSubstr("gas becomes bodies")));
  EXPECT_THAT(read({}, {.components = {"stars", "gas"}}).bodies->numbers.at("mass"), ElementsAre(0.5, 3.5));
  EXPECT_THROW((void)read({}, {.components = {"halo"}}), ArgumentError);
}

TEST_F(TipsyBodies, TruncatedAndLyingFilesAreRefused) {
  const std::string whole = Tipsy{}.text();
  for (std::size_t size = 0; size < whole.size(); ++size)
    ASSERT_THAT(fault(whole.substr(0, size)), StartsWith(path_.string() + ": byte ")) << size;
  EXPECT_THAT(fault(Tipsy{.dimensions = 9}.text()), HasSubstr("disagree"));
  std::string bytes = whole;
  std::ranges::fill(bytes.begin() + 8, bytes.begin() + 28, '\xff');
  EXPECT_THAT(fault(bytes), HasSubstr("disagree")) << "4 billion particles";
  bytes = whole;
  bytes[32 + 48 + 4] = '\x7f', bytes[32 + 48 + 5] = '\xc0';  // x of the first dark particle
  EXPECT_THAT(fault(bytes), HasSubstr("byte 84: a coordinate is nan"));
  bytes = whole;
  bytes[32] = '\xbf';  // the sign of the first mass
  EXPECT_THAT(fault(bytes), HasSubstr("byte 32: a mass is -0.5, not a number ≥ 0"));
}

TEST_F(TipsyBodies, ExportedFramesHaveTheFloats) {
  for (const std::size_t bodies : {1, 2, 257}) {
    SyntheticRun{.bodies = bodies, .frames = 2, .options = {.single_precision = true}}.write(folder_ / "run.h5");
    const Outcome outcome = run(folder_, {"export", "run.h5", "--format", "tipsy", "-o", path_, "--force"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const BodyFile file = format_of(path_).read(path_, {});
    const TrajectoryReader reader(folder_ / "run.h5");
    const sim::Snapshot frame = reader.snapshot(1);
    ASSERT_EQ(file.bodies->rows, bodies);
    for (std::size_t n = 0; n < bodies; ++n) {
      ASSERT_EQ(file.bodies->numbers.at("position")[3 * n], frame.position.x[n]);
      ASSERT_EQ(file.bodies->numbers.at("velocity")[3 * n + 2], frame.velocity.z[n]);
      ASSERT_EQ(file.bodies->numbers.at("mass")[n], static_cast<float>(reader.bodies().mass[n]));
    }
    std::filesystem::remove(folder_ / "run.h5");
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
