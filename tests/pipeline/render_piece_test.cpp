// SPDX-License-Identifier: MIT
// orrery render --piece and orrery join: frames of pieces are those of the whole film, for every kind of figure that keeps a state.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* few_of_pieces = R"([initial]
kind = "two-body"
eccentricity = 0.4
[integrator]
kind = "leapfrog"
dt = "1/60 period"
steps = 120
[trajectory]
frames = 21
)";

constexpr const char* crowd_of_pieces = R"([initial]
kind = "plummer"
n = 150
[force]
softening = 0.1
[integrator]
dt = 0.05
steps = 40
[trajectory]
frames = 21
)";

constexpr int frames_of_pieces = 12;

std::string filmed(const std::string& file, const std::string& kind, const std::string& keys = "") {
  return fmt::format("[[film]]\nkind = \"{}\"\nfile = \"{}\"\nsize = [160, 120]\nduration = 0.4\n{}", kind, file, keys);
}

class RenderPiece : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
  }
  void simulate(const std::string& scenario) {
    write(folder_ / "s.toml", scenario);
    const Outcome made = run(folder_, {"simulate", "s.toml", "--quiet", "--force", "-o", "s"});
    ASSERT_EQ(made.code, 0) << made.errors;
  }
  Outcome render(const std::string& to, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"render", "s/run.h5", "--quiet", "-o", to});
    return run(folder_, flags);
  }
  void draw(const std::string& to, const std::vector<std::string>& flags) {
    const Outcome outcome = render(to, flags);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
  }
  [[nodiscard]] std::size_t files_in(const std::string& folder) const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / folder)) count += entry.is_regular_file();
    return count;
  }
  /// Expects the same files in two folders.
  void expect_same(const std::string& whole, const std::string& pieces) const {
    EXPECT_EQ(files_in(whole), files_in(pieces));
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / whole)) {
      const std::string name = entry.path().filename().string();
      EXPECT_TRUE(read(entry.path()) == read(folder_ / pieces / name)) << name;
    }
  }
  Folder folder_;
};

TEST_F(RenderPiece, FramesOfFewBodiesAreThoseOfTheWholeFilm) {
  simulate(few_of_pieces + filmed("projection-##.png", "projection") +
           filmed("long-##.png", "projection", "trails = 1e3\n") +
           filmed("follow-##.png", "projection", "follow = 1\nframe_limits = \"follow\"\ntrails = 0.5\n") +
           filmed("view3d-##.png", "view3d", "camera = \"orbit\"\n") + filmed("density-##.png", "density") +
           filmed("energy-##.png", "energy-error") + filmed("elements-##.png", "elements") +
           filmed("phase-##.png", "phase") + filmed("snapshots-##.png", "snapshots", "count = 3\n") +
           filmed("projections-##.png", "projections", "frame = \"barycentric\"\n") +
           filmed("panels-##.png", "panels",
                  "[[film.part]]\nkind = \"projection\"\n[[film.part]]\nkind = \"separation\"\n"));
  draw("whole", {});
  ASSERT_EQ(files_in("whole"), static_cast<std::size_t>(11 * frames_of_pieces));
  for (const char* piece : {"4/5", "1/5", "5/5", "2/5", "3/5"}) draw("pieces", {"--piece", piece});
  expect_same("whole", "pieces");
}

TEST_F(RenderPiece, FramesOfACrowdAreThoseOfTheWholeFilm) {
  simulate(crowd_of_pieces + filmed("projection-##.png", "projection", "color_by = \"density\"\n") +
           filmed("chosen-##.png", "projection", "bodies = [\"3\", \"5\"]\ntrails = 1.0\n") +
           filmed("limits-##.png", "projection", "frame_limits = \"follow\"\ntheme = \"light\"\n") +
           filmed("projections-##.png", "projections", "follow = \"center-of-mass\"\n") +
           filmed("densest-##.png", "density", "follow = \"densest\"\nframe_limits = \"follow\"\n") +
           filmed("view3d-##.png", "view3d", "camera = \"orbit\"\ncolor_by = \"speed\"\n") +
           filmed("flight-##.png", "view3d",
                  "axes = true\nkey = [{ at = 0, azimuth = 0 }, { at = 1, azimuth = 90, zoom = 3 }]\n") +
           filmed("density-##.png", "density") + filmed("matrix-##.png", "matrix") +
           filmed("snapshots-##.png", "snapshots", "count = 4\n") + filmed("profile-##.png", "radial-profile") +
           filmed("panels-##.png", "panels",
                  "[[film.part]]\nkind = \"snapshots\"\ncount = 2\n[[film.part]]\nkind = \"density\"\n"));
  draw("whole", {});
  ASSERT_EQ(files_in("whole"), static_cast<std::size_t>(12 * frames_of_pieces));
  for (const char* piece : {"3/3", "2/3", "1/3"}) draw("pieces", {"--piece", piece});
  expect_same("whole", "pieces");
}

TEST_F(RenderPiece, PiecesOfAPartAreThoseOfItsFilm) {
  simulate(few_of_pieces + filmed("f-##.png", "projection") + filmed("d-##.png", "density"));
  for (const char* part : {"3:14:3", "3:14"}) {
    draw(fmt::format("whole {}", part), {"--frames", part});
    const std::string to = fmt::format("pieces {}", part);
    for (const char* piece : {"1/2", "2/2"}) draw(to, {"--frames", part, "--piece", piece});
    expect_same(fmt::format("whole {}", part), to);
  }
}

TEST_F(RenderPiece, AFilmIsJoinedOfItsPieces) {
  simulate(few_of_pieces + filmed("a.mp4", "projection") + "[[figure]]\nkind = \"projection\"\nfile = \"still.png\"\n");
  draw("whole", {});
  const Outcome early = run(folder_, {"join", "pieces/a.mp4"});
  EXPECT_EQ(early.code, 2);
  EXPECT_THAT(early.errors, StartsWith("orrery: pieces/a.mp4: there are no pieces of it in its folder"));
  for (const char* piece : {"1/3", "3/3"}) {
    const Outcome outcome = run(folder_, {"render", "s/run.h5", "-o", "pieces", "--piece", piece});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, fmt::format("pieces/a.piece-{}-of-3.mp4\n", piece[0]));
  }
  const Outcome missing = run(folder_, {"join", "pieces/a.mp4"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.errors,
            "orrery: pieces/a.piece-2-of-3.mp4: is missing: draw it with `orrery render RUN.h5 --piece "
            "2/3`\n");
  EXPECT_EQ(files_in("pieces"), 2U) << "no still, no film, no draft";
  draw("pieces", {"--piece", "2/3"});
  const Outcome joined = run(folder_, {"join", "pieces/a.mp4"});
  EXPECT_EQ(joined.code, 0) << joined.errors;
  EXPECT_EQ(joined.output, "pieces/a.mp4: 12 frames from 3 pieces\n");
  const auto said = [&](const std::string& file) { return run(folder_, {"info", file, "--json"}).output; };
  EXPECT_EQ(said("pieces/a.mp4"), said("whole/a.mp4"));
  EXPECT_THAT(said("pieces/a.mp4"), HasSubstr("two-body"));
  // A piece with other keys is of another film.
  draw("pieces", {"--piece", "2/3", "--set", "film[0].theme=\"light\""});
  const Outcome foreign = run(folder_, {"join", "pieces/a.mp4"});
  EXPECT_EQ(foreign.code, 2);
  EXPECT_THAT(foreign.errors, AllOf(HasSubstr("a.piece-2-of-3.mp4: is of another film than a.piece-1-of-3.mp4"),
                                    HasSubstr("another scenario")));
}

TEST_F(RenderPiece, WhatCannotBeDividedIsRefused) {
  simulate(few_of_pieces + filmed("a.gif", "projection"));
  const Outcome gif = render("none", {"--piece", "1/2"});
  EXPECT_EQ(gif.code, 2);
  EXPECT_THAT(gif.errors, AllOf(HasSubstr("s/run.h5:scenario:"), HasSubstr("a.gif: a GIF is not drawn in pieces")));
  EXPECT_EQ(std::count(gif.errors.begin(), gif.errors.end(), '\n'), 1) << gif.errors;
  const Outcome renamed = run(folder_, {"render", "s/run.h5", "--piece", "1/2", "--set", "film[0].file=\"a.mp4\""});
  EXPECT_EQ(renamed.code, 0) << renamed.errors;

  simulate(few_of_pieces + filmed("a.gif", "projection") + filmed("b.mp4", "projection"));
  const Outcome both = render("both", {"--piece", "1/2"});
  EXPECT_EQ(both.code, 0);
  EXPECT_THAT(both.errors, HasSubstr("a.gif is left out: a GIF is not drawn in pieces"));
  EXPECT_EQ(files_in("both"), 1U);

  simulate(std::string(few_of_pieces) + "[[figure]]\nkind = \"projection\"\nfile = \"still.svg\"\n");
  EXPECT_THAT(render("none", {"--piece", "1/2"}).errors, HasSubstr("no [[film]], and only films are drawn in pieces"));
  simulate(few_of_pieces);
  EXPECT_THAT(render("none", {"--piece", "1/2"}).errors, HasSubstr("has no [[figure]] and no [[film]]"));
}

TEST_F(RenderPiece, PiecesAreGivenByTwoNumbers) {
  simulate(few_of_pieces + filmed("a.mp4", "projection"));
  for (const char* text : {"0/3", "4/3", "2", "a/b", "2/", "1/2/3"}) {
    const Outcome outcome = render("none", {"--piece", text});
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_THAT(outcome.errors, HasSubstr(fmt::format("--piece {}: write i/n", text)));
  }
  const Outcome many = render("none", {"--piece", "1/13"});
  EXPECT_EQ(many.code, 2);
  EXPECT_THAT(many.errors, HasSubstr("--piece 1/13: a.mp4 has 12 frames: divide it into 12 pieces or fewer"));
  EXPECT_THAT(render("none", {"--piece", "1/2", "--follow"}).errors, HasSubstr("--piece and --follow exclude"));
  // A file of somebody else is kept.
  std::filesystem::create_directory(folder_ / "kept");
  write(folder_ / "kept/a.piece-1-of-2.mp4", "somebody else's");
  const Outcome kept = render("kept", {"--piece", "1/2"});
  EXPECT_EQ(kept.code, 2);
  EXPECT_THAT(kept.errors, AllOf(HasSubstr("a.piece-1-of-2.mp4"), HasSubstr("--force")));
  EXPECT_EQ(read(folder_ / "kept/a.piece-1-of-2.mp4"), "somebody else's");
}

}  // namespace
}  // namespace orrery::pipeline::testing
