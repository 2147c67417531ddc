// SPDX-License-Identifier: MIT
// The box of a run is read back, unbounded space is stored as before, and an invalid box gives one line.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <optional>

#include "pipeline/trajectory/box.hpp"
#include "pipeline/trajectory/checksums.hpp"
#include "pipeline/trajectory/opening.hpp"
#include "pipeline/trajectory/trajectory_copy.hpp"
#include "sim/boundaries/list.hpp"
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Files that contain only a box.
class TrajectoryBox : public ::testing::Test {
 protected:
  /// Creates a file; `fill` is called with the group of particles.
  void make(const std::function<void(hid_t particles)>& fill) {
    const auto path = folder_ / (std::to_string(++files_) + ".h5");
    (void)trajectory::create_file(
        path, [&](hid_t file) { fill(hdf5::create_group(hdf5::create_group(file, "particles"), "all")); });
    file_.emplace(trajectory::open_to_read(path));
  }
  void write(const sim::Domain& domain, const std::string& unit = "") {
    make([&](hid_t particles) { trajectory::write_box(particles, domain, unit); });
  }
  sim::Domain read() const { return trajectory::read_box(*file_); }
  hdf5::Handle box() const { return hdf5::open_group(*file_, "/particles/all/box"); }
  std::vector<std::string> texts(const char* name) const { return hdf5::read_texts_attribute(box(), name); }

  /// The error message for a box written by another program, with valid checksums.
  struct Written {
    std::int32_t dimension = 3;
    std::vector<std::string> boundary{"none", "none", "none"}, kind{};
    std::vector<double> edges{}, low{};
  };
  std::string refusal(const Written& written) {
    make([&](hid_t particles) {
      const hdf5::Handle group = hdf5::create_group(particles, "box");
      hdf5::write_attribute(group, "dimension", written.dimension);
      hdf5::write_texts_attribute(group, "boundary", written.boundary);
      hdf5::write_texts_attribute(group, "kind", written.kind);
      trajectory::add_checksum(particles, "box");
      for (const auto& [name, numbers] : {std::pair("edges", &written.edges), {"low", &written.low}}) {
        if (numbers->empty()) continue;
        hdf5::write_flat(group, name, std::span(std::as_const(*numbers)));
        trajectory::add_checksum(group, name);
      }
    });
    try {
      (void)read();
    } catch (const hdf5::Failure& failure) {
      std::string said = failure.what();
      EXPECT_EQ(said.find('\n'), std::string::npos) << said;
      EXPECT_EQ(said.find("/particles/all/box: "), 0U) << said;
      return said;
    }
    return "";
  }

  Folder folder_;
  int files_ = 0;
  std::optional<hdf5::Handle> file_;
};

TEST_F(TrajectoryBox, OpenSpaceIsWrittenAsBefore) {
  for (const int dimensions : {2, 3}) {
    write({.dimensions = dimensions}, "kpc");
    auto attributes = hdf5::attribute_names(box());
    std::ranges::sort(attributes);
    EXPECT_THAT(attributes, ElementsAre("boundary", "dimension", "xxh3"));
    EXPECT_EQ(texts("boundary"), std::vector<std::string>(static_cast<std::size_t>(dimensions), "none"));
    EXPECT_EQ(hdf5::read_attribute<std::int32_t>(box(), "dimension"), dimensions);
    for (const char* name : {"edges", "low"}) EXPECT_FALSE(hdf5::exists(box(), name));
    EXPECT_EQ(read(), (sim::Domain{.dimensions = dimensions}));
  }
}

TEST_F(TrajectoryBox, EveryBoundaryIsReadBackOnEveryAxis) {
  for (const int dimensions : {2, 3}) {
    for (const sim::Boundary* boundary : sim::boundaries()) {
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis) {
        SCOPED_TRACE(boundary->name);
        sim::Domain domain{.dimensions = dimensions, .low = {-0.7, 0, 0}, .edges = {0.1, 2e-15, 0}};
        domain.boundary[axis] = boundary;
        if (axis == 2) domain.edges[2] = 3e22;
        write(domain);
        EXPECT_EQ(read(), domain);
        EXPECT_EQ(texts("boundary")[axis], boundary->periodic ? "periodic" : "none");
      }
    }
  }
}

TEST_F(TrajectoryBox, HasH5mdAndOwnAttributes) {
  write({.boundary = {&sim::Periodic::kind, &sim::Reflecting::kind, &sim::Open::kind}, .edges = {3, 4, 0}}, "kpc");
  EXPECT_THAT(texts("boundary"), ElementsAre("periodic", "none", "none"));
  EXPECT_THAT(texts("kind"), ElementsAre("periodic", "reflecting", "open"));
  EXPECT_THAT(hdf5::read_flat<double>(box(), "edges"), ElementsAre(3, 4, 0));
  EXPECT_FALSE(hdf5::exists(box(), "low"));
  const hdf5::Handle edges = hdf5::open_dataset(box(), "edges");
  EXPECT_EQ(hdf5::read_text_attribute(edges, "unit"), "kpc");
}

TEST_F(TrajectoryBox, OfAnotherProgramIsRead) {
  EXPECT_EQ(refusal({.boundary = {"periodic", "none", "periodic"}, .edges = {1, 2, 3}}), "");
  EXPECT_EQ(read(), (sim::Domain{.boundary = {&sim::Periodic::kind, &sim::Open::kind, &sim::Periodic::kind},
                                 .edges = {1, 2, 3}}));
}

TEST_F(TrajectoryBox, InvalidBoxesAreRefusedInOneLine) {
  const std::vector<std::string> walls{"reflecting", "reflecting", "reflecting"}, none{"none", "none", "none"};
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({.kind = walls, .edges = {1, 1, 1}}), "");
  for (const std::int32_t dimension : {-1, 0, 1, 4, 1 << 30})
    EXPECT_THAT(refusal({.dimension = dimension}), HasSubstr(std::to_string(dimension) + ", not 2 or 3"));
  EXPECT_THAT(refusal({.boundary = {"none", "none"}}),
              HasSubstr("`boundary` needs 3 words, one a dimension, and has 2"));
  EXPECT_THAT(refusal({.boundary = {}}), HasSubstr("`boundary` needs 3 words, one a dimension, and has 0"));
  EXPECT_THAT(refusal({.boundary = {"none", "torn", "none"}}), HasSubstr("H5MD does not define the boundary “torn”"));
  EXPECT_THAT(refusal({.kind = {"open"}}), HasSubstr("`kind` needs 3 words, one a dimension, and has 1"));
  EXPECT_THAT(refusal({.kind = {"open", "sticky", "open"}}),
              HasSubstr("this version does not support the boundary “sticky”"));
  EXPECT_THAT(refusal({.kind = {"open", "periodic", "open"}, .edges = {1, 1, 1}}),
              HasSubstr("both “none” and “periodic”"));
  EXPECT_THAT(refusal({.boundary = {"periodic", "none", "none"}, .kind = walls, .edges = {1, 1, 1}}),
              HasSubstr("both “periodic” and “reflecting”"));
  EXPECT_THAT(refusal({.kind = walls}), HasSubstr("needs a length along x, where it is reflecting"));
  EXPECT_THAT(refusal({.kind = walls, .edges = {1, 1}}),
              HasSubstr("`edges` needs 3 numbers, one a dimension, and has 2"));
  EXPECT_THAT(refusal({.kind = walls, .edges = {1, 0, 0, 0, 1, 0, 0, 0, 1}}),
              HasSubstr("`edges` needs 3 numbers, one a dimension, and has 9"));
  for (const double edge : {-1.0, 1e300, 1e-300, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THAT(refusal({.edges = {1, edge, 1}}), HasSubstr("1e-100 … 1e100 along y"));
  EXPECT_THAT(refusal({.kind = walls, .edges = {1, 1, 1}, .low = {0, 0, 1e18}}), HasSubstr("along z"));
  EXPECT_THAT(refusal({.low = {0}}), HasSubstr("`low` needs 3 numbers, one a dimension, and has 1"));
}

TEST_F(TrajectoryBox, InvalidBoxesAreNotWritten) {
  const SyntheticRun run{};
  RunRecord record = run.record();
  record.domain.boundary[1] = &sim::Periodic::kind;
  const auto path = folder_ / "run.h5";
  EXPECT_THAT(complaint([&] { const TrajectoryWriter writer(path, run.initial_bodies(), record, run.options); }),
              HasSubstr("needs a length along y, where it is periodic"));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(TrajectoryBox, IsKeptInAFileAndItsCopy) {
  const SyntheticRun run{.frames = 5,
                         .domain = {.boundary = {&sim::Reflecting::kind, &sim::Periodic::kind, &sim::Open::kind},
                                    .low = {-0.25, 0, 0},
                                    .edges = {0.5, 0.1, 0}}};
  run.write(folder_ / "run.h5");
  EXPECT_EQ(TrajectoryReader(folder_ / "run.h5").record().domain, run.domain);
  (void)salvage(folder_ / "run.h5", folder_ / "copy.h5");
  EXPECT_EQ(TrajectoryReader(folder_ / "copy.h5").record().domain, run.domain);
}

}  // namespace
}  // namespace orrery::pipeline::testing
