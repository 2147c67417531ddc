// SPDX-License-Identifier: MIT
// An untrusted run opens no file but its own, neither through links nor through external data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "pipeline/trajectory/hdf5.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* point_elsewhere = R"(
import h5py, numpy, shutil, sys
def copy(name):
    shutil.copy("run.h5", name)
    return h5py.File(name, "r+")
with copy("link.h5") as f:
    del f["particles/all/mass"]
    f["particles/all/mass"] = h5py.ExternalLink("run.h5", "/particles/all/mass")
with copy("text.h5") as f:
    old = f["parameters/scenario"]
    kind, sum = old.dtype, old.attrs["xxh3"]
    del f["parameters/scenario"]
    new = f.create_dataset("parameters/scenario", shape=(1,), dtype=kind,
                           external=[("secret", 0, kind.itemsize)])
    new.attrs["xxh3"] = sum
with copy("numbers.h5") as f:
    shape = f["particles/all/mass"].shape
    del f["particles/all/mass"]
    f.create_dataset("particles/all/mass", shape=shape, dtype="f8", external=[("secret", 0, 8 * shape[0])])
with copy("virtual.h5") as f:
    shape = f["particles/all/mass"].shape
    del f["particles/all/mass"]
    layout = h5py.VirtualLayout(shape=shape, dtype="f8")
    layout[:] = h5py.VirtualSource("run.h5", "/particles/all/mass", shape=shape)
    f.create_virtual_dataset("particles/all/mass", layout)
)";

TEST(ExternalData, IsRefused) {
  const Folder folder;
  write(folder / "s.toml",
        "[initial]\nkind = \"two-body\"\n[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 20\n");
  ASSERT_EQ(run(folder, {"simulate", "s.toml", "-o", "."}).code, 0);
  write(folder / "secret", std::string(10'000, 'S'));
  write(folder / "point.py", point_elsewhere);
  const std::string python = "cd '" + (folder / "").string() + "' && /usr/bin/python3 ";
  if (std::system((python + "-c 'import h5py' 2>/dev/null").c_str()) != 0) GTEST_SKIP() << "no h5py";
  ASSERT_EQ(std::system((python + "point.py").c_str()), 0);
  for (const std::string file : {"link.h5", "text.h5", "numbers.h5", "virtual.h5"}) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"info", file}, {"export", file, "--format", "csv"}, {"diff", file, "run.h5"}}) {
      const Outcome outcome = run(folder, command);
      EXPECT_EQ(outcome.code, command[0] == "diff" ? 2 : 1) << command[0] << " " << file;
      const std::string said = outcome.output + outcome.errors;
      EXPECT_THAT(said, Not(HasSubstr("SSSS"))) << command[0] << " " << file;
      if (file != "link.h5") {
        EXPECT_THAT(said, HasSubstr("is stored in another file")) << command[0] << " " << file;
      }
    }
  }
}

/// The same for a program that uses the library, and HDF5 besides, in which links and filters of its own files go on working.
TEST(ExternalData, IsRefusedWithoutChangingTheLibraryOfTheProcess) {
  const Folder folder;
  write(folder / "s.toml",
        "[initial]\nkind = \"two-body\"\n[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 20\n");
  ASSERT_EQ(run(folder, {"simulate", "s.toml", "-o", "."}).code, 0);
  const std::string whole = (folder / "run.h5").string();
  for (const std::string path : {"/particles/all/mass", "/observables", "/particles/all/position/value"}) {
    const std::string copy = (folder / "copy.h5").string();
    std::filesystem::copy_file(whole, copy, std::filesystem::copy_options::overwrite_existing);
    {
      const hdf5::Handle file(H5Fopen(copy.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
      ASSERT_GE(H5Ldelete(file, path.c_str(), H5P_DEFAULT), 0) << path;
      ASSERT_GE(H5Lcreate_external(whole.c_str(), path.c_str(), file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0);
      EXPECT_NO_THROW(hdf5::Handle(H5Oopen(file, path.c_str(), H5P_DEFAULT))) << "a link of the program is followed";
    }
    const auto read = [&] {
      const TrajectoryReader reader(copy);
      (void)reader.bodies();
      (void)reader.history();
      (void)reader.snapshot(0);
    };
    EXPECT_THROW(read(), Error) << path;
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
