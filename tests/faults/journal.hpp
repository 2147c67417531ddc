// SPDX-License-Identifier: MIT
// Entries by which faulty_io records every change of a file.
#pragma once

#include <cstdint>

namespace orrery::pipeline::testing {

enum class Entry : std::uint64_t {
  write,        ///< `size` bytes, which follow, at `place`
  truncate,     ///< to `size` bytes
  rename,       ///< to its final name
  sync,         ///< everything written so far is on the disk
  folder_sync,  ///< its name is on the disk
  mark,         ///< a text of `size` bytes, which follows, from the writing program
};

struct JournalHead {
  Entry entry{};
  std::uint64_t place = 0, size = 0;
};

}  // namespace orrery::pipeline::testing
