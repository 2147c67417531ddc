// SPDX-License-Identifier: MIT
// The program: one command line in, one exit code out, one place where errors become words.
#include <cstdio>
#include <exception>
#include <new>

#include "common/error.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/stage.hpp"

namespace {

// Where the words cannot be written either, the exit code still tells.
void complain(const char* what) {
  std::fprintf(stderr, "orrery: %s\n", what);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    orrery::pipeline::keep_freed_memory();
    const int code = orrery::pipeline::run_command_line(argc, argv);
    if (std::fflush(stdout) != 0) throw orrery::Error("what was printed could not be written; is the disk full?");
    return code;
  } catch (const orrery::Error& error) {
    complain(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return 1;
}
