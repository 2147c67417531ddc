// SPDX-License-Identifier: MIT
// The time unit of axes and stamps: chosen for readable numbers, or given by `time_unit`.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/named_unit.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(NamedUnit, IsASymbolANameOrAPlural) {
  for (const NamedUnit& unit : named_units()) {
    EXPECT_EQ(unit_named(unit.symbol, unit.dimension), &unit);
    EXPECT_EQ(unit_named(unit.name, unit.dimension), &unit);
    EXPECT_EQ(in_si(std::string(unit.symbol))->value(), unit.si.value());
  }
  EXPECT_EQ(unit_named("solar masses", Dimension::mass), unit_named("Msun", Dimension::mass));
  EXPECT_EQ(unit_named("m", Dimension::time), nullptr);
  EXPECT_EQ(unit_named("hourss", Dimension::time), nullptr);
  EXPECT_EQ(unit_named("", Dimension::time), nullptr);
  EXPECT_EQ(in_si("km s-1")->value(), 1000);
  EXPECT_EQ(in_si("kg m+2 s-2")->value(), 1);
  EXPECT_FALSE(in_si(""));
  EXPECT_FALSE(in_si("km h-1 parrot"));
}

class ShownTime : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
  }
  /// The picture of a run that lasts `time`, as SVG.
  std::string drawn(const std::string& units, const std::string& time, const std::string& figure) const {
    const bool named = !units.empty();
    const std::string dt = named ? fmt::format("\"{}\"", with(time, " ", "/20 ")) : "0.05";
    write(folder_ / "s.toml",
          fmt::format(
              "{}[initial]\nkind = \"two-body\"\nsemi_major_axis = 1e9\n[integrator]\nkind = \"leapfrog\"\ndt = {}\n"
              "steps = 20\n[[figure]]\nfile = \"a.svg\"\n{}",
              named ? fmt::format("units = \"{}\"\n", units) : "", dt, figure));
    const Outcome outcome = run(folder_, {"run", "s.toml", "--quiet", "--force", "-o", "s"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return read(folder_ / "s/a.svg");
  }
  Folder folder_;
  const std::string chart_ = "kind = \"separation\"\n", moments_ = "kind = \"snapshots\"\ncount = 2\n";
};

TEST_F(ShownTime, IsReadable) {
  const std::pair<const char*, const char*> cases[] = {
      {"20 s", "s"},    {"20 min", "min"},  {"1.9 d", "h"},     {"30 d", "d"},     {"700 d", "d"},  {"730.5 d", "yr"},
      {"999 yr", "yr"}, {"1.5 kyr", "kyr"}, {"1.1 Myr", "Myr"}, {"13 Gyr", "Gyr"}, {"0.25 s", "ms"}};
  for (const auto& [time, unit] : cases)
    EXPECT_THAT(drawn("si", time, chart_), HasSubstr(fmt::format("t [{}]", unit))) << time;
  EXPECT_THAT(drawn("galactic", "250 Myr", chart_), HasSubstr("t [Myr]"));
  EXPECT_THAT(drawn("astronomical", "12 yr", chart_), HasSubstr("t [yr]"));
  EXPECT_THAT(drawn("astronomical", "365.25 d", moments_), HasSubstr("t = 365 d"));
  EXPECT_THAT(drawn("", "", chart_), AllOf(Not(HasSubstr("t [")), Not(HasSubstr("10⁻"))));
}

TEST_F(ShownTime, FollowsItsKey) {
  EXPECT_THAT(drawn("si", "30 d", chart_ + "time_unit = \"h\"\n"), HasSubstr("t [h]"));
  EXPECT_THAT(drawn("galactic", "250 Myr", chart_ + "time_unit = \"own\"\n"), HasSubstr("t [kpc s/km]"));
  EXPECT_THAT(drawn("si", "30 d", moments_ + "time_unit = \"yr\"\n"), HasSubstr("t = 0.0821 yr"));
  EXPECT_THAT(drawn("si", "30 d", "kind = \"panels\"\ntime_unit = \"h\"\n[[figure.part]]\nkind = \"separation\"\n"),
              HasSubstr("t [h]"));
  const Outcome again = run(folder_, {"render", "s/run.h5", "-o", "b", "--set", "figure[0].time_unit=\"s\""});
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_THAT(read(folder_ / "b/a.svg"), HasSubstr("t [10⁶ s]"));
}

TEST_F(ShownTime, NeedsUnits) {
  write(folder_ / "s.toml", sound + "[[figure]]\nkind = \"separation\"\nfile = \"a.svg\"\ntime_unit = \"d\"\n");
  const Outcome outcome = run(folder_, {"check", "s.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("s.toml:14:13: the run is in dimensionless units: set `units"));
}

TEST_F(ShownTime, TrailsAndMomentsAreInTimesOfTheCalendar) {
  EXPECT_THAT(drawn("si", "30 d", "kind = \"snapshots\"\ntimes = [0, \"15 days\"]\ntrails = \"2 days\"\n"),
              HasSubstr("t = 15.0 d"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
