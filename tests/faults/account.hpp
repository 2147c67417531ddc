// SPDX-License-Identifier: MIT
// Everything that a reader can tell of a file, so that two tellings can be compared piece by piece.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {

/// What a reader says, piece by piece: the bytes of what it gives, or its complaint.
struct Piece {
  std::string told{};
  std::string complaint{};
};
using Account = std::map<std::string, Piece>;

/// Asks for the record, options, bodies, index, every frame, history and state. Throws only what is no orrery::Error.
Account account_of(const std::filesystem::path& path);

/// What is wrong with an account of a damaged file: pieces that are told otherwise than before without a complaint, and
/// complaints that are not one line about the file. The state may be that of the commit before (`older`), for a slot that
/// is damaged gives way to the other; and where the last frames are still in slots, so may their number.
std::vector<std::string> lies(const Account& good, const Account& older, const Account& damaged,
                              const std::filesystem::path& path);

}  // namespace orrery::pipeline::testing
