// SPDX-License-Identifier: MIT
// Pages in HTML: what comes from a run stays data, and positions come back as they were packed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "common/base64.hpp"
#include "common/error.hpp"
#include "render/page/assets.hpp"
#include "render/page/html.hpp"
#include "render/page/packed_frames.hpp"
#include "render/page/page.hpp"

namespace orrery::render {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string inflated(const std::string& packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, -15), Z_OK);
  std::string text;
  std::vector<char> part(1 << 16);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(part.data(), part.size() - stream.avail_out);
  }
  EXPECT_EQ(state, Z_STREAM_END);
  inflateEnd(&stream);
  return text;
}

/// What a page makes of packed positions, [frames][bodies][3].
std::vector<double> unpacked(const PackedFrames& packed, std::size_t frames, std::size_t bodies,
                             const std::array<double, 3>& centre, double quantum) {
  const std::string planes = inflated(packed.bytes);
  const std::size_t count = 3 * frames * bodies;
  EXPECT_EQ(planes.size(), count * static_cast<std::size_t>(packed.planes));
  std::vector<double> all(count);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t body = 0; body < bodies; ++body) {
      std::vector<std::int64_t> last(4);  // the value and its differences
      for (std::size_t f = 0; f < frames; ++f) {
        const std::size_t i = (axis * bodies + body) * frames + f;
        std::uint32_t code = 0;
        for (int p = 0; p < packed.planes; ++p)
          code |=
              static_cast<std::uint32_t>(static_cast<unsigned char>(planes[static_cast<std::size_t>(p) * count + i]))
              << (8 * p);
        const auto order = std::min<std::size_t>(f, static_cast<std::size_t>(packed.order));
        last[order] = static_cast<std::int32_t>(code >> 1) ^ -static_cast<std::int32_t>(code & 1);
        for (std::size_t k = order; k-- > 0;) last[k] += last[k + 1];
        all[3 * (f * bodies + body) + axis] = centre[axis] + static_cast<double>(last[0]) * quantum;
      }
    }
  }
  return all;
}

TEST(Html, TextIsShownAndNothingElse) {
  EXPECT_EQ(html::escaped("a <b> & \"c\" 'd'"), "a &lt;b&gt; &amp; &quot;c&quot; 'd'");
  EXPECT_EQ(html::plain("\xE2\x80\xAE"
                        "abc\x1b[0m\x01 \xC2\xAD \xEF\xBF\xBE é 漢 🪐"),
            "�abc�[0m� � � é 漢 🪐");
  EXPECT_EQ(html::plain("two\nlines\t."), "two lines .");
  EXPECT_EQ(html::plain("two\nlines\t.", true), "two\nlines\t.");
  EXPECT_EQ(html::plain("\xFF"
                        "a\xC3"),
            "a");  // invalid UTF-8
}

TEST(Html, JsonCannotEndItsElement) {
  const nlohmann::json value{{"a</script><script>alert(1)</script>", "<!-- é \xFF"}};
  const std::string block = html::json_block("facts", value);
  EXPECT_EQ(block.find("</script>"), block.rfind("</script>"));
  EXPECT_THAT(block, Not(HasSubstr("<!--")));
  EXPECT_TRUE(std::ranges::all_of(block, [](unsigned char c) { return c < 0x80; }));
  const std::string text = block.substr(block.find('>') + 1, block.rfind("</script>") - block.find('>') - 1);
  EXPECT_EQ(nlohmann::json::parse(text).begin().key(), "a</script><script>alert(1)</script>");
}

TEST(Html, Base64AndDeflate) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFB\xFF"), "+/8=");
  std::string bytes(300'007, '\0');
  std::mt19937 random(3);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(random() % 7);
  for (const std::string& one : {std::string(), std::string("a"), bytes}) EXPECT_EQ(inflated(html::deflated(one)), one);
}

TEST(Html, FiguresHaveIdsOfTheirOwn) {
  const std::string svg =
      "<?xml version=\"1.0\"?>\n<svg width=\"9mm\" viewBox=\"0 0 8 6\">\n<metadata>url(# secret</metadata>\n"
      "<defs><clipPath id=\"clip0\"/></defs><g clip-path=\"url(#clip0)\"></g></svg>\n";
  EXPECT_EQ(
      html::inline_svg(svg, "f1-", "a \"figure\""),
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"a &quot;figure&quot;\" viewBox=\"0 0 8 6\">"
      "<defs><clipPath id=\"f1-clip0\"/></defs><g clip-path=\"url(#f1-clip0)\"></g></svg>\n");
  EXPECT_THROW((void)html::inline_svg("no picture", "f", ""), Error);
}

TEST(Page, PositionsComeBackToHalfAQuantum) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> any(-1, 1);
  for (const auto& [frames, bodies] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {2, 3}, {3, 1}, {257, 2}, {33, 1500}}) {
    const std::array<double, 3> centre{0.3, -2, 7};
    constexpr double quantum = 1.0 / (1 << 13);
    std::vector<float> positions;
    std::vector<float> phase(bodies);
    for (float& one : phase) one = 3 * any(random);
    for (std::size_t f = 0; f < frames; ++f) {
      for (std::size_t b = 0; b < bodies; ++b) {
        const float t = 0.1F * static_cast<float>(f) + phase[b];
        positions.insert(positions.end(), {std::cos(t), 40 * std::sin(0.3F * t), 7 + 1e-3F * any(random)});
      }
    }
    const PackedFrames packed = packed_frames(positions, frames, bodies, centre, quantum);
    const std::vector<double> back = unpacked(packed, frames, bodies, centre, quantum);
    for (std::size_t i = 0; i < positions.size(); ++i)
      ASSERT_NEAR(back[i], positions[i], 0.5001 * quantum) << frames << " " << i;
  }
}

TEST(Page, AnEscapingBodyAndNoNumberAreStored) {
  const std::vector<float> positions{0, 0, 0, 1e30F, -1e30F, NAN, 1, INFINITY, -INFINITY};
  const PackedFrames packed = packed_frames(positions, 3, 1, {0, 0, 0}, 1.0);
  const std::vector<double> back = unpacked(packed, 3, 1, {0, 0, 0}, 1.0);
  constexpr double most = 1 << 27;
  EXPECT_THAT(back, ::testing::ElementsAre(0, 0, 0, most, -most, 0, 1, most, -most));
}

TEST(Page, SmoothMotionTakesLessThanAByteACoordinate) {
  std::vector<float> positions;
  for (int f = 0; f < 301; ++f) {
    for (int b = 0; b < 100; ++b) {
      const float t = 0.05F * static_cast<float>(f) + static_cast<float>(b), r = 0.2F + 0.01F * static_cast<float>(b);
      positions.insert(positions.end(), {r * std::cos(t), r * std::sin(t), 0.01F * std::sin(2 * t)});
    }
  }
  const PackedFrames packed = packed_frames(positions, 301, 100, {0, 0, 0}, 1.0 / (1 << 15));
  EXPECT_EQ(packed.order, 3);
  EXPECT_LT(packed.bytes.size(), positions.size());
}

TEST(Page, NothingButItsScriptIsExecuted) {
  Page page;
  page.title = "</title><script>alert(1)</script>";
  page.main = "<p>words</p>\n";
  const std::string text = html_of(page);
  EXPECT_THAT(text, HasSubstr("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"));
  EXPECT_THAT(text, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(text, Not(HasSubstr("wasm-unsafe-eval")));
  EXPECT_THAT(text, Not(HasSubstr("unsafe-inline")));
  page.steps = true;
  const std::string stepping = html_of(page);
  EXPECT_THAT(stepping, HasSubstr(" 'wasm-unsafe-eval'; style-src 'sha256-"));
  EXPECT_THAT(stepping, HasSubstr("<script type=\"text/plain\" id=\"engine-fused\">"));
  EXPECT_THAT(page_assets().script.text, Not(HasSubstr("</script")));
  EXPECT_THAT(page_assets().style.text, Not(HasSubstr("</style")));
  EXPECT_EQ(page_assets().script.sha256.size(), 64u);
  EXPECT_EQ(page_assets().engine.substr(0, 4), std::string_view("\0asm", 4));
}

}  // namespace
}  // namespace orrery::render
