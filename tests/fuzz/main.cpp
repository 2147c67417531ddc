// SPDX-License-Identifier: MIT
// reader_fuzz READER SEED SECONDS [CASE]: mutated files under sanitizers; exit code 1 for crashes, undefined behaviour,
// exceptions other than Error, more than 10 s, more than 400 MB.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <new>

#include "common/error.hpp"
#include "tests/fuzz/readers.hpp"

// Hooks of the sanitizer. Allocating a damaged size must fail as if the machine lacked the memory.
extern "C" const char* __asan_default_options() {  // NOLINT: its name
  return "allocator_may_return_null=1:max_allocation_size_mb=1024:detect_leaks=0:handle_abort=1:allow_user_segv_"
         "handler=0:quarantine_size_mb=16";
}

namespace orrery::fuzz {
namespace {

using Clock = std::chrono::steady_clock;
constexpr long max_memory = 400'000;  // kB more than the process had
constexpr unsigned max_seconds = 10;

/// Reported by a child to its parent.
struct Shared {
  std::uint64_t at, taken, refused;
  double slowest;
  std::uint64_t slowest_case;
  char defect[1000];
};

long memory_at_most() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

class Fuzzer {
 public:
  Fuzzer(const std::string& name, std::uint64_t seed, double seconds)
      : folder_(made_folder()),
        reader_(reader_named(name, folder_)),
        seed_(seed),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
        shared_(new (::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                    Shared{}) {}
  ~Fuzzer() { std::filesystem::remove_all(folder_); }
  Fuzzer(const Fuzzer&) = delete;
  Fuzzer& operator=(const Fuzzer&) = delete;

  /// Repeats a case; its file is kept under the reader's name in the current folder.
  void one(std::uint64_t number) {
    shared_->at = number;
    const std::string bytes = bytes_of_case();
    std::ofstream(reader_.file, std::ios::binary) << bytes;
    std::printf("%s\n", attempt(bytes).c_str());
  }

  /// Runs children until the time is up; one that ends early failed in its current case.
  int all() {
    std::map<std::string, int> seen;
    while (Clock::now() < end_) {
      shared_->defect[0] = '\0';
      const pid_t child = ::fork();
      if (child == 0) work();
      int status = 0;
      ::waitpid(child, &status, 0);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
      const bool alarm = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
      const std::string what = alarm ? "takes too long" : shared_->defect[0] != '\0' ? shared_->defect : report();
      if (seen[what]++ < 3) {
        std::printf("case %llu: %s\n", static_cast<unsigned long long>(shared_->at), what.c_str());
        std::fflush(stdout);
      }
      ++shared_->at;
    }
    int defects = 0;
    for (const auto& [what, times] : seen) defects += times;
    std::printf("%s: %llu cases, %llu read, %llu refused, the slowest in %.2f s (case %llu), %d defects\n",
                reader_.name.c_str(), static_cast<unsigned long long>(shared_->at),
                static_cast<unsigned long long>(shared_->taken), static_cast<unsigned long long>(shared_->refused),
                shared_->slowest, static_cast<unsigned long long>(shared_->slowest_case), defects);
    for (const auto& [what, times] : seen) std::printf("%6d × %s\n", times, what.c_str());
    return defects > 0 ? 1 : 0;
  }

 private:
  static std::filesystem::path made_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "fuzz-XXXXXX").string();
    return ::mkdtemp(name.data());
  }

  [[nodiscard]] std::string bytes_of_case() const {
    Random random(seed_ * 0x9e3779b97f4a7c15U + shared_->at);
    const std::string &model = any(reader_.seeds, random), &other = any(reader_.seeds, random);
    std::string bytes = reader_.name == "scenario" ? mutated_scenario(model, other, reader_.words, random)
                                                   : mutated(model, other, reader_.words, random);
    if (reader_.mend) reader_.mend(bytes, random);
    return bytes;
  }

  /// Returns what is wrong with the reading of the file; "" if nothing.
  std::string attempt(const std::string& bytes) {
    const std::filesystem::path file = folder_ / reader_.file;
    std::ofstream(file, std::ios::binary) << bytes;
    try {
      reader_.read(file);
      ++shared_->taken;
    } catch (const Error& error) {
      ++shared_->refused;
      const std::string what = error.what();
      for (const char* words : {"bad_alloc", "vector", "basic_string", "std::", "stoul", "stoll", "stod", "_M_"}) {
        if (what.find(words) != std::string::npos) return "a complaint of a library: " + what;
      }
      if (error.fault() != Fault::request) return "not a fault of the request: " + what;
    } catch (const std::exception& error) {
      return std::string("an exception that is no complaint: ") + error.what();
    }
    return "";
  }

  [[noreturn]] void work() {
    if (std::freopen((folder_ / "report").c_str(), "w", stderr) == nullptr) ::_exit(3);
    for (int k = 0; k < 500 && Clock::now() < end_; ++k, ++shared_->at) {
      const std::string bytes = bytes_of_case();
      const long before = memory_at_most();
      const auto begin = Clock::now();
      ::alarm(max_seconds);
      std::string defect = attempt(bytes);
      ::alarm(0);
      const double took = std::chrono::duration<double>(Clock::now() - begin).count();
      if (took > shared_->slowest) shared_->slowest = took, shared_->slowest_case = shared_->at;
      if (defect.empty() && memory_at_most() - before > max_memory) defect = "takes more than 400 MB";
      if (defect.empty()) continue;
      shared_->defect[defect.copy(shared_->defect, sizeof shared_->defect - 1)] = '\0';
      ::_exit(2);
    }
    ::_exit(0);
  }

  /// The first frame of the sanitizer's report that is neither its own nor the C library's.
  [[nodiscard]] std::string report() const {
    std::ifstream in(folder_ / "report");
    std::string kind;
    for (std::string line; std::getline(in, line);) {
      if (line.find("runtime error") != std::string::npos) return line;
      if (const auto at = line.find("ERROR: AddressSanitizer"); at != std::string::npos) kind = line.substr(at, 80);
      const bool foreign =
          std::ranges::any_of(std::initializer_list<const char*>{"libasan", "libsanitizer", "sysdeps", "libc.so"},
                              [&](const char* name) { return line.find(name) != std::string::npos; });
      if (line.starts_with("    #") && !foreign) return kind + line;
    }
    return "died without a word " + kind;
  }

  std::filesystem::path folder_;
  Reader reader_;
  std::uint64_t seed_;
  Clock::time_point end_;
  Shared* shared_;
};

}  // namespace
}  // namespace orrery::fuzz

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: reader_fuzz READER SEED SECONDS [CASE]\n");
    return 2;
  }
  ::setenv("OMP_NUM_THREADS", "1", 1);
  orrery::fuzz::Fuzzer fuzzer(argv[1], std::strtoull(argv[2], nullptr, 10), std::atof(argv[3]));
  if (argc == 4) return fuzzer.all();
  fuzzer.one(std::strtoull(argv[4], nullptr, 10));
  return 0;
}
