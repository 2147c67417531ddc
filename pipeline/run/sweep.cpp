// SPDX-License-Identifier: MIT
#include "pipeline/run/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "pipeline/refusal.hpp"
#include "pipeline/scenario/overrides.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/toml_depth.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t max_members = 100'000;
constexpr std::string_view combinations[] = {"product", "zip"};

/// `combine` is the only key of a [sweep] that is not a list, so it cannot be confused with a key of the scenario.
bool is_combine(const Listing& listing) {
  return listing.key == "combine" && !listing.is_list;
}

bool is_zip(const std::vector<Listing>& listings) {
  const auto found = std::ranges::find_if(listings, is_combine);
  if (found == listings.end()) return false;
  const std::string& text = found->entries.front();
  const std::string value = text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
  if (std::ranges::find(combinations, value) == std::end(combinations)) {
    refuse(found->where, fmt::format("`combine` = {} must be one of {}{}", text, fmt::join(combinations, ", "),
                                     suggestion(value, combinations)));
  }
  return value == "zip";
}

void check_lists(const std::vector<Listing>& lists, const std::vector<std::string>& overrides) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]- ";
  std::set<std::string> known;
  for (const Listing& list : lists) {
    const auto& [key, where, is_list, entries, places] = list;
    if (static_cast<std::size_t>(std::ranges::count(key, '.')) >= max_depth)
      refuse(where, fmt::format("a key has at most {} parts", max_depth));
    if (!is_list) refuse(where, fmt::format("`{}` must be a list: [{}, …]", key, entries.front()));
    if (entries.empty()) refuse(where, fmt::format("`{}` has no values: give it some, or leave it out", key));
    if (key.find_first_not_of(letters) != std::string::npos || plain_key(key).starts_with("sweep")) {
      refuse(where,
             fmt::format("`{}` is not a key of a scenario: write it as \"section.key\" or \"section[0].key\"", key));
    }
    if (!known.insert(plain_key(key)).second) refuse(where, fmt::format("`{}` has two lists", key));
  }
  for (const std::string& override : overrides) {
    const std::string key = plain_key(key_of(override));
    if (is_unset(override) || !known.contains(key)) continue;
    refuse(place_of(override), fmt::format("[sweep] has a list for this key; --set 'sweep.{}=[…]' changes it", key));
  }
}

std::size_t count_of(const std::vector<Listing>& lists, bool zip) {
  std::size_t count = zip ? lists.front().entries.size() : 1;
  for (const Listing& list : lists) {
    const std::size_t size = list.entries.size();
    if (zip && size != count) {
      refuse(list.where, fmt::format("`{}` has {} values and `{}` has {}: zipped lists need equal lengths", list.key,
                                     size, lists.front().key, count));
    }
    if (!zip) count *= size;
    if (count > max_members) refuse(list.where, fmt::format("[sweep] has more than {} members", max_members));
  }
  return count;
}

}  // namespace

std::string plain_key(std::string key) {
  std::erase(key, ' ');
  for (std::size_t at = key.find("[0]."); at != std::string::npos; at = key.find("[0].")) key.erase(at, 3);
  return key;
}

std::string Member::name() const {
  return overrides.empty() ? folder : fmt::format("{}", fmt::join(overrides, ", "));
}

Error Member::placed(const Error& error) const {
  if (error.fault() != Fault::request) return error;
  std::string message = error.what();
  for (std::size_t k = 0; k < overrides.size(); ++k) {
    const std::string mine = fmt::format("--set {}: ", overrides[k]);
    if (!message.starts_with(mine)) continue;
    message.replace(0, mine.size(), places[k] + ": ");
    return Error(fmt::format("{} (task {}: {})", message, task, name()), Fault::request);
  }
  // The error is about another key, or about a folder.
  if (places.empty()) return error;
  return Error(fmt::format("{} (task {}: {}; see {})", message, task, name(), fmt::join(places, ", ")), Fault::request);
}

std::string Sweep::folder(const Member& member) const {
  if (!member.folder.empty()) return member.folder;
  const std::size_t digits = std::max<std::size_t>(3, fmt::formatted_size("{}", members.size() - 1));
  return fmt::format("{:0{}}", member.task, digits);
}

Sweep parse_sweep(const std::string& text, const std::string& file, const std::vector<std::string>& overrides) {
  const Document document(text, file, overrides);
  Sweep sweep;
  if (document.count("sweep") == 0) return sweep;
  document.allow_one("sweep");
  std::vector<Listing> lists = document.listings("sweep");
  const bool zip = is_zip(lists);
  std::erase_if(lists, is_combine);
  if (lists.empty()) refuse(document.where("sweep"), "[sweep] has no list: \"integrator.dt\" = [0.01, 0.005], say");
  check_lists(lists, overrides);
  const std::size_t count = count_of(lists, zip);
  for (const Listing& list : lists) sweep.keys.push_back(list.key);
  for (std::size_t task = 0; task < count; ++task) {
    Member member{.task = task, .overrides = {}, .places = {}};
    std::size_t block = count;  // number of consecutive members with the same value
    for (const Listing& list : lists) {
      if (!zip) block /= list.entries.size();
      const std::size_t entry = zip ? task : task / block % list.entries.size();
      member.overrides.push_back(list.key + "=" + list.entries[entry]);
      member.places.push_back(list.places[entry]);
    }
    sweep.members.push_back(std::move(member));
  }
  return sweep;
}

}  // namespace orrery::pipeline
