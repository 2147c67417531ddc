// SPDX-License-Identifier: MIT
// The actual clock rate of a core under load.
#pragma once

namespace orrery::pipeline {

/// Hz, of the current core: measured for 0.05 s by a chain of dependent additions, of one cycle each. The system only
/// reports a nominal clock, and virtual machines often none.
double core_clock();

}  // namespace orrery::pipeline
