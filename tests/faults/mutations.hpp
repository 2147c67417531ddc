// SPDX-License-Identifier: MIT
// What a mutator does to a trajectory: to its bytes, to its metadata with their checksums, to its objects, to its slots.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/faults/metadata.hpp"

namespace orrery::pipeline::testing {

using Random = std::mt19937_64;

/// A good file in memory.
struct Model {
  std::string name, bytes;
  std::vector<MetadataBlock> blocks;
  std::vector<std::string> objects;  ///< paths
  bool closed = true;                ///< not one that a writer had open when it was killed
};

/// Small files of every kind: finished, unfinished, killed, in float32, with a box and names.
std::vector<Model> models(const std::filesystem::path& folder);

/// Writes a model with one to three mutations to `path`, and says what they are.
std::string mutate(const Model& model, Random& random, const std::filesystem::path& path);

}  // namespace orrery::pipeline::testing
