// SPDX-License-Identifier: MIT
// The solar system at a date: states are those of DE405, and stay near them when they are integrated.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "sim/backends/cpu.hpp"
#include "sim/initial_states/ephemeris.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/orbit.hpp"
#include "sim/simulation.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double au = 149597870.7;          // km
constexpr double G = 2.959122082855911e-4;  // au³/(M☉ d²), of the units "astronomical"
constexpr SystemOfUnits astronomical{.length = 149597870700.0, .mass = 1.988409870698051e30, .time = 86400};

Vec3 minus(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
double size(const Vec3& a) {
  return std::sqrt(dot(a, a));
}
double angle(const Vec3& a, const Vec3& b) {
  return std::atan2(size(cross(a, b)), dot(a, b));
}
Vec3 at(const Vectors& all, std::size_t i) {
  return {all.x[i], all.y[i], all.z[i]};
}

InitialConditions solar(double date, bool moons = true, const char* frame = "equatorial", double gravity = G) {
  return solar_system.make({{"moons", moons}, {"frame", std::string(frame)}},
                           {.G = gravity, .units = astronomical, .epoch = date});
}

/// Where the bodies are after `days`, by ias15.
Snapshot integrated(const Bodies& bodies, double days) {
  const auto cpu = make_cpu_backend(system_of(bodies, 0, G), 1, 0);
  KeyValues keys = usual_keys(integrator("ias15"));
  keys.at.front() = 1e-9;  // its usual accuracy, with steps of its own
  Simulation run(*cpu, integrator("ias15"), days, keys);
  run.advance(1);
  return run.observe();
}

using ephemeris::State;
/// DE405 itself, by tests/sim/solar_system.py, in the order of ephemeris::Body.
const std::map<double, ephemeris::States> de405{
    {2447007.7,
     {{
         {{-0.0041076414576, 0.0034547554259, 0.0015105999893},
          {0.000000469422145, -0.000006366260066, -0.000002720733853}},
         {{0.2844484880684, 0.1497899750593, 0.0497368892723},
          {-0.018697107373326, 0.022395126358633, 0.013902686219842}},
         {{-0.2770355534876, 0.6031766858224, 0.2885689913081},
          {-0.018776560530825, -0.007549968238224, -0.002207604764707}},
         {{0.6160533439736, -0.7339521587883, -0.3182158760665},
          {0.013339924461221, 0.009582474620379, 0.004155576345188}},
         {{0.6134336107569, -0.7342322393800, -0.3183498675424},
          {0.013434928905322, 0.009085357847919, 0.003884539305594}},
         {{-1.2892208955163, 0.9449421797943, 0.4681180061715},
          {-0.008320060826064, -0.008858995720589, -0.003837894918858}},
         {{4.7161225223140, 1.4194867348735, 0.4934706313909},
          {-0.002377820190576, 0.006913367786334, 0.003021350464525}},
         {{-1.8121482964032, -9.1439596905166, -3.6985061496016},
          {0.005186364491459, -0.000865713132828, -0.000580584747524}},
         {{-1.5355766352982, -17.5554940908671, -7.6670704157665},
          {0.003890982969220, -0.000435633767074, -0.000245874504864}},
         {{3.6723612045045, -27.7371944432570, -11.4444595169880},
          {0.003095689737886, 0.000397405557592, 0.000085609347466}},
         {{-22.0203106039655, -19.9002763764692, 0.4242938390426},
          {0.002206141840671, -0.002370814306754, -0.001404529921542}},
     }}},
    {2451545.0,
     {{
         {{-0.0071364589395, -0.0026470228608, -0.0009229497015},
          {0.000005378460241, -0.000006758187021, -0.000003032850258}},
         {{-0.1372300619464, -0.4032407440572, -0.2014122550498},
          {0.021371774111131, -0.004933057414605, -0.004850466352868}},
         {{-0.7254387547978, -0.0489212734644, 0.0237176930221},
          {0.000803496027010, -0.018498595718190, -0.008372768073241}},
         {{-0.1842715618983, 0.8847815016462, 0.3838199425508},
          {-0.017202246595741, -0.002904925992159, -0.001259427859573}},
         {{-0.1862208435765, 0.8829986097642, 0.3833112288842},
          {-0.016830576127308, -0.003289623826611, -0.001433458017416}},
         {{1.3835794628093, -0.0012458004987, -0.0378831175130},
          {0.000676877934566, 0.013807279374572, 0.006314867483174}},
         {{3.9940404219896, 2.7339319059901, 1.0745894286707},
          {-0.004562935520999, 0.005874703700883, 0.002629270226849}},
         {{6.3992748796291, 6.1720103474731, 2.2738496032570},
          {-0.004286971742323, 0.003521586471086, 0.001638898837005}},
         {{14.4247231384006, -12.5089067750430, -5.6826051939303},
          {0.002683483277296, 0.002455247216601, 0.001037377167697}},
         {{16.8049195231482, -22.9827567060904, -9.8253477502011},
          {0.002584654055469, 0.001661665037551, 0.000615782244654}},
         {{-9.8824799243990, -27.9814991473916, -5.7546082777139},
          {0.003034129763291, -0.001134342830050, -0.001268160729583}},
     }}},
    {2451910.25,
     {{
         {{-0.0046362142911, -0.0045777304092, -0.0018156581430},
          {0.000008119871445, -0.000003568376845, -0.000001743846336}},
         {{0.1589778770343, -0.3637768628115, -0.2106547435289},
          {0.020526531474487, 0.011180745066971, 0.003844499096303}},
         {{0.4933646022584, 0.4843644709947, 0.1866361223503},
          {-0.014708887639511, 0.012293420377995, 0.006461900276478}},
         {{-0.1817070709302, 0.8828526396954, 0.3829327374942},
          {-0.017197086745461, -0.002910434735582, -0.001261689247374}},
         {{-0.1791148334871, 0.8823308463894, 0.3824717734288},
          {-0.017080181764503, -0.002395979279320, -0.001064920429525}},
         {{-1.6522276612645, -0.0700751574891, 0.0126853235455},
          {0.000994172092768, -0.011623750372879, -0.005358178896530}},
         {{1.7939104078312, 4.3443882578767, 1.8184735150049},
          {-0.007144859889694, 0.002735694531932, 0.001346600584828}},
         {{4.6823964335023, 7.2884655975932, 2.8088492688528},
          {-0.005076830471913, 0.002561829970412, 0.001276618966728}},
         {{15.3680869568036, -11.5816924994027, -5.2898528117906},
          {0.002480131292934, 0.002619641350793, 0.001112255610564}},
         {{17.7365790732450, -22.3593506199065, -9.5933784834561},
          {0.002516208279257, 0.001751523760687, 0.000654265415921}},
         {{-8.7674826210572, -28.3757728636638, -6.2135922667644},
          {0.003070470912504, -0.001024532976599, -0.001244844542880}},
     }}},
    {2461371.5,
     {{
         {{-0.0009052441545, -0.0046069168632, -0.0019022593942},
          {0.000005824383959, 0.000002815288227, 0.000001082222559}},
         {{-0.3652928557585, 0.0430350404885, 0.0613124119629},
          {-0.011055916106340, -0.023798734269450, -0.011567422764177}},
         {{0.0651483084228, 0.6507524348336, 0.2888153580235},
          {-0.020203521115761, 0.001136878616300, 0.001789956046803}},
         {{0.4259843036369, 0.8117389980600, 0.3519618998559},
          {-0.015777828343919, 0.006771790495578, 0.002935873561428}},
         {{0.4256561622119, 0.8138643705462, 0.3530482883919},
          {-0.016402610673308, 0.006721751385804, 0.002873241413828}},
         {{-0.6235338848813, 1.3485157662230, 0.6355360389284},
          {-0.012382920193585, -0.003927839082921, -0.001467698978939}},
         {{-3.8090740794093, 3.3820359187070, 1.5424037476773},
          {-0.005360527804618, -0.004686104852497, -0.001878084429915}},
         {{9.1757225897421, 2.0608531513537, 0.4560169136034},
          {-0.001534745026809, 0.004994893346063, 0.002129229254514}},
         {{8.7281174243233, 15.9420764788575, 6.8587409950458},
          {-0.003542748380523, 0.001432535084170, 0.000677511309141}},
         {{29.8264112446867, 1.7126165283892, -0.0415800044324},
          {-0.000184039620692, 0.002917416201599, 0.001198695425227}},
         {{20.1158756668827, -25.8283695653198, -14.1211043377294},
          {0.002678538358003, 0.001338657416466, -0.000389280589481}},
     }}},
    {2469807.5,
     {{
         {{0.0008016579879, -0.0030935455137, -0.0013258849226},
          {0.000005368387309, 0.000002130405541, 0.000000824744573}},
         {{-0.1787124000222, 0.2273648587413, 0.1403874039917},
          {-0.029040051674908, -0.013958520931256, -0.004449296281915}},
         {{0.1425838829332, -0.6504405694799, -0.3016320528219},
          {0.019707393571827, 0.003986308410145, 0.000547835003118}},
         {{-0.1708105170291, 0.8853102970040, 0.3837244547046},
          {-0.017212656871311, -0.002818753219845, -0.001221089860640}},
         {{-0.1684068691684, 0.8859657251782, 0.3841717265173},
          {-0.017365264505603, -0.002274667084731, -0.001027653153412}},
         {{-1.5424300338149, -0.4759482003003, -0.1766849969838},
          {0.004867166022670, -0.010955770869114, -0.005156268633529}},
         {{-2.3902466316248, 4.2625990748774, 1.8850988580351},
          {-0.006812306028934, -0.002904881676528, -0.001079227846013}},
         {{4.7670269950560, -8.0377562246936, -3.5260629501346},
          {0.004599879709723, 0.002524105777243, 0.000844525832303}},
         {{-17.8224364593610, 3.6345962827457, 1.8437635131961},
          {-0.000904821473840, -0.003686322855002, -0.001601705709495}},
         {{17.3991161469677, 22.5556150421193, 8.7989541547135},
          {-0.002567114629284, 0.001691401022096, 0.000756210378910}},
         {{37.4556618580910, -10.2215333050733, -14.4750631117557},
          {0.001401081500660, 0.002183618111626, 0.000259309958767}},
     }}},
};

/// In km, of which those of Mars are pulls by asteroids.
double accuracy_of(std::size_t body) {
  return body == ephemeris::mars ? 2 : 0.6;
}

TEST(SolarSystem, IsWhereTheEphemerisSays) {
  for (const auto& [date, expected] : de405) {
    const ephemeris::States found = ephemeris::states_at(date);
    for (std::size_t i = 0; i < ephemeris::body_count; ++i) {
      EXPECT_LT(size(minus(found[i].position, expected[i].position)) * au, accuracy_of(i)) << date << " body " << i;
      EXPECT_LT(size(minus(found[i].velocity, expected[i].velocity)) * au / 86400 * 1e6, 1)
          << date << " body " << i;  // mm/s
    }
  }
}

TEST(SolarSystem, HasTheStatesOfNodesAndNoOthersOutside) {
  EXPECT_EQ(ephemeris::states_at(ephemeris::first_date)[3].position, ephemeris::nodes[0][3].position);
  EXPECT_NEAR(ephemeris::states_at(ephemeris::last_date)[3].position.x,
              ephemeris::nodes[ephemeris::node_count - 1][3].position.x, 1e-16);
  EXPECT_THROW((void)solar(ephemeris::first_date - 0.1), ArgumentError);
  EXPECT_THROW((void)solar(ephemeris::last_date + 0.1), ArgumentError);
  EXPECT_THROW((void)solar(std::nan("")), ArgumentError);
}

TEST(SolarSystem, HasTheBitsThatAreCommitted) {
  const Bodies bodies = solar(2461371.5, true, "ecliptic").bodies;
  EXPECT_EQ(fingerprint({&bodies.mass, &bodies.position.x, &bodies.position.y, &bodies.position.z, &bodies.velocity.x,
                         &bodies.velocity.y, &bodies.velocity.z}),
            17280214020896031010ULL);
}

TEST(SolarSystem, CharonAndPlutoGoRoundTheirBarycentre) {
  const double date = 2461371.5, period = 6.38722;  // days
  for (const double time : {date, date + period / 4}) {
    const Bodies bodies = solar(time).bodies, without = solar(time, false).bodies;
    ASSERT_EQ(bodies.names[10], "Pluto");
    ASSERT_EQ(bodies.names[11], "Charon");
    const double m = bodies.mass[10], n = bodies.mass[11];
    const Vec3 pluto = at(bodies.position, 10), charon = at(bodies.position, 11);
    EXPECT_NEAR((m * pluto.x + n * charon.x) / (m + n), de405.at(date)[10].position.x, time == date ? 2e-9 : 1);
    const Vec3 apart = minus(charon, pluto), v = minus(at(bodies.velocity, 11), at(bodies.velocity, 10));
    EXPECT_NEAR(size(apart) * au, 19596, 0.01);
    EXPECT_NEAR(2 * pi * size(apart) / size(v), period, 0.0005);
    EXPECT_NEAR(dot(apart, v) / (size(apart) * size(v)), 0, 1e-6);
    // Their plane to that of the orbit about the Sun, 119.59° (Tholen et al. 2008).
    const Vec3 from_sun = minus(at(without.position, 9), at(without.position, 0));
    const Vec3 round_sun = minus(at(without.velocity, 9), at(without.velocity, 0));
    EXPECT_NEAR(angle(cross(apart, v), cross(from_sun, round_sun)) * 180 / pi, 119.6, 0.1);
  }
  const Vec3 a = minus(at(solar(date).bodies.position, 11), at(solar(date).bodies.position, 10));
  const Vec3 b =
      minus(at(solar(date + period / 4).bodies.position, 11), at(solar(date + period / 4).bodies.position, 10));
  EXPECT_NEAR(angle(a, b), pi / 2, 1e-4);
}

TEST(SolarSystem, WithoutMoonsHasTheSameBarycentre) {
  const Bodies all = solar(2454321.9).bodies, fewer = solar(2454321.9, false).bodies;
  EXPECT_EQ(all.size(), 12U);
  EXPECT_EQ(fewer.size(), 10U);
  const auto moment = [](const Bodies& bodies, const std::vector<double>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) sum += bodies.mass[i] * x[i];
    return sum;
  };
  EXPECT_NEAR(moment(all, all.position.y), moment(fewer, fewer.position.y),
              3e-9);  // Pluto's masses are from elsewhere
  EXPECT_NEAR(moment(all, all.position.y), 0, 2e-8);
  EXPECT_EQ(all.position.x[0], fewer.position.x[0]);
}

TEST(SolarSystem, FramesAndUnitsAreTheSameSystem) {
  const Bodies a = solar(2454321.9).bodies, b = solar(2454321.9, true, "ecliptic").bodies;
  const double obliquity = 84381.448 / 3600 * pi / 180;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(b.position.y[i], std::cos(obliquity) * a.position.y[i] + std::sin(obliquity) * a.position.z[i], 1e-14);
    EXPECT_NEAR(b.velocity.z[i], std::cos(obliquity) * a.velocity.z[i] - std::sin(obliquity) * a.velocity.y[i], 1e-16);
  }
  constexpr double gm_sun = 1.32712440018e11;  // km³/s²
  const SystemOfUnits km{.length = 1e3, .mass = 1.988409870698051e30, .time = 1};
  const Bodies c =
      solar_system
          .make({{"moons", true}, {"frame", std::string("equatorial")}}, {.G = gm_sun, .units = km, .epoch = 2454321.9})
          .bodies;
  EXPECT_NEAR(c.position.x[6] / (a.position.x[6] * au), 1, 1e-14);
  EXPECT_NEAR(c.velocity.x[6] / (a.velocity.x[6] * au / 86400), 1, 1e-9);
  EXPECT_EQ(c.mass, a.mass);
}

/// Differences from DE405 in km, for points under Newton's law alone.
std::vector<double> differences(const Snapshot& found, double date, bool moons) {
  std::vector<double> all;
  const ephemeris::States& expected = de405.at(date);
  for (std::size_t i = 0; i < 10; ++i) {
    const std::size_t body = moons || i < ephemeris::moon ? i : i + 1;
    const Vec3 x = minus(at(found.position, i), at(found.position, 0));
    all.push_back(size(minus(x, minus(expected[body].position, expected[0].position))) * au);
  }
  return all;
}

/// After a year what is missing shows: relativity moves Mercury by some 200 km, the Moon's orbit turns by the oblateness of the Earth.
TEST(SolarSystem, StaysNearTheEphemerisForAYear) {
  const auto km = differences(integrated(solar(2451545.0).bodies, 365.25), 2451910.25, true);
  const double bounds[] = {1, 200, 100, 80, 150, 50, 2, 1, 1, 1};
  for (std::size_t i = 0; i < km.size(); ++i) EXPECT_LT(km[i], bounds[i]) << "body " << i;
}

/// From 2000 to 2050: outer planets within 1e-5 au.
TEST(SolarSystem, StaysNearTheEphemerisForFiftyYears) {
  const auto km = differences(integrated(solar(2451545.0, false).bodies, 18262.5), 2469807.5, false);
  for (std::size_t i = 5; i < km.size(); ++i) EXPECT_LT(km[i] / au, 1e-5) << "body " << i;
  EXPECT_LT(km[1], 20e3);  // Mercury, whose perihelion relativity turns by 21″ in that time
}

/// The comet of 1986 from one set of elements, of 1994-02-17 (JPL Small-Body Database): the perihelion of 2061 is on July 28.
TEST(SolarSystem, HalleyReturnsOnTime) {
  constexpr double date = 2449400.5;
  Bodies bodies = solar(date, false, "ecliptic").bodies;
  const OrbitalElements halley{.pericentre = 0.5859781115169086,
                               .eccentricity = 0.9671429084623044,
                               .inclination = 162.2626905791606,
                               .ascending_node = 58.42008097656843,
                               .argument_of_pericentre = 111.3324851045177,
                               .time_of_pericentre = 2446467.395317050925};
  const RelativeState state = state_of(halley, G, date);
  bodies.mass.push_back(0);
  bodies.position.push_back(bodies.position.x[0] + state.position.x, bodies.position.y[0] + state.position.y,
                            bodies.position.z[0] + state.position.z);
  bodies.velocity.push_back(bodies.velocity.x[0] + state.velocity.x, bodies.velocity.y[0] + state.velocity.y,
                            bodies.velocity.z[0] + state.velocity.z);
  constexpr double near = 2474040;  // JD of the date on which its elements are taken: 2461-08
  const Snapshot found = integrated(bodies, near - date);
  const std::size_t last = bodies.size() - 1;
  const auto there = elements_of(G, minus(at(found.position, last), at(found.position, 0)),
                                 minus(at(found.velocity, last), at(found.velocity, 0)), near);
  EXPECT_NEAR(there.time_of_pericentre, 2474034.2, 1);
}

/// Times at which `distance` is least and below `limit`, from samples every `step` days, by a parabola through three.
std::vector<double> minima(const std::vector<double>& distance, double step, double limit) {
  std::vector<double> times;
  for (std::size_t k = 1; k + 1 < distance.size(); ++k) {
    const double a = distance[k - 1], b = distance[k], c = distance[k + 1];
    if (b < limit && b < a && b <= c)
      times.push_back(step * (static_cast<double>(k) + 0.5 * (a - c) / (a - 2 * b + c)));
  }
  return times;
}

/// Every eclipse of the Sun, and every one of the Moon within 1.1° of the axis of the shadow, of 2027 and 2028, computed from the state of November 27,
/// 2026; dates in TDB of the greatest eclipse: Espenak & Meeus, Five Millennium Canon of Solar Eclipses, and of Lunar Eclipses.
TEST(SolarSystem, EclipsesAreOnTheirDates) {
  constexpr double start = 2461371.5, step = 0.05;
  const auto made = solar(start);
  const auto cpu = make_cpu_backend(system_of(made.bodies, 0, G), 1, 0);
  KeyValues keys = usual_keys(integrator("ias15"));
  keys.at.front() = 1e-9;
  Simulation run(*cpu, integrator("ias15"), step, keys);
  std::vector<double> of_sun,
      of_moon;  // degrees between Sun and Moon, and between the Moon and the Earth's shadow, squared
  for (int k = 0; k < 766 * 20; ++k) {
    const Snapshot s = run.observe();
    const Vec3 to_sun = minus(at(s.position, 0), at(s.position, 3)),
               to_moon = minus(at(s.position, 4), at(s.position, 3));
    const double apart = angle(to_sun, to_moon) * 180 / pi;
    of_sun.push_back(apart * apart);
    of_moon.push_back((180 - apart) * (180 - apart));
    run.advance(1);
  }
  const auto compare = [&](const std::vector<double>& found, const std::vector<double>& dates) {
    ASSERT_EQ(found.size(), dates.size());
    for (std::size_t k = 0; k < dates.size(); ++k) EXPECT_NEAR(start + found[k], dates[k], 0.01);
  };
  // 2027 Feb 6 16:00:48, 2027 Aug 2 10:07:50, 2028 Jan 26 15:08:59, 2028 Jul 22 02:56:40
  compare(minima(of_sun, step, 1.5 * 1.5), {2461443.16722, 2461619.92211, 2461797.13124, 2461974.62269});
  // 2027 Feb 20 23:14 (only the penumbra), 2028 Jan 12 04:14, 2028 Jul 6 18:21, 2028 Dec 31 16:53
  compare(minima(of_moon, step, 1.1 * 1.1), {2461457.46806, 2461782.67639, 2461959.26458, 2462137.20347});
}

}  // namespace
}  // namespace orrery::sim::testing
