// SPDX-License-Identifier: MIT
#include "render/film/sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "common/error.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {
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

bool is_numbered(const std::string& name, const std::string& file) {
  const std::string before = name.substr(0, name.find('#')), behind = name.substr(name.find_last_of('#') + 1);
  if (file.size() < name.size() || !file.starts_with(before) || !file.ends_with(behind)) return false;
  const std::string number = file.substr(before.size(), file.size() - before.size() - behind.size());
  return std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::filesystem::path Sequence::frame(int number) const {
  return pattern_.parent_path() / numbered(pattern_.filename().string(), number);
}

void Sequence::add(const Image& image) {
  constexpr double dpi = 96;
  write_png(image, frame(next_), dpi, provenance_, replacing_);
  ++next_;
}

Fit Sequence::finish() {
  std::error_code none;
  for (int k = next_; last_ && std::filesystem::exists(frame(k), none); ++k) {
    if (drawn_by_orrery(frame(k))) std::filesystem::remove(frame(k), none);
  }
  return {};
}

}  // namespace orrery::render
