// SPDX-License-Identifier: MIT
#include "pipeline/commands/interrupt.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>

namespace orrery::pipeline {
namespace {

constexpr int stopping_signals[] = {SIGINT, SIGTERM, SIGHUP};  // the last when the terminal is closed

volatile std::sig_atomic_t caught = 0;
volatile std::sig_atomic_t watched = 0;  // work that does not look goes on
std::atomic<double> longest = 0;         // work so far, s
int objects = 0;

/// Sends SIGALRM once after this time, never if it is 0. Safe in a handler.
void set_alarm(double seconds) {
  itimerval after{};
  after.it_value.tv_sec = static_cast<time_t>(seconds);
  after.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
  setitimer(ITIMER_REAL, &after, nullptr);
}

void note(int signal) {
  if (caught != 0) _exit(128 + signal);  // second signal: the file is valid up to its last commit
  caught = signal;
  if (watched != 0) set_alarm(std::max(0.9, 3 * longest.load(std::memory_order_relaxed)));
}

void give_up(int) {
  if (watched == 0 || caught == 0) return;
  constexpr char words[] = "\norrery: stopped in the middle of its work, which took too long to wait for\n";
  (void)!::write(STDERR_FILENO, words, sizeof words - 1);
  _exit(128 + caught);
}

}  // namespace

Interrupt::Interrupt() {
  if (objects++ > 0) return;
  caught = 0;
  longest = 0;
  std::signal(SIGALRM, give_up);
  for (const int signal : stopping_signals) {
    if (std::signal(signal, note) == SIG_IGN) std::signal(signal, SIG_IGN);  // keep it ignored, as under nohup
  }
}

Interrupt::~Interrupt() {
  if (--objects > 0) return;
  set_alarm(0);
  std::signal(SIGALRM, SIG_DFL);
  for (const int signal : stopping_signals) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

int Interrupt::signal() {
  return caught;
}

void begin_watching() {
  watched = 1;
  if (caught != 0 && objects > 0) set_alarm(std::max(0.9, 3 * longest.load()));  // noted before
}

void end_watching(std::chrono::duration<double> took) {
  watched = 0;
  if (caught != 0) set_alarm(0);
  longest = std::max(longest.load(), took.count());
}

}  // namespace orrery::pipeline
