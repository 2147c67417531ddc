// SPDX-License-Identifier: MIT
// Files that are truncated, overwritten or zeroed at random: results are right, or refused in one line.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>

#include "tests/faults/account.hpp"
#include "tests/faults/children.hpp"

namespace orrery::pipeline::testing {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::string bytes(fs::file_size(path), '\0');
  std::ifstream(path, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

enum class Left { finished, unfinished, killed };

constexpr const char* name_of(Left left) {
  return left == Left::finished ? "finished" : left == Left::unfinished ? "unfinished" : "killed";
}

/// A file, and its correct contents.
class Subject {
 public:
  explicit Subject(Left left) : left_(left) {
    const SyntheticRun run{.bodies = 2000, .frames = 40, .columns = 1, .commit_every = 3};
    const auto before = folder_ / "before.h5";
    const auto keep = [&](std::int64_t step) {
      if (step == (left == Left::finished ? 38 : 35)) fs::copy_file(path_, before);
    };
    {
      TrajectoryWriter writer(path_, run.initial_bodies(), run.record(), run.options);
      run.write(writer, 0, left == Left::finished ? run.last_step() : 38, keep);
      if (left == Left::finished) writer.finish(run.at(run.last_step()));
      if (left == Left::killed) fs::copy_file(path_, folder_ / "killed.h5");
    }
    for (const char* name :
         {"particles/all/position/step", "particles/all/position/time", "particles/all/checksum", "particles/all/stamp",
          "particles/all/mass", "observables/checksum", "observables/kinetic_energy/time", "observables/momentum/value",
          "restart/a/position", "restart/b/velocity", "restart/c/column_0", "tail/a/position", "tail/b/velocity",
          "tail/c/time"}) {
      small_.push_back(place_of(path_, std::string("/") + name, 0, 0));
    }
    if (left == Left::killed) fs::rename(folder_ / "killed.h5", path_);
    original_ = bytes_of(path_);
    good_ = account_of(path_);
    older_ = account_of(before);
    for (std::size_t page = 0; page + kPage <= original_.size(); page += kPage) {
      const std::string_view bytes = std::string_view(original_).substr(page, kPage);
      for (const char* sign : {"OHDR", "EAHD", "EAIB", "EADB", "FSHD", "OCHK", "GCOL"}) {
        if (bytes.find(sign) == std::string_view::npos) continue;
        pages_.push_back(page);
        break;
      }
    }
  }

  static constexpr std::size_t kPage = 4096;
  using Random = std::mt19937_64;

  // Truncates, overwrites or zeroes bytes; returns a description.
  static std::string cut(std::string& bytes, Random& random) {
    bytes.resize(random() % bytes.size());
    return "cut off after " + std::to_string(bytes.size());
  }
  std::string overwrite(std::string& bytes, Random& random) const {
    const std::size_t count = std::size_t{1} << random() % 7, way = random() % 2;
    // mostly in the small parts of the file: the metadata, and the lists with one number per frame or row
    const std::size_t where = random() % 4;
    const std::size_t place = where == 0   ? random() % bytes.size()
                              : where == 1 ? small_[random() % small_.size()] + random() % 256
                                           : pages_[random() % pages_.size()] + random() % kPage;
    for (std::size_t i = place; i < std::min(place + count, bytes.size()); ++i) {
      bytes[i] = way == 0 ? static_cast<char>(random()) : static_cast<char>(bytes[i] ^ (1 << random() % 8));
    }
    return std::to_string(count) + (way == 0 ? " random bytes at " : " flipped bits at ") + std::to_string(place);
  }
  std::string flip(std::string& bytes, Random& random) const {
    const std::size_t place = small_[random() % small_.size()] + random() % 64;
    bytes[place] = static_cast<char>(bytes[place] ^ (1 << random() % 8));
    return "a flipped bit at " + std::to_string(place);
  }
  std::string zero(std::string& bytes, Random& random) const {
    const std::size_t page =
        random() % 2 == 0 ? random() % (bytes.size() / kPage) * kPage : pages_[random() % pages_.size()];
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(page), std::min(kPage, bytes.size() - page), '\0');
    return "zeros at " + std::to_string(page);
  }

  // Damages the file `count` times, each in a child process, and reports the outcomes.
  template <class Damage>
  void suffer(const std::string& what, int count, Damage damage) const {
    int refused = 0, crashed = 0, wrong = 0;
    for (int k = 0; k < count;) {
      const auto log = folder_ / "log";
      const End end = in_child(
          path_, {},
          [&](const Report& report) {
            std::ofstream out(log, std::ios::trunc);
            for (int i = k; i < count; ++i) {
              report(i);
              std::string bytes = original_;
              Random random(static_cast<std::uint64_t>(i) * 7919 + what.size());
              const std::string done = damage(bytes, random);
              write_bytes(path_, bytes);
              const Account account = account_of(path_);
              const auto complains = [](const auto& piece) { return !piece.second.complaint.empty(); };
              out << (std::any_of(account.begin(), account.end(), complains) ? "refused\n" : "told\n");
              for (const auto& lie : misreadings(good_, older_, account, path_))
                out << "wrong " << done << ": " << lie << '\n';
              out.flush();
              ::alarm(30);
            }
          },
          30);
      std::ifstream in(log);
      for (std::string line; std::getline(in, line);) {
        if (line == "refused") ++refused;
        if (line.rfind("wrong", 0) != 0) continue;
        if (++wrong <= 5) ADD_FAILURE() << name_of(left_) << ", " << what << ": " << line;
      }
      if (end.signal == 0 && end.code == 0) break;
      ++crashed;
      ADD_FAILURE() << name_of(left_) << ", " << what << " " << end.committed << ": signal " << end.signal << " "
                    << end.complaint;
      k = static_cast<int>(end.committed) + 1;
    }
    char row[200];
    std::snprintf(row, sizeof row, "%-12s %-24s %6d times: %6d complained of, %d crashed, %d silently wrong",
                  name_of(left_), what.c_str(), count, refused, crashed, wrong);
    ::testing::Test::RecordProperty(name_of(left_) + what, row);
  }
  void suffer(int share) const {
    suffer("cut off", 200 / share, [](std::string& bytes, Random& random) { return cut(bytes, random); });
    suffer("overwritten", 500 / share, [&](std::string& bytes, Random& random) { return overwrite(bytes, random); });
    suffer("a bit in a list or slot", 840 / share,
           [&](std::string& bytes, Random& random) { return flip(bytes, random); });
    suffer("a page of zeros", 200 / share, [&](std::string& bytes, Random& random) { return zero(bytes, random); });
  }

 private:
  Left left_;
  Folder folder_;
  fs::path path_ = folder_ / "run.h5";
  std::string original_;
  Account good_, older_;
  std::vector<std::size_t> pages_;  // where metadata are
  std::vector<std::size_t> small_;  // where lists begin
};

TEST(Damage, AtRandom) {
  for (const Left left : {Left::finished, Left::unfinished, Left::killed}) Subject(left).suffer(40);
}

TEST(Damage, AtRandomSlow) {
  for (const Left left : {Left::finished, Left::unfinished, Left::killed}) Subject(left).suffer(1);
}

}  // namespace
}  // namespace orrery::pipeline::testing
