// SPDX-License-Identifier: MIT
// The program: one command line in, one exit code out, one place where errors become words.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "common/error.hpp"
#include "pipeline/stage.hpp"

int main(int argc, char** argv) {
  try {
    return orrery::pipeline::run_command_line(argc, argv);
  } catch (const orrery::Error& error) {
    fmt::print(stderr, "orrery: {}\n", error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "orrery: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "orrery: {}\n", error.what());
  }
  return 1;
}
