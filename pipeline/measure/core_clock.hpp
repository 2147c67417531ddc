// SPDX-License-Identifier: MIT
// How fast a core ticks while it works.
#pragma once

namespace orrery::pipeline {

/// Hz, of the core that this runs on, at this moment: measured in 0.05 s by a chain of additions that wait for one
/// another, which take a cycle each on any processor of today. Systems tell what a core could do, guests often less.
double core_clock();

}  // namespace orrery::pipeline
