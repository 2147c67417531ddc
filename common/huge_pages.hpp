// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace orrery {

/// Asks Linux for huge pages for a large block of memory that has not been used yet: a page costs time when it is first used, and
/// whenever it is not one of the few that the processor remembers. Has no effect on less than 4 MiB.
inline void use_huge_pages(const void* memory, std::size_t bytes) {
  constexpr std::size_t least = std::size_t{4} << 20U, page = 4096;
  if (bytes < least) return;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(memory) % page) % page;  // the first whole page
  char* const first = static_cast<char*>(const_cast<void*>(memory)) + before;
  (void)::madvise(first, (bytes - before) / page * page, MADV_HUGEPAGE);  // only faster
}

}  // namespace orrery
