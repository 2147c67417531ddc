// SPDX-License-Identifier: MIT
// Where methods were published, as data: every text about a publication and its BibTeX entry are made of these fields.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace orrery::sim {

struct Publication {
  enum class Kind { article, book, proceedings, software };
  Kind kind;
  std::string_view key;                ///< "makino1992": of BibTeX, different for each
  std::string_view authors;            ///< "Makino, J. and Aarseth, S. J."; {in braces}: a name without parts
  std::string_view title;              ///< of a book: main title, or "main title: subtitle"
  int year = 0;                        ///< 0: none, which only software may have
  std::string_view in{};               ///< the journal in full, or the proceedings; of a book its publisher
  std::string_view brief{};            ///< the journal as it is abbreviated; empty: as `in`
  std::string_view volume{}, pages{};  ///< pages or number of an article, "262--268"
  std::string_view edition{};          ///< "2nd"
  std::string_view doi{};              ///< empty: it has none, or none is known for certain
};

/// A publication, and where in it or for what; "V.3.2".
struct Citation {
  constexpr Citation() = default;
  constexpr Citation(const Publication& publication, std::string_view place_ = {}) : of(&publication), place(place_) {}

  const Publication* of = nullptr;
  std::string_view place{};
};

/// The place of what laws cite for their softening.
inline constexpr std::string_view softening_place = "softening";

/// Up to four of them.
class Citations {
 public:
  constexpr Citations() = default;
  constexpr Citations(std::initializer_list<Citation> list) {
    for (const Citation& each : list) add(each);
  }
  constexpr void add(const Citation& citation) { all_.at(count_++) = citation; }

  [[nodiscard]] constexpr bool empty() const { return count_ == 0; }
  [[nodiscard]] constexpr const Citation* begin() const { return all_.data(); }
  [[nodiscard]] constexpr const Citation* end() const { return all_.data() + count_; }

 private:
  std::array<Citation, 4> all_{};
  std::size_t count_ = 0;
};

}  // namespace orrery::sim
