// SPDX-License-Identifier: MIT
// Third-party readers open the file: h5py and h5dump see what the program wrote.
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/pipeline/trajectory_support.hpp"

namespace {

namespace fs = std::filesystem;

/// The Python of the distribution, which has h5py; another may come first on the path.
constexpr const char* python = "/usr/bin/python3 ";

/// The output of a command including errors, followed by its exit code.
std::pair<std::string, int> output_of(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string all;
  std::array<char, 4096> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) all.append(part.data(), n);
  return {all, pclose(pipe)};
}

class Readers : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "small.toml") << "title = \"Äpfel\"\n[initial]\nkind = \"two-body\"\n[integrator]\n"
                                             "dt = \"1/1000 period\"\ntime = \"1 period\"\n[trajectory]\nframes = 11\n";
    const auto [text, code] = output_of(std::string(ORRERY_PROGRAM) + " simulate " + (folder_ / "small.toml").string() +
                                        " --force -o " + folder_.string());
    ASSERT_EQ(code, 0) << text;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_ = fs::temp_directory_path() / ("orrery-readers-" + std::to_string(::getpid()));
};

TEST_F(Readers, H5pySeesFramesObservablesAndTexts) {
  if (output_of(std::string(python) + "-c 'import h5py'").second != 0) GTEST_SKIP() << "python3-h5py is not installed";
  std::ofstream(folder_ / "read.py") << R"(
import h5py, sys
f = h5py.File(sys.argv[1], "r", swmr=True)
x, v = f["particles/all/position"], f["particles/all/velocity"]
assert x["value"].shape == v["value"].shape == (11, 2, 3), x["value"].shape
assert list(x["step"][:]) == list(range(0, 1001, 100)) and x["time"] == v["time"]
assert list(f["h5md"].attrs["version"]) == [1, 1]
E = f["observables/total_energy"]
assert E["value"].shape == (11,) and abs(E["value"][0] + 0.5) < 1e-15, E["value"][0]
assert abs(x["value"][5][1][0] + 0.75) < 1e-3, x["value"][5]          # half a period: apocentre
assert "Äpfel" in f["parameters/scenario"][()].decode("utf-8")
assert f["VTKHDF"].attrs["Type"] == b"PolyData"
assert (f["VTKHDF/Points"][2:4] == x["value"][1]).all()
print("read")
)";
  const auto [text, code] = output_of(python + (folder_ / "read.py").string() + " " + (folder_ / "run.h5").string());
  EXPECT_EQ(code, 0);
  EXPECT_EQ(text, "read\n");
}

/// Reads the exported files with the standard library only, and the trajectory with h5py: the numbers are equal.
constexpr const char* compare_script = R"(
import csv, h5py, json, os, sys
import xml.etree.ElementTree as xml
h5, xmf, table, observables = sys.argv[1:]
f = h5py.File(h5, "r")
x, v = f["particles/all/position/value"], f["particles/all/velocity/value"]

def array(item):
    if item.get("ItemType") == "HyperSlab":
        start, stride, count = [list(map(int, row)) for row in
                                zip(*[iter(item[0].text.split())] * 3)]
        assert stride == [1, 1, 1]
        whole = array(item[1])
        assert list(whole.shape) == [int(n) for n in item[1].get("Dimensions").split()]
        part = whole[tuple(slice(a, a + n) for a, n in zip(start, count))]
        return part.reshape([int(n) for n in item.get("Dimensions").split()])
    name, dataset = item.text.split(":")
    data = h5py.File(os.path.join(os.path.dirname(xmf), name), "r")[dataset]
    assert data.dtype.itemsize == int(item.get("Precision")) and item.get("Endian") == "Little"
    assert data.dtype.byteorder in "=<" and {"f": "Float", "i": "Int"}[data.dtype.kind] == item.get("NumberType")
    return data

root = xml.parse(xmf).getroot()
steps = root.find("Domain/Grid")
assert root.get("Version") == "2.0" and steps.get("CollectionType") == "Temporal" and steps.get("Name") == "Äpfel & <b>"
assert len(steps) == x.shape[0]
for i, grid in enumerate(steps):
    assert float(grid.find("Time").get("Value")) == f["particles/all/position/time"][i]
    topology = grid.find("Topology")
    assert topology.get("TopologyType") == "Polyvertex" and int(topology.get("NumberOfElements")) == x.shape[1]
    assert (array(grid.find("Geometry/DataItem")) == x[i]).all()
    found = {a.get("Name"): array(a[0])[()] for a in grid.findall("Attribute")}
    assert (found["velocity"] == v[i]).all() and set(found) == {"velocity", "mass", "id", "species"}
    for name in "mass", "id", "species":
        assert (found[name] == f["particles/all"][name][:]).all()

number = x.dtype.type                        # float64 or float32: the digits are those of the stored number
rows = list(csv.DictReader(open(table, encoding="utf-8")))
assert len(rows) == x.shape[0] * x.shape[1]
for k, row in enumerate(rows):
    i, n = divmod(k, x.shape[1])
    assert (int(row["frame"]), int(row["id"])) == (i, n) and int(row["step"]) == f["particles/all/position/step"][i]
    for d, axis in enumerate("xyz"):
        assert number(row[axis]) == x[i, n, d] and number(row["v" + axis]) == v[i, n, d]

seen = json.load(open(observables, encoding="utf-8"))
assert seen["title"] == "Äpfel & <b>" and seen["frames"]["time"] == list(f["particles/all/position/time"])
for name in "total_energy", "center_of_mass":
    assert seen["observables"][name] == f["observables"][name]["value"][:].tolist()
assert seen["provenance"]["backend"] == "cpu"
print("the same")
)";

TEST_F(Readers, ExportsHaveTheNumbersOfTheFile) {
  if (output_of(std::string(python) + "-c 'import h5py'").second != 0) GTEST_SKIP() << "python3-h5py is not installed";
  std::ofstream(folder_ / "compare.py") << compare_script;
  fs::create_directory(folder_ / "elsewhere");
  for (const int bodies : {1, 2, 257}) {
    const fs::path run = folder_ / ("run " + std::to_string(bodies)), file = run / "run.h5";
    std::ofstream(folder_ / "s.toml") << "title = \"Äpfel & <b>\"\n[initial]\nkind = \"random-cube\"\nn = " << bodies
                                      << "\n[force]\nsoftening = 0.1\n[integrator]\ndt = 0.01\nsteps = 30\n"
                                      << "[trajectory]\nframes = 7\nstore = \"" << (bodies == 2 ? "float32" : "float64")
                                      << "\"\n";
    const std::string orrery = ORRERY_PROGRAM, quoted = " '" + file.string() + "' ";
    std::string text = output_of(orrery + " simulate " + (folder_ / "s.toml").string() + " --backend cpu --quiet -o '" +
                                 run.string() + "'")
                           .first;
    for (const auto& [format, name] : {std::pair{"xdmf", "run.xmf"}, {"csv", "run.csv"}, {"json", "run.json"}})
      text += output_of(orrery + " export" + quoted + "--force --format " + format + " -o " +
                        (folder_ / "elsewhere" / name).string())
                  .first;
    const auto [said, code] =
        output_of(python + (folder_ / "compare.py").string() + quoted + (folder_ / "elsewhere/run.xmf").string() + " " +
                  (folder_ / "elsewhere/run.csv").string() + " " + (folder_ / "elsewhere/run.json").string());
    EXPECT_EQ(said, "the same\n") << text;
  }
}

/// Runs the examples of docs/trajectory.md verbatim.
TEST_F(Readers, ExamplesOfTheDocumentationRun) {
  if (output_of(std::string(python) + "-c 'import h5py'").second != 0) GTEST_SKIP() << "python3-h5py is not installed";
  std::ostringstream page;
  page << std::ifstream(fs::path(ORRERY_SOURCE_DIR) / "docs/trajectory.md").rdbuf();
  const std::string in_folder = "cd '" + folder_.string() + "' && ";
  ASSERT_EQ(output_of(in_folder + ORRERY_PROGRAM + " export run.h5 --format csv -o run.csv").second, 0);
  const std::string fence = "```python\n";
  const std::string checks[] = {"assert x.shape == (11, 2, 3) and len(t) == len(E) == 11",
                                "assert x.shape == (11, 2, 3) and not fits",
                                "assert len(first) == 2 and first[1] - first[0] == 0.5, first"};
  const std::string text = page.str();
  std::size_t count = 0;
  for (auto at = text.find(fence); at != std::string::npos; at = text.find(fence, at + 1), ++count) {
    const auto begin = at + fence.size();
    ASSERT_LT(count, std::size(checks)) << "an example more: check what it finds";
    std::ofstream(folder_ / "example.py")
        << text.substr(begin, text.find("```", begin) - begin) << checks[count] << "\n";
    const auto [said, code] = output_of(in_folder + python + "example.py");
    EXPECT_EQ(code, 0) << said;
  }
  EXPECT_EQ(count, std::size(checks));
}

/// The example that reads `/tail`, in a file whose newest frames are in each of its slots in turn.
TEST_F(Readers, TailExampleOfTheDocumentationReadsNewestFrames) {
  if (output_of(std::string(python) + "-c 'import h5py'").second != 0) GTEST_SKIP() << "python3-h5py is not installed";
  std::ostringstream page;
  page << std::ifstream(fs::path(ORRERY_SOURCE_DIR) / "docs/trajectory.md").rdbuf();
  const std::string text = page.str();
  const auto begin = text.find("import h5py, numpy\n");
  ASSERT_NE(begin, std::string::npos);
  std::ofstream(folder_ / "newest.py") << text.substr(begin, text.find("```", begin) - begin) << "print(len(x))\n";
  const orrery::pipeline::testing::SyntheticRun run{.frames = 10};
  const fs::path live = folder_ / "live.h5";
  orrery::pipeline::TrajectoryWriter writer(live, run.initial_bodies(), run.record(), run.options);
  for (std::int64_t step = 0; step < 7; ++step) {
    run.write(writer, step, step);
    writer.commit(run.at(step));
    fs::copy_file(live, folder_ / "run.h5", fs::copy_options::overwrite_existing);
    const auto [said, code] = output_of("cd '" + folder_.string() + "' && " + python + "newest.py");
    EXPECT_EQ(said, std::to_string(step + 1) + "\n");
  }
}

TEST_F(Readers, H5dumpReadsEveryDataset) {
  if (output_of("h5dump --version").second != 0) GTEST_SKIP() << "hdf5-tools is not installed";
  const auto [text, code] = output_of("h5dump " + (folder_ / "run.h5").string());
  EXPECT_EQ(code, 0);
  EXPECT_EQ(text.find("rror"), std::string::npos) << text.substr(0, 500);
  EXPECT_NE(text.find("DATASET \"value\""), std::string::npos);
}

}  // namespace
