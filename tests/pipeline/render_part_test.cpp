// SPDX-License-Identifier: MIT
// orrery render of a part of a run and in small size, the provenance in films, and the suite that times them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/measure/drawing.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "pipeline/version.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* in_parts = R"([initial]
kind = "two-body"
[integrator]
kind = "leapfrog"
dt = "1/60 period"
steps = 60
[trajectory]
frames = 21
[[figure]]
kind = "projection"
file = "still.png"
size = [320, 240]
[[film]]
kind = "projection"
file = "f-##.png"
size = [320, 200]
duration = 0.4
trails = 0
limits = [-3, 3, -2, 2]
)";

/// The pixels of a PNG without its metadata: its IDAT chunks.
std::string pixels_in(const std::string& png) {
  std::string pixels;
  for (std::size_t at = 8; at + 8 < png.size();) {
    std::size_t size = 0;
    for (std::size_t k = 0; k < 4; ++k) size = size << 8U | static_cast<unsigned char>(png[at + k]);
    if (png.compare(at + 4, 4, "IDAT") == 0) pixels += png.substr(at + 8, size);
    at += size + 12;
  }
  return pixels;
}

class RenderPart : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
    write(folder_ / "s.toml", in_parts);
    const Outcome made = run(folder_, {"simulate", "s.toml", "--quiet", "-o", "s"});
    ASSERT_EQ(made.code, 0) << made.errors;
  }
  /// The frames of the film in a folder, in their order.
  std::vector<std::string> drawn(const std::string& name, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"render", "s/run.h5", "--quiet", "-o", name});
    const Outcome outcome = run(folder_, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    std::vector<std::string> files;
    for (int k = 0; std::filesystem::exists(file(name, k)); ++k) files.push_back(pixels_in(read(file(name, k))));
    return files;
  }
  std::filesystem::path file(const std::string& name, int k) const {
    return folder_ / (name + "/f-" + std::to_string(k / 10) + std::to_string(k % 10) + ".png");
  }
  Folder folder_;
};

TEST(FrameRange, EveryKth) {
  const FrameRange range = frame_range("2:9:3", 20, true);
  EXPECT_EQ(range.count(), 3U);
  EXPECT_EQ(range.last(), 8U);
  EXPECT_THAT(sampled(range, 100), ElementsAre(2U, 5U, 8U));
  EXPECT_THAT(sampled(range, 2), ElementsAre(2U, 8U));
  EXPECT_THAT(sampled(frame_range("::4", 10, true), 100), ElementsAre(0U, 4U, 8U));
  EXPECT_THAT(sampled(frame_range("7:", 10, true), 100), ElementsAre(7U, 8U, 9U));
  EXPECT_TRUE(sampled(std::size_t{0}, 5).empty());
  for (const char* text : {"1:2:0", "1:2:", "1:2:x", "1:2:3:4", "1:2:-1"})
    EXPECT_THROW(frame_range(text, 20, true), Error) << text;
  EXPECT_THROW(frame_range("1:4:2", 20), Error);
}

TEST_F(RenderPart, FilmOfAPart) {
  const auto each = drawn("each", {"--frames", "0:20:1"});
  ASSERT_EQ(each.size(), 21U);
  const auto third = drawn("third", {"--frames", "3:14:3"});
  ASSERT_EQ(third.size(), 4U);
  for (std::size_t k = 0; k < third.size(); ++k) EXPECT_TRUE(third[k] == each[3 + 3 * k]) << k;
  // A much shorter part has more digits in its time stamp.
  const auto part = drawn("part", {"--frames", "3:14"});
  ASSERT_EQ(part.size(), 12U) << "as long as it was";
  EXPECT_TRUE(part.front() == each[3]);
  EXPECT_TRUE(part.back() == each[14]);
  EXPECT_FALSE(pixels_in(read(folder_ / "part/still.png")) == pixels_in(read(folder_ / "each/still.png")));
  const Outcome beyond = run(folder_, {"render", "s/run.h5", "--frames", "5:21"});
  EXPECT_EQ(beyond.code, 2);
  EXPECT_THAT(beyond.errors, HasSubstr("there is no frame 21"));
  EXPECT_EQ(run(folder_, {"render", "s/run.h5", "--frames", "5", "--follow"}).code, 2);
}

TEST_F(RenderPart, PicturesStoreTheirPart) {
  const auto said = [&](const std::string& picture) { return run(folder_, {"info", picture}).output; };
  (void)drawn("each", {});
  EXPECT_THAT(said("each/still.png"), Not(HasSubstr("--frames")));
  (void)drawn("part", {"--frames", "3:14:4"});
  for (const std::string name : {"part/still.png", "part/f-02.png"}) {
    EXPECT_THAT(said(name),
                HasSubstr("# drawn with --frames 3:14:4: frames 3 to 11, every 4 frames, of 0 to 20, t = "));
    EXPECT_EQ(run(folder_, {"check", name}).code, 0) << "and it is a scenario still";
  }
}

TEST_F(RenderPart, PreviewIsSmallAndInAFileOfItsOwn) {
  const Outcome outcome = run(folder_, {"render", "s/run.h5", "--preview", "--set", "film[0].duration=20", "--set",
                                        "film[0].file=\"film.gif\""});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("film film-preview.gif: projection, 160 × 100 pixels, 75 frames, 5 s"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "s/film-preview.gif"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "s/still-preview.png"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s/still.png"));
}

TEST_F(RenderPart, GifHasTheRequestedRate) {
  const auto checked = [&](const std::string& fps) {
    return run(folder_, {"check", "s.toml", "--set", "film[0].file=\"f.gif\"", "--set", "film[0].duration=12", "--set",
                         "film[0].fps=" + fps});
  };
  EXPECT_THAT(checked("30").output, HasSubstr("320 × 200 pixels, 360 frames, 12 s"));
  EXPECT_THAT(checked("47").output, HasSubstr("564 frames, 12 s"));
  EXPECT_EQ(checked("51").code, 2);
  EXPECT_THAT(checked("51").errors, HasSubstr("a GIF has at most 50 frames per second"));
}

TEST_F(RenderPart, OddSizesAreReportedAsWritten) {
  const auto checked = [&](const std::string& file) {
    return run(folder_,
               {"check", "s.toml", "--set", "film[0].size=[321, 241]", "--set", "film[0].file=\"" + file + "\""})
        .output;
  };
  EXPECT_THAT(checked("f.mp4"), HasSubstr("320 × 240 pixels (of 321 × 241: video has even sides), 12 frames"));
  EXPECT_THAT(checked("f.gif"), HasSubstr("321 × 241 pixels, 10 frames"));
  EXPECT_THAT(checked("f-##.png"), HasSubstr("321 × 241 pixels, 12 frames"));
}

TEST_F(RenderPart, PixelFormatsAreThoseOfTheEncoder) {
  const std::string film = std::string(in_parts) + "pixel_format = \"yuv444p10\"\n";
  const auto codec = [&](const std::string& file, const std::string& name) {
    std::string text = film;
    text.replace(text.find("f-##.png\""), 9, file + "\"\ncodec = \"" + name + "\"");
    write(folder_ / "p.toml", text);
    return run(folder_, {"check", "p.toml"});
  };
  for (const auto& [file, name] : {std::pair("f.mp4", "h264"), std::pair("f.mp4", "hevc"), std::pair("f.mp4", "av1"),
                                   std::pair("f.webm", "vp9"), std::pair("f.webm", "av1")}) {
    const Outcome outcome = codec(file, name);
    if (outcome.code == 0) {
      EXPECT_THAT(outcome.output, HasSubstr(std::string(name) + " yuv444p10"));
    } else if (outcome.errors.find("has no encoder") == std::string::npos) {
      EXPECT_EQ(outcome.code, 2);
      EXPECT_THAT(outcome.errors, HasSubstr("p.toml:21:"));
      EXPECT_THAT(outcome.errors,
                  HasSubstr("this FFmpeg writes no " + std::string(name) + " as yuv444p10: use yuv420p"));
    }
  }
}

TEST_F(RenderPart, NumbersNeedEnoughDigits) {
  const Outcome outcome = run(folder_, {"check", "s.toml", "--set", "film[0].duration=12"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("360 frames need 3 digits"));
  for (const auto& [key, words] :
       std::vector<std::pair<std::string, std::string>>{{"film[0].file=\"f.png\"", "frames-####.png"},
                                                        {"film[0].file=\"f.avi\"", ".webm"},
                                                        {"film[0].codec=\"av1\"", "is for .mp4 and .webm"},
                                                        {"film[0].codec=\"divx\"", "hevc"},
                                                        {"film[0].pixel_format=\"yuv444p\"", "is for .mp4 and .webm"},
                                                        {"film[0].pixel_format=\"rgb24\"", "yuv444p10"}}) {
    const Outcome refused = run(folder_, {"check", "s.toml", "--set", key});
    EXPECT_EQ(refused.code, 2) << key;
    EXPECT_THAT(refused.errors, HasSubstr(words)) << key;
  }
}

TEST_F(RenderPart, DigitsFitTheDrawnFrames) {
  const std::vector<std::string> longer{"--set", "film[0].duration=12"};
  const auto drawn_of = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), longer.begin(), longer.end());
    return drawn("part", arguments).size();
  };
  EXPECT_EQ(drawn_of({"--frames", "3:14:3"}), 4U) << "though the whole film has 360";
  const Outcome stretch = run(folder_, {"render", "s/run.h5", "--frames", "3:14", longer[0], longer[1], "-o", "none"});
  EXPECT_EQ(stretch.code, 2);
  EXPECT_THAT(stretch.errors, HasSubstr("360 frames need 3 digits"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "none")) << "nothing is drawn before that is known";
  EXPECT_EQ(run(folder_, {"render", "s/run.h5", "--preview", longer[0], longer[1]}).code, 0) << "75 frames";
}

TEST_F(RenderPart, SequenceIsReplaced) {
  ASSERT_EQ(run(folder_, {"run", "s.toml", "--quiet", "-o", "s"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(file("s", 11)));
  std::filesystem::remove(file("s", 11));
  ASSERT_EQ(run(folder_, {"run", "s.toml", "--quiet", "-o", "s"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(file("s", 11)));
}

TEST(BenchRender, QuickCommand) {
  const Folder folder;
  const Outcome outcome =
      run(folder, {"bench", "--suite", "render", "--quick", "--quiet", "--json", "b.json", "-o", "here"});
  if (!draws_pictures()) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.errors, HasSubstr("-DORRERY_RENDER=ON"));
    return;
  }
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  for (const char* words : {"CPU s", "four figures", "GIF"}) EXPECT_THAT(outcome.output, HasSubstr(words));
  EXPECT_TRUE(is_json(read(folder / "b.json")));
  for (const char* key : {"cpu_seconds", "seconds_per_frame", "memory", "\"bytes\""})
    EXPECT_THAT(read(folder / "b.json"), HasSubstr(key));
  EXPECT_THAT(read(folder / "b.json"), Not(HasSubstr("failure")));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "here"));
  EXPECT_EQ(run(folder, {"bench", "--quick"}).code, 2);
  EXPECT_EQ(run(folder, {"bench", "--suite", "render", "--n", "6"}).code, 2);
}

TEST(BenchRender, EveryRowHasPictures) {
  for (const DrawingRow& row : drawing_rows(false)) EXPECT_FALSE(row.pictures.empty()) << row.what;
}

}  // namespace
}  // namespace orrery::pipeline::testing
