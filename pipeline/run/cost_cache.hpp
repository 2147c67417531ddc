// SPDX-License-Identifier: MIT
// What was measured once need not be measured again: costs of a step, kept in the user's cache folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::pipeline {

/// What a step costs on a backend.
struct Cost {
  std::string name;
  double seconds;
};

/// A file a question. Nothing here throws or speaks: what cannot be read, is damaged, or is older than a week
/// (other programs may have kept the machine busy that day) is as good as not there, and what cannot be
/// written is measured again next time.
class CostCache {
 public:
  /// An empty folder: none, nothing is kept.
  explicit CostCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// $XDG_CACHE_HOME/orrery/costs, or ~/.cache/orrery/costs.
  static CostCache of_user();

  /// `question` is all that the costs depend on, as lines of text without a blank one.
  [[nodiscard]] std::optional<std::vector<Cost>> find(const std::string& question) const;
  void keep(const std::string& question, const std::vector<Cost>& costs) const;

 private:
  [[nodiscard]] std::filesystem::path file(const std::string& question) const;

  std::filesystem::path folder_;
};

}  // namespace orrery::pipeline
