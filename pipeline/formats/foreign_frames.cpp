// SPDX-License-Identifier: MIT
#include "pipeline/formats/foreign_frames.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "pipeline/refusal.hpp"

namespace orrery::pipeline {
namespace {

sim::Vectors vectors_in(const std::vector<double>& rows, const std::vector<std::size_t>& places) {
  const std::size_t n = rows.size() / 3;
  sim::Vectors all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t to = places.empty() ? i : places[i];
    all.x[to] = rows[3 * i], all.y[to] = rows[3 * i + 1], all.z[to] = rows[3 * i + 2];
  }
  return all;
}

/// The places of keys in the first frame.
template <class Key>
std::vector<std::size_t> matched(const std::vector<Key>& keys, const std::unordered_map<Key, std::size_t>& first,
                                 const char* what, const std::string& place) {
  std::vector<std::size_t> places;
  std::vector<bool> seen(first.size());
  for (const Key& key : keys) {
    const auto found = first.find(key);
    if (found == first.end())
      throw Error(fmt::format("{}: has a body of {} {} that the first frame has not", place, what, key),
                  Fault::request);
    if (seen[found->second]) throw Error(fmt::format("{}: has two bodies of {} {}", place, what, key), Fault::request);
    seen[found->second] = true;
    places.push_back(found->second);
  }
  return places;
}

/// Adds the keys of the first frame; none if two are the same.
template <class Key>
void index(const std::vector<Key>& keys, std::unordered_map<Key, std::size_t>& places) {
  for (std::size_t i = 0; i < keys.size(); ++i) places.emplace(keys[i], i);
  if (places.size() != keys.size()) places.clear();
}

std::string without_digits(const std::string& name) {
  std::string rest;
  for (const char c : name)
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) rest += c;
  return rest;
}

}  // namespace

std::vector<std::size_t> FrameJoiner::places_of(const BodyFile& frame, const std::string& place) {
  const std::size_t there = all_.first.bodies->rows;
  if (frame.bodies->rows != there)
    throw Error(fmt::format("{}: has {} bodies, the first frame {}: all frames need the same", place,
                            frame.bodies->rows, there),
                Fault::request);
  if (!ids_.empty() && frame.ids.size() == there) return matched(frame.ids, ids_, "number", place);
  const auto names = frame.bodies->texts.find("name");
  if (!names_.empty() && names != frame.bodies->texts.end()) return matched(names->second, names_, "name", place);
  return {};
}

void FrameJoiner::add(BodyFile&& frame, const std::string& place) {
  const bool first = all_.position.empty();
  const auto placed = frame.bodies->numbers.find("position");
  if (placed == frame.bodies->numbers.end())
    throw Error(fmt::format("{}: has orbits, not positions: a frame needs these", place), Fault::request);
  std::vector<std::size_t> places;
  if (first) {
    index(frame.ids, ids_);
    if (const auto names = frame.bodies->texts.find("name"); names != frame.bodies->texts.end())
      index(names->second, names_);
  } else {
    places = places_of(frame, place);
    if (frame.time.has_value() == all_.time.empty() || frame.at_rest != all_.first.at_rest)
      throw Error(fmt::format("{}: has {}, unlike the first frame", place,
                              frame.at_rest == all_.first.at_rest ? (frame.time ? "a time" : "no time")
                              : frame.at_rest                     ? "no velocities"
                                                                  : "velocities"),
                  Fault::request);
  }
  if (frame.time) all_.time.push_back(*frame.time);
  all_.position.push_back(vectors_in(placed->second, places));
  if (!frame.at_rest) all_.velocity.push_back(vectors_in(frame.bodies->numbers.at("velocity"), places));
  if (first) all_.first = std::move(frame);
}

bool naturally_before(std::string_view a, std::string_view b) {
  const auto digit = [](std::string_view text) {
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
  };
  const auto number = [&](std::string_view& text) {
    while (text.size() > 1 && text.front() == '0' && digit(text.substr(1))) text.remove_prefix(1);
    std::size_t length = 0;
    while (digit(text.substr(length))) ++length;
    const std::string_view digits = text.substr(0, length);
    text.remove_prefix(length);
    return digits;
  };
  std::string_view p = a, q = b;
  while (!p.empty() && !q.empty()) {
    if (digit(p) && digit(q)) {
      const std::string_view m = number(p), n = number(q);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
    } else {
      if (p.front() != q.front()) return p.front() < q.front();
      p.remove_prefix(1), q.remove_prefix(1);
    }
  }
  if (p.empty() != q.empty()) return p.empty();
  return a.size() != b.size() ? a.size() < b.size() : a < b;  // they differ in leading zeros only
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& pattern) {
  std::error_code none;
  const std::string name = pattern.filename().string();
  if (name.find_first_of("*?") == std::string::npos || std::filesystem::exists(pattern, none)) return {pattern};
  const std::filesystem::path folder = pattern.parent_path().empty() ? "." : pattern.parent_path();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (fnmatch(name.c_str(), entry.path().filename().c_str(), FNM_PERIOD) == 0)
      files.push_back(pattern.parent_path() / entry.path().filename());
  if (files.empty()) refuse(pattern, "there is no file of such a name");
  std::ranges::sort(files, [](const auto& a, const auto& b) { return naturally_before(a.string(), b.string()); });
  return files;
}

bool are_numbered(const std::vector<std::filesystem::path>& files) {
  return files.size() > 1 && std::ranges::all_of(files, [&](const auto& file) {
           return without_digits(file.string()) == without_digits(files.front().string());
         });
}

}  // namespace orrery::pipeline
