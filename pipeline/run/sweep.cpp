// SPDX-License-Identifier: MIT
#include "pipeline/run/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
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

/// A list of [sweep], and what each of its entries sets, as --set has it: "integrator.dt=0.1"; a table of the integrator each of its keys, so that
/// integrators share dt and the length of the run; other tables replace the whole section.
struct SweptList : Listing {
  std::vector<std::vector<std::string>> sets{};
  bool of_tables = false;

  explicit SweptList(const Listing& listing) : Listing(listing) {
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const bool is_table = plain_key(key) == "integrator" && entries[k].starts_with('{');
      if (k > 0 && is_table != of_tables)
        refuse(where, fmt::format("`{}` has values and tables: write all as tables, {{kind = …}}", key));
      of_tables = is_table;
      sets.push_back(is_table ? keys_in_table(k) : std::vector{key + "=" + entries[k]});
      if (sets.back().empty()) refuse(places[k], "a table without keys sets nothing: remove it");
    }
  }

  /// All keys that its entries set.
  [[nodiscard]] std::vector<std::string> keys() const {
    if (!of_tables) return {key};
    std::vector<std::string> all;
    for (const auto& entry : sets) {
      for (const std::string& override : entry)
        if (std::ranges::find(all, key_of(override)) == all.end()) all.push_back(key_of(override));
    }
    return all;
  }

 private:
  /// With `kind` first, since keys of another kind fall away with it.
  [[nodiscard]] std::vector<std::string> keys_in_table(std::size_t k) const {
    std::vector<std::string> all;
    const Document table(fmt::format("[sweep]\n{} = {}", to_toml(Value(key)), entries[k]), places[k], {});
    for (const Listing& leaf : table.listings("sweep")) {
      const std::string values = fmt::format("{}", fmt::join(leaf.entries, ", "));
      all.push_back(fmt::format("{}={}", leaf.key, leaf.is_list ? fmt::format("[{}]", values) : values));
    }
    std::ranges::stable_partition(all, [&](const std::string& set) { return key_of(set) == key + ".kind"; });
    return all;
  }
};

void check_lists(const std::vector<SweptList>& lists, const std::vector<std::string>& overrides) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]- ";
  std::set<std::string> known;
  for (const SweptList& list : lists) {
    const auto& [key, where, is_list, entries, places] = static_cast<const Listing&>(list);
    if (static_cast<std::size_t>(std::ranges::count(key, '.')) >= max_depth)
      refuse(where, fmt::format("a key has at most {} parts", max_depth));
    if (!is_list) refuse(where, fmt::format("`{}` must be a list: [{}, …]", key, entries.front()));
    if (entries.empty()) refuse(where, fmt::format("`{}` has no values: give it some, or leave it out", key));
    for (const std::string& set : list.keys()) {
      if (set.find_first_not_of(letters) != std::string::npos || plain_key(set).starts_with("sweep")) {
        refuse(where,
               fmt::format("`{}` is not a key of a scenario: write it as \"section.key\" or \"section[0].key\"", set));
      }
      if (!known.insert(plain_key(set)).second) refuse(where, fmt::format("`{}` has two lists", set));
    }
  }
  for (const std::string& override : overrides) {
    const std::string key = plain_key(key_of(override));
    if (is_unset(override) || !known.contains(key)) continue;
    refuse(place_of(override), fmt::format("[sweep] has a list for this key; --set 'sweep.{}=[…]' changes it", key));
  }
}

std::size_t count_of(const std::vector<SweptList>& lists, bool zip) {
  std::size_t count = zip ? lists.front().entries.size() : 1;
  for (const SweptList& list : lists) {
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
  std::vector<Listing> listings = document.listings("sweep");
  const bool zip = is_zip(listings);
  std::erase_if(listings, is_combine);
  const std::vector<SweptList> lists(listings.begin(), listings.end());
  if (lists.empty()) refuse(document.where("sweep"), "[sweep] has no list: \"integrator.dt\" = [0.01, 0.005], say");
  check_lists(lists, overrides);
  const std::size_t count = count_of(lists, zip);
  for (const SweptList& list : lists) std::ranges::copy(list.keys(), std::back_inserter(sweep.keys));
  for (std::size_t task = 0; task < count; ++task) {
    Member member{.task = task, .overrides = {}, .places = {}};
    std::size_t block = count;  // number of consecutive members with the same value
    for (const SweptList& list : lists) {
      if (!zip) block /= list.entries.size();
      const std::size_t entry = zip ? task : task / block % list.entries.size();
      for (const std::string& override : list.sets[entry]) {
        member.overrides.push_back(override);
        member.places.push_back(list.places[entry]);
      }
    }
    sweep.members.push_back(std::move(member));
  }
  return sweep;
}

}  // namespace orrery::pipeline
