// SPDX-License-Identifier: MIT
#include "pipeline/grade/limited_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "common/error.hpp"

namespace orrery::pipeline::grading {

void limit_this_process(const Limits& limits) {
  const auto set = [](auto resource, std::uint64_t most) {
    const rlimit limit{.rlim_cur = most, .rlim_max = most};
    (void)::setrlimit(resource, &limit);
  };
  set(RLIMIT_AS, limits.memory);
  set(RLIMIT_CPU, 2 * static_cast<std::uint64_t>(limits.seconds));
  set(RLIMIT_FSIZE, limits.file);
  set(RLIMIT_CORE, 0);
}

ChildProcess::ChildProcess(std::vector<std::string> arguments, const std::filesystem::path& output) {
  std::string program = "orrery";
  std::vector<char*> all{program.data()};
  for (std::string& argument : arguments) all.push_back(argument.data());
  all.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int error = ::posix_spawn(&process_, "/proc/self/exe", &files, nullptr, all.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(error)));
}

ChildProcess::~ChildProcess() {
  if (process_ == 0) return;
  (void)::kill(process_, SIGKILL);
  (void)::waitpid(process_, nullptr, 0);
}

bool ChildProcess::ended(int seconds) {
  if (process_ == 0) return true;
  if (std::chrono::steady_clock::now() - begin_ > std::chrono::seconds(seconds)) (void)::kill(process_, SIGKILL);
  int state = 0;
  const pid_t got = ::waitpid(process_, &state, WNOHANG);
  if (got < 0 && errno != EINTR) {
    process_ = 0;
    return true;
  }
  if (got != process_) return false;
  process_ = 0;
  succeeded_ = WIFEXITED(state) && WEXITSTATUS(state) == 0;
  const int signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
  crashed_ = signal != 0 && signal != SIGKILL && signal != SIGXCPU && signal != SIGXFSZ;
  return true;
}

}  // namespace orrery::pipeline::grading
