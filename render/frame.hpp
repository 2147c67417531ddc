// SPDX-License-Identifier: MIT
// What pictures need of a run.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/calendar.hpp"
#include "render/bounds.hpp"
#include "render/shared_vector.hpp"

namespace orrery::render {

/// One moment of a run. Copies share the memory.
struct Frame {
  double time = 0;
  SharedVector<float> position;        ///< [N][3]
  SharedVector<float> velocity;        ///< [N][3], or empty if the run did not store it
  SharedVector<float> density{};       ///< [N], around each body; empty unless used for colours
  SharedVector<std::int32_t> image{};  ///< [N][3], number of periods that each body was wrapped down by, or empty

  [[nodiscard]] std::size_t size() const { return position.size() / 3; }
};

/// Returns 0 if velocities were not stored.
inline float speed_of(const Frame& frame, std::size_t body) {
  if (frame.velocity.empty()) return 0;
  const float* v = &frame.velocity[3 * body];
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// Returns the quantity that colours show if it changes with time: the density if there is one, otherwise the speed.
inline float shade_of(const Frame& frame, std::size_t body) {
  return frame.density.empty() ? speed_of(frame, body) : frame.density[body];
}

/// Returns how often a body crossed the periodic end of an axis between two frames, upwards minus downwards; k is 3 · body +
/// axis. Without images the body is assumed to have moved less than half of the period.
inline double images_crossed(const Bounds& bounds, const Frame& from, const Frame& to, std::size_t k) {
  const double period = bounds.period(k % 3);
  if (period == 0) return 0;
  if (k < from.image.size() && k < to.image.size()) return static_cast<double>(to.image[k]) - from.image[k];
  const double way = static_cast<double>(to.position[k]) - static_cast<double>(from.position[k]);
  return std::isfinite(way) ? -std::round(way / period) : 0;
}

/// Cubic Hermite interpolation from a to b at s in [0, 1]; u and w are the velocities at a and b times the interval.
template <class T>
T hermite(T s, T a, T u, T b, T w) {
  const T r = 1 - s;
  return (1 + 2 * s) * r * r * a + s * r * r * u + s * s * (3 - 2 * s) * b - s * s * r * w;
}

/// The derivative by s.
template <class T>
T hermite_slope(T s, T a, T u, T b, T w) {
  const T r = 1 - s;
  return 6 * s * r * (b - a) + r * (1 - 3 * s) * u + s * (3 * s - 2) * w;
}

/// Sets `now` to the state at `time` between two frames: a cubic Hermite polynomial for each body, linear if `a` has no
/// velocities. Takes account of images and walls. `velocities`: with velocities, if there are any. O(N) on all threads;
/// reuses the memory of `now`.
void interpolate(const Frame& a, const Frame& b, double time, const Bounds& bounds, bool velocities, Frame& now);

/// The bounding box of the bodies in all frames that will be shown.
struct Extent {
  std::array<double, 3> low{0, 0, 0}, high{0, 0, 0};
};

/// Extends a box to include `other`.
void widen(Extent& extent, const Extent& other);

/// One moment, reduced to what limits are computed from.
struct FrameSummary {
  Frame frame;                              ///< of some bodies if there are many
  Extent box;                               ///< of all bodies; low > high if no position is finite
  std::array<double, 3> center{}, drift{};  ///< position and velocity of the centre of mass of all bodies
};

/// Many bodies at many times, reduced since all of them would not fit in memory.
struct FrameSummaries {
  std::vector<std::size_t> bodies;  ///< those in every frame, ascending
  std::vector<FrameSummary> moments;
};

/// A unit on an axis.
struct ShownUnit {
  std::string name{};
  double length = 1;  ///< in units of the run
};

class Between;
class GpuLight;

/// What is the same for all frames of a run. Copies share the memory.
struct RunInfo {
  std::string title;
  SharedVector<double> mass;            ///< [N]
  SharedVector<double> radius{};        ///< [N] of solid spheres, or empty
  SharedVector<std::string> names;      ///< [N], or empty
  std::vector<std::size_t> numbers{};   ///< [N], index in the run if bodies were chosen; empty: 0 … N − 1
  SharedVector<std::int32_t> species;   ///< [N], index into `components`
  std::vector<std::string> components;  ///< names of the components in the scenario
  std::string length_unit, time_unit;   ///< "au", "yr", …; empty in N-body units
  std::string mass_unit, speed_unit, energy_unit;           ///< likewise
  double time_unit_length = 1;                              ///< length of `time_unit` in units of the run
  std::optional<ShownUnit> chosen_length{}, chosen_mass{};  ///< to be shown instead of `length_unit` and `mass_unit`
  std::optional<DateScale> dates{};                         ///< dates instead of times
  std::string timescale_name;                               ///< "period", "crossing time"; empty: none
  double timescale = 0;                                     ///< its length
  double start = 0, end = 0;  ///< times of the first and the last frame that will be shown
  Extent extent;
  Bounds bounds{};
  /// Some moments spread over the run, from which everything that must stay constant during a film is computed; all those
  /// that are drawn if there are few bodies.
  SharedVector<Frame> samples;
  std::shared_ptr<const Between> between;  ///< where bodies are known between the samples; null: everywhere
  int pictures = 0;                        ///< of the film; 0: a still
  /// For the limits of many bodies; null: `samples` are used.
  std::shared_ptr<const FrameSummaries> summaries;
  /// Of several runs in one picture: the names of all, which of them this is, and what is the same for all frames of those after
  /// the first. Colours and dashes then stand for runs.
  std::vector<std::string> runs{};
  std::size_t run = 0;
  std::vector<RunInfo> others{};
  std::shared_ptr<GpuLight> gpu{};  ///< adds the light of point clouds; null: the processor does
};

/// Returns the units of lengths and masses on axes.
inline ShownUnit shown_length(const RunInfo& info) {
  return info.chosen_length.value_or(ShownUnit{info.length_unit, 1});
}
inline ShownUnit shown_mass(const RunInfo& info) {
  return info.chosen_mass.value_or(ShownUnit{info.mass_unit, 1});
}
/// Returns the unit of a mass, or of a `body` if there is none, per length to a power: "M☉/pc³".
ShownUnit shown_density(const RunInfo& info, int power, std::string_view body = {});

/// Returns the body with this name, or number counted from 0; nullopt if there is none.
std::optional<std::size_t> find_body(const std::string& name, const RunInfo& info);

/// Returns the index in the run of body i, which determines its colour.
inline std::size_t number_of(const RunInfo& info, std::size_t body) {
  return body < info.numbers.size() ? info.numbers[body] : body;
}

/// Returns the name of a body, or "body 5" with its index in the run.
std::string name_of(const RunInfo& info, std::size_t body);

/// Returns "Sun", "Sun and Jupiter", "Sun, Jupiter and 3 others", or "".
std::string names_of(const std::set<std::size_t>& bodies, const RunInfo& info);

/// Returns " (there are: Sun, Earth)" for error messages, with up to 12 bodies.
std::string known_bodies(const RunInfo& info);

/// Returns the index of a body in a frame summary, or of the next body if it is not included.
std::size_t index_in_summary(std::size_t body, const RunInfo& info);

}  // namespace orrery::render
