// SPDX-License-Identifier: MIT
// The program: one command line in, one exit code out, one place where errors become words.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/memory.hpp"

namespace {

constexpr const char* unwritten = "what was printed could not be written; is the disk full?";

constexpr std::size_t longest = 4000;  // bytes of a complaint: a damaged file's may be as long as the file

// Where the words cannot be written either, the exit code still tells.
void complain(std::string_view what) noexcept {
  std::fflush(stdout);  // what was said before comes first, where both go to one file
  try {
    orrery::pipeline::say(stderr, "orrery: {}{}\n", what.substr(0, longest), what.size() > longest ? " …" : "");
  } catch (const std::exception&) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is told in words, by the write that meets it
    orrery::pipeline::keep_freed_memory();
    const int code = orrery::pipeline::run_command_line(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw orrery::Error(unwritten);
    return code;
  } catch (const orrery::Error& error) {
    complain(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain(std::ferror(stdout) != 0 ? unwritten : error.what());
  }
  return 1;
}
