// SPDX-License-Identifier: MIT
// Units as H5MD 1.1 and its units module 1.0.0 specify them, for every system that ships.
#include "pipeline/physical_unit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "pipeline/scenario/units.hpp"
#include "pipeline/trajectory/hdf5.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;

/// Whether a unit string follows the specification: factors separated by one blank, each a symbol with a signed nonzero
/// power, which may be omitted if it is 1; each symbol once; at most one number, as the first factor.
bool is_h5md(const std::string& unit) {
  static const std::regex factor("([A-Za-z]+)([+-][1-9][0-9]*)?|[0-9]+(\\.[0-9]+)?");
  std::set<std::string> symbols;
  std::istringstream in(unit);
  std::string word, again;
  for (bool first = true; in >> word; first = false) {
    std::smatch match;
    if (!std::regex_match(word, match, factor)) return false;
    if (!match[1].matched && !first) return false;
    if (match[1].matched && !symbols.insert(match[1]).second) return false;
    again += (again.empty() ? "" : " ") + word;
  }
  return !symbols.empty() && again == unit;
}

TEST(PhysicalUnit, TestFollowsTheH5mdSpecification) {
  for (const char* good : {"nm+3", "um+2 s-1", "60 s", "m", "kpc s km-1"}) EXPECT_TRUE(is_h5md(good)) << good;
  for (const char* bad : {"", "kpc s/km", "kpc kpc s/km-1", "m m", "m+0", "M☉", "m  s", "s 60", "m ", "m2"})
    EXPECT_FALSE(is_h5md(bad)) << bad;
}

TEST(PhysicalUnit, Products) {
  const PhysicalUnit length("kpc"), time("kpc s km-1"), mass("Msun");
  EXPECT_EQ((length / time).h5md(), "km s-1");
  EXPECT_EQ((mass * length * (length / time)).h5md(), "Msun km kpc s-1");
  EXPECT_EQ((mass * (length / time) * (length / time)).h5md(), "Msun km+2 s-2");
  EXPECT_EQ((mass / (length * length * length)).h5md(), "Msun kpc-3");
  EXPECT_EQ((length / length).h5md(), "");
  EXPECT_TRUE((length * PhysicalUnit()).empty()) << "what is not known stays so";
}

TEST(PhysicalUnit, Readable) {
  const PhysicalUnit length("kpc"), time("kpc s km-1"), mass("Msun");
  EXPECT_EQ(time.readable(), "kpc s/km");
  EXPECT_EQ((length / time).readable(), "km/s");
  EXPECT_EQ(mass.readable(), "M☉");
  EXPECT_EQ((mass / (length * length * length)).readable(), "M☉/kpc³");
  EXPECT_EQ((PhysicalUnit("au") / PhysicalUnit("d")).readable(), "au/d");
  EXPECT_EQ(PhysicalUnit("m-5 s-1").readable(), "1/(m^5 s)");
}

/// A number before the symbols, as H5MD allows.
TEST(PhysicalUnit, Factors) {
  const PhysicalUnit mass("10000000000 Msun"), speed("km s-1");
  EXPECT_EQ(mass.h5md(), "10000000000 Msun");
  EXPECT_EQ(mass.readable(), "10¹⁰ M☉");
  EXPECT_EQ((mass * speed * speed).h5md(), "10000000000 Msun km+2 s-2");
  EXPECT_EQ((mass * speed * speed).readable(), "10¹⁰ M☉ km²/s²");
  EXPECT_EQ((mass / mass).h5md(), "");
  EXPECT_EQ(PhysicalUnit("0.5 m").h5md(), "0.5 m");
  EXPECT_EQ(PhysicalUnit("60 s").factor(), 60);
  EXPECT_TRUE(PhysicalUnit("60").empty() || PhysicalUnit("60").factor() == 1);
}

TEST(PhysicalUnit, UnknownUnitsAreLabels) {
  for (const char* label : {"M☉", "kpc s/km", "m m", "2 x"}) {
    EXPECT_EQ(PhysicalUnit(label).readable(), label);
    EXPECT_EQ(PhysicalUnit(label).h5md(), label);
  }
}

/// A text attribute, which must be a scalar of fixed length in ASCII.
std::string ascii_attribute(hid_t object, const char* name) {
  const hdf5::Handle attribute(H5Aopen(object, name, H5P_DEFAULT));
  const hdf5::Handle type(H5Aget_type(attribute)), space(H5Aget_space(attribute));
  EXPECT_EQ(H5Sget_simple_extent_type(space), H5S_SCALAR);
  EXPECT_EQ(H5Tis_variable_str(type), 0);
  EXPECT_EQ(H5Tget_cset(type), H5T_CSET_ASCII);
  return hdf5::read_text_attribute(object, name);
}

/// The units of all datasets of a file, by path.
std::map<std::string, std::string> units_in(const std::filesystem::path& path) {
  std::map<std::string, std::string> units;
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  const auto visit = [](hid_t group, const char* name, const H5O_info_t* info, void* found) -> herr_t {
    if (info->type != H5O_TYPE_DATASET) return 0;
    const hdf5::Handle dataset(H5Dopen2(group, name, H5P_DEFAULT));
    if (hdf5::has_attribute(dataset, "unit"))
      static_cast<std::map<std::string, std::string>*>(found)->emplace(name, ascii_attribute(dataset, "unit"));
    return 0;
  };
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, visit, &units);
  return units;
}

struct UnitSystem {
  pipeline::Units units;
  friend void PrintTo(const UnitSystem& system, std::ostream* out) { *out << system.units.name; }
};

std::vector<UnitSystem> all_systems() {
  std::vector<UnitSystem> all;
  for (const pipeline::Units& units : all_units()) all.push_back({units});
  return all;
}

class Units : public ::testing::TestWithParam<UnitSystem> {
 protected:
  Units() {
    write(folder_ / "s.toml", fmt::format("units = \"{}\"\n", GetParam().units.name) + sound);
    EXPECT_EQ(run(folder_, {"simulate", "s.toml", "--quiet"}).code, 0);
  }
  Folder folder_;
};

TEST_P(Units, OfTheFileFollowTheSpecification) {
  const auto units = units_in(folder_ / "s/run.h5");
  const hdf5::Handle file(H5Fopen((folder_ / "s/run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (GetParam().units.length.empty()) {
    EXPECT_THAT(units, ::testing::IsEmpty());
    EXPECT_FALSE(hdf5::exists(file, "/h5md/modules"));
    return;
  }
  EXPECT_EQ(units.size(),
            14U);  // x, v, m, E (three), p, L, ranges of E and L, centre of mass, closest approach, and two of times
  for (const auto& [dataset, unit] : units) EXPECT_TRUE(is_h5md(unit)) << dataset << ": " << unit;
  const hdf5::Handle module = hdf5::open_group(file, "/h5md/modules/units");
  EXPECT_EQ(ascii_attribute(module, "system"), GetParam().units.name == "si" ? "SI" : GetParam().units.name);
  std::array<std::int32_t, 2> version{};
  ASSERT_GE(H5Aread(hdf5::Handle(H5Aopen(module, "version", H5P_DEFAULT)), H5T_NATIVE_INT32, version.data()), 0);
  EXPECT_THAT(version, ElementsAre(1, 0));
}

/// Each dimension is composed of length, time and mass only.
TEST_P(Units, AreConsistent) {
  if (GetParam().units.length.empty()) return;
  auto units = units_in(folder_ / "s/run.h5");
  const auto of = [&](const char* dataset) { return PhysicalUnit(units.at(dataset)); };
  const PhysicalUnit length = of("particles/all/position/value"), time = of("particles/all/position/time"),
                     mass = of("particles/all/mass"), speed = length / time;
  EXPECT_EQ(of("particles/all/velocity/value").h5md(), speed.h5md());
  EXPECT_EQ(of("observables/momentum/value").h5md(), (mass * speed).h5md());
  EXPECT_EQ(of("observables/angular_momentum/value").h5md(), (mass * speed * length).h5md());
  EXPECT_EQ(of("observables/center_of_mass/value").h5md(), length.h5md());
  for (const char* energy : {"kinetic_energy", "potential_energy", "total_energy"})
    EXPECT_EQ(of(fmt::format("observables/{}/value", energy).c_str()).h5md(), (mass * speed * speed).h5md());
}

TEST_P(Units, AreStoredAndPrintedWithG) {
  const std::string G = fmt::format("{}", GetParam().units.G);
  EXPECT_EQ(TrajectoryReader(folder_ / "s/run.h5").record().initial_facts.G, GetParam().units.G);
  EXPECT_THAT(TrajectoryReader(folder_ / "s/run.h5").record().resolved,
              ::testing::HasSubstr("G = " + to_toml(GetParam().units.G)));
  const auto line = ::testing::ContainsRegex("\nG +" + to_toml(GetParam().units.G) + "\n");
  EXPECT_THAT(run(folder_, {"check", "s.toml"}).output, line);
  EXPECT_THAT(run(folder_, {"info", "s/run.h5"}).output, line);
  EXPECT_THAT(run(folder_, {"table", "."}).output, ::testing::HasSubstr("," + G + ","));
}

INSTANTIATE_TEST_SUITE_P(Systems, Units, ::testing::ValuesIn(all_systems()), [](const auto& system) {
  std::string name(system.param.units.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace orrery::pipeline::testing
