// SPDX-License-Identifier: MIT
// What faulty_io writes down of everything that changes a file.
#pragma once

#include <cstdint>

namespace orrery::pipeline::testing {

enum class Entry : std::uint64_t {
  write,        ///< `size` bytes, which follow, at `place`
  truncate,     ///< to `size` bytes
  rename,       ///< to its own name
  sync,         ///< everything written so far is on the disk
  folder_sync,  ///< so is its name
  mark,         ///< a text of `size` bytes, which follows, of whoever writes
};

struct JournalHead {
  Entry entry{};
  std::uint64_t place = 0, size = 0;
};

}  // namespace orrery::pipeline::testing
