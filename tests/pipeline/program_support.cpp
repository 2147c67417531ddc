// SPDX-License-Identifier: MIT
// Runs the real program as a user does: arguments in; output, errors and exit code out.
#include "tests/pipeline/program_support.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <ctime>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <thread>

namespace orrery::pipeline::testing {
namespace {

double in_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

Running::Running(const Folder& folder, const std::vector<std::string>& arguments, const Streams& streams)
    : output_(streams.output.empty() ? folder / ".output" : std::filesystem::path(streams.output)),
      errors_(streams.errors.empty() ? folder / ".errors" : std::filesystem::path(streams.errors)) {
  std::vector<std::string> words = streams.launcher;
  words.emplace_back(words.empty() ? "orrery" : ORRERY_PROGRAM);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const std::string home = folder / "";
  process_ = ::fork();
  if (process_ != 0) return;
  std::signal(SIGINT, SIG_DFL);  // tests may themselves run where it is ignored
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGHUP, SIG_DFL);
  const int out = ::open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int errors = ::open(errors_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (::dup2(out, STDOUT_FILENO) < 0 || ::dup2(errors, STDERR_FILENO) < 0 || ::chdir(home.c_str()) != 0) ::_exit(126);
  ::execv(streams.launcher.empty() ? ORRERY_PROGRAM : argv.front(), argv.data());
  ::_exit(127);
}

Running::~Running() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
}

void Running::send(int signal) const {
  ::kill(process_, signal);
}

bool Running::heeds(int signal) const {
  std::ifstream status(fmt::format("/proc/{}/status", process_));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1U) != 0;
  }
  return false;
}

bool Running::ended() const {
  siginfo_t information{};
  return ::waitid(P_PID, static_cast<id_t>(process_), &information, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         information.si_pid == process_;
}

Outcome Running::wait() {
  int status = 0;
  rusage used{};
  ::wait4(process_, &status, 0, &used);
  process_ = 0;
  return {.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
          .output = std::filesystem::is_regular_file(output_) ? read(output_) : "",
          .errors = std::filesystem::is_regular_file(errors_) ? read(errors_) : "",
          .seconds = in_seconds(used.ru_utime) + in_seconds(used.ru_stime)};
}

Outcome run(const Folder& folder, const std::vector<std::string>& arguments, const Streams& streams) {
  return Running(folder, arguments, streams).wait();
}

void simulate(const Folder& folder, const std::string& scenario, const std::string& name,
              const std::vector<std::string>& set) {
  std::vector<std::string> words{"simulate", scenario, "--quiet", "-o", name};
  for (const std::string& one : set) words.insert(words.end(), {"--set", one});
  const Outcome made = run(folder, words);
  ASSERT_EQ(made.code, 0) << made.errors;
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::vector<std::string> drafts_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    if (name.find(".part-") != std::string::npos) names.push_back(name);
  }
  return names;
}

std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

bool wait_until(const std::function<bool()>& ready) {
  using namespace std::chrono_literals;
  for (int k = 0; k < 12000; ++k) {
    if (ready()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

double share_of_a_core() {
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  const std::clock_t start = std::clock();
  const auto worked = [&] { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; };
  while (worked() < 0.02 && elapsed() < 10) {
  }
  return std::min(1.0, worked() / elapsed());
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const auto begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

std::string besides_energy(const std::string& errors) {
  static const std::regex warning("orrery: [^\n]*: \\|ΔE\\|/[^ ]+ reached [^\n]*\n");
  return std::regex_replace(errors, warning, "");
}

std::string state_in(const Outcome& outcome, std::int64_t steps) {
  const std::string line = last_line(outcome.output);
  const std::regex shape("state ([0-9a-f]{16}) after " + std::to_string(steps) +
                         " steps, (reproducible|the same bits) everywhere(, but its energy is not conserved)?");
  std::smatch match;
  if (std::regex_match(line, match, shape)) return match[1];
  ADD_FAILURE() << "last line: " << line << "\nerrors: " << outcome.errors;
  return "";
}

bool is_json(const std::string& text) {
  static const std::string number = R"(-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?)";
  static const std::regex scalar(R"("([^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"|true|false|null|)" + number);
  // Scalars become 0, then arrays and objects of zeros become zeros, from the inside out.
  std::string rest = std::regex_replace(text, scalar, "0");
  std::erase_if(rest, [](unsigned char c) { return std::isspace(c) != 0; });
  static const std::regex array(R"(\[(0(,0)*)?\])"), object(R"(\{(0:0(,0:0)*)?\})");
  for (std::string before; before != rest;) {
    before = rest;
    rest = std::regex_replace(std::regex_replace(rest, array, "0"), object, "0");
  }
  return rest == "0";
}

}  // namespace orrery::pipeline::testing
