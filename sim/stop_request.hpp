// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

namespace orrery::sim {

/// Long work asks it now and then, and stops when it returns true. Empty: nobody stops it.
using StopRequest = std::function<bool()>;

}  // namespace orrery::sim
