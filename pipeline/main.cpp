// SPDX-License-Identifier: MIT
#include "pipeline/program.hpp"

int main(int argc, char** argv) {
  return orrery::pipeline::run_program(argc, argv);
}
