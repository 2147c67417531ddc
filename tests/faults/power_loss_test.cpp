// SPDX-License-Identifier: MIT
// Power loss at a random moment: of each page written since the last sync, any version or none is on the disk.
#include "tests/faults/power_loss.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <optional>
#include <span>

#include "pipeline/trajectory/opening.hpp"
#include "pipeline/trajectory/record.hpp"
#include "pipeline/trajectory/trajectory_copy.hpp"
#include "pipeline/trajectory/trajectory_repair.hpp"
#include "tests/faults/scene.hpp"
#include "tests/faults/synthetic_runs.hpp"

namespace orrery::pipeline::testing {
namespace {

namespace fs = std::filesystem;
using Random = std::mt19937_64;

std::string read_file(const fs::path& path) {
  std::string bytes(fs::file_size(path), '\0');
  std::ifstream(path, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

/// The outcome of one power loss; the texts say what is wrong.
struct Verdict {
  bool committed = false;   ///< something was safe
  bool unreadable = false;  ///< the reader refused the file as it was left, and took it after a repair
  bool resumed = false;
  std::string lost{}, unequal{};

  friend std::ostream& operator<<(std::ostream& out, const Verdict& v) {
    return out << v.committed << ' ' << v.unreadable << ' ' << v.resumed << ' ' << std::quoted(v.lost) << ' '
               << std::quoted(v.unequal) << '\n';
  }
  friend std::istream& operator>>(std::istream& in, Verdict& v) {
    return in >> v.committed >> v.unreadable >> v.resumed >> std::quoted(v.lost) >> std::quoted(v.unequal);
  }
};

/// A run with a journal of all changes of its file, and the results of simulated power losses.
class Outage {
 public:
  explicit Outage(const SyntheticRun& run, std::int64_t begun = 0) : scene_(synced_now_and_then(run), begun) {
    scene_.prepare();
    if (fs::exists(scene_.path())) begun_ = read_file(scene_.path());
    const auto commits = (scene_.run().last_step() - begun) / scene_.run().commit_every;
    write_down(journal_, scene_.work(), static_cast<int>(std::max<std::int64_t>(2, commits / 6)));
  }

  /// The given number of losses, in order of time, each with its own random numbers.
  FaultCounts losses(int count, std::uint64_t seed) {
    std::vector<Moment> moments;
    for (int k = 0; k < count; ++k) {
      Random random(seed * 1000003 + static_cast<std::uint64_t>(k));
      const std::size_t at = random() % (journal_->events().size() + 1);
      moments.push_back({.at = at, .number = k, .random = random});
    }
    std::ranges::sort(moments, {}, &Moment::at);
    FaultCounts counts;
    for (std::size_t first = 0; first < moments.size();) {
      const fs::path log = scene_.path().parent_path() / "log";
      const End end = in_child(log, {}, [&](const Report&) {
        std::ofstream out(log, std::ios::trunc);
        Disk disk(begun_, !begun_.empty());
        std::size_t happened = 0;
        for (const Moment& moment : std::span(moments).subspan(first)) {
          while (happened < moment.at) disk.apply(journal_->events()[happened++]);
          ::alarm(120);
          out << loss(moment, disk) << std::flush;
        }
      });
      std::ifstream in(log);
      for (Verdict verdict; in >> verdict;) count_in(counts, moments[first++].number, verdict);
      if (end.signal == 0 && end.code == 0) break;
      Verdict crash{.committed = true, .lost = "ended by signal " + std::to_string(end.signal) + ": " + end.complaint};
      count_in(counts, moments[first++].number, crash);
    }
    return counts;
  }

 private:
  static constexpr useconds_t pause_ = 10000;  // microseconds between syncs
  static SyntheticRun synced_now_and_then(SyntheticRun run) {
    run.options.sync = pause_ * 1e-6;
    return run;
  }

  // The journal of the changes of the file; the given number of commits is not synced.
  void write_down(std::optional<Journal>& journal, const Work& work, int unsynced) const {
    const fs::path file = scene_.path().parent_path() / "journal";
    write_journal(scene_.path(), file, [&](const Report& committed) {
      int commits = 0;
      work([&](std::int64_t step) {
        committed(step);
        if (++commits % unsynced == 0) ::usleep(pause_ + 2000);
      });
    });
    journal.emplace(file);
    fs::remove(file);
  }

  struct Moment {
    std::size_t at;  // events have happened
    int number;
    Random random;
  };

  // One loss; some occur while a run is resumed or repaired after an earlier loss or a kill.
  Verdict loss(Moment moment, const Disk& disk) const {
    Remains left = disk.lose_power(moment.random);
    std::int64_t safe = journal_->safe(moment.at, scene_.committed_before());
    const int k = moment.number;
    if (k % 15 == 7 && safe >= 0) {
      leave(left);
      std::optional<Journal> more;
      const bool to_the_end = k % 2 == 0 && !TrajectoryReader(scene_.path()).finished();
      write_down(
          more, to_the_end ? scene_.go_on() : [&](const Report&) { (void)repair(scene_.path()); }, 10);
      const std::size_t later = moment.random() % (more->events().size() + 1);
      Disk again(left.bytes, true);
      for (std::size_t n = 0; n < later; ++n) again.apply(more->events()[n]);
      left = again.lose_power(moment.random);
      safe = more->safe(later, safe);
    }
    if (k % 15 == 11 && safe >= 0) {
      // The writer is killed, another one resumes, and then the power is lost.
      leave({.bytes = disk.now()});
      if (!TrajectoryReader(scene_.path()).finished()) {
        std::optional<Journal> more;
        write_down(more, scene_.go_on(), 10);
        Disk same = disk;
        const std::size_t later = moment.random() % (more->events().size() + 1);
        for (std::size_t n = 0; n < later; ++n) same.apply(more->events()[n]);
        left = same.lose_power(moment.random);
        safe = more->safe(later, safe);
      }
    }
    return judged(left, safe, k);
  }

  void leave(const Remains& left) const {
    const fs::path draft = scene_.path().string() + ".part-x7Gq1k";
    for (const fs::path& path : {scene_.path(), draft}) fs::remove(path);
    std::ofstream(left.named ? scene_.path() : draft, std::ios::binary) << left.bytes;
  }

  // Every file is read as it was left; of eight, two are repaired, one is copied, and two are resumed.
  Verdict judged(const Remains& left, std::int64_t safe, int k) const {
    Verdict verdict{.committed = safe >= 0};
    leave(left);
    try {
      // The record of the run is on the disk before the file gets its name.
      if (left.named) (void)trajectory::read_record(trajectory::open_to_read(scene_.path()));
    } catch (const std::exception& error) {
      verdict.lost = error.what();
      return verdict;
    }
    try {
      verdict.lost = scene_.loss(safe);
    } catch (const Error&) {
      verdict.unreadable = safe >= 0;
      if (safe < 0) return verdict;  // nothing was committed: a run begins again
    }
    const bool repaired = k % 8 == 1 || k % 8 == 3, resumed = k % 8 == 0 || k % 8 == 3;
    try {
      if (verdict.lost.empty() && (verdict.unreadable || repaired)) verdict.lost = after_repair(safe);
      if (verdict.lost.empty() && k % 8 == 2) verdict.lost = after_salvage(safe);
    } catch (const std::exception& error) {
      verdict.lost = error.what();
    }
    if (!resumed) return verdict;
    verdict.resumed = true;
    if (!repaired) leave(left);
    try {
      verdict.unequal = scene_.difference_when_resumed();
    } catch (const std::exception& error) {
      verdict.unequal = error.what();
    }
    return verdict;
  }

  std::string after_repair(std::int64_t safe) const {
    if (safe < 0) return "";
    (void)repair(scene_.path());
    if (repair(scene_.path()).changed) return "a second repair finds something to do";
    const auto damage = find_damage(scene_.path());
    return damage.empty() ? scene_.loss(safe) : "after a repair " + damage.front();
  }

  std::string after_salvage(std::int64_t safe) const {
    if (safe < 0) return "";
    const fs::path copy = scene_.path().parent_path() / "copy.h5";
    fs::remove(copy);
    (void)salvage(scene_.path(), copy);
    fs::rename(copy, scene_.path());
    return scene_.loss(safe);
  }

  static void count_in(FaultCounts& counts, int k, const Verdict& verdict) {
    ++counts.faults;
    counts.committed += verdict.committed ? 1 : 0;
    counts.unreadable += verdict.unreadable ? 1 : 0;
    counts.resumed += verdict.resumed ? 1 : 0;
    counts.lost += verdict.lost.empty() ? 0 : 1;
    counts.unequal += verdict.unequal.empty() ? 0 : 1;
    const std::string which = "case " + std::to_string(k) + ": ";
    if (!verdict.lost.empty()) counts.blame(which + verdict.lost);
    if (!verdict.unequal.empty()) counts.blame(which + "gone on with: " + verdict.unequal);
  }

  Scene scene_;
  std::string begun_;
  std::optional<Journal> journal_;
};

class PowerLoss : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!faults_are_possible()) GTEST_SKIP() << "a sanitizer must be the first library: no faults here";
  }
};

void expect_survival(const std::string& what, const SyntheticRun& run, std::int64_t begun, int cases,
                     std::uint64_t seed) {
  const FaultCounts counts = Outage(run, begun).losses(cases, seed);
  expect_no_loss("power lost: " + what, counts);
  EXPECT_GT(3 * counts.committed, counts.faults) << what << ": too little was ever synced";
  EXPECT_EQ(counts.unreadable, 0) << what << ": readable after a repair only";
}

// The given number of thousands of losses, but at least three of each kind.
void expect_survival(double thousands, std::uint64_t seed) {
  const auto of = [&](int losses) { return std::max(3, static_cast<int>(losses * thousands)); };
  SyntheticRun small = kSmall, single = kSingle;
  small.expected_frames = 16;
  single.bodies = 30;
  single.expected_frames = 8;
  expect_survival("6 bodies, rows of 16 frames", small, 0, of(315), seed);
  expect_survival("6 bodies, rows of 16 frames, resumed", small, 21, of(250), seed);
  expect_survival("6 bodies, only the last word lacking", small, small.last_step() + 1, of(40), seed);
  expect_survival("6 bodies, rows of 4096 frames", kSmall, 0, of(40), seed);
  expect_survival("rows of 128 frames", kRows, 0, of(60), seed);
  expect_survival("rows of 128 frames, resumed", kRows, 113, of(60), seed);
  expect_survival("rows of 4 frames, own schedule", kSchedule, 0, of(60), seed);
  expect_survival("float32, no velocities", kSingle, 0, of(60), seed);
  expect_survival("float32, no velocities, rows of 8 frames", single, 0, of(100), seed);
  expect_survival("a chunk a frame, beyond 8000", kManyChunks, 8100, of(5), seed);
  expect_survival("70000 bodies, two chunks a frame", kWide, 0, of(10), seed);
}

/// The power is lost before a sync while a run is resumed or finished: all pages written since the last one are on the disk except
/// one, or only one of them is. `all`: before any sync, otherwise before that with the most pages. `damage` changes the file first.
void expect_survival_of_any_page(const std::string& what, SyntheticRun run, std::int64_t begun, bool all,
                                 const std::function<void(const fs::path&)>& damage = {}) {
  run.options.sync = 1e9;
  const Scene scene(run, begun);
  scene.prepare();
  if (damage) damage(scene.path());
  const fs::path file = scene.path().parent_path() / "journal", log = scene.path().parent_path() / "log";
  Disk disk(read_file(scene.path()), true);
  write_journal(scene.path(), file, scene.work());
  const Journal journal(file);
  std::vector<std::pair<Disk, std::int64_t>> moments;  // with the last step that must survive
  for (std::size_t k = 0; k < journal.events().size(); ++k) {
    if (journal.events()[k].entry == Entry::sync && !disk.changed().empty())
      moments.emplace_back(disk, journal.safe(k, scene.committed_before()));
    disk.apply(journal.events()[k]);
  }
  ASSERT_GT(moments.size(), 1U) << what;
  if (!all) {
    const auto pages = [](const auto& moment) { return moment.first.changed().size(); };
    moments = {*std::ranges::max_element(moments, {}, pages)};
  }
  const End end = in_child(log, {}, [&](const Report&) {
    for (const auto& moment : moments) {
      const Disk& before = moment.first;
      const std::int64_t safe = moment.second;
      const auto expect_survival = [&](const std::string& bytes, const std::string& which) {
        ::alarm(120);
        std::ofstream(scene.path(), std::ios::binary | std::ios::trunc) << bytes;
        const std::string lost = scene.loss(safe);
        const std::string wrong = lost.empty() ? scene.difference_when_resumed() : lost;
        if (!wrong.empty()) throw Error(which + ": " + wrong);
      };
      for (const std::size_t page : before.changed()) {
        expect_survival(before.without(page), "without page " + std::to_string(page));
        expect_survival(before.with_only(page), "with only page " + std::to_string(page));
      }
    }
  });
  EXPECT_EQ(end.signal, 0) << what;
  EXPECT_EQ(end.complaint, "") << what;
}

TEST_F(PowerLoss, OfAnyOnePage) {
  const SyntheticRun run{.bodies = 6, .frames = 26, .columns = 1, .commit_every = 5, .expected_frames = 4};
  expect_survival_of_any_page("rows of 4 frames, resumed", run, 11, false);
}

/// The last, partial row is the only copy of its frames, since the slot with them was lost before.
TEST_F(PowerLoss, OfTheSlotForThePartialRow) {
  const SyntheticRun run{.bodies = 6, .frames = 14, .columns = 1, .commit_every = 14, .expected_frames = 4};
  expect_survival_of_any_page("only the last word lacking, and the slot", run, run.last_step() + 1, true,
                              [](const fs::path& path) {
                                for (const char* slot : {"a", "b", "c"})
                                  flip(path, place_of(path, std::string("/tail/") + slot + "/header", 0, 9));
                              });
}

/// A writer is killed, another one resumes or a repair follows, and the power is lost when the superblock says how long the file is
/// but the disk does not know yet.
TEST_F(PowerLoss, OfTheLength) {
  SyntheticRun run{.bodies = 6, .frames = 26, .columns = 1, .commit_every = 5, .expected_frames = 4};
  run.options.sync = 1e9;
  const Scene scene(run);
  const fs::path file = scene.path().parent_path() / "journal", log = scene.path().parent_path() / "log";
  write_journal(scene.path(), file, scene.work());
  const Journal first(file);
  Disk killed("", false);
  std::int64_t committed = -1;
  int moments = 0;
  for (std::size_t k = 0; k < first.events().size(); ++k) {
    killed.apply(first.events()[k]);
    if (first.events()[k].entry == Entry::mark) committed = std::stoll(std::string(first.events()[k].bytes));
    if (k % 29 != 4 || committed < 0) continue;
    for (const bool resumed : {true, false}) {
      std::ofstream(scene.path(), std::ios::binary | std::ios::trunc) << killed.now();
      if (resumed && TrajectoryReader(scene.path()).finished()) continue;
      write_journal(
          scene.path(), file, resumed ? scene.go_on() : [&](const Report&) { (void)repair(scene.path()); });
      const Journal second(file);
      Disk disk(killed.now(), true);
      for (const Event& event : second.events()) {
        disk.apply(event);
        const std::string left = disk.without_length();
        if (event.entry != Entry::write || event.place != 0 || left == disk.now()) continue;
        ++moments;
        std::ofstream(scene.path(), std::ios::binary | std::ios::trunc) << left;
        const End end = in_child(log, {}, [&](const Report&) {
          if (const std::string lost = scene.loss(committed); !lost.empty()) throw Error(lost);
        });
        EXPECT_EQ(end.complaint, "") << "killed after event " << k << (resumed ? ", resumed" : ", repaired");
        EXPECT_EQ(end.signal, 0);
      }
    }
  }
  EXPECT_GT(moments, 5);
}

TEST_F(PowerLoss, Hundreds) {
  expect_survival(0.15, 1);
}

/// Twenty thousand losses, in tests that can run side by side.
class PowerLossSeeds : public PowerLoss, public ::testing::WithParamInterface<std::uint64_t> {};
TEST_P(PowerLossSeeds, AThousandSlow) {
  expect_survival(1, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Twenty, PowerLossSeeds, ::testing::Range(std::uint64_t{1}, std::uint64_t{21}));

}  // namespace
}  // namespace orrery::pipeline::testing
