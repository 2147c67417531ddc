// SPDX-License-Identifier: MIT
// orrery export: every number of a trajectory as text for other programs; complete files or none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <limits>
#include <sstream>

#include "pipeline/export.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

template <class Number>
Number parsed(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_TRUE(error == std::errc() && end == text.data() + text.size()) << text;
  return value;
}

class Export : public ::testing::Test {
 protected:
  Outcome in(const std::string& format, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"export", "run.h5", "--format", format});
    return run(folder_, more);
  }
  void expect_refused(const Outcome& outcome, int code, const std::string& words) const {
    EXPECT_EQ(outcome.code, code);
    EXPECT_THAT(outcome.errors, AllOf(StartsWith("orrery: "), HasSubstr(words), EndsWith("\n")));
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
  }
  /// Writes `frames` of the run with commits in between; the writer ends before the run does.
  void tell_unfinished(const SyntheticRun& synthetic, std::int64_t last) const {
    TrajectoryWriter writer(path_, synthetic.initial_bodies(), synthetic.record(), synthetic.options);
    synthetic.write(writer, 0, last);
    writer.commit(synthetic.at(last));
  }

  Folder folder_;
  std::filesystem::path path_ = folder_ / "run.h5";
};

template <class Stored>
void expect_csv(const std::string& text, const TrajectoryReader& reader, bool velocities) {
  const auto lines = split(text, '\n');
  const std::size_t bodies = reader.bodies().size();
  ASSERT_EQ(lines.size(), 1 + reader.size() * bodies);
  EXPECT_EQ(lines[0],
            std::string("frame,step,time,id,name,x,y,z") + (velocities ? ",vx,vy,vz" : "") + ",mass,component");
  for (std::size_t i = 0; i < reader.size(); ++i) {
    const sim::Snapshot frame = reader.snapshot(i);
    for (std::size_t n = 0; n < bodies; ++n) {
      const auto cells = split(lines[1 + i * bodies + n], ',');
      ASSERT_EQ(cells.size(), velocities ? 13U : 10U);
      ASSERT_EQ(parsed<std::size_t>(cells[0]), i);
      ASSERT_EQ(parsed<std::int64_t>(cells[1]), frame.step);
      ASSERT_EQ(parsed<double>(cells[2]), frame.time);
      ASSERT_EQ(parsed<std::size_t>(cells[3]), n);
      ASSERT_EQ(cells[4], "body " + std::to_string(n));
      ASSERT_EQ(parsed<Stored>(cells[6]), static_cast<Stored>(frame.position.y[n]));
      if (velocities) {
        ASSERT_EQ(parsed<Stored>(cells[10]), static_cast<Stored>(frame.velocity.z[n]));
      }
      ASSERT_EQ(parsed<double>(cells[cells.size() - 2]), reader.bodies().mass[n]);
      ASSERT_EQ(cells.back(), n % 2 == 0 ? "disk" : "bulge");
    }
  }
}

TEST_F(Export, CsvReadsBackTheSame) {
  for (const std::size_t bodies : {1, 2, 257}) {
    for (const bool single : {false, true}) {
      for (const bool velocities : {true, false}) {
        SCOPED_TRACE(bodies);
        const SyntheticRun synthetic{
            .bodies = bodies, .frames = 5, .options = {.single_precision = single, .velocities = velocities}};
        synthetic.write(path_);
        const Outcome outcome = in("csv");
        EXPECT_EQ(outcome.code, 0) << outcome.errors;
        EXPECT_EQ(outcome.errors, "");
        const TrajectoryReader reader(path_);
        (single ? expect_csv<float> : expect_csv<double>)(outcome.output, reader, velocities);
        std::filesystem::remove(path_);
      }
    }
  }
}

/// An exported frame is the start of another run, which gives the same bits.
TEST_F(Export, CsvCanBeReadAsATableOfBodies) {
  const std::string rest = "[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = ";
  write(folder_ / "a.toml",
        "[[initial]]\nkind = \"two-body\"\neccentricity = 0.3\n[[initial]]\nkind = \"random-cube\"\nn = 5\n" + rest +
            "40\n[trajectory]\nevery = 20\n");
  ASSERT_EQ(run(folder_, {"simulate", "a.toml", "--quiet"}).code, 0);
  ASSERT_EQ(run(folder_, {"export", "a/run.h5", "--format", "csv", "-o", "a.csv"}).code, 0);
  write(folder_ / "b.toml",
        "[initial]\nkind = \"table\"\nfile = \"a.csv\"\nframe = 1\nrecentre = false\n" + rest + "20\n");
  const Outcome again = run(folder_, {"simulate", "b.toml", "--quiet"});
  ASSERT_EQ(again.code, 0) << again.errors;
  const TrajectoryReader a(folder_ / "a/run.h5"), b(folder_ / "b/run.h5");
  EXPECT_EQ(b.bodies().mass, a.bodies().mass);
  EXPECT_EQ(b.bodies().names, a.bodies().names);
  EXPECT_EQ(b.bodies().species, a.bodies().species);
  EXPECT_EQ(b.record().components, (std::vector<std::string>{"two-body", "random-cube"}));
  EXPECT_EQ(b.snapshot(0).position, a.snapshot(1).position);
  EXPECT_EQ(b.snapshot(b.size() - 1).position, a.snapshot(2).position) << "after 20 steps more";
  EXPECT_EQ(b.snapshot(b.size() - 1).velocity, a.snapshot(2).velocity);
  EXPECT_EQ(run(folder_, {"verify", "b/run.h5"}).code, 0) << "the CSV is not needed";
  write(folder_ / "c.toml", "[initial]\nkind = \"table\"\nfile = \"a.csv\"\nrecentre = false\n" + rest + "0\n");
  ASSERT_EQ(run(folder_, {"simulate", "c.toml", "--quiet"}).code, 0);
  EXPECT_EQ(TrajectoryReader(folder_ / "c/run.h5").snapshot(0).position, a.snapshot(2).position) << "the last";
}

TEST_F(Export, NamesAreQuotedIfNecessary) {
  const SyntheticRun synthetic{.bodies = 4, .frames = 1};
  sim::Bodies made = synthetic.initial_bodies();
  made.names = {"plain name", "a,b", "say \"hi\"", "two\nlines"};
  {
    TrajectoryWriter writer(path_, made, synthetic.record(), {});
    writer.append(synthetic.at(0), true);
    writer.finish(synthetic.at(0));
  }
  const std::string text = in("csv").output;
  for (const char* row :
       {"\n0,0,0,0,plain name,", "\n0,0,0,1,\"a,b\",", "\n0,0,0,2,\"say \"\"hi\"\"\",", "\n0,0,0,3,\"two\nlines\","})
    EXPECT_THAT(text, HasSubstr(row));
}

TEST_F(Export, FramesOfSomeBodies) {
  const SyntheticRun synthetic{.bodies = 6, .frames = 2, .options = {.bodies = {1, 4}}};
  synthetic.write(path_);
  const auto lines = split(in("csv").output, '\n');
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_THAT(lines[3], StartsWith(fmt::format("1,1,0.1,1,body 1,{},", synthetic.at(1).position.x[1])));
  EXPECT_THAT(lines[4], StartsWith(fmt::format("1,1,0.1,4,body 4,{},", synthetic.at(1).position.x[4])));
  EXPECT_THAT(in("cs267").output, StartsWith("2 "));
  EXPECT_THAT(in("xdmf").output, HasSubstr("NumberOfElements=\"2\""));
}

/// A number as printed by a C++ stream with default precision.
std::string streamed(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST_F(Export, Cs267HasTheFormatOfTheCourse) {
  const SyntheticRun synthetic{.bodies = 3, .frames = 4};
  RunRecord record = synthetic.record();
  record.domain = {.dimensions = 2, .edges = {0.0387298334620742, 0.0387298334620742}};
  {
    TrajectoryWriter writer(path_, synthetic.initial_bodies(), record, {});
    synthetic.write(writer, 0, 3);
    writer.finish(synthetic.at(3));
  }
  std::string wanted = "3 0.0387298\n";
  for (const std::int64_t step : {1, 2, 3}) {  // t = 0 is not there
    const sim::Snapshot frame = synthetic.at(step);
    for (std::size_t n = 0; n < 3; ++n)
      wanted += streamed(frame.position.x[n]) + " " + streamed(frame.position.y[n]) + "\n";
    wanted += "\n";
  }
  EXPECT_EQ(in("cs267").output, wanted);
}

TEST_F(Export, Cs267WithoutABoxGivesTheExtent) {
  const SyntheticRun synthetic{.bodies = 2, .frames = 1};
  sim::Snapshot far = synthetic.at(1);
  far.position.x = {-1e-5, 1234567};
  far.position.y = {-2, 3e6};
  {
    TrajectoryWriter writer(path_, synthetic.initial_bodies(), synthetic.record(), {});
    writer.append(far, true);
    writer.finish(far);
  }
  EXPECT_EQ(in("cs267").output, "2 3e+06\n-1e-05 -2\n1.23457e+06 3e+06\n\n");
}

TEST_F(Export, JsonHoldsObservablesAndOrigin) {
  const SyntheticRun synthetic{.bodies = 2, .frames = 3, .rows_a_frame = 2};
  {
    TrajectoryWriter writer(path_, synthetic.initial_bodies(), synthetic.record(), {});
    synthetic.write(writer, 0, 4);
    sim::Snapshot lost = synthetic.at(5);
    lost.observables.kinetic_energy = std::numeric_limits<double>::quiet_NaN();
    writer.append(lost, false);
    writer.finish(lost);
  }
  const Outcome outcome = in("json");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_TRUE(is_json(outcome.output)) << outcome.output;
  const auto text = [&](double value) { return fmt::format("{}", value); };
  const sim::Observables seen = synthetic.at(4).observables;
  EXPECT_THAT(outcome.output,
              AllOf(HasSubstr("\"step\": [0,2,4]"), HasSubstr("\"step\": [0,1,2,3,4,5]"),
                    HasSubstr(text(seen.kinetic_energy) + ",null]"), HasSubstr("," + text(seen.momentum.z) + "]"),
                    HasSubstr("\"version\": \"0.1.0\""), HasSubstr("\"seed\": 18364758544493064720")));
  const std::string some = in("json", {"--frames", "1:1"}).output;
  EXPECT_TRUE(is_json(some));
  EXPECT_THAT(
      some, AllOf(HasSubstr("\"step\": [2]"), HasSubstr("[" + text(synthetic.at(2).observables.kinetic_energy) + "]")));
}

TEST_F(Export, FramesOfATail) {
  const SyntheticRun synthetic{.bodies = 257, .frames = 200};  // 128 frames a chunk row
  tell_unfinished(synthetic, 150);
  EXPECT_EQ(split(in("csv", {"--frames", "127:"}).output, '\n').size(), 1U + 24 * 257);
  const Outcome xdmf = in("xdmf", {"-o", "run.xmf"});
  EXPECT_EQ(xdmf.code, 0);
  EXPECT_THAT(xdmf.errors, HasSubstr("not finished: xdmf shows 128 of 151 frames"));
  const std::string text = read(folder_ / "run.xmf");
  EXPECT_THAT(text, AllOf(HasSubstr("<Grid Name=\"frame 127\""), ::testing::Not(HasSubstr("frame 128"))));
  std::filesystem::remove(path_);
  tell_unfinished(synthetic, 100);
  expect_refused(in("xdmf"), 1, "the file has none: finish the run, or `orrery repair` the file");
}

TEST_F(Export, NoFramesAtAll) {
  const SyntheticRun synthetic{.bodies = 2};
  {
    TrajectoryWriter writer(path_, synthetic.initial_bodies(), synthetic.record(), {});
    writer.finish(synthetic.at(0));
  }
  EXPECT_EQ(in("csv").output, "frame,step,time,id,name,x,y,z,vx,vy,vz,mass,component\n");
  EXPECT_EQ(in("cs267").output, "2 0\n");
  EXPECT_TRUE(is_json(in("json").output));
  expect_refused(in("xdmf"), 1, "it was finished without a frame");
  expect_refused(in("csv", {"--frames", "0"}), 2, "there is no frame 0: the file holds none");
}

TEST_F(Export, FilesAreWrittenAtomically) {
  const SyntheticRun synthetic{.bodies = 257, .frames = 20};
  synthetic.write(path_);
  const std::string text = in("csv").output;
  EXPECT_EQ(in("csv", {"-o", "-"}).output, text);
  EXPECT_EQ(in("csv", {"-o", "all.csv"}).output, "");
  EXPECT_EQ(read(folder_ / "all.csv"), text);
  EXPECT_EQ(
      run(folder_, {"export", "run.h5", "--format", "csv", "-o", "/dev/stdout"}, {.output = "", .errors = ""}).output,
      text);
  expect_refused(in("csv", {"-o", "/dev/full"}), 1, "/dev/full: cannot be written: No space left on device");
  expect_refused(run(folder_, {"export", "run.h5", "--format", "csv"}, {.output = "/dev/full", .errors = ""}), 1,
                 "standard output: cannot be written: No space left on device");
  expect_refused(in("csv", {"-o", "none/all.csv"}), 1, "none/all.csv: cannot be written: No such file or directory");
  flip(path_, place_of(path_, "/particles/all/position/value", 7, 7 * 257 * 24 + 1000));
  for (const char* format : {"csv", "cs267"}) {
    expect_refused(in(format, {"-o", "all.csv", "--force"}), 1,
                   "run.h5: frame 7 (step 7): it does not match its checksum");
    EXPECT_EQ(read(folder_ / "all.csv"), text);  // as it was
    EXPECT_THAT(drafts_in(folder_ / ""), IsEmpty());
    EXPECT_EQ(in(format, {"--frames", "8:"}).code, 0);
  }
}

TEST_F(Export, InterruptLeavesNoFile) {
  const SyntheticRun synthetic{.bodies = 1003, .frames = 400};
  synthetic.write(path_);
  Running running(folder_, {"export", "run.h5", "--format", "csv", "-o", "all.csv"});
  ASSERT_TRUE(wait_until([&] { return !drafts_in(folder_ / "").empty() && running.heeds(SIGINT); }));
  running.send(SIGINT);
  EXPECT_EQ(running.wait().code, 130);
  EXPECT_THAT(drafts_in(folder_ / ""), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "all.csv"));
}

TEST_F(Export, InvalidRequestsAreRefused) {
  expect_refused(in("csv"), 2, "run.h5: no such file");
  SyntheticRun{.bodies = 2, .frames = 3}.write(path_);
  expect_refused(in("cvs"), 2,
                 "there is no format `cvs`; did you mean `csv`? (there are: csv, xdmf, json, cs267, elements, extxyz, "
                 "gadget2, gadget-hdf5, h5md, "
                 "tipsy)");
  expect_refused(run(folder_, {"export", "run.h5"}), 2, "--format is required");
  expect_refused(in("csv", {"-o", "./run.h5"}), 2, "is the trajectory itself");
  expect_refused(in("csv", {"-o", "."}), 2, "is a folder, not a file");
  expect_refused(in("csv", {"--frames", "2:3"}), 2,
                 "--frames 2:3: there is no frame 3: the file holds 0 to 2, or -3 to -1 from the end");
  for (const ExportFormat* format : export_formats()) {
    const std::string name(format->name);
    const Outcome outcome = in(name, {"-o", name + ".out"});
    EXPECT_EQ(outcome.code, 0) << format->name << ": " << outcome.errors;
  }
}

TEST(FrameRanges, AreParsedAsPrinted) {
  const auto pair = [](const std::string& text, std::size_t size) {
    const FrameRange range = frame_range(text, size);
    return std::pair(range.begin, range.end);
  };
  EXPECT_EQ(pair("", 7), std::pair(std::size_t{0}, std::size_t{7}));
  EXPECT_EQ(pair("2:5", 7), std::pair(std::size_t{2}, std::size_t{6}));
  EXPECT_EQ(pair("2:", 7), std::pair(std::size_t{2}, std::size_t{7}));
  EXPECT_EQ(pair(":2", 7), std::pair(std::size_t{0}, std::size_t{3}));
  EXPECT_EQ(pair("6", 7), std::pair(std::size_t{6}, std::size_t{7}));
  EXPECT_EQ(pair("-1", 7), std::pair(std::size_t{6}, std::size_t{7})) << "from the end";
  EXPECT_EQ(pair("-3:-2", 7), std::pair(std::size_t{4}, std::size_t{6}));
  EXPECT_EQ(pair("2:-1", 7), std::pair(std::size_t{2}, std::size_t{7}));
  EXPECT_EQ(pair("-7:", 7), std::pair(std::size_t{0}, std::size_t{7}));
  EXPECT_EQ(pair(":", 0), std::pair(std::size_t{0}, std::size_t{0}));
  for (const char* text : {"a", "1:b", "1:2:3", "-8:", "1.5", " 1", "5:2", "7", "0:7", "-1:0", "99999999999999999999:"})
    EXPECT_THROW(frame_range(text, 7), Error) << text;
}

}  // namespace
}  // namespace orrery::pipeline::testing
