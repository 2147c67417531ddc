// SPDX-License-Identifier: MIT
// The one exception that reaches the user as a line of text.
#pragma once

#include <stdexcept>
#include <string>

namespace orrery {

/// What went wrong, where, and what to do, in one message; `exit_code` is what the program ends with:
/// 1 the work failed, 2 what was asked for cannot be done as asked.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, int exit_code = 1) : std::runtime_error(message), exit_code_(exit_code) {}
  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

}  // namespace orrery
