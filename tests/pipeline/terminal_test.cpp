// SPDX-License-Identifier: MIT
// Text from files cannot control a terminal, in any command and from any file.
#include "pipeline/commands/terminal.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "common/utf8.hpp"
#include "common/xml.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/report.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

// NOLINTBEGIN(misc-misleading-bidirectional): right-to-left characters are what is tested.
/// Sets a window title, overwrites a line, red, C1, DEL, invalid UTF-8, right-to-left characters.
const std::string unruly =
    "\x1b]0;mine\x07\r\x1b[2Kclean\x1b[31m \x7f\xc2\x9b"
    "2J \x9b\xff \xe2\x80\xae"
    "dlrow\u2066\u2069 ΔE/E₀ 太 é";

/// The same in TOML, which cannot contain the invalid bytes.
const std::string unruly_toml =
    R"(\u001b]0;mine\u0007\r\u001b[2Kclean\u001b[31m \u007f\u009b2J \u202Edlrow\u2066\u2069 ΔE/E₀ 太 é\n\tsecond)";

/// Returns the first unsafe sequence in the output on a terminal; "" if there is none. The program's own control
/// sequences only redraw its progress line.
std::string fault_of(std::string text) {
  constexpr std::string_view anew = "\r\033[K";
  for (auto at = text.find(anew); at != std::string::npos; at = text.find(anew, at)) text.erase(at, anew.size());
  std::string fault;
  each_letter(text, [&](const Letter& letter) {
    const char32_t c = letter.code;
    const bool turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    if (letter.valid && !turns && (!is_control(c) || c == '\n' || c == '\t')) return;
    if (fault.empty()) fault = fmt::format("{:#x} in {}", static_cast<unsigned>(c), printable(text));
  });
  return fault;
}

/// A pseudo-terminal that records the output of programs.
class Terminal {
 public:
  Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
    name_ = ::ptsname(master_);
    termios raw{};
    ::tcgetattr(master_, &raw);
    ::cfmakeraw(&raw);
    ::tcsetattr(master_, TCSANOW, &raw);
  }
  ~Terminal() { ::close(master_); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Returns the output on both streams; `code` gets the exit code.
  std::string shown_of(const Folder& folder, const std::vector<std::string>& arguments, int& code) {
    const int held = ::open(name_.c_str(), O_RDWR | O_NOCTTY);  // or the end would come before the program
    Running program(folder, arguments, {.output = name_, .errors = name_});
    std::optional<Outcome> outcome;
    std::string shown;
    ::fcntl(master_, F_SETFL, O_NONBLOCK);
    for (std::array<char, 4096> part{};;) {
      const auto count = ::read(master_, part.data(), part.size());
      if (count > 0) {
        shown.append(part.data(), static_cast<std::size_t>(count));
      } else if (outcome) {
        break;
      } else if (program.ended()) {
        outcome = program.wait();  // what it printed last is read still
      } else {
        ::usleep(2000);
      }
    }
    ::close(held);
    code = outcome->code;
    return shown;
  }

 private:
  int master_;
  std::string name_;
};

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("ΔE/E₀ = −1.2·10⁻¹² · é 太 🚀 …"), "ΔE/E₀ = −1.2·10⁻¹² · é 太 🚀 …");
  EXPECT_EQ(printable("a\x1b[31mb\x7f"), "a\\u001b[31mb\\u007f");
  EXPECT_EQ(printable("\xc2\x9b\x9b\xff"), "\\u009b\\x9b\\xff");
  EXPECT_EQ(printable("\u202e\u2066\u200f\u2028"), "\\u202e\\u2066\\u200f\\u2028");
  EXPECT_EQ(printable("\xed\xa0\x80 \xc0\xaf \xe2\x82"), "\\xed\\xa0\\x80 \\xc0\\xaf \\xe2\\x82");
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\nb\\tc\\r");
  EXPECT_EQ(printable("a\nb\tc\r", Lines::several), "a\nb\tc\\r");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\u0000b");
  EXPECT_EQ(fault_of(printable(unruly)), "");
  EXPECT_THAT(fault_of("a\x1b[31m"), HasSubstr("0x1b"));
  EXPECT_THAT(fault_of("a\x9b"), HasSubstr("0x9b"));
  EXPECT_THAT(fault_of("\u202e"), HasSubstr("0x202e"));
}

TEST(Printable, EscapedJsonIsEquivalent) {
  Report report;
  report.add("title", unruly);
  report.add(unruly, std::string("x"));
  const std::string json = report.json();
  EXPECT_TRUE(is_json(json)) << json;
  EXPECT_EQ(fault_of(json), "");
  EXPECT_THAT(to_json(Value(std::string("\u009b\x7f\u202e"))),
              ::testing::MatchesRegex("\"\\\\u009[bB]\\\\u007[fF]\\\\u202[eE]\""));
}
// NOLINTEND(misc-misleading-bidirectional)

TEST(Printable, XmlIsWellFormedForAnyText) {
  EXPECT_EQ(xml_escaped("<\x1b\xff&\"\xef\xbf\xbe"
                        "a\n\r"),
            "&lt;&amp;&quot;a\n&#13;");
}

/// A run in which every text has control characters, and a synthetic one in which texts are not valid UTF-8.
class UntrustedText : public ::testing::Test {
 protected:
  void SetUp() override {
    if (terminal_.name().empty()) GTEST_SKIP() << "this machine has no terminals to give";
    const std::string pictures =
        !draws_pictures()
            ? ""
            : "[[figure]]\nkind = \"projection\"\nfile = \"p.png\"\nsize = [320, 240]\ntitle = \"" + unruly_toml +
                  "\"\n[[figure]]\nkind = \"energy-error\"\nfile = \"e.svg\"\nsize = [320, 240]\n[[film]]\n"
                  "kind = \"projection\"\nfile = \"f.gif\"\nsize = [64, 64]\nduration = 0.1\n";
    write(folder_ / "s.toml", "title = \"" + unruly_toml + "\"\n[initial]\nkind = \"table\"\ncomponent = \"" +
                                  unruly_toml + "\"\nbodies = [\n{ name = \"A" + unruly_toml +
                                  "\", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] },\n"
                                  "{ name = \"B" +
                                  unruly_toml +
                                  "\", mass = 1.0, position = [1, 0, 0], velocity = [0, 1, 0] } ]\n"
                                  "[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 20\n" +
                                  pictures);
    std::filesystem::create_directory(folder_ / "runs");
    std::filesystem::create_directory(folder_ / ("runs/" + member_));
    SyntheticRun run{.bodies = 3, .frames = 5, .rows_a_frame = 1};
    sim::Bodies made = run.initial_bodies();
    for (std::string& name : made.names) name += unruly;
    RunRecord record = run.record();
    record.title = record.author = record.length_unit = record.time_unit = record.mass_unit = unruly;
    record.components = {unruly, "b" + unruly};
    record.scenario = "title = \"" + unruly + "\"\n";
    record.provenance = {
        {"version", unruly}, {"command_line", unruly}, {"overrides", "a=" + unruly + "\nb\n"}, {"backend", unruly}};
    TrajectoryWriter writer(folder_ / made_up_, made, record, run.options);
    run.write(writer, 0, run.last_step());
    writer.finish(run.at(run.last_step()));
  }

  /// Checks that output on a terminal is harmless, and so are text files that people read on one.
  std::string shown(const std::vector<std::string>& arguments, int code = 0) {
    int ended = 0;
    std::string text = terminal_.shown_of(folder_, arguments, ended);
    EXPECT_EQ(ended, code) << arguments.front() << ": " << printable(text, Lines::several);
    EXPECT_EQ(fault_of(text), "") << arguments.front();
    EXPECT_FALSE(text.empty()) << arguments.front();
    return text;
  }

  Folder folder_;
  Terminal terminal_;
  const std::string member_ = "m\x1b[31m\x9b";
  const std::string made_up_ = "runs/" + member_ + "/\x1b]0;x\x07.h5";
};

TEST_F(UntrustedText, OfAScenarioIsEscaped) {
  EXPECT_THAT(shown({"check", "s.toml"}), HasSubstr("\\u001b]0;mine\\u0007\\r"));
  EXPECT_TRUE(is_json(shown({"check", "s.toml", "--json"})));
  shown({"run", "s.toml"});
  shown({"run", "s.toml"});
  EXPECT_THAT(shown({"info", "s/run.h5"}), HasSubstr("ΔE/E₀ 太 é"));
  EXPECT_TRUE(is_json(shown({"info", "s/run.h5", "--json"})));
  shown({"info", "--watch", "s/run.h5"});
  shown({"verify", "s/run.h5"});
  shown({"repair", "s/run.h5"});
  shown({"resume", "s/run.h5"});
  shown({"diff", "s/run.h5", "s/run.h5"});
  EXPECT_THAT(shown({"export", "s/run.h5", "--format", "csv"}), HasSubstr("A\\u001b]0;mine"));
  EXPECT_TRUE(is_json(shown({"export", "s/run.h5", "--format", "json"})));
  shown({"export", "s/run.h5", "--format", "xdmf"});
  shown({"check", "s.toml", "--set", "title=\"" + unruly_toml + "\"", "--set", "integrator.dt=0.02"});
  shown({"check", "s.toml", "--set", "title=" + unruly}, 2);
  shown({"check", "s.toml", "--set", "\"" + unruly + "\"=1"}, 2);
  shown({unruly}, 2);
  shown({"info", unruly}, 2);
  shown({"list", unruly}, 2);
  shown({"new", unruly}, 2);
  if (!draws_pictures()) return;
  shown({"render", "s/run.h5", "--preview"});
  shown({"render", "s/run.h5", "--figure", unruly}, 2);
  for (const char* picture : {"s/p.png", "s/e.svg", "s/f.gif"}) {
    EXPECT_THAT(shown({"info", picture}), HasSubstr("title = \"\\u001B]0;mine\\u0007")) << picture;
    EXPECT_TRUE(is_json(shown({"info", picture, "--json"}))) << picture;
    shown({"check", picture});
  }
}

TEST_F(UntrustedText, OfARunIsEscaped) {
  EXPECT_THAT(shown({"info", made_up_}), HasSubstr("\\x9b\\xff"));
  EXPECT_TRUE(is_json(shown({"info", made_up_, "--json"})));
  shown({"info", "--watch", made_up_});
  shown({"verify", made_up_}, 2);
  shown({"resume", made_up_}, 2);
  shown({"render", made_up_}, 2);
  shown({"repair", made_up_});
  shown({"diff", made_up_, made_up_});
  shown({"export", made_up_, "--format", "csv"});
  EXPECT_TRUE(is_json(shown({"export", made_up_, "--format", "json"})));
  shown({"export", made_up_, "--format", "xdmf"});
  shown({"table", "runs"});
  EXPECT_THAT(run(folder_, {"export", made_up_, "--format", "csv", "--frames", "0:1"}).output, HasSubstr(unruly))
      << "programs get what there is";
  flip(folder_ / made_up_, place_of(folder_ / made_up_, "/particles/all/position/value", 2, 5));
  shown({"repair", made_up_}, 1);
}

TEST_F(UntrustedText, OfErrorsIsEscaped) {
  const std::vector<std::string> scenarios = {
      "\"\\u001b[31m\\u202e\" = 1\n",
      "[\"\\u001b[31m\"]\nx = 1\n",
      "units = \"\\u001b[31m\\u009b\"\n",
      "[initial]\nkind = \"\\u001b[31m\\u009b\"\n",
      "title = \"\x1b[31m\"\n",
      "title = \"\u009b31m\" x\n",
      "title = \"\x9b\"\n",
      "[initial]\nkind = \"two-body\"\n[integrator]\ndt = \"\\u001b[31m\"\nsteps = 3\n",
      ("[initial]\nkind = \"two-body\"\n[integrator]\ndt = 0.1\nsteps = 3\n[[figure]]\nkind = \"projection\"\n"
       "file = \"\\u001b[31m\"\n"),
      "[initial]\nkind = \"table\"\nfile = \"\\u001b[31m.csv\"\n[integrator]\ndt = 0.1\nsteps = 3\n",
      "[initial]\nkind = \"table\"\nfile = \"b.csv\"\n[integrator]\ndt = 0.1\nsteps = 3\n",
      "[initial]\nkind = \"two-body\"\n[integrator]\ndt = 0.1\nsteps = 3\n[sweep]\n\"\\u001b[31m\" = [1, 2]\n",
  };
  write(folder_ / "b.csv", "name,mass,x,y,z,vx,vy,vz\n" + unruly + ",one" + unruly + ",0,0,0,0,0,0\n");
  for (const std::string& scenario : scenarios) {
    if (!draws_pictures() && scenario.find("[[figure]]") != std::string::npos) continue;
    write(folder_ / "c.toml", scenario);
    const std::string text = shown({"check", "c.toml"}, 2);
    EXPECT_EQ(std::ranges::count(text, '\n'), 1) << printable(scenario) << "\n" << text;
  }
  write(folder_ / "long.toml", "\"" + std::string(1'000'000, 'x') + "\" = 1\n");
  EXPECT_LT(shown({"check", "long.toml"}, 2).size(), 5000U);
}

}  // namespace
}  // namespace orrery::pipeline::testing
