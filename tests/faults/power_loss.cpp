// SPDX-License-Identifier: MIT
// Pages, their versions, and the random choice among them.
#include "tests/faults/power_loss.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace orrery::pipeline::testing {
namespace {

constexpr std::size_t kPage = 4096;

/// How a disk selects versions of its pages: at random, or preferring old or new ones.
class Habit {
 public:
  explicit Habit(std::mt19937_64& random) : random_(random), way_(random() % 4) {}
  /// One of versions 0 … `newest`.
  std::size_t choose(std::size_t newest) {
    const bool rarely = random_() % 8 == 0;
    if (way_ == 0 || rarely) return random_() % (newest + 1);
    if (way_ == 1) return newest;
    if (way_ == 2) return 0;
    return random_() % 2 == 0 ? newest : 0;
  }

 private:
  std::mt19937_64& random_;
  std::uint64_t way_;
};

}  // namespace

Journal::Journal(const std::filesystem::path& path) {
  content_.resize(std::filesystem::file_size(path));
  std::ifstream(path, std::ios::binary).read(content_.data(), static_cast<std::streamsize>(content_.size()));
  std::size_t changes = 0, synced = 0;
  synced_.push_back(0);
  for (std::size_t at = 0; at + sizeof(JournalHead) <= content_.size();) {
    JournalHead head;
    std::memcpy(&head, content_.data() + at, sizeof head);
    at += sizeof head;
    Event event{.entry = head.entry, .place = head.place, .size = head.size, .bytes = {}};
    if (head.entry == Entry::write || head.entry == Entry::mark) {
      event.bytes = std::string_view(content_).substr(at, head.size);
      at += head.size;
    }
    events_.push_back(event);
    if (head.entry == Entry::write || head.entry == Entry::truncate) changes = events_.size();
    if (head.entry == Entry::sync) synced = events_.size();
    if (head.entry == Entry::mark) marks_.push_back({changes, std::stoll(std::string(event.bytes))});
    synced_.push_back(synced);
  }
}

std::int64_t Journal::safe(std::size_t moment, std::int64_t otherwise) const {
  for (const Mark& mark : marks_) {
    if (mark.changes <= synced_.at(moment)) otherwise = std::max(otherwise, mark.number);
  }
  return otherwise;
}

Disk::Disk(std::string content, bool named)
    : synced_(content), now_(std::move(content)), was_named_(named), is_named_(named) {}

void Disk::page_changed(std::size_t page) {
  std::string version = page * kPage < now_.size() ? now_.substr(page * kPage, kPage) : "";
  version.resize(kPage, '\0');
  versions_[page].push_back(std::move(version));
}

void Disk::apply(const Event& event) {
  switch (event.entry) {
    case Entry::write:
      if (now_.size() < event.place + event.size) {
        now_.resize(event.place + event.size, '\0');
        lengths_.push_back(now_.size());
      }
      now_.replace(event.place, event.size, event.bytes);
      for (std::size_t page = event.place / kPage; page * kPage < event.place + event.size; ++page) page_changed(page);
      break;
    case Entry::truncate: {
      const std::size_t before = now_.size();
      now_.resize(event.size, '\0');
      lengths_.push_back(event.size);
      for (std::size_t page = event.size / kPage; page * kPage < before; ++page) page_changed(page);
      break;
    }
    case Entry::sync:
      synced_ = now_;
      versions_.clear();
      lengths_.clear();
      break;
    case Entry::rename:
      is_named_ = true;
      break;
    case Entry::folder_sync:
      was_named_ = is_named_;
      break;
    case Entry::mark:
      break;
  }
}

Remains Disk::lose_power(std::mt19937_64& random) const {
  Habit habit(random);
  Remains left{.bytes = synced_, .named = was_named_ || (is_named_ && random() % 2 == 0)};
  const std::size_t longest = std::max(synced_.size(), lengths_.empty() ? 0 : std::ranges::max(lengths_));
  left.bytes.resize((longest + kPage - 1) / kPage * kPage, '\0');
  for (const auto& [page, versions] : versions_) {
    const std::size_t version = habit.choose(versions.size());
    if (version > 0 && page * kPage < left.bytes.size()) left.bytes.replace(page * kPage, kPage, versions[version - 1]);
  }
  const std::size_t length = habit.choose(lengths_.size());
  left.bytes.resize(length == 0 ? synced_.size() : lengths_[length - 1]);
  return left;
}

std::vector<std::size_t> Disk::changed() const {
  std::vector<std::size_t> pages;
  for (const auto& [page, versions] : versions_) pages.push_back(page);
  return pages;
}

std::string Disk::without(std::size_t page) const {
  std::string old = page * kPage < synced_.size() ? synced_.substr(page * kPage, kPage) : "";
  old.resize(kPage, '\0');
  std::string bytes = now_;
  if (page * kPage < bytes.size()) bytes.replace(page * kPage, kPage, old);
  bytes.resize(now_.size());
  return bytes;
}

std::string Disk::with_only(std::size_t page) const {
  std::string bytes = synced_;
  bytes.resize(std::max(now_.size(), (page + 1) * kPage), '\0');
  bytes.replace(page * kPage, kPage, versions_.at(page).back());
  bytes.resize(now_.size());
  return bytes;
}

std::string Disk::without_length() const {
  std::string bytes = now_;
  bytes.resize(synced_.size());
  return bytes;
}

}  // namespace orrery::pipeline::testing
