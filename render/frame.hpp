// SPDX-License-Identifier: MIT
// What the eye needs of a run: one moment of it, and what stays the same throughout.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "render/bounds.hpp"

namespace orrery::render {

/// One moment, float, body by body.
struct Frame {
  double time = 0;
  std::vector<float> position;        ///< [N][3]
  std::vector<float> velocity;        ///< [N][3], or empty where the run did not keep it
  std::vector<float> density{};       ///< [N], around each body, where colours tell it, else empty
  std::vector<std::int32_t> image{};  ///< [N][3], lengths of the box that each body was moved down, or empty

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

/// How many lengths of a joined axis somebody went on from one frame to a later one, where k is 3 · body + axis; going up counts
/// above 0. By images; where they are not kept, as if nobody went more than half of the length.
inline double laps_between(const Bounds& bounds, const Frame& from, const Frame& to, std::size_t k) {
  const double period = bounds.period(k % 3);
  if (period == 0) return 0;
  if (k < from.image.size() && k < to.image.size()) return static_cast<double>(to.image[k]) - from.image[k];
  const double way = static_cast<double>(to.position[k]) - static_cast<double>(from.position[k]);
  return std::isfinite(way) ? -std::round(way / period) : 0;
}

/// Numbers at moments of a run, computed in double by who knows the physics: what a figure of curves is made of. What
/// each list of `values` holds is the figure's to say.
struct Series {
  std::string name{};
  std::vector<double> time{};
  std::vector<std::vector<double>> values{};  ///< each as long as `time`
  std::string about{};    ///< the body that they are counted from, or what else is to be said of them
  std::string without{};  ///< "Sun and Jupiter": bodies that do not count in them; empty: none
  /// Whose they are, by their index in the run: one body, or the two between which they are; empty: all bodies'.
  std::vector<std::size_t> bodies{};
};

/// The smallest box that holds every body in every frame that will be shown.
struct Extent {
  std::array<double, 3> low{0, 0, 0}, high{0, 0, 0};
};

/// So that it holds `other` too.
void widen(Extent& extent, const Extent& other);

/// Frames of which copies share the memory: those of a large crowd are as large as all else together.
class SharedFrames {
 public:
  SharedFrames() = default;
  SharedFrames(std::vector<Frame> frames) : frames_(std::make_shared<const std::vector<Frame>>(std::move(frames))) {}

  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t size() const { return frames_ ? frames_->size() : 0; }
  [[nodiscard]] const Frame& operator[](std::size_t i) const { return (*frames_)[i]; }
  [[nodiscard]] const Frame& front() const { return frames_->front(); }
  [[nodiscard]] const Frame* begin() const { return frames_ ? frames_->data() : nullptr; }
  [[nodiscard]] const Frame* end() const { return begin() + size(); }

 private:
  std::shared_ptr<const std::vector<Frame>> frames_;
};

/// What limits are measured by at one moment.
struct FrameSummary {
  Frame frame;                              ///< of a crowd some bodies
  Extent box;                               ///< of all; low above high where nobody has a place
  std::array<double, 3> center{}, drift{};  ///< where the centre of mass of all is, and how fast it goes
};

/// A crowd at many moments, which would not fit in memory whole.
struct FrameSummaries {
  std::vector<std::size_t> bodies;  ///< those in every frame, rising
  std::vector<FrameSummary> moments;
};

/// What stays the same while frames go by.
struct RunInfo {
  std::string title;
  std::vector<double> mass;             ///< [N]
  std::vector<std::string> names;       ///< [N], or empty
  std::vector<std::size_t> numbers{};   ///< [N], index in the run, of some of its bodies; empty: of all, in their order
  std::vector<std::int32_t> species;    ///< [N], index into `components`
  std::vector<std::string> components;  ///< names of the components of the scenario
  std::string length_unit, time_unit;   ///< "au", "yr", …; empty in N-body units
  std::string mass_unit, speed_unit, energy_unit;  ///< likewise
  double time_unit_length = 1;                     ///< of the unit that axes and stamps are in, in the run's own
  std::string timescale_name;                      ///< "period", "crossing time"; empty: there is none
  double timescale = 0;                            ///< how long that is
  double start = 0, end = 0;                       ///< times of the first and last frame that will be shown
  Extent extent;
  Bounds bounds{};  ///< of the space that they are in
  /// Some moments spread over the run: what must not change during a film is measured on them.
  SharedFrames samples;
  /// Of a crowd, for limits; null: samples are as good.
  std::shared_ptr<const FrameSummaries> summaries;
  std::vector<Series> series;                    ///< those that the figure asked for, where it did
  std::vector<std::vector<Series>> part_series;  ///< of each part of a figure that has parts
};

/// The body of that name, or of that number, counted from 0; nothing where there is none.
std::optional<std::size_t> find_body(const std::string& name, const RunInfo& info);

/// The index in the run of body i: what its colour goes by.
inline std::size_t number_of(const RunInfo& info, std::size_t body) {
  return body < info.numbers.size() ? info.numbers[body] : body;
}

/// What a body is called in a legend: its name, or "body 5" by its index in the run.
std::string name_of(const RunInfo& info, std::size_t body);

/// "Sun", "Sun and Jupiter", "Sun, Jupiter and 3 others"; "" of none.
std::string names_of(const std::set<std::size_t>& bodies, const RunInfo& info);

/// " (there are: Sun, Earth)", of a few: for complaints.
std::string who_is(const RunInfo& info);

/// Which of the bodies in a frame summary a body is, or the next one where it is not among them.
std::size_t place_in_glimpse(std::size_t body, const RunInfo& info);

}  // namespace orrery::render
