// SPDX-License-Identifier: MIT
// A picture replaces only one that orrery drew, unless forced.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "common/error.hpp"
#include "film_scene.hpp"
#include "render/film/formats.hpp"
#include "render/metadata/provenance.hpp"
#include "scene.hpp"
#include "tests/complaint.hpp"

namespace orrery::render {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;

constexpr Size film_size{160, 120};
const char* const file_names[] = {"a.png", "a.svg", "a.pdf", "a.mp4", "a.webm", "a.gif"};

bool can_write(const std::string& name) {
  return name != "a.webm" || why_missing(Codec::vp9).empty();
}

void draw(const std::filesystem::path& file, const Provenance& provenance, Replacing replacing = Replacing::ours,
          int frames = 3) {
  const std::string name = file.filename();
  if (name.ends_with(".png") || name.ends_with(".svg") || name.ends_with(".pdf")) {
    if (digits_of(name) == 0) return Canvas(film_size).save([](Drawing&) {}, file, provenance, replacing);
  }
  write_film(file, film_size, frames, {.provenance = provenance, .replacing = replacing});
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

const Provenance of_a_run{"orrery 0.1.0 (unknown, unknown)", "0123456789abcdef", "title = \"x\"\n"};

/// A picture of another program, with its name in place of orrery's.
Provenance another_program() {
  return {.version = "gnuplot 5.4"};
}

TEST(Replacing, OnlyOurFilesAreReplaced) {
  for (const std::string name : file_names) {
    if (!can_write(name)) continue;
    SCOPED_TRACE(name);
    const Scratch scratch;
    const auto file = scratch / name;
    draw(file, of_a_run);
    EXPECT_TRUE(drawn_by_orrery(file));
    EXPECT_EQ(quick_provenance(file).state, of_a_run.state);
    draw(file, another_program());
    EXPECT_FALSE(drawn_by_orrery(file));
    const std::string before = contents(file);
    EXPECT_THAT(complaint([&] { draw(file, of_a_run); }, 2),
                StartsWith(file.string() + ": exists and was not written by orrery; --force replaces it"));
    EXPECT_EQ(contents(file), before);
    for (const char* text : {"not a picture", "\x89PNG\r\n\x1a\n", "<svg", "%PDF-1.4", "GIF89a"}) {
      write(file, text);
      EXPECT_NE(complaint([&] { draw(file, of_a_run); }, 2), "no complaint");
      EXPECT_EQ(contents(file), text);
    }
    draw(file, of_a_run, Replacing::anything);
    EXPECT_TRUE(drawn_by_orrery(file));
    write(file, "");
    draw(file, of_a_run);
    EXPECT_TRUE(drawn_by_orrery(file)) << "an empty file is nobody's loss";
  }
}

TEST(Replacing, ChartsWithAVersionAreOurs) {
  for (const std::string name : {"a.png", "a.svg", "a.pdf"}) {
    const Scratch scratch;
    draw(scratch / name, {.version = of_a_run.version});
    EXPECT_TRUE(drawn_by_orrery(scratch / name)) << name;
    EXPECT_FALSE(quick_provenance(scratch / name).of_a_run()) << name;
    draw(scratch / name, of_a_run);
    EXPECT_TRUE(quick_provenance(scratch / name).of_a_run()) << name;
  }
}

/// A link is replaced; its target is kept, whichever program wrote it.
TEST(Replacing, SymlinkIsReplacedNotFollowed) {
  for (const std::string name : file_names) {
    if (!can_write(name)) continue;
    SCOPED_TRACE(name);
    const Scratch scratch;
    const auto file = scratch / name, target = scratch / ("target" + file.extension().string());
    std::filesystem::create_symlink(target, file);
    draw(file, of_a_run);
    EXPECT_FALSE(std::filesystem::is_symlink(file));
    EXPECT_FALSE(std::filesystem::exists(target)) << "it led nowhere";
    draw(target, of_a_run);
    const std::string before = contents(target);
    std::filesystem::remove(file);
    std::filesystem::create_symlink(target, file);
    draw(file, {.version = of_a_run.version, .state = "1", .scenario = "seed = 2\n"});
    EXPECT_FALSE(std::filesystem::is_symlink(file));
    EXPECT_EQ(contents(target), before);
    write(target, "not a picture");
    std::filesystem::remove(file);
    std::filesystem::create_symlink(target, file);
    EXPECT_NE(complaint([&] { draw(file, of_a_run); }, 2), "no complaint");
    EXPECT_TRUE(std::filesystem::is_symlink(file));
    EXPECT_EQ(contents(target), "not a picture");
  }
}

/// Files with the former names of temporary files, or of a stopped film.
TEST(Replacing, PlantedFilesAreNeitherFollowedNorReplaced) {
  for (const std::string name : {"a.png", "a.svg", "a.mp4", "a.gif"}) {
    SCOPED_TRACE(name);
    const Scratch scratch, elsewhere;
    write(elsewhere / "kept", "kept");
    const std::string ending = std::filesystem::path(name).extension();
    for (const std::string& planted : {name + ".part", "a.part" + ending, "a.whole.part" + ending})
      std::filesystem::create_symlink(elsewhere / "kept", scratch / planted);
    draw(scratch / name, of_a_run);
    EXPECT_TRUE(drawn_by_orrery(scratch / name));
    EXPECT_EQ(contents(elsewhere / "kept"), "kept");
    EXPECT_EQ(names_in(scratch).size(), 4U) << "the planted ones stay too";
  }
}

/// Starts a film and stops it; returns what is left.
std::filesystem::path stopped(const std::filesystem::path& file) {
  Film film(file, film_size, {.provenance = of_a_run});
  for (int i = 0; i < 20; ++i) film.add(moving_bar(film_size, i));
  return film.stop();
}

TEST(Replacing, RemainderOfAStoppedFilmDoesNotReplaceForeignFiles) {
  for (const std::string ending : {".mp4", ".webm"}) {
    if (!can_write("a" + ending)) continue;
    SCOPED_TRACE(ending);
    const Scratch scratch;
    const auto file = scratch / ("a" + ending), part = unfinished(file);
    EXPECT_EQ(stopped(file), part);
    EXPECT_EQ(stopped(file), part) << "ours is replaced";
    EXPECT_THAT(names_in(scratch), ElementsAre("a.part" + ending));
    draw(file, of_a_run);
    EXPECT_THAT(names_in(scratch), ElementsAre("a" + ending)) << "and goes when the film is whole";
    write(part, "somebody's");
    const auto left = stopped(file);
    EXPECT_THAT(left.filename().string(), StartsWith("a.part-"));
    EXPECT_EQ(probed(left).frames, 20);
    EXPECT_EQ(contents(part), "somebody's");
    draw(file, of_a_run);
    EXPECT_EQ(contents(part), "somebody's");
  }
}

TEST(Replacing, FailedRenameNamesThePlayableFile) {
  const Scratch scratch;
  Film film(scratch / "a.mp4", film_size, {.provenance = of_a_run});
  for (int i = 0; i < 60; ++i) film.add(moving_bar(film_size, i));
  write(scratch / "a.mp4", "somebody's");
  EXPECT_EQ(complaint([&] { film.finish(); }, 2),
            (scratch / "a.mp4").string() +
                ": exists and was not written by orrery; --force replaces it; what there is of it plays for 2 s: " +
                (scratch / "a.part.mp4").string());
  EXPECT_EQ(contents(scratch / "a.mp4"), "somebody's");
  EXPECT_EQ(probed(scratch / "a.part.mp4").frames, 60);
}

TEST(Replacing, OnlyOurNumberedFramesAreReplacedAndRemoved) {
  const Scratch scratch;
  const auto pattern = scratch / "f-##.png";
  draw(pattern, of_a_run, Replacing::ours, 6);
  write(scratch / "f-04.png", "somebody's");
  draw(pattern, of_a_run, Replacing::ours, 2);
  EXPECT_THAT(names_in(scratch), UnorderedElementsAre("f-00.png", "f-01.png", "f-04.png"));
  EXPECT_THAT(complaint([&] { draw(pattern, of_a_run, Replacing::ours, 6); }, 2), HasSubstr("f-04.png: exists"));
  EXPECT_EQ(contents(scratch / "f-04.png"), "somebody's");
  draw(pattern, of_a_run, Replacing::anything, 6);
  EXPECT_TRUE(drawn_by_orrery(scratch / "f-04.png"));
}

TEST(Replacing, NamesOfFrames) {
  for (const char* file : {"f-00.png", "f-17.png", "f-117.png"}) EXPECT_TRUE(is_numbered("f-##.png", file)) << file;
  for (const char* file : {"f-1.png", "f-aa.png", "f-00.svg", "g-00.png", "f-.png", "f-00.png.png"})
    EXPECT_FALSE(is_numbered("f-##.png", file)) << file;
}

TEST(Replacing, NonRegularFilesAreNeitherReadNorReplaced) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "a.png");
  EXPECT_THAT(complaint([&] { draw(scratch / "a.png", of_a_run, Replacing::anything); }, 2), HasSubstr("a folder"));
  ASSERT_EQ(::mkfifo((scratch / "b.png").c_str(), 0666), 0);  // who reads it waits for ever
  EXPECT_THAT(complaint([&] { draw(scratch / "b.png", of_a_run); }, 2), HasSubstr("b.png: exists"));
  EXPECT_TRUE(std::filesystem::is_fifo(scratch / "b.png"));
}

}  // namespace
}  // namespace orrery::render
