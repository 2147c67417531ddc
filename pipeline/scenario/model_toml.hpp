// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/model.hpp"

namespace orrery::pipeline {

/// The greatest number of bodies that a model writes into its scenario; more are in CSV files beside it.
inline constexpr std::size_t max_bodies_in_text = 1000;

/// A model as a scenario, with its CSV files by name.
struct ModelText {
  std::string toml;
  std::map<std::string, std::string> tables{};
};

/// Read back from a folder with these files, by parse_scenario and set_up, it is the same model, bit by bit. `name` is that of the
/// scenario, by which CSV files are called. Throws Error, Fault::request, for a constant that no scenario can have; components without bodies
/// are not written.
ModelText to_toml(const sim::Model& model, const std::string& name = "model");

/// A table of bodies as CSV, read back with the same bits.
std::string csv_of(const Columns& table);

/// XXH3 (64 bits) of that text and its files: of equal models equal, of others almost certainly another.
std::uint64_t hash_of(const sim::Model& model);

}  // namespace orrery::pipeline
