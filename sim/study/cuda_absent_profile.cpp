// SPDX-License-Identifier: MIT
// For builds without CUPTI.
#include "sim/study/profile.hpp"

namespace orrery::sim::study {

Profile profile_of(const std::function<void()>& /*work*/) {
  return {};
}

}  // namespace orrery::sim::study
