// SPDX-License-Identifier: MIT
#include "pipeline/run/stale_pictures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>

#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/run/run_record.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t max_names = 6;

std::string state_of(const std::filesystem::path& trajectory) {
  try {
    const auto state = TrajectoryReader(trajectory).restart();
    return state ? state_hash(*state) : "";
  } catch (const std::exception&) {
    return "";  // there is no trajectory
  }
}

}  // namespace

StalePictures::StalePictures(const std::filesystem::path& trajectory, const Pictures* drawn, Messages& messages)
    : trajectory_(trajectory), messages_(messages), state_(state_of(trajectory)) {
  if (state_.empty()) return;
  const std::filesystem::path folder = trajectory.has_parent_path() ? trajectory.parent_path() : ".";
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    if (is_picture(entry.path()) && !(drawn != nullptr && drawn->draws(name)) &&
        render::quick_provenance(entry.path()).state == state_)
      names_.push_back(name);
  }
  std::ranges::sort(names_);
}

StalePictures::~StalePictures() {
  if (names_.empty() || state_of(trajectory_) == state_) return;
  const std::size_t named = std::min(names_.size(), max_names);
  try {
    messages_.warning(
        "{}: {} show{} the run that was replaced{}", trajectory_.string(),
        fmt::format("{}", fmt::join(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(named), ", ")),
        names_.size() == 1 ? "s" : "",
        names_.size() > named ? fmt::format(", and so do {} more pictures", names_.size() - named) : "");
  } catch (const std::exception&) {  // a destructor must not throw
  }
}

}  // namespace orrery::pipeline
