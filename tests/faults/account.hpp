// SPDX-License-Identifier: MIT
// Everything that a reader returns for a file, in a form that can be compared piece by piece.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {

/// What a reader returns, piece by piece: the bytes of the result, or the error message.
struct Piece {
  std::string value{};
  std::string complaint{};
};
using Account = std::map<std::string, Piece>;

/// Reads the record, options, bodies, index, every frame, history and state. Rethrows exceptions other than
/// orrery::Error.
Account account_of(const std::filesystem::path& path);

/// Returns what is wrong with the account of a damaged file: pieces that differ from the original without an error
/// message, and messages that are not one line about the file. The state may be that of the previous commit (`older`),
/// because the reader falls back from a damaged slot to the other; so may the number of frames if the last ones are
/// still in slots.
std::vector<std::string> misreadings(const Account& good, const Account& older, const Account& damaged,
                                     const std::filesystem::path& path);

}  // namespace orrery::pipeline::testing
