// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"

namespace orrery::render {

/// Angles in degrees as for Camera; `zoom` > 1 is closer.
struct Pose {
  double azimuth = 0, elevation = 0, zoom = 1;
};

/// The camera at each moment: fixed, orbiting once, or moving between key frames.
class CameraPath {
 public:
  /// Reads the keys `camera`, `azimuth`, `elevation` and `key`, a list of key frames, each with a `time` of the run or a
  /// fraction `at` of the film. A value that a key frame omits is interpolated between those that have it. Throws
  /// ArgumentError.
  CameraPath(const RunInfo& info, const Arguments& arguments)
      : info_(info), orbits_(arguments.text("camera") == "orbit"), turns_(orbits_) {
    if (arguments.has("key")) {
      const auto& keys = arguments.records("key");
      const double span = info.end - info.start;
      double last = 0;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto refuse = [i](const std::string& why) { throw ArgumentError("key[" + std::to_string(i) + "]", why); };
        if (keys[i].has("time") == keys[i].has("at"))
          refuse("a key frame has either a `time` of the run, or `at`, a share of the film from 0 to 1");
        if (!keys[i].has("azimuth") && !keys[i].has("elevation") && !keys[i].has("zoom"))
          refuse("this key frame sets nothing: give it `azimuth`, `elevation` or `zoom`");
        const double share = keys[i].has("at") ? keys[i].number("at")
                             : span != 0       ? (keys[i].number("time") - info.start) / span
                                               : static_cast<double>(i);
        // Without samples the run is in progress, and the time may still come; in a part of a run keys may be outside.
        if (info.samples.empty() && !(share >= -1e-9 && share <= 1 + 1e-9)) {
          refuse(
              fmt::format("the run goes from {:.6g} to {:.6g}, and the `time` of this key frame, "
                          "{:.6g}, is not in between: choose one that is, or `at`, a share of "
                          "the film",
                          info.start, info.end, keys[i].number("time")));
        }
        if (i > 0 && std::abs(share - last) < 1e-9)
          refuse("this key frame is at the moment of the one before it: make one of the two, or move it");
        if (i > 0 && !(share > last)) {
          refuse("this key frame does not come after the one before it: put them in the order of the film");
        }
        last = share;
        const auto add = [&](Track& track, std::string_view name, bool logarithm) {
          if (!keys[i].has(name)) return;
          const double value = keys[i].number(name);
          track.when.push_back(share);
          track.value.push_back(logarithm ? std::log(value) : value);
        };
        add(azimuth_, "azimuth", false);
        add(elevation_, "elevation", false);
        add(zoom_, "zoom", true);
      }
      if (orbits_ && !azimuth_.when.empty())
        throw ArgumentError("camera",
                            "the key frames set the azimuth: leave `camera = \"orbit\"` or their azimuths out");
    }
    const auto set_default = [](Track& track, double value) {
      if (track.when.empty()) track = {{0}, {value}, {}};
      track.settle();
    };
    set_default(azimuth_, arguments.number("azimuth"));
    set_default(elevation_, arguments.number("elevation"));
    set_default(zoom_, 0);
    turns_ = orbits_ || azimuth_.when.size() > 1;
  }

  [[nodiscard]] Pose at(double time) const {
    const double span = info_.end - info_.start, share = span != 0 ? (time - info_.start) / span : 0;
    return {azimuth_.at(share) + (orbits_ ? 360 * share : 0), elevation_.at(share), std::exp(zoom_.at(share))};
  }
  /// Returns whether the azimuth changes.
  [[nodiscard]] bool turns() const { return turns_; }

 private:
  /// Monotone cubic interpolation of one value over fractions 0 … 1 of the film (Fritsch & Carlson 1980), constant before the
  /// first and after the last key.
  struct Track {
    std::vector<double> when, value, slope;
    void settle() {
      const std::size_t n = when.size();
      slope.assign(n, 0);
      for (std::size_t i = 1; i + 1 < n; ++i) {
        const double h = when[i] - when[i - 1], k = when[i + 1] - when[i];
        const double a = (value[i] - value[i - 1]) / h, b = (value[i + 1] - value[i]) / k;
        // The weighted harmonic mean; 0 at a local extremum.
        if (a * b > 0) slope[i] = 3 * (h + k) / ((2 * k + h) / a + (k + 2 * h) / b);
      }
    }
    [[nodiscard]] double at(double share) const {
      const auto after = std::ranges::upper_bound(when, share);
      if (after == when.begin()) return value.front();
      if (after == when.end()) return value.back();
      const auto i = static_cast<std::size_t>(after - when.begin()) - 1;
      const double h = when[i + 1] - when[i];
      return hermite((share - when[i]) / h, value[i], h * slope[i], value[i + 1], h * slope[i + 1]);
    }
  };

  const RunInfo& info_;
  bool orbits_, turns_;
  Track azimuth_, elevation_, zoom_;  // the latter is a logarithm
};

}  // namespace orrery::render
