// SPDX-License-Identifier: MIT
// The point that a picture holds still: the origin, the centre of mass, or a body.
#pragma once

#include <optional>
#include <string>

#include "render/frame.hpp"

namespace orrery::render {

class Reference {
 public:
  /// `words`: "inertial", "barycentric" or "body:NAME", NAME being a name of the cast or a number from 0.
  /// Throws ArgumentError for "frame" where it is none of these.
  Reference(const std::string& words, const Cast& cast);

  /// The frame as seen from that point.
  [[nodiscard]] Frame seen(const Frame& frame) const;

  /// A box that no body leaves while it is seen so; the cast's own extent where nothing is moved. Of a crowd
  /// it holds all but a few: one that flies off does not take the others' room.
  [[nodiscard]] Extent extent() const;

  [[nodiscard]] bool moves() const { return center_ != Center::origin; }

 private:
  [[nodiscard]] Extent extent_of_most() const;

  enum class Center { origin, mass, body };

  const Cast& cast_;
  Center center_ = Center::origin;
  std::size_t body_ = 0;
  std::optional<Extent> most_;  // of a crowd
};

}  // namespace orrery::render
