// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

#include "common/export.hpp"

namespace orrery {

/// Why something is not done.
enum class Fault {
  work,    ///< it failed
  request  ///< it cannot be carried out as given
};

/// An error to be reported to the user: what is wrong, where, and what to do.
class ORRERY_EXPORT Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Fault fault = Fault::work) : std::runtime_error(message), fault_(fault) {}
  [[nodiscard]] Fault fault() const { return fault_; }

 private:
  Fault fault_;
};

}  // namespace orrery
