// SPDX-License-Identifier: MIT
// Format of an entry: the question, a blank line, one line per cost, and a line with a full stop.
#include "pipeline/run/cost_cache.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "common/new_file.hpp"

namespace orrery::pipeline {
namespace {

constexpr auto lifetime = std::chrono::hours(24 * 7);

std::filesystem::path absolute_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value == '/' ? value : "";
}

}  // namespace

CostCache CostCache::of_user() {
  std::filesystem::path base = absolute_from("XDG_CACHE_HOME");
  if (const auto home = absolute_from("HOME"); base.empty() && !home.empty()) base = home / ".cache";
  return CostCache(base.empty() ? base : base / "orrery" / "costs");
}

std::filesystem::path CostCache::file(const std::string& question) const {
  return folder_ / fmt::format("{:016x}", XXH3_64bits(question.data(), question.size()));
}

std::optional<std::vector<Cost>> CostCache::find(const std::string& question) const {
  std::error_code error;
  const auto path = file(question);
  if (folder_.empty() || !std::filesystem::is_regular_file(path, error)) return {};
  const auto written = std::filesystem::last_write_time(path, error);
  if (error || std::filesystem::file_time_type::clock::now() - written > lifetime) return {};
  std::ifstream in(path, std::ios::binary);
  std::string head(question.size() + 1, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (!in || head != question + "\n") return {};
  std::vector<Cost> costs;
  for (std::string line; std::getline(in, line) && costs.size() < 100;) {
    if (line == ".") return costs.empty() ? std::nullopt : std::optional(costs);
    Cost cost;
    std::string more;
    std::istringstream words(line);
    if (!(words >> cost.name >> cost.seconds) || words >> more || !(cost.seconds > 0)) return {};
    costs.push_back(cost);
  }
  return {};
}

/// The file appears under its name only when it is complete. Concurrent writers replace each other's.
void CostCache::keep(const std::string& question, const std::vector<Cost>& costs) const {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  std::string text = question + "\n";
  for (const Cost& cost : costs) text += fmt::format("{} {:.3e}\n", cost.name, cost.seconds);
  text += ".\n";
  try {
    NewFile draft(file(question));
    draft.write(text);
    draft.rename_to(file(question), Replacing::anything, nullptr);
  } catch (const std::exception&) {
    // The cost is measured again next time.
  }
}

}  // namespace orrery::pipeline
