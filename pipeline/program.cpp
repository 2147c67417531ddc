// SPDX-License-Identifier: MIT
#include "pipeline/program.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/mpi_job.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace {

constexpr const char* unwritten = "what was printed could not be written; is the disk full?";

constexpr std::size_t max_bytes = 4000;  // of a message: text from a damaged file may be as long as the file

// If the message cannot be written either, the exit code still reports the failure.
void complain(std::string_view what) noexcept {
  std::fflush(stdout);  // keeps the order if both streams go to one file
  try {
    orrery::pipeline::say(stderr, "orrery: {}{}\n", what.substr(0, max_bytes), what.size() > max_bytes ? " …" : "");
  } catch (const std::exception&) {
  }
}

int exit_code_of(const orrery::Error& error) {
  return error.fault() == orrery::Fault::request ? 2 : 1;
}

/// Runs a command; the first word is the program. Returns the exit code.
int run(const std::vector<std::string>& words, const orrery::pipeline::Resources& resources) {
  try {
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    const int code =
        orrery::pipeline::run_command_line(static_cast<int>(arguments.size()), arguments.data(), resources);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw orrery::Error(unwritten);
    return code;
  } catch (const orrery::Error& error) {
    complain(error.what());
    return exit_code_of(error);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain(std::ferror(stdout) != 0 ? unwritten : error.what());
  }
  return 1;
}

}  // namespace

int orrery::pipeline::run_program(int argc, char** argv) {
  try {
    std::signal(SIGXFSZ, SIG_IGN);  // beyond a file size limit, write() fails with a message instead
    orrery::pipeline::keep_freed_memory();
    orrery::pipeline::close_nothing_at_exit();
    orrery::pipeline::MpiJob job;
    return job.serves() ? job.serve() : run({argv, argv + argc}, job.resources());
  } catch (const orrery::Error& error) {
    complain(error.what());
    return exit_code_of(error);
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return 1;
}
