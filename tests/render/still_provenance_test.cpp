// SPDX-License-Identifier: MIT
// The provenance in a picture is read back exactly; files changed by other programs, and damaged ones, are read or
// refused in one line.
#include "render/metadata/provenance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <ctime>
#include <sstream>

#include "common/error.hpp"
#include "picture_bytes.hpp"
#include "render/metadata/formats.hpp"
#include "scene.hpp"
#include "tests/complaint.hpp"

namespace orrery::render {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* extensions[] = {".png", ".svg", ".pdf"};

/// Text with everything that a format might handle wrongly.
Provenance awkward_words() {
  std::string text =
      "title = \"ΔE/E₀ <10⁻¹²> & ]]> \\\"so\\\" (1) ) \\\\ 😀\"\n\n\ttab\r\nother line's end\n  <!-- -->&amp;&#65; %\n";
  for (int i = 0; i < 2000; ++i) text += "bodies[" + std::to_string(i) + "] = { mass = 0." + std::to_string(i) + " }\n";
  return {"orrery 0.1.0 (abc, GNU \"12\" & <3>)", "0123456789abcdef", text + "  no line's end  "};
}

DrawnScene small() {
  return {Canvas({96, 64}), [](Drawing& drawing) { drawing.add(Text{"ΔE/E₀", {10, 30}, 12, {0, 0, 0}}); }};
}

void expect_equal(const std::optional<Provenance>& found, const Provenance& wanted) {
  ASSERT_TRUE(found);
  EXPECT_EQ(found->version, wanted.version);
  EXPECT_EQ(found->state, wanted.state);
  EXPECT_EQ(found->scenario, wanted.scenario);
}

std::optional<Provenance> read_png(std::string_view bytes) {
  std::istringstream png{std::string(bytes)};
  return provenance_of_png(png, bytes.size());
}

std::string complaint(const std::filesystem::path& file) {
  return orrery::complaint([&] { (void)provenance_of_still(file); }, 2);
}

TEST(StillProvenance, IsReadBackExactly) {
  const Scratch scratch;
  for (const Provenance& told : {awkward_words(), Provenance{"", "", "x"}, Provenance{"v", "s", "plain"}}) {
    for (const char* extension : extensions) {
      const auto file = scratch / (std::string("a") + extension);
      small().save(file, told);
      SCOPED_TRACE(extension);
      expect_equal(provenance_of_still(file), told);
    }
  }
}

TEST(StillProvenance, IsAbsentIfUnknown) {
  const Scratch scratch;
  for (const char* extension : extensions) {
    const auto file = scratch / (std::string("a") + extension);
    small().save(file);
    EXPECT_FALSE(provenance_of_still(file)) << extension;
    EXPECT_THAT(contents(file), Not(HasSubstr("orrery"))) << extension;
  }
}

TEST(StillProvenance, CapitalsAreExtensionsToo) {
  const Scratch scratch;
  small().save(scratch / "a.png", awkward_words());
  std::filesystem::rename(scratch / "a.png", scratch / "A.PNG");
  expect_equal(provenance_of_still(scratch / "A.PNG"), awkward_words());
}

TEST(StillProvenance, TruncatedFilesAreReadOrRefused) {
  const Scratch scratch;
  const Provenance told{"v", "s", "title = \"ΔE/E₀\"\n(a)\n"};
  using Read = std::optional<Provenance> (*)(std::string_view);
  const std::pair<const char*, Read> formats[] = {
      {".png", read_png}, {".svg", provenance_of_svg}, {".pdf", provenance_of_pdf}};
  for (const auto& [extension, read] : formats) {
    SCOPED_TRACE(extension);
    const auto file = scratch / (std::string("a") + extension);
    small().save(file, told);
    const std::string whole = contents(file);
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 1000) {
      try {
        if (const auto found = read(whole.substr(0, size))) expect_equal(found, told);
      } catch (const Error& error) {
        EXPECT_EQ(error.fault(), Fault::request);
      }
      std::string wrong = whole;
      wrong[size] = static_cast<char>(wrong[size] ^ 0x11);
      try {
        (void)read(wrong);
      } catch (const Error& error) {
        EXPECT_EQ(error.fault(), Fault::request);
      }
    }
    put(file, whole.substr(0, std::string_view(extension) == ".png" ? 60 : whole.size() / 3));
    EXPECT_THAT(complaint(file), AllOf(HasSubstr(file.string()), HasSubstr("cut short")));
  }
}

TEST(StillProvenance, OtherFilesAreRefusedByName) {
  const Scratch scratch;
  for (const char* extension : extensions) {
    const auto file = scratch / (std::string("notes") + extension);
    EXPECT_THAT(complaint(file), AllOf(HasSubstr(file.string()), HasSubstr("No such file")));
    put(file, "");
    EXPECT_THAT(complaint(file), HasSubstr("is empty"));
    for (const std::string other : {"just a text\n", "<html><body/></html>", "\xFF\xD8\xFF\xE0 a JPEG"}) {
      put(file, other);
      EXPECT_THAT(complaint(file), HasSubstr("in spite of its name")) << extension << ": " << other;
    }
    std::filesystem::remove(file);
    std::filesystem::create_directory(file);
    EXPECT_THAT(complaint(file), HasSubstr("is a folder"));
  }
}

std::string deflated(const std::string& text) {
  std::string bytes(compressBound(text.size()), 0);
  uLongf size = bytes.size();
  compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size());
  bytes.resize(size);
  return bytes;
}

TEST(StillProvenance, APngSavedAgainWithOtherKindsOfText) {
  using namespace std::string_literals;
  const std::string head = "\x89PNG\r\n\x1a\n", end = chunk("IEND", "");
  expect_equal(read_png(head + chunk("tEXt", "orrery:scenario\0Δ = 1\n"s) +
                        chunk("zTXt", "orrery:state\0\0"s + deflated("abc")) + end),
               {"", "abc", "Δ = 1\n"});
  expect_equal(read_png(head + chunk("iTXt", "orrery:scenario\0\1\0de\0Szenario\0"s + deflated("x\ny")) + end),
               {"", "", "x\ny"});
  EXPECT_FALSE(read_png(head + chunk("tEXt", "Software\0somebody else"s) + end));
  for (const std::string& bad : {"orrery:scenario"s, "orrery:scenario\0"s, "orrery:scenario\0\1\0"s,
                                 "orrery:scenario\0\1\0\0\0nonsense"s, "orrery:scenario\0\1\0\0\0"s})
    EXPECT_THROW((void)read_png(head + chunk("iTXt", bad) + end), Error);
  std::string wrong = head + chunk("tEXt", "orrery:scenario\0x = 1"s) + end;
  wrong[30] ^= 1;
  EXPECT_THROW((void)read_png(wrong), Error);
}

TEST(StillProvenance, AnSvgSavedAgainWithOtherPrefixesBlanksAndQuotes) {
  const Provenance wanted{"v 1", "abc", "a = \"<&>\"\n\nb = 'ΔE'\n"};
  const std::string again = R"(<?xml version='1.0' encoding='UTF-8' standalone='no'?>
<!-- Created with another program -->
<!DOCTYPE svg [ <!ENTITY x "y>"> ]>
<svg:svg
   width="1mm" data-note='a > b' xmlns:ns1="urn:orrery" xmlns:svg="http://www.w3.org/2000/svg">
  <svg:metadata
     id="metadata7">
    <rdf:RDF><cc:Work rdf:about=""><dc:title>scenario</dc:title></cc:Work></rdf:RDF>
    <ns1:run
       id='run3'>
      <ns1:state >abc</ns1:state >
      <ns1:version>v&#32;<!-- here -->&#x31;</ns1:version>
      <ns1:scenario
         xml:space='preserve'>a = &quot;<![CDATA[<&>]]>"&#10;
b = &apos;ΔE&apos;
</ns1:scenario>
    </ns1:run>
  </svg:metadata>
  <svg:g/>
</svg:svg>
)";
  expect_equal(provenance_of_svg(again), wanted);
  expect_equal(provenance_of_svg("\xEF\xBB\xBF" + again), wanted);
  std::string windows;
  for (const char c : again) windows += c == '\n' ? "\r\n" : std::string(1, c);
  expect_equal(provenance_of_svg(windows), wanted);
  EXPECT_FALSE(provenance_of_svg("<svg><metadata><run/></metadata><scenario>x</scenario></svg>"));
  for (const char* bad :
       {"<svg><g></svg>", "<svg><g>", "<svg a=\"", "<svg><!-- ", "<svg><![CDATA[ ", "</svg>", "<?xml?>"})
    EXPECT_THROW((void)provenance_of_svg(bad), Error) << bad;
}

TEST(StillProvenance, APdfSavedAgainWithOtherStringsAndCompressedObjects) {
  const Provenance wanted{"v (1)", "abc", "a = \"x\"\n\\b(\n"};
  const std::string literal =
      "<</Creator (v \\(1\\))/Subject(orrery state abc)\n/Keywords (a = \"x\"\\n\\134b\\(\\\n\\012)>>";
  expect_equal(provenance_of_pdf("%PDF-1.7\n1 0 obj\n" + literal + "\nendobj\n%%EOF\n"), wanted);
  const std::string packed =
      "1 0 obj\n<</Type/ObjStm/Filter/FlateDecode>>\nstream\r\n" + deflated(literal) + "\nendstream\n";
  const std::string broken = "1 0 obj\n<</Type/ObjStm/Filter/FlateDecode>>\nstream\nnonsense\nendstream\n";
  expect_equal(provenance_of_pdf("%PDF-1.7\n" + broken + packed + "%%EOF\n"), wanted);
  EXPECT_FALSE(provenance_of_pdf("%PDF-1.4\n<</Subject (a report) /Keywords (physics)>>\n%%EOF"));
  EXPECT_FALSE(provenance_of_pdf("%PDF-1.4\n<</Subject (orrery state abc) /Keywords <FEFF00>>>\n%%EOF"));
  EXPECT_THROW((void)provenance_of_pdf("%PDF-1.4\n<</Keywords (phy"), Error);
}

TEST(StillProvenance, DecompressionBombsAreAbandoned) {
#ifdef __SANITIZE_ADDRESS__
  constexpr double most = 20;  // seconds
#else
  constexpr double most = 2;
#endif
  const auto took = [](const auto& read) {  // of a processor, which other tests share
    const std::clock_t start = std::clock();
    read();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const std::string head = "1 0 obj\n<</Type/ObjStm/Filter/FlateDecode>>\nstream\n", tail = "\nendstream\n";
  const std::string bomb = head + deflated(std::string(std::size_t{24} << 20U, ' ')) + tail;
  const std::string said = head + deflated("<</Creator(v)/Subject(orrery state a)/Keywords(x = 1)>>") + tail;
  expect_equal(provenance_of_pdf("%PDF-1.7\n" + bomb + bomb + said + "%%EOF\n"), {"v", "a", "x = 1"});
  std::string bombs = "%PDF-1.7\n";
  for (int i = 0; i < 200; ++i) bombs += bomb;  // 4.7 GiB
  EXPECT_LT(took([&] { EXPECT_FALSE(provenance_of_pdf(bombs + said + "%%EOF\n")); }), most);
  std::string marks;  // each would begin the same stream anew
  for (int i = 0; i < 20'000; ++i) marks += "/ObjStm";
  EXPECT_LT(took([&] { EXPECT_FALSE(provenance_of_pdf("%PDF-1.7\n" + marks + bomb + "%%EOF\n")); }), most);
}

TEST(StillProvenance, AmpersandsWithoutEntitiesAreLiteral) {
  const auto svg = [](const std::string& scenario) {
    return "<svg><metadata><run><scenario>" + scenario + "</scenario></run></metadata></svg>";
  };
  expect_equal(provenance_of_svg(svg("a && b & c, and only much later; &#0000000065;")),
               {"", "", "a && b & c, and only much later; A"});
  const std::clock_t start = std::clock();
  EXPECT_TRUE(provenance_of_svg(svg(std::string(1'000'000, '&'))));
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 2);
}

}  // namespace
}  // namespace orrery::render
