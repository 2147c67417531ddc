// SPDX-License-Identifier: MIT
#include "pipeline/memory.hpp"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace orrery::pipeline {
namespace {

/// Returns the integer after the word `key`, or at the beginning of the file if `key` is empty; 0 if there is none.
std::uint64_t number_in(const std::filesystem::path& file, std::string_view key) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  for (std::string word; !key.empty() && in >> word;) {
    if (word == key) break;
  }
  in >> number;
  return in ? number : 0;
}

std::uint64_t left_of(std::uint64_t limit, std::uint64_t used) {
  return limit - std::min(limit, used);
}

/// The memory files of a cgroup, and the names of its page cache, which can be reclaimed, in memory.stat.
struct MemoryFiles {
  const char *limit, *use, *cache[2];
};
constexpr MemoryFiles version2{"memory.max", "memory.current", {"active_file", "inactive_file"}};
constexpr MemoryFiles version1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_active_file", "total_inactive_file"}};

/// Returns what the cgroup `path` below `root` and its visible parents leave.
std::uint64_t room_in_groups(const std::filesystem::path& root, const std::string& path, const MemoryFiles& files) {
  std::uint64_t room = std::numeric_limits<std::uint64_t>::max();
  for (std::filesystem::path group = root / std::filesystem::path(path).relative_path();; group = group.parent_path()) {
    if (const std::uint64_t limit = number_in(group / files.limit, ""); limit > 0) {  // 0: "max"
      const std::uint64_t used = number_in(group / files.use, "");
      const std::uint64_t cache =
          number_in(group / "memory.stat", files.cache[0]) + number_in(group / "memory.stat", files.cache[1]);
      room = std::min(room, left_of(limit, left_of(used, cache)));
    }
    if (group.native().size() <= root.native().size()) return room;
  }
}

}  // namespace

void keep_freed_memory() {
  constexpr int largest_block = 32 << 20, max_kept = 512 << 20;  // glibc's maximum for the former
  mallopt(M_MMAP_THRESHOLD, largest_block);
  mallopt(M_TRIM_THRESHOLD, max_kept);
}

void give_back_freed_memory() {
  malloc_trim(0);
}

std::uint64_t usable_memory() {
  std::uint64_t memory = (number_in("/proc/meminfo", "MemAvailable:") + number_in("/proc/meminfo", "SwapFree:")) * 1024;
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {  // "0::/path" of version 2, "4:memory:/path" of version 1
    const std::string path = line.substr(std::min(line.find(":/"), line.size() - 1) + 1);
    if (line.starts_with("0::")) memory = std::min(memory, room_in_groups("/sys/fs/cgroup", path, version2));
    if (line.find(":memory:") != std::string::npos)
      memory = std::min(memory, room_in_groups("/sys/fs/cgroup/memory", path, version1));
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    memory = std::min(memory, left_of(limit.rlim_cur, number_in("/proc/self/status", "VmSize:") * 1024));
  return memory;
}

}  // namespace orrery::pipeline
