// SPDX-License-Identifier: MIT
// Signal handlers; a flag is all that they may touch.
#include "pipeline/interrupt.hpp"

#include <unistd.h>

#include <csignal>

namespace orrery::pipeline {
namespace {

volatile std::sig_atomic_t caught = 0;

void note(int signal) {
  if (caught != 0) _exit(128 + signal);  // asked twice: the file is valid up to its last commit
  caught = signal;
}

}  // namespace

Interrupt::Interrupt() {
  caught = 0;
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int Interrupt::signal() { return caught; }

}  // namespace orrery::pipeline
