// SPDX-License-Identifier: MIT
// Others at work on the same machine, played by threads that spin.
#pragma once

#include <string>
#include <thread>
#include <vector>

namespace orrery::pipeline {

/// Threads that keep cores busy while they live. Each is kept to one core: the last that this process may use, the one
/// before it, and so on; again from the last where there are more threads than cores.
class Neighbours {
 public:
  explicit Neighbours(int count);
  /// "1 thread, spinning on core 3"
  [[nodiscard]] std::string in_words() const;

 private:
  std::vector<int> cores_;  ///< of each
  std::vector<std::jthread> threads_;
};

}  // namespace orrery::pipeline
