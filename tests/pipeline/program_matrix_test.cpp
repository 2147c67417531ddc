// SPDX-License-Identifier: MIT
// orrery matrix on the command line: files that h5py reads, parts of them, sums, and refusals.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto check_file = R"(
import h5py, numpy as np, sys
run = h5py.File("run/run.h5")
x = run["particles/all/position/value"][int(sys.argv[3])]
n = len(x)
d = x[:, None, :] - x[None, :, :]
r = np.sqrt(d[..., 0] * d[..., 0] + d[..., 1] * d[..., 1] + d[..., 2] * d[..., 2])
f = h5py.File(sys.argv[1])
m = f["matrix"]
assert m.fletcher32 and f.attrs["program"].startswith(b"orrery"), dict(f.attrs)
quantity, (i, j), (k, l) = m.attrs["quantity"], m.attrs["rows"], m.attrs["columns"]
assert m.attrs["time"] == run["particles/all/position/time"][int(sys.argv[3])] and m.attrs["bodies"] == n
if sys.argv[2] == "distance":
    assert quantity == b"distance" and m.dtype == "f8" and m.attrs["kept"] == b"whole"
    assert np.array_equal(m[:], r[i:j, k:l])
elif sys.argv[2] == "half":
    assert m.attrs["kept"] == b"upper half" and np.array_equal(m[:] + m[:].T, r)
elif sys.argv[2] == "inverse":
    assert m.dtype == "f4" and m.attrs["exponent"] == 1.5 and m.attrs["softening"] == 0.05
    with np.errstate(divide="ignore"):
        p = (r * r + 0.0025) ** -0.75
    np.fill_diagonal(p, 0)
    assert np.allclose(m[:], p, rtol=3e-6, atol=0), abs(m[:] / p - 1).max()
)";

class ProgramMatrix : public ::testing::Test {
 protected:
  static constexpr int bodies = 700;  // two chunks, of which one is not full
  void SetUp() override {
    write(folder_ / "s.toml", fmt::format("[[initial]]\nkind = \"plummer\"\nn = {}\n[[force]]\nkind = \"gravity\"\n"
                                          "softening = 0.05\n[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 4\n"
                                          "[trajectory]\nevery = 2\n",
                                          bodies));
    write(folder_ / "c.py", check_file);
  }
  Outcome orrery(const std::vector<std::string>& arguments) { return run(folder_, arguments); }
  Outcome matrix(const std::string& of, std::vector<std::string> more) {
    more.insert(more.begin(), {"matrix", of});
    return orrery(more);
  }
  void step() { ASSERT_EQ(orrery({"simulate", "s.toml", "-o", "run", "--quiet"}).code, 0); }
  [[nodiscard]] bool has_h5py() const { return std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") == 0; }
  void expect_sound(const std::string& file, const std::string& what, int frame) {
    EXPECT_EQ(std::system(("cd '" + (folder_ / "").string() + "' && /usr/bin/python3 c.py " + file + " " + what + " " +
                           std::to_string(frame))
                              .c_str()),
              0)
        << file;
  }
  Folder folder_;
};

TEST_F(ProgramMatrix, IsReadWithH5py) {
  step();
  const Outcome last = matrix("run/run.h5", {"-o", "m.h5", "--backend", "cpu", "--threads", "2"});
  EXPECT_EQ(last.code, 0) << last.errors;
  EXPECT_THAT(last.output, HasSubstr("m.h5: 700 × 700 float64"));
  EXPECT_EQ(matrix("run/run.h5", {"-o", "b.h5", "--block", "3:650,100:", "--time", "0.021"}).code, 0);
  EXPECT_EQ(matrix("run/run.h5", {"-o", "h.h5", "--half", "--time", "0"}).code, 0);
  EXPECT_EQ(
      matrix("run/run.h5", {"-o", "p.h5", "--quantity", "inverse-power", "--exponent", "1.5", "--precision", "float32"})
          .code,
      0);
  EXPECT_THAT(drafts_in(folder_ / ""), IsEmpty());
  if (!has_h5py()) GTEST_SKIP() << "no h5py";
  expect_sound("m.h5", "distance", 2);
  expect_sound("b.h5", "distance", 1);
  expect_sound("h.h5", "half", 0);
  expect_sound("p.h5", "inverse", 2);
}

TEST_F(ProgramMatrix, ReplacesFilesOnlyOnRequest) {
  write(folder_ / "m.h5", "precious");
  EXPECT_THAT(matrix("s.toml", {"-o", "m.h5"}).errors, HasSubstr("--force replaces it"));
  EXPECT_EQ(read(folder_ / "m.h5"), "precious");
  EXPECT_EQ(matrix("s.toml", {"-o", "m.h5", "--force", "--quiet"}).code, 0);
  EXPECT_NE(read(folder_ / "m.h5"), "precious");
}

TEST_F(ProgramMatrix, OfOneBodyAndOfTwo) {
  for (const int n : {1, 2}) {
    const std::string set = fmt::format("initial[0].n={}", n), file = fmt::format("m{}.h5", n);
    write(folder_ / "b.toml", n == 1 ? "[[initial]]\nkind = \"table\"\nbodies = [{mass = 1.0, position = [1.0, 2.0, "
                                       "3.0], velocity = [0.0, 0.0, 0.0]}]\n[integrator]\ndt = 0.1\nsteps = 1\n"
                                     : "[[initial]]\nkind = \"two-body\"\n[integrator]\ndt = 0.1\nsteps = 1\n");
    const Outcome stored = matrix("b.toml", {"-o", file});
    EXPECT_EQ(stored.code, 0) << stored.errors;
    EXPECT_THAT(stored.output, HasSubstr(fmt::format("{} × {}", n, n)));
    const Outcome left = matrix("b.toml", {"--reduce", "sum,minimum,histogram", "--bins", "3"});
    EXPECT_EQ(left.code, 0) << left.errors;
    EXPECT_THAT(left.output, HasSubstr(fmt::format("sum of {} rows", n)));
  }
}

TEST_F(ProgramMatrix, WritesSumsToAFile) {
  const Outcome left = matrix("s.toml", {"--reduce", "sum,minimum,histogram", "--bins", "16", "-o", "r.h5"});
  EXPECT_EQ(left.code, 0) << left.errors;
  EXPECT_THAT(left.output, AllOf(HasSubstr("sum of 700 rows"), HasSubstr("of bodies")));
  EXPECT_EQ(matrix("s.toml", {"-o", "m.h5"}).code, 0);
  if (!has_h5py()) GTEST_SKIP() << "no h5py";
  write(folder_ / "r.py", R"(
import h5py, numpy as np
m, r = h5py.File("m.h5")["matrix"][:], h5py.File("r.h5")
assert np.allclose(r["row_sum"][:], m.sum(1), rtol=1e-14)
off = m + np.diag(np.full(len(m), np.inf))
assert np.array_equal(r["minimum"][:], off.min(1)) and np.array_equal(r["nearest"][:], off.argmin(1))
counts = np.histogram(m[np.triu_indices(len(m), 1)], bins=r["edges"][:])[0]
assert r["histogram"][:].sum() == counts.sum() and abs(r["histogram"][:] - counts).sum() <= 2
)");
  EXPECT_EQ(std::system(("cd '" + (folder_ / "").string() + "' && /usr/bin/python3 r.py").c_str()), 0);
}

TEST_F(ProgramMatrix, RefusesInOneLine) {
  const auto expect = [&](std::vector<std::string> flags, const std::string& why) {
    const Outcome refused = matrix("s.toml", std::move(flags));
    EXPECT_EQ(refused.code, 2) << why;
    EXPECT_THAT(refused.errors, HasSubstr(why));
    EXPECT_THAT(drafts_in(folder_ / ""), IsEmpty());
  };
  expect({}, "no output: give -o m.h5");
  expect({"-o", "m.h5", "--quantity", "distanc"}, "did you mean `distance`?");
  expect({"-o", "m.h5", "--quantity", "inverse-power"}, "needs --exponent");
  expect({"-o", "m.h5", "--exponent", "2"}, "goes with --quantity inverse-power");
  expect({"-o", "m.h5", "--quantity", "inverse-power", "--exponent", "0.3"}, "a multiple of 0.5");
  expect({"-o", "m.h5", "--precision", "float16"}, "there is no such thing");
  expect({"-o", "m.h5", "--block", "5"}, "write rows as");
  expect({"-o", "m.h5", "--block", "5:5"}, "there are 700 bodies");
  expect({"-o", "m.h5", "--block", "0:701"}, "there are 700 bodies");
  expect({"-o", "m.h5", "--block", "0:x"}, "write rows as");
  expect({"-o", "m.h5", "--time", "3"}, "a scenario has bodies at time 0 only");
  expect({"-o", "m.h5", "--time", "soon"}, "--time soon");
  expect({"-o", "m.h5", "--backend", "reference"}, "--backend reference");
  expect({"--reduce", "product"}, "there is no such thing");
  expect({"--reduce", "sum", "--half"}, "needs whole rows");
  expect({"--reduce", "sum", "--bins", "3"}, "--bins goes with");
  expect({"-o", "m.h5", "--set", "initial[0].n=1000000"}, "use --precision float32, --half, --block or another disk");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m.h5"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
