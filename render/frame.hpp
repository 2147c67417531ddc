// SPDX-License-Identifier: MIT
// What the eye needs of a run: one moment of it, and what stays the same throughout.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orrery::render {

/// One moment, float, body by body.
struct Frame {
  double time = 0;
  std::vector<float> position;   ///< [N][3]
  std::vector<float> velocity;   ///< [N][3], or empty where the run did not keep it
  std::vector<float> density{};  ///< [N], around each body, where colours tell it, else empty

  [[nodiscard]] std::size_t size() const { return position.size() / 3; }
};

/// 0 where velocities were not kept.
inline float speed_of(const Frame& frame, std::size_t body) {
  if (frame.velocity.empty()) return 0;
  const float* v = &frame.velocity[3 * body];
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// What colours tell of a body where it changes: its density, else its speed.
inline float shade_of(const Frame& frame, std::size_t body) {
  return frame.density.empty() ? speed_of(frame, body) : frame.density[body];
}

/// The observables over the whole run, one entry a row.
struct History {
  std::vector<std::int64_t> step;
  std::vector<double> time;
  std::vector<double> kinetic_energy, potential_energy, total_energy;
  std::vector<std::array<double, 3>> momentum, angular_momentum, center_of_mass;
};

/// Numbers at moments of a run, computed in double by who knows the physics: what a figure of curves is made of. What
/// each list of `values` holds is the figure's to say.
struct Series {
  std::string name{};
  std::vector<double> time{};
  std::vector<std::vector<double>> values{};  ///< each as long as `time`
};

/// The smallest box that holds every body in every frame that will be shown.
struct Extent {
  std::array<double, 3> low{0, 0, 0}, high{0, 0, 0};
};

/// What stays the same while frames go by.
struct Cast {
  std::string title;
  std::vector<double> mass;             ///< [N]
  std::vector<std::string> names;       ///< [N], or empty
  std::vector<std::int32_t> species;    ///< [N], index into `components`
  std::vector<std::string> components;  ///< names of the components of the scenario
  std::string length_unit, time_unit;   ///< "au", "yr", …; empty in N-body units
  std::string mass_unit, speed_unit;    ///< likewise
  std::string timescale_name;           ///< "period", "crossing time"; empty: there is none
  double timescale = 0;                 ///< how long that is
  double start = 0, end = 0;            ///< times of the first and last frame that will be shown
  Extent extent;
  /// Some moments spread over the run: what must not change during a film is measured on them.
  std::vector<Frame> samples;
  History history;
  std::vector<Series> series;                    ///< those that the figure asked for, where it did
  std::vector<std::vector<Series>> part_series;  ///< of each part of a figure that has parts
};

/// The body of that name, or of that number, counted from 0; nothing where there is none.
std::optional<std::size_t> find_body(const std::string& name, const Cast& cast);

}  // namespace orrery::render
