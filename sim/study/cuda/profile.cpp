// SPDX-License-Identifier: MIT
// CUPTI is loaded at run time, so that the program starts without it.
#include "sim/study/profile.hpp"

#include <cupti.h>
#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "common/error.hpp"
#include "common/seconds_of.hpp"

namespace orrery::sim::study {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

/// The functions of CUPTI that are used.
struct Cupti {
  decltype(&cuptiActivityEnable) enable;
  decltype(&cuptiActivityDisable) disable;
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks;
  decltype(&cuptiActivityFlushAll) flush;
  decltype(&cuptiActivityGetNextRecord) next_record;
  decltype(&cuptiGetCallbackName) callback_name;
};

/// Null if CUPTI is not installed.
const Cupti* cupti() {
  static const std::unique_ptr<Cupti> opened = [] {
    void* library = nullptr;
    for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"}) {
      if (library == nullptr) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    auto found = std::make_unique<Cupti>();
    bool all = library != nullptr;
    const auto find = [&](const char* name, auto& function) {
      if (all) function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(library, name));
      all = all && function != nullptr;
    };
    find("cuptiActivityEnable", found->enable);
    find("cuptiActivityDisable", found->disable);
    find("cuptiActivityRegisterCallbacks", found->register_callbacks);
    find("cuptiActivityFlushAll", found->flush);
    find("cuptiActivityGetNextRecord", found->next_record);
    find("cuptiGetCallbackName", found->callback_name);
    return all ? std::move(found) : nullptr;
  }();
  return opened.get();
}

struct Records {
  std::vector<ProfiledPart> parts;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> kernels;  ///< begin and end of each, ns on the device's clock
};

/// Global since CUPTI's callbacks take no user data: one profile at a time.
Records* collected = nullptr;

void count(ProfiledPart::Kind kind, std::string name, std::uint64_t begin, std::uint64_t end) {
  const auto same = [&](const ProfiledPart& part) { return part.kind == kind && part.name == name; };
  std::vector<ProfiledPart>& parts = collected->parts;
  auto part = std::ranges::find_if(parts, same);
  if (part == parts.end()) part = parts.insert(part, {.kind = kind, .name = std::move(name)});
  if (kind == ProfiledPart::Kind::kernel) collected->kernels.emplace_back(begin, end);
  part->seconds += 1e-9 * static_cast<double>(end - begin);
  ++part->count;
}

/// Seconds covered by at least one interval.
double covered(std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals) {
  std::ranges::sort(intervals);
  std::uint64_t until = 0, sum = 0;
  for (const auto& [begin, end] : intervals) {
    if (end > until) sum += end - std::max(begin, until);
    until = std::max(until, end);
  }
  return 1e-9 * static_cast<double>(sum);
}

/// The function name of a mangled name, without namespaces, template arguments and arguments: "naive_kernel".
std::string short_name(const char* mangled) {
  int failed = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(abi::__cxa_demangle(mangled, nullptr, nullptr, &failed),
                                                          std::free);
  std::string name = failed == 0 ? plain.get() : mangled;
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (auto at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) name.erase(at, unnamed.size());
  name = name.substr(0, name.find_first_of("<("));
  if (name.starts_with("void ")) name.erase(0, 5);
  const auto scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

const char* direction(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "host to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "device to host";
    default:
      return "within the device";
  }
}

void add_record(const CUpti_Activity& record) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      // Later versions of the record only append to this one.
      const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel9&>(record);
      return count(ProfiledPart::Kind::kernel, short_name(kernel.name), kernel.start, kernel.end);
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy5&>(record);
      return count(ProfiledPart::Kind::copy, direction(copy.copyKind), copy.start, copy.end);
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& fill = reinterpret_cast<const CUpti_ActivityMemset4&>(record);
      return count(ProfiledPart::Kind::copy, "fill", fill.start, fill.end);
    }
    case CUPTI_ACTIVITY_KIND_RUNTIME: {
      const auto& call = reinterpret_cast<const CUpti_ActivityAPI&>(record);
      const char* name = nullptr;
      if (cupti()->callback_name(CUPTI_CB_DOMAIN_RUNTIME_API, call.cbid, &name) != CUPTI_SUCCESS) name = "another call";
      std::string plain = name;
      return count(ProfiledPart::Kind::call, plain.substr(0, plain.find("_v")), call.start, call.end);
    }
    default:
      return;
  }
}

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
  *size = *buffer == nullptr ? 0 : buffer_bytes;
  *max_records = 0;
}

void CUPTIAPI buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t filled) {
  CUpti_Activity* record = nullptr;
  while (collected != nullptr && cupti()->next_record(buffer, filled, &record) == CUPTI_SUCCESS) add_record(*record);
  std::free(buffer);
}

void check_cupti(CUptiResult result) {
  if (result != CUPTI_SUCCESS)
    throw Error("CUPTI cannot profile here: another profiler may be at work, or the driver forbids it");
}

constexpr CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                        CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME};

}  // namespace

Profile profile_of(const std::function<void()>& work) {
  const Cupti* const tool = cupti();
  if (tool == nullptr) return {};
  Profile profile;
  Records all;
  collected = &all;
  check_cupti(tool->register_callbacks(buffer_requested, buffer_completed));
  for (const CUpti_ActivityKind kind : kinds) check_cupti(tool->enable(kind));
  profile.seconds = seconds_of(work);
  for (const CUpti_ActivityKind kind : kinds) (void)tool->disable(kind);
  check_cupti(tool->flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
  collected = nullptr;
  profile.parts = std::move(all.parts);
  profile.busy = covered(std::move(all.kernels));
  std::ranges::sort(profile.parts, std::greater{}, &ProfiledPart::seconds);
  return profile;
}

}  // namespace orrery::sim::study
