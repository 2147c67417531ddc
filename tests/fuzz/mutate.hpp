// SPDX-License-Identifier: MIT
// What a fuzzer does to a file of any format: to its bytes, its numbers, its words.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::fuzz {

using Random = std::mt19937_64;

/// Below `end`; 0 where that is 0.
inline std::size_t below(Random& random, std::size_t end) {
  return end == 0 ? 0 : random() % end;
}

/// One of them; there is one at least.
template <class List>
const auto& any(const List& list, Random& random) {
  return list[below(random, std::size(list))];
}

/// One to eight changes: bits, bytes, whole numbers of 8 to 64 bits at either end, numbers in digits, words of `words`, and
/// pieces left out, repeated (now and then a thousand times), moved, or taken from `other`. At most `most` bytes come back.
std::string mutated(std::string bytes, std::string_view other, std::span<const std::string> words, Random& random,
                    std::size_t most = std::size_t{1} << 20);

}  // namespace orrery::fuzz
