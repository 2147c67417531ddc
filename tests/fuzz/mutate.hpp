// SPDX-License-Identifier: MIT
// Mutations of files of any format: of bytes, numbers and words.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::fuzz {

using Random = std::mt19937_64;

/// A random number below `end`; 0 if `end` is 0.
inline std::size_t below(Random& random, std::size_t end) {
  return end == 0 ? 0 : random() % end;
}

/// A random element; there must be at least one.
template <class List>
const auto& any(const List& list, Random& random) {
  return list[below(random, std::size(list))];
}

/// Makes one to eight changes: bits, bytes, extreme integers of 8 to 64 bits, decimal numbers, words of `words`, and
/// pieces deleted, repeated (occasionally a thousand times), moved, or copied from `other`. Returns at most `most`
/// bytes.
std::string mutated(std::string bytes, std::string_view other, std::span<const std::string> words, Random& random,
                    std::size_t most = std::size_t{1} << 20);

}  // namespace orrery::fuzz
