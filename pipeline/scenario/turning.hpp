// SPDX-License-Identifier: MIT
// How fast bodies go round at the start, and how close frames must be to follow them.
#pragma once

#include <cstdint>

#include "sim/model.hpp"

namespace orrery::pipeline {

/// Angular velocities of the fastest orbit at the start; 0 if none is known.
struct Turning {
  double mean = 0;        ///< 2π over the period
  double pericentre = 0;  ///< at pericentre
};

/// The fastest of the Kepler orbits of two bodies, other than those that the tides of a third body tear apart at apocentre, and of
/// the timescale of the initial state. `G`: 0 if bodies do not attract each other by mass. More than 64 bodies: only the timescale. O(N³)
Turning turning_of(const sim::Bodies& bodies, double G, double timescale);

/// The angle between frames up to which paths between them are known, at any eccentricity up to 0.9 (render/between.hpp).
inline constexpr double followed_angle = 1.2;

/// The most frames that a picture reads of few bodies.
inline constexpr double max_drawn_frames = 20'000;

/// Returns how many frames follow the fastest orbit; 0 if none is known or bodies are more than 64. `G` as above.
std::int64_t frames_to_follow(const sim::Model& model, double timescale, double G);

}  // namespace orrery::pipeline
