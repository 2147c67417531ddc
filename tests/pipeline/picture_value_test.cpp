// SPDX-License-Identifier: MIT
// Pictures as plain values: made in memory, read from TOML and written as TOML.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/messages.hpp"
#include "pipeline/pictures/picture.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "tests/complaint.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<Picture> read_text(const std::string& text) {
  return read_pictures(Document(text, "s.toml", {}));
}

Picture made(bool moving, Arguments keys) {
  return make_picture(moving, {.values = std::move(keys)});
}

TEST(PictureValue, IsWhatItsTableReadsAs) {
  const std::vector<Picture> written = read_text(R"([[figure]]
kind = "snapshots"
file = "s.pdf"
times = [0.0, 17.25]
width = "8.6 cm"
theme = "dark"
[[figure]]
kind = "panels"
file = "p.png"
columns = 2
[[figure.part]]
kind = "separation"
bodies = ["Sun", "3"]
[[figure.part]]
kind = "energy-error"
y_limits = [1e-9, 0.1]
[[film]]
kind = "view3d"
file = "f.mp4"
fps = 24
codec = "hevc"
)");
  ASSERT_EQ(written.size(), 3U);
  EXPECT_EQ(written[0], made(false, {{"kind", "snapshots"},
                                     {"file", "s.pdf"},
                                     {"times", std::vector{0.0, 17.25}},
                                     {"width", "8.6 cm"},
                                     {"theme", "dark"}}));
  const std::vector<Arguments> parts{{{"kind", "separation"}, {"bodies", std::vector<std::string>{"Sun", "3"}}},
                                     {{"kind", "energy-error"}, {"y_limits", std::vector{1e-9, 0.1}}}};
  const Picture panels =
      made(false, {{"kind", "panels"}, {"file", "p.png"}, {"columns", std::int64_t{2}}, {"part", parts}});
  EXPECT_EQ(written[1], panels);
  ASSERT_EQ(panels.parts.size(), 2U);
  EXPECT_EQ(panels.parts[1].kind->name, "energy-error");
  const Picture film =
      made(true, {{"kind", "view3d"}, {"file", "f.mp4"}, {"fps", std::int64_t{24}}, {"codec", "hevc"}});
  EXPECT_EQ(written[2], film);
  EXPECT_TRUE(film.moving);
  EXPECT_EQ(film.keys->number("duration"), 12) << "a default";
  Picture other = film;
  other.keys.set("fps", std::nextafter(24.0, 25.0));
  EXPECT_NE(other, film);
}

TEST(PictureValue, IsReadBackFromItsTable) {
  for (const std::string section : {"figure", "film"}) {
    for (const FigureDescription& kind : figure_descriptions(section)) {
      Arguments keys{{"kind", std::string(kind.name)}, {"file", section == "film" ? "x.gif" : "x.png"}};
      if (kind.name == "divergence") keys.set("other", "../b/run.h5");
      const Picture picture = made(section == "film", keys);
      const std::vector<Picture> again = read_text(to_toml(picture));
      ASSERT_EQ(again.size(), 1U);
      EXPECT_EQ(again.front(), picture) << to_toml(picture);
    }
  }
}

TEST(PictureValue, IsCheckedAsATableIs) {
  const auto complaint = [](Arguments keys, std::string place = "") {
    if (!keys.has("kind")) keys.set("kind", "energy-error");
    if (!keys.has("file")) keys.set("file", "e.png");
    return orrery::complaint([&] { (void)make_picture(false, {std::move(keys), std::move(place)}); }, 2);
  };
  EXPECT_THAT(complaint({{"kind", "energy-eror"}}), StartsWith("figure energy-eror: there is no such figure; did you"));
  EXPECT_EQ(complaint({{"sise", 3.0}}), "figure energy-error: unknown key `sise`; did you mean `size`?");
  EXPECT_THAT(complaint({{"dpi", 3.0}}, "a panel"), StartsWith("a panel: `dpi` = 3 must be in [30, 2400]"));
  EXPECT_THAT(complaint({{"dpi", "much"}}), StartsWith("figure energy-error: `dpi` must be a number"));
  EXPECT_THAT(complaint({{"theme", "drak"}}), HasSubstr("must be one of light, dark; did you mean `dark`?"));
  EXPECT_THAT(complaint({{"size", std::vector{100.0}}}), HasSubstr("`size` must have 2 entries, it has 1"));
  EXPECT_THAT(complaint({{"size", std::vector<double>{100, INFINITY}}}), HasSubstr("`size` must be finite"));
  EXPECT_THAT(complaint({{"labels", std::vector{1.0}}}), HasSubstr("`labels` must be an array of texts"));
  const std::vector<Arguments> nested{{{"kind", "panels"}}};
  EXPECT_THAT(complaint({{"kind", "panels"}, {"part", nested}}),
              AllOf(StartsWith("figure panels: "), HasSubstr("which has parts itself")));
}

TEST(PictureValue, OfADocumentMayHaveGivenKeys) {
  const Document document("[[film]]\nkind = \"phase\"\nfile = \"c.gif\"\n", "s.toml",
                          std::vector<std::string>{"figure[0].title=T", "figure[0].dpi=72"});
  const std::vector<Picture> all = read_pictures(
      document, "figure", {{{"kind", "separation"}, {"file", "s.png"}, {"dpi", 100.0}}, "--figure separation"});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].kind->name, "separation");
  EXPECT_EQ(all[0].keys->number("dpi"), 72) << "the document goes first";
  EXPECT_EQ(all[0].keys.where("file"), "--figure separation");
  EXPECT_EQ(all[0].keys.where("title"), "--set figure[0].title=T");
  EXPECT_EQ(all[0].keys.where("size"), "--figure separation") << "a key that is not there";
  EXPECT_EQ(all[1].keys.where("kind"), "s.toml:2:8");
}

TEST(PictureValue, IsDrawnWithoutTables) {
  const Folder folder;
  write(folder / "t.toml", "[initial]\nkind = \"two-body\"\n[integrator]\ndt = 0.01\nsteps = 33\n");
  simulate(folder, "t.toml", "a");
  const TrajectoryReader run(folder / "a/run.h5");
  const auto draw = [&](const std::vector<Picture>& pictures) {
    Context silent;
    return Pictures(subject_of(run), pictures).draw(run, folder / "a", silent).size();
  };
  const Picture numbers = made(false, {{"kind", "energy-error"}, {"file", "e.csv"}});
  const Picture panels = made(false, {{"kind", "panels"}, {"file", "p.svg"}, {"size", std::vector{400.0, 300.0}}});
  EXPECT_EQ(draw({numbers, panels}), draws_pictures() ? 2U : 1U) << "numbers are written in every build";
  EXPECT_THAT(read(folder / "a/e.csv"), HasSubstr("ΔE"));
  if (!draws_pictures()) return;
  EXPECT_THAT(read(folder / "a/p.svg"), HasSubstr("[[figure]]\nkind = &quot;panels&quot;"));
  EXPECT_EQ(
      draw({made(
          true,
          {{"kind", "separation"}, {"file", "s-##.png"}, {"duration", 0.1}, {"size", std::vector{100.0, 80.0}}})}),
      1U);
  EXPECT_TRUE(std::filesystem::exists(folder / "a/s-02.png"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
