// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::pipeline {

/// The cost of a step on a backend.
struct Cost {
  std::string name;  ///< of the backend
  double seconds;
};

/// Measured costs, one small text file per question in the user's cache folder. Never throws or prints: unreadable or
/// damaged entries, and those older than a week (the machine may have been busy that day), count as absent, and
/// failures to write are ignored.
class CostCache {
 public:
  /// With an empty path, nothing is stored.
  explicit CostCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// $XDG_CACHE_HOME/orrery/costs, or ~/.cache/orrery/costs.
  static CostCache of_user();

  /// `question` is everything that the costs depend on: lines of text, none of them blank.
  [[nodiscard]] std::optional<std::vector<Cost>> find(const std::string& question) const;
  void keep(const std::string& question, const std::vector<Cost>& costs) const;

 private:
  [[nodiscard]] std::filesystem::path file(const std::string& question) const;

  std::filesystem::path folder_;
};

}  // namespace orrery::pipeline
