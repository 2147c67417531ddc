// SPDX-License-Identifier: MIT
// Mutations of a trajectory: of its bytes, its metadata with their checksums, its objects, its slots.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/faults/metadata.hpp"

namespace orrery::pipeline::testing {

using Random = std::mt19937_64;

/// A valid file in memory.
struct Model {
  std::string name, bytes;
  std::vector<MetadataBlock> blocks;
  std::vector<std::string> objects;  ///< paths
  bool closed = true;                ///< false: its writer was killed while it had the file open
};

/// Small files of every kind: finished, unfinished, killed, in float32, with a box and names.
std::vector<Model> models(const std::filesystem::path& folder);

/// Writes a model with one to three mutations to `path` and returns their description.
std::string mutate(const Model& model, Random& random, const std::filesystem::path& path);

}  // namespace orrery::pipeline::testing
