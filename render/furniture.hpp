// SPDX-License-Identifier: MIT
// What stands around a plot: title, time stamp, legend; and how large bodies are.
#pragma once

#include <string>
#include <vector>

#include "render/drawing.hpp"
#include "render/frame.hpp"
#include "render/palette.hpp"

namespace orrery::render {

/// The room above a plot for its title and time.
float heading_height(const Look& look);

/// The moment that is shown, "t = 12.34 yr", with as many places throughout a run as its length asks for.
struct Stamp {
  std::string words;    ///< empty: none
  std::string longest;  ///< of the run: words start where this would, so that they stay in place
};
Stamp time_stamp(const Cast& cast, double time);

/// Title at the left of `plot`, on the line above it; `stamp` at its right. A long title is written smaller,
/// then cut.
void heading(Drawing& drawing, const Look& look, const Box& plot, const std::string& title,
             const Stamp& stamp);

/// Names beside their colours: of bodies where they are few, of components where these are several.
class Legend {
 public:
  Legend(const Look& look, const Cast& cast);
  [[nodiscard]] bool empty() const { return names_.empty(); }
  [[nodiscard]] float width() const;
  [[nodiscard]] float height() const;
  void draw(Drawing& drawing, Point top_left) const;

 private:
  Look look_;
  std::vector<std::string> names_;
};

/// The radius of each body in pixels: by the cube root of its mass, within what the eye can use.
std::vector<float> body_radii(const Look& look, const Cast& cast, std::size_t bodies);

/// What a body or, in a crowd, its component is coloured by.
std::vector<std::uint16_t> color_indices(const Cast& cast, std::size_t bodies);

}  // namespace orrery::render
