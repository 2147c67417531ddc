// SPDX-License-Identifier: MIT
#include "pipeline/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <thread>

namespace orrery::pipeline {
namespace {

constexpr int stopping_signals[] = {SIGINT, SIGTERM, SIGHUP};  // the last when the terminal is closed

volatile std::sig_atomic_t caught = 0;
int objects = 0;

void note(int signal) {
  if (caught != 0) _exit(128 + signal);  // second signal: the file is valid up to its last commit
  caught = signal;
}

}  // namespace

Interrupt::Interrupt() {
  if (objects++ > 0) return;
  caught = 0;
  for (const int signal : stopping_signals) {
    if (std::signal(signal, note) == SIG_IGN) std::signal(signal, SIG_IGN);  // keep it ignored, as under nohup
  }
}

Interrupt::~Interrupt() {
  if (--objects > 0) return;
  for (const int signal : stopping_signals) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

int Interrupt::signal() {
  return caught;
}

void Interrupt::pause(std::chrono::duration<double> time) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + time;
  while (caught == 0 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(20ms);
}

}  // namespace orrery::pipeline
