// SPDX-License-Identifier: MIT
// What parts of `orrery matrix` share: complaints about flags, and what a file says of its program.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "common/error.hpp"
#include "pipeline/matrix/make_matrix.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/trajectory/matrix_file.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {

[[noreturn]] inline void refuse(const std::string& why) {
  throw Error(why, 2);
}

/// One of `names`, by its place.
inline std::size_t chosen(const std::string& flag, const std::string& word, std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, word);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string all;
  for (const auto name : names) all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
  refuse(fmt::format("{} {}: there is no such thing{} (there are: {})", flag, word,
                     suggestion(word, {names.begin(), names.end()}), all));
}

inline MatrixFacts about_program(const MatrixOptions& options) {
  return {.texts = {{"program", version_line()}, {"command", options.command_line}}, .numbers = {}, .ranges = {}};
}

}  // namespace orrery::pipeline
