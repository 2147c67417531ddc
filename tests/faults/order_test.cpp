// SPDX-License-Identifier: MIT
// The order of writes: between any two of them, a reader of a running simulation finds only what is complete.
#include <fstream>

#include "pipeline/trajectory/readable_file.hpp"
#include "tests/faults/power_loss.hpp"
#include "tests/faults/scene.hpp"
#include "tests/faults/synthetic_runs.hpp"

namespace orrery::pipeline::testing {
namespace {

using trajectory::ReadableFile;

class Order : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!faults_are_possible()) GTEST_SKIP() << "a sanitizer must be the first library: no faults here";
  }
};

/// What a reader finds missing or damaged, as long as the file has a writer; empty: nothing.
std::string damage_seen(const std::filesystem::path& path, std::size_t least) {
  try {
    const ReadableFile file(path, false);
    if (file.committed + file.tail.size() < least) return "less than " + std::to_string(least) + " frames";
    if (!file.frames.read_intact(0, file.committed)) return "one of " + std::to_string(file.committed) + " frames";
    for (std::size_t i = 0; i < file.tail.size(); ++i) {
      if (const char* why = file.tail.damage(i)) return why;
    }
    (void)file.series.read(0, file.rows);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

void expect_order(const std::string& what, const SyntheticRun& run, std::int64_t begun) {
  const Scene scene(run, begun);
  scene.prepare();
  std::string before;
  if (begun > 0) {
    before.resize(std::filesystem::file_size(scene.path()));
    std::ifstream(scene.path(), std::ios::binary).read(before.data(), static_cast<std::streamsize>(before.size()));
  }
  const auto file = scene.path().parent_path() / "journal", seen = scene.path().parent_path() / "seen.h5";
  write_journal(scene.path(), file, scene.work());
  const Journal journal(file);
  Disk disk(before, begun > 0);
  bool named = begun > 0;
  const auto least = static_cast<std::size_t>((scene.committed_before() + run.rows_a_frame) / run.rows_a_frame);
  std::size_t moments = 0;
  for (const Event& event : journal.events()) {
    disk.apply(event);
    named = named || event.entry == Entry::rename;
    if (!named || (event.entry != Entry::write && event.entry != Entry::truncate)) continue;
    std::ofstream(seen, std::ios::binary) << disk.now();
    ASSERT_EQ(damage_seen(seen, least), "") << what << ", after " << moments << " changes of the named file";
    ++moments;
  }
  EXPECT_GT(moments, 20U) << what;
}

TEST_F(Order, AReaderFindsOnlyWhatIsComplete) {
  const SyntheticRun rows{.bodies = 20, .frames = 13, .columns = 1, .commit_every = 3, .expected_frames = 4};
  const SyntheticRun one{.bodies = 20, .frames = 4, .rows_a_frame = 2, .commit_every = 3, .expected_frames = 1};
  expect_order("rows of 4 frames", rows, 0);
  expect_order("rows of 4 frames, resumed", rows, 7);
  expect_order("rows of 4 frames, only the last word lacking", rows, rows.last_step() + 1);
  expect_order("rows of one frame", one, 0);
}

}  // namespace
}  // namespace orrery::pipeline::testing
