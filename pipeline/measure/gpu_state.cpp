// SPDX-License-Identifier: MIT
#include "pipeline/measure/gpu_state.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <sstream>

namespace orrery::pipeline {
namespace {

std::string run_nvidia_smi(const std::string& bus_id) {
  const std::string command = fmt::format(
      "nvidia-smi --id={} --query-gpu=clocks.sm,clocks.max.sm,power.draw,temperature.gpu --format=csv,noheader,nounits "
      "2>/dev/null",
      bus_id);
  std::string answer;
  std::FILE* tool = ::popen(command.c_str(), "r");
  if (tool == nullptr) return answer;
  std::array<char, 256> line{};
  if (std::fgets(line.data(), line.size(), tool) != nullptr) answer = line.data();
  return ::pclose(tool) == 0 ? answer : "";
}

}  // namespace

GpuState parse_gpu_state(const std::string& line) {
  GpuState state;
  std::istringstream fields(line);
  std::string field;
  for (double* value : {&state.clock, &state.greatest_clock, &state.power, &state.temperature}) {
    if (std::getline(fields, field, ',')) *value = std::strtod(field.c_str(), nullptr);
  }
  state.clock *= 1e6;
  state.greatest_clock *= 1e6;
  return state;
}

GpuState gpu_state_during(const std::string& bus_id, const std::function<void()>& work) {
  using namespace std::chrono_literals;
  auto answer = std::async(std::launch::async, run_nvidia_smi, bus_id);
  do work();
  while (answer.wait_for(0s) != std::future_status::ready);
  return parse_gpu_state(answer.get());
}

}  // namespace orrery::pipeline
