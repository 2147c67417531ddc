// SPDX-License-Identifier: MIT
// Names with numbers in them, and a PNG for each.
#include "render/film/sequence.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"

namespace orrery::render {
namespace {

constexpr double dots_an_inch = 96;

}  // namespace

int digits_of(const std::string& name) {
  const std::size_t first = name.find('#'),
                    behind = std::min(name.find_first_not_of('#', std::min(first, name.size())), name.size());
  if (first == std::string::npos || !name.ends_with(".png") || name.find('#', behind) != std::string::npos) return 0;
  return static_cast<int>(std::min<std::size_t>(behind - first, 9));
}

std::string numbered(const std::string& name, int frame) {
  const std::size_t first = name.find('#'), behind = name.find_first_not_of('#', first);
  return fmt::format("{}{:0{}}{}", name.substr(0, first), frame, behind - first, name.substr(behind));
}

std::filesystem::path Sequence::frame(int number) const {
  return pattern_.parent_path() / numbered(pattern_.filename().string(), number);
}

void Sequence::add(const Image& image) {
  write_png(image, frame(frames_), dots_an_inch, provenance_);
  ++frames_;
}

void Sequence::finish() {
  std::error_code error;
  for (int k = frames_; std::filesystem::remove(frame(k), error); ++k) {
  }
}

}  // namespace orrery::render
