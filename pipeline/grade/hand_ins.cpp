// SPDX-License-Identifier: MIT
#include "pipeline/grade/hand_ins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "common/file_format.hpp"
#include "pipeline/formats/foreign_frames.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/trajectory/file_name.hpp"

namespace orrery::pipeline::grading {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 10'000, most_solutions = 8;
constexpr int most_folders = 16;

bool may_have_frames(const fs::path& file) {
  constexpr std::string_view endings = ".csv .txt .dat .xyz .extxyz .tsv ";
  const std::string ending = extension_of(file);
  return !ending.empty() && endings.find(ending + " ") != std::string_view::npos;
}

bool may_be_solution(const fs::path& file) {
  return is_trajectory_name(file) || may_have_frames(file);
}

/// Files of frames that differ in the digits of their names belong together.
std::string series_of(const fs::path& file) {
  std::string name = file.filename().string();
  std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
  return (file.parent_path() / name).string();
}

std::vector<Solution> solutions_of(std::vector<fs::path> files) {
  std::ranges::sort(files, [](const auto& a, const auto& b) { return naturally_before(a.string(), b.string()); });
  std::vector<Solution> runs, frames;
  std::map<std::string, std::size_t> series;
  for (fs::path& file : files) {
    if (is_trajectory_name(file)) {
      runs.push_back({std::move(file)});
    } else {
      const auto [found, added] = series.emplace(series_of(file), frames.size());
      if (added) frames.emplace_back();
      frames[found->second].push_back(std::move(file));
    }
  }
  constexpr std::size_t few = 5;
  for (Solution& solution : frames) {
    // Few files may be as well several attempts.
    if (solution.size() > 1 && solution.size() <= few)
      for (const fs::path& one : solution) runs.push_back({one});
    runs.push_back(std::move(solution));
  }
  return runs;
}

HandIn hand_in_of(const fs::directory_entry& entry) {
  HandIn hand_in{.name = entry.path().filename().string(), .solutions = {}, .trouble = {}};
  std::error_code error;
  std::vector<fs::path> files;
  std::size_t seen = 0;
  if (entry.is_regular_file(error)) {
    files.push_back(entry.path());
  } else {
    fs::recursive_directory_iterator all(entry.path(), error);
    for (; !error && all != fs::recursive_directory_iterator(); all.increment(error)) {
      if (all.depth() >= most_folders) all.disable_recursion_pending();
      if (++seen > most_files) {
        hand_in.trouble = fmt::format("only its first {} files were looked at", most_files);
        break;
      }
      std::error_code none;
      if (!all->is_symlink(none) && all->is_regular_file(none) && may_be_solution(all->path()))
        files.push_back(all->path());
    }
    if (error) hand_in.trouble = fmt::format("cannot be read whole: {}", error.message());
  }
  hand_in.solutions = solutions_of(std::move(files));
  if (hand_in.solutions.size() > most_solutions) {
    hand_in.trouble =
        fmt::format("has {} files of frames, of which {} were graded", hand_in.solutions.size(), most_solutions);
    hand_in.solutions.resize(most_solutions);
  }
  return hand_in;
}

}  // namespace

std::vector<HandIn> hand_ins_in(const fs::path& folder) {
  std::error_code error;
  std::vector<HandIn> all;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    std::error_code none;
    const fs::directory_entry& entry = *entries;
    if (entry.is_symlink(none) || entry.path().filename().string().starts_with('.')) continue;
    if (entry.is_directory(none) || (entry.is_regular_file(none) && may_be_solution(entry.path())))
      all.push_back(hand_in_of(entry));
  }
  if (error) refuse(folder, fmt::format("cannot be read: {}", error.message()));
  std::ranges::sort(all, [](const HandIn& a, const HandIn& b) { return naturally_before(a.name, b.name); });
  return all;
}

}  // namespace orrery::pipeline::grading
