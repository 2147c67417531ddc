// SPDX-License-Identifier: MIT
// Where the neighbours spin.
#include "pipeline/bench/neighbours.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>
#include <sched.h>

namespace orrery::pipeline {
namespace {

/// Those that this process may use; none where the system does not say.
std::vector<int> usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  (void)::sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<unsigned>(core), &set)) cores.push_back(core);
  }
  return cores;
}

}  // namespace

Neighbours::Neighbours(int count) {
  const std::vector<int> cores = usable_cores();
  for (int k = 0; k < count; ++k) {
    std::jthread& thread = threads_.emplace_back([](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
      }
    });
    if (cores.empty()) continue;
    cores_.push_back(cores[cores.size() - 1 - static_cast<std::size_t>(k) % cores.size()]);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(cores_.back()), &one);
    (void)::pthread_setaffinity_np(thread.native_handle(), sizeof one, &one);
  }
}

std::string Neighbours::in_words() const {
  return fmt::format("{} thread{}, spinning{}{}", threads_.size(), threads_.size() == 1 ? "" : "s",
                     cores_.empty()       ? ""
                     : cores_.size() == 1 ? " on core "
                                          : " on cores ",
                     fmt::join(cores_, ", "));
}

}  // namespace orrery::pipeline
