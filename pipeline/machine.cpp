// SPDX-License-Identifier: MIT
#include "pipeline/machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace orrery::pipeline {
namespace {

/// Returns "x" from "key : x".
std::string value_of(const std::string& line) {
  const auto begin = line.find_first_not_of(": \t", line.find(':'));
  return begin == std::string::npos ? "" : line.substr(begin);
}

}  // namespace

std::string processor() {
  // "model name" on x86, numbers on Arm.
  std::string model;
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line) && !line.empty();) {
    for (const char* key : {"model name", "CPU implementer", "CPU part"}) {
      if (line.starts_with(key)) model.append(model.empty() ? "" : " ").append(value_of(line));
    }
  }
  return model.empty() ? "unknown" : model;
}

double load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

std::string gpus() {
  std::vector<std::string> models;
  std::error_code error;
  for (const auto& gpu : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", error)) {
    std::ifstream in(gpu.path() / "information");
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("Model:"))
        models.push_back(gpu.path().filename().string().append(" ").append(value_of(line)));
    }
  }
  std::ranges::sort(models);
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  std::string all = visible == nullptr ? "all" : visible;
  std::erase(all, '\n');
  for (const std::string& model : models) all.append(", ").append(model);
  return all;
}

std::uint64_t free_space(std::filesystem::path path) {
  std::error_code error;
  path = std::filesystem::absolute(path, error);
  while (!std::filesystem::exists(path, error) && path.has_relative_path()) path = path.parent_path();
  const auto space = std::filesystem::space(path, error);
  const bool known = !error && space.capacity > 0;  // /proc and similar file systems have no size
  return known ? space.available : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace orrery::pipeline
