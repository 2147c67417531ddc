// SPDX-License-Identifier: MIT
#include "render/view/camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/statistics.hpp"

namespace orrery::render {
namespace {

constexpr double radii_away = 3.5;  // from the camera to the middle, in radii of the volume

Box joined(const Box& a, const Box& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right), std::max(a.bottom, b.bottom)};
}

}  // namespace

double Volume::radius() const {
  return std::hypot(limits[0].length(), limits[1].length(), limits[2].length()) / 2;
}

bool Volume::contains(const Place& p) const {
  for (std::size_t k = 0; k < 3; ++k) {
    // In the precision of positions: a body at the end of a box is not beyond it.
    const auto at = static_cast<float>(p[k]);
    if (!(at >= static_cast<float>(limits[k].low) && at <= static_cast<float>(limits[k].high))) return false;
  }
  return true;
}

Volume Volume::scaled(double factor) const {
  Volume other;
  for (std::size_t k = 0; k < 3; ++k) {
    const double middle = limits[k].middle(), half = factor * limits[k].length() / 2;
    other.limits[k] = {middle - half, middle + half};
  }
  return other;
}

Camera::Camera(const Volume& volume, double azimuth, double elevation)
    : volume_(volume), middle_(volume.middle()), radius_(volume.radius()) {
  turn(azimuth, elevation);
}

Camera Camera::turned_to(double azimuth, double elevation) const {
  Camera turned = *this;
  turned.turn(azimuth, elevation);
  return turned;
}

void Camera::turn(double azimuth, double elevation) {
  elevation_ = elevation;
  const double a = azimuth * std::numbers::pi / 180, e = elevation * std::numbers::pi / 180;
  eye_ = {std::cos(a) * std::cos(e), std::sin(a) * std::cos(e), std::sin(e)};
  right_ = {-std::sin(a), std::cos(a), 0};
  up_ = {-std::cos(a) * std::sin(e), -std::sin(a) * std::sin(e), std::cos(e)};
}

double Camera::distance() const {
  return radii_away * radius_;
}

double Camera::nearness(const Place& p) const {
  return dot(plus(p, -1, middle_), eye_) / radius_;
}

double Camera::magnification(const Place& p) const {
  return radii_away / std::max(0.1, radii_away - nearness(p));
}

Point Camera::at(const Place& p) const {
  const Place q = plus(p, -1, middle_);
  const double s = scale_ * magnification(p);
  return {origin_.x + static_cast<float>(s * dot(q, right_)), origin_.y - static_cast<float>(s * dot(q, up_))};
}

std::vector<Place> Camera::corners() const {
  std::vector<Place> all(8);
  for (unsigned corner = 0; corner < 8; ++corner) {
    for (std::size_t k = 0; k < 3; ++k)
      all[corner][k] = (corner >> k & 1U) != 0 ? volume_.limits[k].high : volume_.limits[k].low;
  }
  return all;
}

void Camera::fit(const Box& room, bool turning, const std::vector<Place>& places) {
  const auto seen = [&places](const Camera& camera) {
    std::vector<double> x, y;
    for (const Place& p : places) {
      const Point at = camera.at(p);
      x.push_back(static_cast<double>(at.x));
      y.push_back(static_cast<double>(at.y));
    }
    const Interval across = robust_range(x), down = robust_range(y);
    return Box{static_cast<float>(across.low), static_cast<float>(down.low), static_cast<float>(across.high),
               static_cast<float>(down.high)};
  };
  // Measure with the middle at the origin and a radius of one pixel.
  scale_ = 1 / radius_;
  origin_ = {0, 0};
  Box whole = seen(*this);
  if (turning) {  // at azimuths that do not depend on the current one, which would change the scale
    whole = seen(turned_to(0, elevation_));
    for (int step = 1; step < 36; ++step) whole = joined(whole, seen(turned_to(10.0 * step, elevation_)));
  }
  const float factor = std::min(room.width() / whole.width(), room.height() / whole.height());
  scale_ *= static_cast<double>(factor);
  origin_ = {room.middle() - factor * whole.middle(),
             (room.top + room.bottom) / 2 - factor * (whole.top + whole.bottom) / 2};
}

}  // namespace orrery::render
