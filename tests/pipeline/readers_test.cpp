// SPDX-License-Identifier: MIT
// Other people's readers open the file: h5py and h5dump see what the program wrote.
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

/// The distribution's own, which has its own h5py; another may come first on the path.
constexpr const char* python = "/usr/bin/python3 ";

/// What a command prints, errors too; its exit code behind.
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
                                        " -o " + folder_.string());
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

TEST_F(Readers, H5dumpReadsEveryDataset) {
  if (output_of("h5dump --version").second != 0) GTEST_SKIP() << "hdf5-tools is not installed";
  const auto [text, code] = output_of("h5dump " + (folder_ / "run.h5").string());
  EXPECT_EQ(code, 0);
  EXPECT_EQ(text.find("rror"), std::string::npos) << text.substr(0, 500);
  EXPECT_NE(text.find("DATASET \"value\""), std::string::npos);
}

}  // namespace
