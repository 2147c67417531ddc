// SPDX-License-Identifier: MIT
// The program: one command line in, one exit code out, one place where errors become words.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "common/error.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/stage.hpp"

namespace {

constexpr const char* unwritten = "what was printed could not be written; is the disk full?";

// Where the words cannot be written either, the exit code still tells.
void complain(const char* what) {
  std::fflush(stdout);  // what was said before comes first, where both go to one file
  std::fprintf(stderr, "orrery: %s\n", what);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is told in words, by the write that meets it
    orrery::pipeline::keep_freed_memory();
    const int code = orrery::pipeline::run_command_line(argc, argv);
    if (std::fflush(stdout) != 0) throw orrery::Error(unwritten);
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
