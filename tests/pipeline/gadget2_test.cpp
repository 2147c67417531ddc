// SPDX-License-Identifier: MIT
// Snapshots of GADGET-2, written here from the user guide's description of its formats 1 and 2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "pipeline/formats/body_format.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/written_bytes.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A snapshot of six types; numbers of particle k follow from k.
struct Gadget2 {
  std::array<std::uint32_t, 6> count{0, 2, 0, 1, 2, 0};
  std::array<double, 6> table{0, 0.25, 0, 0, 0, 0};  ///< masses in the header
  std::array<std::uint32_t, 6> total = count;
  std::int32_t files = 1;
  bool labelled = false;  ///< format 2
  std::endian order = std::endian::little;
  std::size_t width = 8, id_width = 4;
  double time = 3.5, redshift = 0, box = 0, omega = 0, lambda = 0, hubble = 1;

  [[nodiscard]] std::size_t particles() const {
    std::size_t all = 0;
    for (const std::uint32_t n : count) all += n;
    return all;
  }
  static double x(std::size_t k) { return 1.1 * static_cast<double>(k) - 7.3; }
  static double v(std::size_t k) { return std::sqrt(static_cast<double>(k) + 0.7); }
  static double m(std::size_t k) { return 1 / (3.0 + static_cast<double>(k)); }

  [[nodiscard]] std::string text() const {
    WrittenBytes file(order);
    const auto block = [&](const char* label, const std::string& data) { file.gadget_block(label, data, labelled); };
    WrittenBytes head(order);
    for (const auto n : count) head.add(n);
    for (const double mass : table) head.add(mass);
    head.add(time).add(redshift).zeros(8);
    for (const auto n : total) head.add(n);
    head.zeros(4).add(files).add(box).add(omega).add(lambda).add(hubble).zeros(96);
    EXPECT_EQ(head.text.size(), 256U);
    block("HEAD", head.text);
    WrittenBytes position(order), velocity(order), id(order), mass(order);
    std::size_t k = 0;
    for (std::size_t type = 0; type < 6; ++type) {
      for (std::uint32_t n = 0; n < count[type]; ++n, ++k) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          position.real(x(3 * k + axis), width);
          velocity.real(v(3 * k + axis), width);
        }
        id_width == 4 ? id.add(static_cast<std::uint32_t>(k)) : id.add(std::uint64_t{k});
        if (table[type] == 0) mass.real(m(k), width);
      }
    }
    block("POS ", position.text);
    block("VEL ", velocity.text);
    block("ID  ", id.text);
    if (!mass.text.empty()) block("MASS", mass.text);
    return file.text;
  }
};

class Gadget2Bodies : public ::testing::Test {
 protected:
  [[nodiscard]] BodyFile read(const Gadget2& snapshot, const BodyFileOptions& options = {}) const {
    write(path_, snapshot.text());
    return read_again(options);
  }
  [[nodiscard]] BodyFile read_again(const BodyFileOptions& options = {}) const {
    const BodyFormat& format = format_of(path_);
    EXPECT_EQ(format.name, "gadget2");
    return format.read(path_, options);
  }
  /// What is wrong with the file of these bytes.
  [[nodiscard]] std::string fault(const std::string& bytes) const {
    write(path_, bytes);
    return complaint([&] { (void)format_named("gadget2").read(path_, {}); });
  }
  static std::vector<std::string> keys(const BodyFile& file) {
    std::vector<std::string> names;
    for (const AskedKey& asked : file.asked) names.push_back(asked.key);
    return names;
  }

  Folder folder_;
  std::filesystem::path path_ = folder_ / "snapshot_003";
};

TEST_F(Gadget2Bodies, BothFormatsOrdersAndPrecisions) {
  for (const std::uint32_t stars : {0U, 1U, 256U}) {
    for (const bool labelled : {false, true}) {
      for (const std::endian order : {std::endian::little, std::endian::big}) {
        for (const std::size_t width : {4, 8}) {
          Gadget2 snapshot{.count = {0, 1, 0, 0, stars, 0},
                           .labelled = labelled,
                           .order = order,
                           .width = width,
                           .id_width = 12 - width};
          const BodyFile file = read(snapshot);
          const auto& bodies = *file.bodies;
          ASSERT_EQ(bodies.rows, 1 + stars);
          const auto &x = bodies.numbers.at("position"), &v = bodies.numbers.at("velocity");
          for (std::size_t k = 0; k < x.size(); ++k) {
            ASSERT_EQ(x[k], width == 8 ? Gadget2::x(k) : static_cast<float>(Gadget2::x(k)));
            ASSERT_EQ(v[k], width == 8 ? Gadget2::v(k) : static_cast<float>(Gadget2::v(k)));
          }
          ASSERT_EQ(bodies.numbers.at("mass")[0], 0.25) << "in the header";
          for (std::size_t n = 1; n < bodies.rows; ++n)
            ASSERT_EQ(bodies.numbers.at("mass")[n], width == 8 ? Gadget2::m(n) : static_cast<float>(Gadget2::m(n)));
          EXPECT_EQ(file.time, 3.5);
          EXPECT_EQ(keys(file), std::vector<std::string>());
          ASSERT_TRUE(file.units.has_value());
          EXPECT_EQ(file.units->length, "") << "the file does not say";
        }
      }
    }
  }
}

TEST_F(Gadget2Bodies, TypesAreComponents) {
  const BodyFile file = read({});
  EXPECT_THAT(file.bodies->texts.at("component"), ElementsAre("halo", "halo", "bulge", "stars", "stars"));
  const BodyFile some = read({}, {.components = {"bulge", "PartType4"}});
  EXPECT_THAT(some.bodies->numbers.at("mass"), ElementsAre(Gadget2::m(2), Gadget2::m(3), Gadget2::m(4)));
  EXPECT_EQ(some.bodies->numbers.at("position")[0], Gadget2::x(6));
  EXPECT_THROW((void)read({}, {.components = {"bulk"}}), ArgumentError);
}

TEST_F(Gadget2Bodies, SeveralFiles) {
  Gadget2 part{.total = {0, 4, 0, 2, 4, 0}, .files = 2};
  write(folder_ / "snap.0", part.text());
  EXPECT_THAT(complaint([&] { (void)format_of(folder_ / "snap.0").read(folder_ / "snap.0", {}); }),
              HasSubstr("snap.1: is missing: the snapshot has 2 files"));
  write(folder_ / "snap.1", part.text());
  const BodyFile file = format_of(folder_ / "snap.1").read(folder_ / "snap.1", {});
  EXPECT_EQ(file.bodies->rows, 10U);
  EXPECT_EQ(file.bodies->numbers.at("position")[15], Gadget2::x(0)) << "of the second file";
  part.count[1] = 3;
  write(folder_ / "snap.1", part.text());
  EXPECT_THAT(complaint([&] { (void)format_of(folder_ / "snap.0").read(folder_ / "snap.0", {}); }),
              HasSubstr("claims 4 particles of type 1 in 2 files, which hold 5"));
}

/// Comoving lengths and 1/h are asked for, then applied: x a/h, u √a, m/h.
TEST_F(Gadget2Bodies, CosmologyIsAskedFor) {
  const Gadget2 snapshot{.time = 0.25, .redshift = 3, .box = 10, .omega = 0.3, .lambda = 0.7, .hubble = 0.5};
  EXPECT_THAT(keys(read(snapshot)), ElementsAre("comoving", "hubble"));
  EXPECT_THAT(keys(read(snapshot, {.hubble = 0.5})), ElementsAre("comoving"));
  const BodyFile file = read(snapshot, {.hubble = 0.5, .comoving = true});
  EXPECT_EQ(keys(file), std::vector<std::string>());
  EXPECT_EQ(file.bodies->numbers.at("position")[1], Gadget2::x(1) * (2 * 0.25));
  EXPECT_EQ(file.bodies->numbers.at("velocity")[1], Gadget2::v(1) * 0.5);
  EXPECT_EQ(file.bodies->numbers.at("mass")[0], 0.25 * 2);
  EXPECT_EQ(file.edges[2], 10 * 0.5);
  EXPECT_FALSE(file.time.has_value()) << "it is the scale factor";
  const BodyFile as_it_stands = read(snapshot, {.hubble = 1, .comoving = false});
  EXPECT_EQ(as_it_stands.bodies->numbers.at("position")[1], Gadget2::x(1));
  Gadget2 contradictory = snapshot;
  contradictory.time = 0.5;
  EXPECT_THAT(keys(read(contradictory, {.hubble = 1, .comoving = true})), ElementsAre("scale_factor"));
  EXPECT_EQ(read(contradictory, {.hubble = 1, .comoving = true, .scale_factor = 4}).bodies->numbers.at("velocity")[1],
            2 * Gadget2::v(1));
  EXPECT_THROW((void)read(snapshot, {.hubble = 0}), ArgumentError);
}

TEST_F(Gadget2Bodies, EveryTruncatedFileIsRefused) {
  for (const bool labelled : {false, true}) {
    const std::string whole = Gadget2{.labelled = labelled}.text();
    for (std::size_t size = 0; size < whole.size(); ++size)
      ASSERT_THAT(fault(whole.substr(0, size)), AllOf(StartsWith(path_.string() + ": byte "))) << size;
  }
}

TEST_F(Gadget2Bodies, LyingNumbersAreRefusedWhereTheyAre) {
  const Gadget2 honest;
  Gadget2 lying = honest;
  lying.total[1] = lying.count[1] = 4'000'000'000;
  const auto with_count = [&](std::uint32_t count) {
    std::string bytes = honest.text();
    std::memcpy(bytes.data() + 8, &count, sizeof count);
    return bytes;
  };
  EXPECT_THAT(fault(with_count(4'000'000'000)), HasSubstr("byte 264: positions have a record of 120 bytes"));
  EXPECT_THAT(fault(with_count(3)), HasSubstr("of 6 particles it is 72 or 144"));
  EXPECT_THAT(fault(Gadget2{.table = {0, -1}}.text()), HasSubstr("byte 4: the mass of type 1 is -1"));
  EXPECT_THAT(fault(Gadget2{.redshift = std::nan("")}.text()), HasSubstr("the redshift nan"));
  EXPECT_THAT(fault(Gadget2{.count = {}}.text()), HasSubstr("has no particles"));
  EXPECT_THAT(fault(Gadget2{.files = 2'000'000'000}.text()), HasSubstr("2000000000 files"));
  EXPECT_THAT(fault(Gadget2{.files = 3}.text()),
              HasSubstr("is one of 3 files of a snapshot: name one as it was written"));
  std::string bytes = honest.text();
  const double nan = std::nan("");
  std::memcpy(bytes.data() + 268 + 5 * 8, &nan, sizeof nan);
  EXPECT_THAT(fault(bytes), HasSubstr("byte 308: a coordinate is nan, not a finite number"));
  bytes = honest.text();
  bytes[bytes.size() - 4] = 7;
  EXPECT_THAT(fault(bytes), HasSubstr("should end with its length 24, and 7 is here"));
}

/// Another frame of a run, there and back.
TEST_F(Gadget2Bodies, ExportedFramesHaveTheSameBits) {
  for (const std::size_t bodies : {1, 2, 257}) {
    for (const bool single : {false, true}) {
      const SyntheticRun synthetic{.bodies = bodies, .frames = 3, .options = {.single_precision = single}};
      synthetic.write(folder_ / "run.h5");
      const Outcome outcome =
          run(folder_, {"export", "run.h5", "--format", "gadget2", "--frames", "1", "-o", "snapshot_003", "--force"});
      ASSERT_EQ(outcome.code, 0) << outcome.errors;
      EXPECT_THAT(outcome.errors, HasSubstr("gadget2 has no place for names"));
      const BodyFile file = read_again();
      const TrajectoryReader reader(folder_ / "run.h5");
      const sim::Snapshot frame = reader.snapshot(1);
      ASSERT_EQ(file.bodies->rows, bodies);
      EXPECT_EQ(file.time, frame.time);
      std::size_t row = 0;
      for (const int component : {0, 1}) {  // disk, then bulge, by their types
        for (std::size_t n = 0; n < bodies; ++n) {
          if (reader.bodies().species[n] != component) continue;
          ASSERT_EQ(file.bodies->numbers.at("position")[3 * row + 1], frame.position.y[n]);
          ASSERT_EQ(file.bodies->numbers.at("velocity")[3 * row + 2], frame.velocity.z[n]);
          const double mass = reader.bodies().mass[n], stored = file.bodies->numbers.at("mass")[row];
          ASSERT_TRUE(stored == mass || (single && stored == static_cast<float>(mass)));
          ++row;
        }
      }
      EXPECT_EQ(row, bodies);
      std::filesystem::remove(folder_ / "run.h5");
    }
  }
}

TEST_F(Gadget2Bodies, ExportsHoldOneMoment) {
  SyntheticRun{.bodies = 3, .frames = 4}.write(folder_ / "run.h5");
  const Outcome several = run(folder_, {"export", "run.h5", "--format", "gadget2", "--frames", "0:2", "-o", "a"});
  EXPECT_EQ(several.code, 2);
  EXPECT_THAT(several.errors, HasSubstr("--frames: gadget2 holds one frame, not 3"));
  const Outcome last = run(folder_, {"export", "run.h5", "--format", "gadget2", "--precision", "float32", "-o", "a"});
  ASSERT_EQ(last.code, 0) << last.errors;
  EXPECT_EQ(format_of(folder_ / "a").read(folder_ / "a", {}).time, TrajectoryReader(folder_ / "run.h5").times().back());
  EXPECT_THAT(run(folder_, {"export", "run.h5", "--format", "csv", "--precision", "float32"}).errors,
              HasSubstr("csv has no precision to choose"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
