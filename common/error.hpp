// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace orrery {

/// An error to be reported to the user: what is wrong, where, and what to do. Exit codes: 1 the work failed, 2 the
/// request cannot be carried out as given.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, int exit_code = 1) : std::runtime_error(message), exit_code_(exit_code) {}
  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

}  // namespace orrery
