// SPDX-License-Identifier: MIT
// Pictures made to exhaust memory or time when their provenance is read: they do neither.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <ctime>
#include <functional>

#include "common/error.hpp"
#include "picture_bytes.hpp"
#include "render/metadata/formats.hpp"
#include "render/metadata/provenance.hpp"
#include "scene.hpp"
#include "tests/complaint.hpp"

namespace orrery::render {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

#ifdef __SANITIZE_ADDRESS__
constexpr int more = 4;  // time and memory
#else
constexpr int more = 1;
#endif

/// Checks that `work` takes less than three seconds of processor time and at most the given number of MiB more memory.
void expect_cheap(const std::function<void()>& work, long most = 100) {
  const auto peak = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
  };
  const long before = peak();
  const std::clock_t start = std::clock();
  work();
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 3 * more);
  EXPECT_LT(peak() - before, most * more);
}

/// The given number of zero bytes, deflated piece by piece.
std::string deflated_zeros(std::size_t bytes) {
  const std::string piece(mebibyte, '\0');
  std::string packed;
  z_stream stream{};
  deflateInit(&stream, 9);
  std::string room(mebibyte, '\0');
  for (std::size_t done = 0; done < bytes; done += piece.size()) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = static_cast<uInt>(room.size());
    deflate(&stream, done + piece.size() >= bytes ? Z_FINISH : Z_NO_FLUSH);
    packed.append(room.data(), room.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

const std::string png_head = "\x89PNG\r\n\x1a\n";

TEST(HostilePicture, DecompressionBombInPngIsAbandoned) {
  const Scratch scratch;
  const std::string bomb = chunk("iTXt", "orrery:scenario\0\1\0\0\0"s + deflated_zeros(300 * mebibyte));
  put(scratch / "a.png", png_head + bomb + chunk("IEND", ""));
  EXPECT_LT(bomb.size(), 4 * mebibyte);
  expect_cheap(
      [&] { EXPECT_THAT(complaint([&] { (void)provenance_of_still(scratch / "a.png"); }, 2), HasSubstr("damaged")); });
}

TEST(HostilePicture, PixelsOfAPngAreNotRead) {
  const Scratch scratch;
  const std::uint32_t size = 0x7FFFFF00;
  put(scratch / "a.png", png_head + chunk("tEXt", "orrery:state\0abc"s) + big(size) + "IDAT");
  // A hole of 2 GiB, followed by the provenance.
  std::filesystem::resize_file(scratch / "a.png", std::filesystem::file_size(scratch / "a.png") + size + 4);
  std::ofstream(scratch / "a.png", std::ios::binary | std::ios::app)
      << chunk("tEXt", "orrery:scenario\0x = 1"s) << chunk("IEND", "");
  expect_cheap([&] { EXPECT_EQ(provenance_of_still(scratch / "a.png").value().scenario, "x = 1"); });
}

TEST(HostilePicture, TooLargeFileIsRefusedBeforeReading) {
  const Scratch scratch;
  for (const char* name : {"a.svg", "a.pdf"}) {
    put(scratch / name, "<svg>");
    std::filesystem::resize_file(scratch / name, std::uintmax_t{40} << 30U);
    expect_cheap([&] {
      EXPECT_THAT(complaint([&] { (void)provenance_of_still(scratch / name); }, 2), HasSubstr("larger than 1 GB"));
    });
  }
  put(scratch / "a.png", png_head + chunk("tEXt", "x\0y"s) + big(0x7FFFFFFF) + "tEXt");
  std::filesystem::resize_file(scratch / "a.png", std::uintmax_t{40} << 30U);
  expect_cheap([&] {
    EXPECT_THAT(complaint([&] { (void)provenance_of_still(scratch / "a.png"); }, 2),
                HasSubstr("has more metadata than"));
  });
}

TEST(HostilePicture, DeeplyNestedSvgIsAbandoned) {
  std::string deep = "<svg>";
  for (std::size_t i = 0; i < 5 * mebibyte; ++i) deep += "<a>";
  expect_cheap([&] { EXPECT_THAT(complaint([&] { (void)provenance_of_svg(deep); }, 2), HasSubstr("too deep")); });
}

TEST(HostilePicture, PdfOfManyEmptyStreamsIsAbandoned) {
  std::string many = "%PDF-1.7\n";
  for (std::size_t i = 0; i < 3 * mebibyte; ++i) many += "/ObjStm stream\n";
  many += "%%EOF\n";
  expect_cheap([&] { EXPECT_FALSE(provenance_of_pdf(many)); });
}

TEST(HostilePicture, FilmWithHugeSizesIsNotAllocated) {
  const Scratch scratch;
  std::string boxes = big(16) + "ftypisom" + big(0);
  for (std::size_t i = 0; i < mebibyte / 4; ++i) boxes += big(8) + "free";
  put(scratch / "boxes.mp4", boxes);
  const std::string text = big(0x60000000) + "\251cmt" + std::string(64, '\0');
  put(scratch / "text.mp4", big(16) + "ftypisom" + big(0) + big(0x70000000) + "moov" + big(0x6FFFFF00) + "udta" + text);
  std::filesystem::resize_file(scratch / "text.mp4", std::uintmax_t{3} << 30U);
  for (const char* name : {"boxes.mp4", "text.mp4"}) {
    SCOPED_TRACE(name);
    expect_cheap(
        [&] {
          try {
            EXPECT_FALSE(provenance_of_film(scratch / name));
          } catch (const Error& error) {
            EXPECT_EQ(error.fault(), Fault::request);
          }
        },
        400);
  }
}

}  // namespace
}  // namespace orrery::render
