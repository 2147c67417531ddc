// SPDX-License-Identifier: MIT
// Children are forked, not executed: they set the environment that faulty_io reads at its first call.
#include "tests/faults/children.hpp"

#include <dlfcn.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, kill
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <new>
#include <stdexcept>

namespace orrery::pipeline::testing {
namespace {

/// A page shared by parent and child.
class Page {
 public:
  Page()
      : content_(new (::mmap(nullptr, sizeof(Content), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                     Content) {}
  ~Page() { ::munmap(content_, sizeof(Content)); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  void report(std::int64_t step) const { content_->committed = step; }
  void complain(const std::string& text) const {
    std::copy_n(text.data(), std::min(text.size(), sizeof content_->complaint - 1), content_->complaint);
  }
  [[nodiscard]] End end(int status) const {
    return {.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
            .code = WIFEXITED(status) ? WEXITSTATUS(status) : 1,
            .committed = content_->committed,
            .complaint = content_->complaint};
  }

 private:
  struct Content {
    std::atomic<std::int64_t> committed{-1};
    char complaint[4000]{};
  };
  Content* content_;
};

void order(const std::filesystem::path& file, const Fault& fault) {
  const auto say = [](const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); };
  say("FAULTY_IO_FILE", file.string());
  say("FAULTY_IO_DO", fault.what);
  say("FAULTY_IO_AT", std::to_string(fault.at));
  say("FAULTY_IO_SEED", std::to_string(fault.seed));
  if (fault.times > 0) say("FAULTY_IO_TIMES", std::to_string(fault.times));
  if (!fault.calls.empty()) say("FAULTY_IO_CALLS", fault.calls);
  if (fault.error != 0) say("FAULTY_IO_ERRNO", std::to_string(fault.error));
  const auto forget = reinterpret_cast<void (*)()>(::dlsym(RTLD_DEFAULT, "faulty_io_forget"));
  if (forget != nullptr) forget();
}

pid_t forked(const Page& page, const Work& work) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");  // kill(-1) would signal every process
  if (child > 0) return child;
  try {
    work([&](std::int64_t step) { page.report(step); });
  } catch (const std::exception& error) {
    page.complain(error.what());
    ::_exit(1);
  }
  ::_exit(0);
}

End end_of(pid_t child, const Page& page) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return page.end(status);
}

}  // namespace

bool faults_are_possible() {
  return ::dlsym(RTLD_DEFAULT, "faulty_io_is_loaded") != nullptr;
}

End in_child(const std::filesystem::path& file, const Fault& fault, const Work& work, unsigned seconds) {
  const Page page;
  const pid_t child = forked(page, [&](const Report& report) {
    ::alarm(seconds);
    constexpr rlim_t most = rlim_t{4} << 30;  // limits allocations of damaged sizes
    const rlimit memory{most, most};
    if (faults_are_possible()) ::setrlimit(RLIMIT_AS, &memory);  // sanitizers reserve more address space
    order(file, fault);
    work(report);
  });
  return end_of(child, page);
}

End killed_after(std::int64_t microseconds, const Work& work) {
  const Page page;
  const pid_t child = forked(page, work);
  ::usleep(static_cast<useconds_t>(microseconds));
  ::kill(child, SIGKILL);
  return end_of(child, page);
}

std::vector<Call> calls_of(const std::filesystem::path& file, const Work& work) {
  const std::string log = file.parent_path() / "calls.log";
  std::filesystem::remove(log);
  const End end = in_child(file, {}, [&](const Report& report) {
    ::setenv("FAULTY_IO_LOG", log.c_str(), 1);
    work(report);
  });
  if (end.signal != 0 || end.code != 0) throw std::runtime_error("undisturbed, and yet: " + end.complaint);
  std::vector<Call> calls;
  std::ifstream in(log);
  for (Call call; in >> call.kind >> call.size >> call.pages;) calls.push_back(call);
  return calls;
}

void write_journal(const std::filesystem::path& file, const std::filesystem::path& journal, const Work& work) {
  std::filesystem::remove(journal);
  const auto mark = reinterpret_cast<void (*)(const char*)>(::dlsym(RTLD_DEFAULT, "faulty_io_mark"));
  const End end = in_child(file, {}, [&](const Report& report) {
    ::setenv("FAULTY_IO_JOURNAL", journal.c_str(), 1);
    work([&](std::int64_t step) {
      mark(std::to_string(step).c_str());
      report(step);
    });
  });
  if (end.signal != 0 || end.code != 0) throw std::runtime_error("undisturbed, and yet: " + end.complaint);
}

}  // namespace orrery::pipeline::testing
