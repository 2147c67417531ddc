// SPDX-License-Identifier: MIT
// Films that are drawn in pieces, by several processes, and joined without encoding again.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "common/new_file.hpp"

namespace orrery::render {

/// One of `count` consecutive pieces of a film, which divide its frames as evenly as possible.
struct Piece {
  int index = 1;  ///< counted from 1
  int count = 1;
  int frames = 0;  ///< of the whole film; 0: not known yet

  /// The frames [begin, end) of the film.
  [[nodiscard]] int begin() const { return start_of(index - 1); }
  [[nodiscard]] int end() const { return start_of(index); }
  [[nodiscard]] bool is_last() const { return index == count; }
  /// Returns "3/8".
  [[nodiscard]] std::string name() const { return fmt::format("{}/{}", index, count); }

  friend bool operator==(const Piece&, const Piece&) = default;

 private:
  [[nodiscard]] int start_of(int piece) const {
    return static_cast<int>(static_cast<std::int64_t>(frames) * piece / count);
  }
};

/// Returns 0 for a text that is no number.
inline int whole_number(std::string_view digits) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
}

/// Reads two numbers with `between` in between, as "3/8". Returns nullopt for another text and unless 1 ≤ index ≤
/// count.
inline std::optional<Piece> piece_from(std::string_view text, std::string_view between = "/") {
  const std::size_t at = text.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  const Piece piece{whole_number(text.substr(0, at)), whole_number(text.substr(at + between.size()))};
  return piece.index >= 1 && piece.index <= piece.count ? std::optional(piece) : std::nullopt;
}

/// Returns the name of a piece of an .mp4 or .webm, with as many digits as sort: "orbit.piece-03-of-12.mp4".
inline std::filesystem::path file_of(const Piece& piece, const std::filesystem::path& film) {
  const std::size_t digits = std::to_string(piece.count).size();
  return film.parent_path() / fmt::format("{}.piece-{:0{}}-of-{}{}", film.stem().string(), piece.index, digits,
                                          piece.count, film.extension().string());
}

struct JoinedFilm {
  int pieces = 0, frames = 0;
};

/// Writes a film, .mp4 or .webm, from its pieces, which are in its folder under the names of file_of(). Their packets
/// are copied. Throws Error, Fault::request, if a piece is missing, is none, is incomplete, or is of another film or
/// another encoder, or if the film may not be replaced; then nothing is written.
JoinedFilm join(const std::filesystem::path& film, Replacing replacing);

}  // namespace orrery::render
