// SPDX-License-Identifier: MIT
#include "tests/generator/program.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace orrery::generator {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Waits until the process ends, at most `seconds`.
bool ends_within(pid_t process, double seconds, int& status, rusage& used) {
  const auto begin = Clock::now();
  for (auto pause = std::chrono::milliseconds(1);; pause = std::min(2 * pause, std::chrono::milliseconds(20))) {
    if (::wait4(process, &status, WNOHANG, &used) == process) return true;
    if (seconds_since(begin) > seconds) return false;
    std::this_thread::sleep_for(pause);
  }
}

double in_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

Ended run(const std::filesystem::path& program, const std::filesystem::path& folder,
          const std::vector<std::string>& arguments, double limit, double patience) {
  const std::string output = folder / ".output", errors = folder / ".errors", name = program.string(), home = folder;
  std::vector<char*> argv{const_cast<char*>("orrery")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error("fork");
  if (process == 0) {  // only calls that are safe in a child of a process with threads
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    const int out = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int err = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int in = ::open("/dev/null", O_RDONLY);
    if (::dup2(in, STDIN_FILENO) < 0 || ::dup2(out, STDOUT_FILENO) < 0 || ::dup2(err, STDERR_FILENO) < 0 ||
        ::chdir(home.c_str()) != 0)
      ::_exit(126);
    ::execv(name.c_str(), argv.data());
    ::_exit(127);
  }
  Ended ended;
  int status = 0;
  rusage used{};
  if (!ends_within(process, limit, status, used)) {
    ended.asked = true;
    ::kill(process, SIGTERM);
    if (!ends_within(process, patience, status, used)) {
      ended.killed = true;
      ::kill(process, SIGKILL);
      ::wait4(process, &status, 0, &used);
    }
  }
  ended.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  ended.seconds = in_seconds(used.ru_utime) + in_seconds(used.ru_stime);
  ended.output = read(output);
  ended.errors = read(errors);
  return ended;
}

std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const auto begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

}  // namespace orrery::generator
