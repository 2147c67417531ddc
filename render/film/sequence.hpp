// SPDX-License-Identifier: MIT
// A film as numbered pictures, for programs that cut films.
#pragma once

#include <filesystem>
#include <string>

#include "render/canvas/image.hpp"

namespace orrery::render {

/// How many digits the number in "frames-####.png" has, which is its one run of '#'; 0 where it is no such name.
int digits_of(const std::string& name);
/// The name of one frame, counted from 0: "frames-0042.png".
std::string numbered(const std::string& name, int frame);

/// Whether `file` is called as a frame of the sequence `name` is.
bool is_numbered(const std::string& name, const std::string& file);

/// Each frame is whole under its name as soon as it is written, and stays where the film is interrupted.
class Sequence {
 public:
  /// `pattern` has a number in it. Throws Error where its folder does not take files.
  explicit Sequence(std::filesystem::path pattern, Provenance provenance = {}, Replacing replacing = Replacing::ours)
      : pattern_(std::move(pattern)), provenance_(std::move(provenance)), replacing_(replacing) {}

  void add(const Image& image);
  /// Takes away what a longer film has left behind the last frame, and nothing that orrery did not draw.
  void finish();

 private:
  [[nodiscard]] std::filesystem::path frame(int number) const;

  std::filesystem::path pattern_;
  Provenance provenance_;  ///< in every frame
  Replacing replacing_;
  int frames_ = 0;
};

}  // namespace orrery::render
