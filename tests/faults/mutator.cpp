// SPDX-License-Identifier: MIT
// reader_mutator SEED SECONDS [CASE]: reads mutated trajectories under AddressSanitizer; exit code 1 for a defect.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <new>

#include "tests/faults/account.hpp"
#include "tests/faults/mutations.hpp"

// Hooks of the sanitizer. Allocating a damaged size must fail as if the machine lacked the memory.
extern "C" const char* __asan_default_options() {  // NOLINT: its name
  return "allocator_may_return_null=1:max_allocation_size_mb=1024:detect_leaks=0:handle_abort=1:allow_user_segv_"
         "handler=0";
}

namespace orrery::pipeline::testing {
namespace {

using Clock = std::chrono::steady_clock;

/// Reported by a child to its parent.
struct Progress {
  std::uint64_t at = 0;  // the case
  std::uint64_t read = 0, refused = 0, went_on = 0;
  bool mutating = false;  // HDF5 may hang while mutating, which is not a failure
  char what[1000]{};
  char complaint[1000]{};  // an error message that is not one line about the file
};

// Error messages caused by an unchecked size, or that are not one line about the file.
bool is_bad(const std::string& complaint, const std::string& file) {
  if (complaint.empty()) return false;
  if (complaint.find('\n') != std::string::npos || complaint.rfind(file + ": ", 0) != 0) return true;
  const auto says = [&](const char* words) { return complaint.find(words) != std::string::npos; };
  return says("bad_alloc") || says("vector") || says("basic_string") || says("std::");
}

std::string complaint_of_going_on(const std::filesystem::path& path) {
  try {
    const TrajectoryWriter writer(path, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void copy_text(char (&to)[1000], const std::string& text) {
  to[text.copy(to, sizeof to - 1)] = '\0';
}

class Mutator {
 public:
  Mutator(std::uint64_t seed, double seconds)
      : seed_(seed),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
        models_(models(folder_ / "")),
        progress_(new (::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                      Progress) {}

  void one(std::uint64_t number) {
    end_ = Clock::now();
    progress_->at = number;
    attempt();
    std::printf("%s\n%s\n", progress_->what, progress_->complaint);
  }

  // Runs children until the time is up; one that ends early failed in its current case.
  int all() {
    int ours = 0, theirs = 0, hung = 0;
    std::uint64_t cases = 0;
    while (Clock::now() < end_) {
      const std::uint64_t first = progress_->at;
      *progress_->complaint = '\0';
      const pid_t child = ::fork();
      if (child == 0) work();
      int status = 0;
      ::waitpid(child, &status, 0);
      cases += progress_->at - first;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
      if (progress_->mutating) {
        ++progress_->at;
        continue;
      }
      const std::string where = frame();
      const bool silent = *progress_->complaint != '\0';
      const bool alarm = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
      const bool library = !silent && !alarm && where.find("libhdf5") != std::string::npos;
      ++(alarm ? hung : library ? theirs : ours);
      const std::string text = alarm ? "hung" : silent ? progress_->complaint : where;
      if (seen_[text]++ < 2) {
        std::printf("case %llu: %s [%s]\n", static_cast<unsigned long long>(progress_->at), text.c_str(),
                    progress_->what);
        std::fflush(stdout);
      }
      ++progress_->at;
    }
    std::printf(
        "%llu cases: %llu read without an error, %llu refused, %llu gone on from; ours %d, HDF5's %d, hung %d\n",
        static_cast<unsigned long long>(progress_->at), static_cast<unsigned long long>(progress_->read),
        static_cast<unsigned long long>(progress_->refused), static_cast<unsigned long long>(progress_->went_on), ours,
        theirs, hung);
    for (const auto& [text, times] : seen_) std::printf("%6d × %s\n", times, text.c_str());
    return ours + hung > 0 ? 1 : 0;
  }

 private:
  // The operations on the file; runs until the end of the child.
  [[noreturn]] void work() {
    if (std::freopen(report_.c_str(), "w", stderr) == nullptr) ::_exit(3);
    for (int k = 0; k < 500 && Clock::now() < end_; ++k, ++progress_->at) {
      attempt();
      if (*progress_->complaint != '\0') ::_exit(2);
    }
    ::_exit(0);
  }

  void attempt() {
    Random random(seed_ * 0x9e3779b97f4a7c15u + progress_->at);
    const Model& model = models_[random() % models_.size()];
    const auto path = folder_ / "run.h5";
    progress_->mutating = true;
    ::alarm(20);
    copy_text(progress_->what, mutate(model, random, path));
    progress_->mutating = false;
    ::alarm(20);
    bool refused = false;
    std::string bad;
    const auto check = [&](const std::string& complaint) {
      if (is_bad(complaint, path.string())) bad = complaint;
      refused = refused || !complaint.empty();
    };
    for (const auto& [name, piece] : account_of(path)) check(piece.complaint);
    const std::string going_on = complaint_of_going_on(path);
    if (going_on.empty()) ++progress_->went_on;
    check(going_on);
    ::alarm(0);
    ++(refused ? progress_->refused : progress_->read);
    copy_text(progress_->complaint, bad);
  }

  // The first frame of the sanitizer's report that is neither its own nor the C library's.
  std::string frame() const {
    std::ifstream in(report_);
    std::string first, kind;
    for (std::string line; std::getline(in, line);) {
      if (const auto at = line.find("ERROR: AddressSanitizer"); at != std::string::npos) kind = line.substr(at, 60);
      if (const auto at = line.find("runtime error"); at != std::string::npos) return line;
      if (line.find("    #") != 0 || line.find("libasan") != std::string::npos ||
          line.find("libsanitizer") != std::string::npos || line.find("sysdeps") != std::string::npos ||
          line.find("libc.so") != std::string::npos || line.find("/lib/x86_64-linux-gnu/libc") != std::string::npos)
        continue;
      const auto in_function = line.find(" in ");
      return kind.substr(0, kind.find(" on ")) + line.substr(in_function == std::string::npos ? 0 : in_function);
    }
    return "died without a word " + kind;
  }

  Folder folder_;
  std::uint64_t seed_;
  Clock::time_point end_;
  std::vector<Model> models_;
  Progress* progress_;
  std::filesystem::path report_ = folder_ / "report";
  std::map<std::string, int> seen_;
};

}  // namespace
}  // namespace orrery::pipeline::testing

int main(int argc, char** argv) {
  using orrery::pipeline::testing::Mutator;
  if (argc < 3) {
    std::fprintf(stderr, "usage: reader_mutator SEED SECONDS [CASE]\n");
    return 2;
  }
  const double seconds = std::atof(argv[2]);
  Mutator mutator(std::strtoull(argv[1], nullptr, 10), seconds);
  if (argc == 3) return mutator.all();
  mutator.one(std::strtoull(argv[3], nullptr, 10));
  return 0;
}
