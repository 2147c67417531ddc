// SPDX-License-Identifier: MIT
// Films joined from pieces: the same frames at the same times as in a film drawn at once, and pieces that do not fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "film_probe.hpp"
#include "film_scene.hpp"
#include "render/film/film.hpp"
#include "render/film/pieces.hpp"
#include "render/metadata/provenance.hpp"
#include "render/module/av.hpp"

namespace orrery::render {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

FilmOptions ours() {
  return {.provenance = {.version = "orrery 0", .state = "0123456789abcdef", .scenario = "title = \"Δ\"\n"}};
}

/// Writes one piece of write_film(film, size, piece.frames, options).
void write_piece(const std::filesystem::path& film, Size size, const Piece& piece, FilmOptions options) {
  options.piece = piece;
  Film part(film, size, options);
  for (int i = piece.begin(); i < piece.end(); ++i) part.add(moving_bar(size, i));
  part.finish();
}

void write_pieces(const std::filesystem::path& film, Size size, int count, int frames, const FilmOptions& options) {
  for (int index = 1; index <= count; ++index) write_piece(film, size, {index, count, frames}, options);
}

TEST(Pieces, DivideTheFrames) {
  for (const int frames : {7, 12, 100, 1'000'000'000}) {
    int end = 0;
    for (int index = 1; index <= 7; ++index) {
      const Piece piece{index, 7, frames};
      EXPECT_EQ(piece.begin(), end);
      end = piece.end();
      EXPECT_LE(std::abs(end - piece.begin() - frames / 7), 1);
    }
    EXPECT_EQ(end, frames);
  }
  EXPECT_EQ(file_of({3, 12}, "a/orbit.mp4"), "a/orbit.piece-03-of-12.mp4");
  EXPECT_EQ(file_of({3, 9}, "x.y.webm"), "x.y.piece-3-of-9.webm");
}

TEST(Pieces, AreNamedByTwoNumbers) {
  EXPECT_EQ(piece_from("3/8"), (Piece{3, 8}));
  EXPECT_EQ(piece_from("03-of-12", "-of-"), (Piece{3, 12}));
  for (const char* text :
       {"", "3", "/", "3/", "/8", "0/8", "9/8", "-1/8", "1/-8", "1/8/2", "1 /8", "a/b", "1/99999999999"})
    EXPECT_FALSE(piece_from(text)) << text;
}

TEST(Pieces, JoinedAreTheFilmDrawnAtOnce) {
  struct Case {
    const char* file;
    Codec codec;
    double rate;
  };
  for (const auto& [file, codec, rate] :
       {Case{"a.mp4", Codec::h264, 30}, Case{"a.mp4", Codec::h264, 23.976}, Case{"a.mp4", Codec::hevc, 25},
        Case{"a.mp4", Codec::av1, 24}, Case{"a.webm", Codec::vp9, 30}, Case{"a.webm", Codec::av1, 47}}) {
    if (!why_missing(codec).empty()) continue;
    SCOPED_TRACE(std::string(file) + " " + std::string(name_of(codec)) + " " + std::to_string(rate));
    FilmOptions options = ours();
    options.frames_per_second = rate;
    options.codec = codec;
    const Scratch once, joined;
    constexpr int frames = 71;
    write_film(once / file, {320, 120}, frames, options);  // the bar stays inside
    write_pieces(joined / file, {320, 120}, 9, frames, options);
    const JoinedFilm made = join(joined / file, Replacing::ours);
    EXPECT_EQ(made.pieces, 9);
    EXPECT_EQ(made.frames, frames);
    const FilmProperties whole = probed(once / file), film = probed(joined / file);
    EXPECT_EQ(film.frames, frames);
    EXPECT_EQ(film.times, whole.times);
    EXPECT_NEAR(film.duration, whole.duration, 0.002);
    EXPECT_EQ(film.codec, whole.codec);
    EXPECT_EQ(film.pixel_format, whole.pixel_format);
    EXPECT_EQ(film.color_transfer, whole.color_transfer);
    expect_the_bar(film, 24);
    const auto said = provenance_of_film(joined / file);
    ASSERT_TRUE(said);
    EXPECT_EQ(said->version, options.provenance.version);
    EXPECT_EQ(said->state, options.provenance.state);
    EXPECT_EQ(said->scenario, options.provenance.scenario);
    EXPECT_EQ(said->piece, "") << "it is whole";
    const std::string bytes = contents(joined / file);
    EXPECT_EQ(bytes.find("moov") < bytes.find("mdat"), file == std::string("a.mp4")) << "the index comes first";
    EXPECT_EQ(names_in(joined).size(), 10U) << "the pieces stay, and nothing else is left";
    EXPECT_EQ(join(joined / file, Replacing::ours).frames, frames) << "and again, over the film";
  }
}

TEST(Pieces, OfOneFrameEach) {
  for (const auto& [file, codec] :
       {std::pair("a.mp4", Codec::h264), std::pair("a.mp4", Codec::hevc), std::pair("a.webm", Codec::vp9)}) {
    if (!why_missing(codec).empty()) continue;
    SCOPED_TRACE(file);
    FilmOptions options = ours();
    options.codec = codec;
    const Scratch scratch;
    write_pieces(scratch / file, {160, 120}, 5, 5, options);
    EXPECT_EQ(join(scratch / file, Replacing::ours).frames, 5);
    const FilmProperties film = probed(scratch / file);
    EXPECT_EQ(film.frames, 5);
    expect_the_bar(film, 24);
  }
}

TEST(Pieces, OfNumberedPicturesAreThePictures) {
  const Scratch once, scratch;
  write_film(once / "f-##.png", {64, 64}, 7, ours());
  write_film(scratch / "f-##.png", {64, 64}, 20, ours());
  for (const int index : {2, 1, 3}) write_piece(scratch / "f-##.png", {64, 64}, {index, 3, 7}, ours());
  EXPECT_EQ(names_in(scratch).size(), 7U) << "those of the longer film are gone";
  for (const std::string& name : names_in(once)) EXPECT_EQ(contents(scratch / name), contents(once / name)) << name;
  EXPECT_THAT(complaint([&] { join(scratch / "f-##.png", Replacing::ours); }, 2), HasSubstr("nothing to join"));
}

TEST(Pieces, NoGifHasAny) {
  const Scratch scratch;
  EXPECT_THAT(complaint(
                  [&] {
                    write_pieces(scratch / "a.gif", {64, 64}, 2, 4, ours());
                  },
                  2),
              HasSubstr("a GIF is not drawn in pieces"));
  EXPECT_THAT(complaint([&] { join(scratch / "a.gif", Replacing::ours); }, 2),
              HasSubstr("a GIF is not drawn in pieces"));
  EXPECT_THAT(complaint([&] { join(scratch / "a.avi", Replacing::ours); }, 2), HasSubstr("name an .mp4 or a .webm"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
}

class JoiningPieces : public testing::Test {
 protected:
  void SetUp() override {
    if (!why_missing(Codec::h264).empty()) GTEST_SKIP() << why_missing(Codec::h264);
    write_pieces(film_, size_, 3, 12, ours());
  }
  [[nodiscard]] std::filesystem::path piece(int index) const { return file_of({index, 3}, film_); }
  /// The complaint at joining, which is one line and leaves no film and no draft.
  [[nodiscard]] std::string refused() const {
    const auto before = names_in(scratch_).size();
    std::string words = complaint([&] { join(film_, Replacing::ours); }, 2);
    EXPECT_THAT(words, Not(HasSubstr("\n")));
    EXPECT_EQ(names_in(scratch_).size(), before);
    return words;
  }
  Scratch scratch_;
  const std::filesystem::path film_ = scratch_ / "a.mp4";
  static constexpr Size size_{160, 120};
};

TEST_F(JoiningPieces, AMissingOneIsNamed) {
  std::filesystem::remove(piece(2));
  EXPECT_EQ(refused(), piece(2).string() + ": is missing: draw it with `orrery render RUN.h5 --piece 2/3`");
  std::filesystem::create_directory(piece(2));
  EXPECT_THAT(refused(), StartsWith(piece(2).string() + ": is no file: draw it"));
  std::filesystem::remove(piece(1));
  std::filesystem::remove(piece(2));
  std::filesystem::remove(piece(3));
  EXPECT_THAT(refused(), AllOf(StartsWith(film_.string() + ": there are no pieces"), HasSubstr("a.piece-1-of-4.mp4")));
}

TEST_F(JoiningPieces, OneThatIsNoneIsNamed) {
  for (const std::string& bytes : {std::string("not a film"), std::string(100, '\0')}) {
    std::ofstream(piece(2), std::ios::binary) << bytes;
    EXPECT_THAT(refused(), StartsWith(piece(2).string() + ": is no piece of a film: draw it with `orrery render"));
  }
  std::ofstream(piece(2), std::ios::binary).flush();
  EXPECT_THAT(refused(), StartsWith(piece(2).string() + ": is empty"));
  FilmOptions options = ours();
  options.replacing = Replacing::anything;
  write_film(piece(2), size_, 4, options);  // a whole film
  EXPECT_THAT(refused(), StartsWith(piece(2).string() + ": is no piece of a film"));
  std::filesystem::copy_file(piece(1), piece(2), std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(refused(), StartsWith(piece(2).string() + ": is piece 1/3 by its metadata: draw it with"));
  for (const char* tag :
       {"2/3", "2/3 of 12", "2/3 of 2 frames at 30/1 per second", "2/3 of 12 frames at 0/1 per second",
        "2/3 of 12 frames at 30/1 per second and more", "2/3 of -12 frames at 30/1 per second"}) {
    options.provenance.piece = tag;
    write_film(piece(2), size_, 4, options);
    EXPECT_THAT(refused(), StartsWith(piece(2).string() + ": is no piece of a film")) << tag;
  }
}

TEST_F(JoiningPieces, OneOfAnotherFilmIsNamed) {
  const auto with = [&](const FilmOptions& options, Size size, int frames) {
    write_piece(film_, size, {2, 3, frames}, options);
    return refused();
  };
  FilmOptions other = ours();
  other.provenance.scenario = "title = \"another\"\n";
  EXPECT_THAT(with(other, size_, 12),
              AllOf(StartsWith(piece(2).string() + ": is of another film than a.piece-1-of-3.mp4"),
                    HasSubstr("another scenario: draw all pieces from one run")));
  other = ours();
  other.provenance.state = "another";
  EXPECT_THAT(with(other, size_, 12), HasSubstr("another run"));
  other = ours();
  other.frames_per_second = 25;
  EXPECT_THAT(with(other, size_, 12), HasSubstr("another rate"));
  EXPECT_THAT(with(ours(), size_, 13), HasSubstr("another number of frames"));
  EXPECT_THAT(with(ours(), {320, 240}, 12), AllOf(StartsWith(piece(2).string()), HasSubstr("encoded in another way")));
}

TEST_F(JoiningPieces, OneThatIsCutOrTooLongIsNamed) {
  const std::string whole = contents(piece(3));
  for (const double share : {0.99, 0.8, 0.3, 0.02}) {
    std::ofstream(piece(3), std::ios::binary)
        << whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size())));
    EXPECT_THAT(refused(), StartsWith(piece(3).string() + ": ")) << share;
  }
  FilmOptions options = ours();
  options.replacing = Replacing::anything;
  options.provenance.piece = pictures_module::tag_of({3, 3, 12}, 30);
  write_film(piece(3), size_, 3, options);
  EXPECT_THAT(refused(), StartsWith(piece(3).string() + ": has 3 of its 4 frames: draw it with"));
  write_film(piece(3), size_, 5, options);
  EXPECT_THAT(refused(), StartsWith(piece(3).string() + ": its frames are not those of the piece"));
  options.frames_per_second = 15;
  write_film(piece(3), size_, 4, options);
  EXPECT_THAT(refused(), StartsWith(piece(3).string() + ": is encoded in another way")) << "with another rate";
}

TEST_F(JoiningPieces, TwoDivisionsAreOneTooMany) {
  write_piece(film_, size_, {1, 10, 12}, ours());
  EXPECT_THAT(refused(), StartsWith(film_.string() + ": there are pieces of a division by 3 and by 10: remove"));
  std::filesystem::rename(file_of({1, 10}, film_), scratch_ / "a.piece-1-of-10.mp4");  // no name of a piece
  std::ofstream(scratch_ / "a.piece-2-of-3.part.mp4") << "of one that was interrupted";
  EXPECT_EQ(join(film_, Replacing::ours).frames, 12);
}

TEST_F(JoiningPieces, AFilmOfSomebodyElseStays) {
  std::ofstream(film_) << "somebody else's";
  EXPECT_THAT(refused(), HasSubstr("was not written by orrery; --force replaces it"));
  EXPECT_EQ(contents(film_), "somebody else's");
  EXPECT_EQ(join(film_, Replacing::anything).frames, 12);
  EXPECT_EQ(probed(film_).frames, 12);
}

}  // namespace
}  // namespace orrery::render
