// SPDX-License-Identifier: MIT
// Synthetic runs that are subjected to faults: every shape of chunk rows.
#pragma once

#include "sim/boundaries/list.hpp"
#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {

inline const SyntheticRun kSmall{.bodies = 6, .frames = 60, .columns = 1, .commit_every = 2};
inline const SyntheticRun kRows{.bodies = 257, .frames = 300, .columns = 1, .rows_a_frame = 1, .commit_every = 37};
inline const SyntheticRun kSchedule{.bodies = 9000, .frames = 14, .rows_a_frame = 3, .commit_every = 5};
inline const SyntheticRun kLarge{.bodies = 100000, .frames = 12, .commit_every = 2};
inline const SyntheticRun kSingle{.bodies = 3000,
                                  .frames = 70,
                                  .columns = 2,
                                  .commit_every = 3,
                                  .options = {.single_precision = true, .velocities = false}};

/// Images of bodies in a periodic box, and rows with virial, temperature and pressure.
inline const SyntheticRun kBox{
    .bodies = 257,
    .frames = 300,
    .columns = 1,
    .commit_every = 37,
    .domain = {.boundary = {&sim::Periodic::kind, &sim::Reflecting::kind, &sim::Periodic::kind}, .edges = {1, 2, 3}},
    .virial = true};

/// One chunk per frame, so that chunk indices grow beyond one page.
inline const SyntheticRun kManyChunks{.bodies = 1, .frames = 8700, .commit_every = 50, .expected_frames = 1};
/// Several chunks per frame.
inline const SyntheticRun kWide{.bodies = 70000, .frames = 8, .commit_every = 1};

}  // namespace orrery::pipeline::testing
