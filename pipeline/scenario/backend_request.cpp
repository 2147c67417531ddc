// SPDX-License-Identifier: MIT
#include "pipeline/scenario/backend_request.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {
namespace {

sim::Precision precision_of(const Section& backend) {
  const std::string& name = backend->text("precision");
  if (name == "float64") return sim::Precision::float64;
  if (name == "mixed") return sim::Precision::mixed;
  return backend->text("inverse_root") == "sqrt" ? sim::Precision::float32_exact_root : sim::Precision::float32;
}

/// "" for "auto".
std::string_view kernel_named(const std::string& name) {
  for (const sim::BackendKind* kind : sim::backend_kinds()) {
    if (const auto found = std::ranges::find(kind->kernels, name); found != kind->kernels.end()) return *found;
  }
  return "";
}

/// The indices in "0,1".
std::vector<int> device_list(const Section& backend) {
  const std::string& text = backend->text("devices");
  std::vector<int> devices;
  for (const char *at = text.data(), *end = at + text.size(); at <= end;) {
    int index = -1;
    const auto [next, error] = std::from_chars(at, end, index);
    const bool ends = error == std::errc() && (next == end || *next == ',');
    if (!ends || index < 0 || std::ranges::count(devices, index) > 0)
      backend.complain("devices", "`devices` must be different numbers of GPUs, \"0,1\", or \"all\"");
    devices.push_back(index);
    at = next + 1;
  }
  return devices;
}

}  // namespace

BackendRequest backend_request(const Section& backend) {
  BackendRequest request{.kind = backend->text("kind"),
                         .kernel = kernel_named(backend->text("kernel")),
                         .all_devices = backend->has("devices") && backend->text("devices") == "all",
                         .precision = precision_of(backend),
                         .kind_place = backend.where(backend.given("kind") ? "kind" : "kernel"),
                         .kernel_place = backend.where("kernel"),
                         .precision_place = backend.where("precision")};
  if (backend->has("threads")) request.threads = static_cast<int>(backend->integer("threads"));
  if (backend.given("device")) request.device = static_cast<int>(backend->integer("device"));
  if (backend->has("devices") && !request.all_devices) request.devices = device_list(backend);
  return request;
}

BackendRequest backend_request(const std::vector<std::string>& overrides, const std::string& name) {
  return backend_request(backend_table(Document("", name, overrides)));
}

sim::BackendOptions options_of(const BackendRequest& request, const Resources& resources) {
  sim::BackendOptions options{.threads = request.threads.value_or(resources.threads),
                              .device = request.device.value_or(0),
                              .kernel = request.kernel,
                              .precision = request.precision,
                              .ranks = resources.ranks};
  const sim::BackendKind& gpus = kind_named("cuda");
  const auto count = [&] { return gpus.absence().empty() ? gpus.devices() : 0; };
  if (resources.device > 0 && !request.device) options.device = count() > 0 ? resources.device % count() : 0;
  std::vector<int> devices = request.devices;
  if (request.all_devices)
    devices.resize(static_cast<std::size_t>(count())), std::iota(devices.begin(), devices.end(), 0);
  if (!devices.empty()) {
    options.device = devices.front();
    options.helpers.assign(devices.begin() + 1, devices.end());
  }
  return options;
}

const sim::BackendKind& kind_named(std::string_view name) {
  return **std::ranges::find(sim::backend_kinds(), name, &sim::BackendKind::name);
}

}  // namespace orrery::pipeline
