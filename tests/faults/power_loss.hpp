// SPDX-License-Identifier: MIT
// Simulates what a power loss may leave of a file, from the journal of all changes to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/faults/journal.hpp"

namespace orrery::pipeline::testing {

/// One entry of a journal, with its bytes.
struct Event {
  Entry entry{};
  std::size_t place = 0, size = 0;
  std::string_view bytes;
};

class Journal {
 public:
  explicit Journal(const std::filesystem::path& path);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  /// The number in the last mark whose preceding writes were all on the disk after the first `moment` events;
  /// `otherwise` if there is no such mark.
  [[nodiscard]] std::int64_t safe(std::size_t moment, std::int64_t otherwise) const;

 private:
  struct Mark {
    std::size_t changes;  ///< events up to the last one that changed the file before the mark
    std::int64_t number;
  };
  std::string content_;
  std::vector<Event> events_;
  std::vector<Mark> marks_;
  std::vector<std::size_t> synced_;  ///< [events + 1]: the number of events made durable by the last sync before
};

/// The state of a file after a power loss.
struct Remains {
  std::string bytes;
  bool named = true;  ///< it has its final name; false: still the temporary one
};

/// A file on a disk that may write pages of 4 KiB in any order and in any version until a sync. Everything synced is
/// kept; a page written since then has the version of the last sync or any later one, and so has the length. There is
/// nothing beyond the length; pages never written are zero.
class Disk {
 public:
  /// `content`: what is on the disk already; `named`: whether it has its final name.
  Disk(std::string content, bool named);
  void apply(const Event& event);
  /// What programs see before the power loss.
  [[nodiscard]] const std::string& now() const { return now_; }
  [[nodiscard]] Remains lose_power(std::mt19937_64& random) const;
  /// The numbers of the pages written since the last sync.
  [[nodiscard]] std::vector<std::size_t> changed() const;
  /// All of them are on the disk except this one, or this one alone (and the length).
  [[nodiscard]] std::string without(std::size_t page) const;
  [[nodiscard]] std::string with_only(std::size_t page) const;
  /// All of them are on the disk, but the length is that of the last sync.
  [[nodiscard]] std::string without_length() const;

 private:
  void page_changed(std::size_t page);
  std::string synced_, now_;
  std::map<std::size_t, std::vector<std::string>> versions_;  ///< of the pages written since the sync, oldest first
  std::vector<std::size_t> lengths_;                          ///< since the sync, oldest first
  bool was_named_, is_named_;
};

}  // namespace orrery::pipeline::testing
