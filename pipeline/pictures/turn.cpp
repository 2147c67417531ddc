// SPDX-License-Identifier: MIT
// A lock on the folder itself: nothing lies about afterwards, whoever is killed.
#include "pipeline/pictures/turn.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "pipeline/interrupt.hpp"
#include "pipeline/messages.hpp"

namespace orrery::pipeline {

Turn::Turn(const std::filesystem::path& folder, Messages& messages)
    : descriptor_(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  const auto since = Clock::now();
  bool said = false;
  // Not a flock that waits: a signal that is noted rather than obeyed does not end it.
  while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (Interrupt::signal() != 0) return;
    if (!said && Clock::now() - since > 1s) {
      messages.warning("waiting for another orrery that draws in {}", folder.empty() ? "this folder" : folder.string());
      said = true;
    }
    Interrupt::pause(50ms);
  }
}

Turn::~Turn() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace orrery::pipeline
