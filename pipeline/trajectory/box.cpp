// SPDX-License-Identifier: MIT
// H5MD knows the boundaries "periodic" and "none" and no origin of the box: `kind` and `low` are additions.
#include "pipeline/trajectory/box.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "common/parameter.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/trajectory/checksums.hpp"
#include "sim/boundaries/list.hpp"

namespace orrery::pipeline::trajectory {
namespace {

using hdf5::Failure;
using hdf5::Handle;

constexpr const char* kPath = "/particles/all/box";
constexpr const char* kBoundary = "boundary";  // H5MD's
constexpr const char* kKind = "kind";          // ours, unless all axes are open

std::string h5md_word(const sim::Boundary& boundary) {
  return boundary.periodic ? "periodic" : "none";
}

[[noreturn]] void refuse(const std::string& what) {
  throw Failure(kPath + (": " + what));
}

[[noreturn]] void refuse_count(const std::string& name, const std::string& what, std::size_t count,
                               std::size_t wanted) {
  refuse("`" + name + "` needs " + std::to_string(wanted) + " " + what + ", one a dimension, and has " +
         std::to_string(count));
}

/// Reads a dataset with one number per dimension; zeros if it does not exist.
std::array<double, 3> read_lengths(hid_t group, const char* name, std::size_t dimensions) {
  std::array<double, 3> lengths{};
  if (!hdf5::exists(group, name)) return lengths;
  verify_checksum(group, name);
  const auto numbers = hdf5::read_flat<double>(group, name);
  if (numbers.size() != dimensions) refuse_count(name, "numbers", numbers.size(), dimensions);
  std::ranges::copy(numbers, lengths.begin());
  return lengths;
}

/// Reads an attribute with one word per dimension.
std::vector<std::string> read_words(hid_t group, const char* name, std::size_t dimensions) {
  auto words = hdf5::read_texts_attribute(group, name);
  if (words.size() == dimensions) return words;
  refuse_count(name, "words", words.size(), dimensions);
}

const sim::Boundary& boundary_of_kind(const std::string& name) {
  const auto all = sim::boundaries();
  const auto found = std::ranges::find(all, name, &sim::Boundary::name);
  if (found == all.end()) refuse("this version does not support the boundary “" + name + "”");
  return **found;
}

/// The boundary that H5MD's word means without `kind`, as in files of other programs.
const sim::Boundary& boundary_of_word(const std::string& word) {
  if (word == "periodic") return sim::Periodic::kind;
  if (word != "none") refuse("H5MD does not define the boundary “" + word + "”");
  return sim::Open::kind;
}

}  // namespace

void write_box(hid_t particles, const sim::Domain& domain, const std::string& length_unit) {
  try {
    check(domain);
  } catch (const ArgumentError& error) {
    throw Failure(error.what());
  }
  const auto dimensions = static_cast<std::size_t>(domain.dimensions);
  const Handle group = hdf5::create_group(particles, "box");
  std::vector<std::string> words, kinds;
  for (const sim::Boundary* boundary : std::span(domain.boundary).first(dimensions)) {
    words.push_back(h5md_word(*boundary));
    kinds.emplace_back(boundary->name);
  }
  hdf5::write_attribute(group, "dimension", static_cast<std::int32_t>(domain.dimensions));
  hdf5::write_texts_attribute(group, kBoundary, words);
  if (!domain.is_open()) hdf5::write_texts_attribute(group, kKind, kinds);
  add_checksum(particles, "box");
  const auto write_lengths = [&](const char* name, const std::array<double, 3>& lengths) {
    const PhysicalUnit unit(length_unit);
    if (lengths == std::array<double, 3>{}) return;
    hdf5::write_flat(group, name, std::span(lengths).first(dimensions));
    if (!unit.empty()) hdf5::write_text_attribute(hdf5::open_dataset(group, name), "unit", unit.h5md(), H5T_CSET_ASCII);
    add_checksum(group, name);
  };
  write_lengths("edges", domain.edges);
  write_lengths("low", domain.low);
}

sim::Domain read_box(hid_t file) {
  const Handle group = hdf5::open_group(file, kPath);
  verify_checksum(group, ".");
  sim::Domain domain;
  domain.dimensions = hdf5::read_attribute<std::int32_t>(group, "dimension");
  if (domain.dimensions != 2 && domain.dimensions != 3)
    refuse("`dimension` is " + std::to_string(domain.dimensions) + ", not 2 or 3");
  const auto dimensions = static_cast<std::size_t>(domain.dimensions);
  const auto words = read_words(group, kBoundary, dimensions);
  const bool has_kinds = hdf5::has_attribute(group, kKind);
  const auto kinds = has_kinds ? read_words(group, kKind, dimensions) : std::vector<std::string>();
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    const sim::Boundary& boundary = has_kinds ? boundary_of_kind(kinds[axis]) : boundary_of_word(words[axis]);
    if (h5md_word(boundary) != words[axis])
      refuse("a boundary is both “" + words[axis] + "” and “" + std::string(boundary.name) + "”");
    domain.boundary[axis] = &boundary;
  }
  domain.edges = read_lengths(group, "edges", dimensions);
  domain.low = read_lengths(group, "low", dimensions);
  try {
    check(domain);
  } catch (const ArgumentError& error) {
    refuse(error.what());
  }
  return domain;
}

}  // namespace orrery::pipeline::trajectory
