// SPDX-License-Identifier: MIT
#include "pipeline/run/run_labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/number_text.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t max_keys = 3;  // more do not fit into a legend

bool names_runs(const std::string& key) {
  return !key.starts_with("trajectory.") && !key.starts_with("observables.") && key != "integrator.steps";
}

/// Returns a value without quotes, numbers with four digits.
std::string in_label(const Value& value) {
  if (const auto number = number_in(value)) return typeset(fmt::format("{:.4g}", *number));
  const std::string text = brief_toml(value);
  return text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
}

/// The key that stands for all [[perturb]] tables of a run.
constexpr const char* perturbed = "perturbed";

/// "Δx = 10⁻⁶" for a vector with one component that is not 0, else "Δr = [10⁻⁶, 0, 2·10⁻⁶]".
std::string change(const std::string& key, const Value& value) {
  if (key == "mass") return "Δm = " + in_label(value);
  const std::string name = key == "position" ? "r" : "v";
  const auto& vector = std::get<std::vector<double>>(value);
  std::vector<std::string> entries;
  for (const double entry : vector) entries.push_back(in_label(entry));
  const auto changed = [](double entry) { return entry != 0; };
  if (std::ranges::count_if(vector, changed) != 1) return fmt::format("Δ{} = [{}]", name, fmt::join(entries, ", "));
  const auto axis = std::ranges::find_if(vector, changed) - vector.begin();
  return fmt::format("Δ{}{} = {}", name == "v" ? "v" : "", "xyz"[axis], entries[static_cast<std::size_t>(axis)]);
}

/// "Mars Δx = 10⁻⁶; Venus Δm = 0.1", or "unperturbed".
std::string perturbation(const Keys& run) {
  std::string all;
  for (std::size_t i = 0;; ++i) {
    const std::string table = fmt::format("perturb[{}].", i);
    const auto body = run.find(table + "body");
    if (body == run.end()) return all.empty() ? "unperturbed" : all;
    all +=
        fmt::format("{}{}{}", all.empty() ? "" : "; ", number_in(body->second) ? "body " : "", in_label(body->second));
    for (const char* key : {"position", "velocity", "mass"}) {
      const auto found = run.find(table + key);
      if (found != run.end()) all += fmt::format(" {}", change(key, found->second));
    }
  }
}

/// Replaces the [[perturb]] keys by the key `perturbed`, or by nothing if all runs agree.
void gather_perturbations(std::vector<Keys>& runs) {
  std::set<std::string> different;
  for (const Keys& run : runs) different.insert(perturbation(run));
  for (Keys& run : runs) {
    const std::string text = perturbation(run);
    std::erase_if(run, [](const auto& entry) { return entry.first.starts_with("perturb["); });
    if (different.size() > 1) run[perturbed] = text;
  }
}

bool all_differ(const std::vector<std::string>& labels) {
  return std::set<std::string>(labels.begin(), labels.end()).size() == labels.size();
}

/// Returns labels made of these keys; keys that a run does not have are skipped.
std::vector<std::string> joined(const std::vector<Keys>& runs, const std::vector<std::string>& keys) {
  std::vector<std::string> labels;
  for (const Keys& run : runs) {
    std::string& label = labels.emplace_back();
    for (const std::string& key : keys) {
      const auto found = run.find(key);
      if (found != run.end()) label += (label.empty() ? "" : ", ") + to_text(key, found->second);
    }
  }
  return labels;
}

/// Returns whether no label is empty and all differ.
bool are_distinct(const std::vector<std::string>& labels) {
  return all_differ(labels) && std::ranges::none_of(labels, &std::string::empty);
}

}  // namespace

std::vector<std::string> names_by_path(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> names, folders, paths;
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::weakly_canonical(file, error);
    names.push_back(path.stem().string());
    folders.push_back(path.parent_path().filename().string());
    paths.push_back(file.string());
  }
  if (files.size() == 1 && names.front() == "run") return folders;
  return all_differ(names) ? names : all_differ(folders) ? folders : paths;
}

std::string to_text(const std::string& key, const Value& value) {
  if (key == perturbed) return std::get<std::string>(value);
  const std::string last = key.substr(key.rfind('.') + 1);
  return last == "kind" ? in_label(value) : fmt::format("{} = {}", last, in_label(value));
}

std::vector<std::string> run_labels(const std::vector<const TrajectoryReader*>& runs) {
  std::vector<Keys> all;
  for (const TrajectoryReader* run : runs) all.push_back(physics_of(*run));
  gather_perturbations(all);
  std::set<std::string> differing;
  for (const Keys& keys : all) {
    for (const KeyDifference& difference : differences(all.front(), keys)) differing.insert(difference.key);
  }
  std::vector<std::string> keys;
  std::ranges::copy_if(differing, std::back_inserter(keys), names_runs);
  // The integrator and other kinds come first.
  std::stable_partition(keys.begin(), keys.end(), [](const std::string& key) { return key.ends_with("kind"); });
  // The length of a run is used only if nothing else differs.
  if (keys.empty() && differing.contains("integrator.steps")) keys = {"integrator.steps"};
  // Keys that some runs lack, and dt if the steps are adaptive, are left out if the other keys suffice.
  std::vector<Keys> stepping = all;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const auto state = runs[k]->restart();
    if (state && state->clock.steps > 0) stepping[k].erase("integrator.dt");
  }
  std::vector<std::string> shared;
  std::ranges::copy_if(keys, std::back_inserter(shared), [&](const std::string& key) {
    return std::ranges::all_of(all, [&](const Keys& run) { return run.contains(key); });
  });
  std::vector<std::string> briefer = joined(stepping, shared), longer = joined(stepping, keys);
  if (!are_distinct(longer)) longer = joined(all, keys);
  if (shared.size() <= max_keys && are_distinct(briefer)) return briefer;
  if (keys.size() <= max_keys && are_distinct(longer)) return longer;
  std::vector<std::filesystem::path> files;
  for (const TrajectoryReader* run : runs) files.push_back(run->path().lexically_normal());
  return names_by_path(files);
}

}  // namespace orrery::pipeline
