// SPDX-License-Identifier: MIT
// Changes are small, so that mutants get past the first check of a reader.
#include "tests/fuzz/mutate.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace orrery::fuzz {
namespace {

constexpr std::array<std::uint64_t, 16> numbers{
    0, 1, 2, 7, 127, 128, 255, 256, 0xFFFF, 1U << 20, 1U << 31, 0x7FFFFFFF, 0xFFFFFFFF, 1ULL << 40, ~0ULL >> 1, ~0ULL};
const std::array<std::string, 26> digits{"0",
                                         "-1",
                                         "1",
                                         "1e308",
                                         "-1e308",
                                         "1e-308",
                                         "1e-320",
                                         "nan",
                                         "inf",
                                         "-inf",
                                         "0x7f",
                                         "1_000",
                                         "1e5",
                                         "1e9",
                                         "1e15",
                                         "1e18",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "18446744073709551616",
                                         "4294967296",
                                         "2147483648",
                                         "0.1",
                                         "1e-5",
                                         "3",
                                         "65536",
                                         "1979-05-27T07:32:00Z"};

/// The range [first, end) of a piece, usually a short one.
struct Piece {
  std::size_t first, size;
};

Piece piece_of(std::string_view bytes, Random& random) {
  const std::size_t longest = std::size_t{1} << below(random, 12), first = below(random, bytes.size());
  return {first, std::min(1 + below(random, longest), bytes.size() - first)};
}

void flip(std::string& bytes, Random& random) {
  if (bytes.empty()) return;
  char& byte = bytes[below(random, bytes.size())];
  byte = static_cast<char>(random() % 2 == 0 ? static_cast<unsigned char>(byte) ^ (1U << random() % 8) : random());
}

void put_number(std::string& bytes, Random& random) {
  const std::size_t size = std::size_t{1} << random() % 4, at = below(random, bytes.size());
  std::uint64_t number = any(numbers, random) + random() % 3 - 1;
  if (random() % 4 == 0) number = bytes.size() + random() % 64 - 32;  // a size of something in there
  const bool big = random() % 2 == 0;
  for (std::size_t k = 0; k < size && at + k < bytes.size(); ++k)
    bytes[at + k] = static_cast<char>(number >> 8 * (big ? size - 1 - k : k));
}

/// Replaces the digits of the number at that place.
void put_digits(std::string& bytes, Random& random) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(below(random, bytes.size() + 1));
  const auto first = std::find_if(from, bytes.end(), is_digit);
  const auto end = std::find_if(first, bytes.end(), [](unsigned char c) {
    return std::isdigit(c) == 0 && c != '.' && c != 'e' && c != '-' && c != '+';
  });
  const std::string number = random() % 4 == 0 ? std::to_string(random()) : any(digits, random);
  bytes.replace(first, end, number);
}

void change(std::string& bytes, std::string_view other, std::span<const std::string> words, Random& random) {
  const Piece piece = piece_of(bytes, random);
  const std::size_t to = below(random, bytes.size() + 1);
  const std::string copy = bytes.substr(piece.first, piece.size);
  switch (random() % 14) {
    case 0:
    case 1:
    case 2:
      return flip(bytes, random);
    case 3:
    case 4:
      return put_number(bytes, random);
    case 5:
      bytes.erase(piece.first, piece.size);
      return;
    case 6:
      bytes.insert(to, copy);
      return;
    case 7: {
      const std::size_t times = random() % 8 == 0 ? 1000 : random() % 20;
      std::string many;
      for (std::size_t k = 0; k < times; ++k) many += copy;
      bytes.insert(to, many);
      return;
    }
    case 8: {
      const Piece piece_of_other = piece_of(other, random);
      if (random() % 2 == 0 && to < bytes.size()) bytes.erase(to, piece_of_other.size);
      bytes.insert(to, other.substr(piece_of_other.first, piece_of_other.size));
      return;
    }
    case 9:
      if (random() % 4 == 0) bytes.resize(to);
      return;
    case 10:
      return put_digits(bytes, random);
    default:
      if (words.empty()) return flip(bytes, random);
      if (random() % 2 == 0) bytes.erase(to, random() % 16);
      bytes.insert(std::min(to, bytes.size()), any(words, random));
  }
}

}  // namespace

std::string mutated(std::string bytes, std::string_view other, std::span<const std::string> words, Random& random,
                    std::size_t most) {
  const std::size_t changes = 1 + below(random, std::size_t{1} << random() % 4);
  for (std::size_t k = 0; k < changes; ++k) change(bytes, other, words, random);
  bytes.resize(std::min(bytes.size(), most));
  return bytes;
}

}  // namespace orrery::fuzz
