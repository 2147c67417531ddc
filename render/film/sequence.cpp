// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "render/film/film.hpp"

namespace orrery::render {

int digits_of(const std::string& name) {
  const std::size_t first = name.find('#'),
                    behind = std::min(name.find_first_not_of('#', std::min(first, name.size())), name.size());
  if (first == std::string::npos || !name.ends_with(".png") || name.find('#', behind) != std::string::npos) return 0;
  return static_cast<int>(std::min<std::size_t>(behind - first, 9));
}

std::string numbered(const std::string& name, int frame) {
  const std::size_t first = name.find('#'), behind = name.find_first_not_of('#', first);
  return fmt::format("{}{:0{}}{}", name.substr(0, first), frame, behind - first, name.substr(behind));
}

bool is_numbered(const std::string& name, const std::string& file) {
  const std::string before = name.substr(0, name.find('#')), behind = name.substr(name.find_last_of('#') + 1);
  if (file.size() < name.size() || !file.starts_with(before) || !file.ends_with(behind)) return false;
  const std::string number = file.substr(before.size(), file.size() - before.size() - behind.size());
  return std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; });
}

namespace {

/// See make_sequence().
class Sequence final : public FilmFormat {
 public:
  Sequence(const std::filesystem::path& pattern, const FilmOptions& options)
      : pattern_(pattern), options_(options), next_(options.piece.value_or(Piece{}).begin()) {}

  void add(const Image& image) override {
    constexpr double dpi = 96;
    write_png(image, frame(next_), dpi, options_.provenance, options_.replacing);
    ++next_;
  }

  Fit finish() override {
    std::error_code none;
    const bool is_end = options_.piece.value_or(Piece{}).is_last();
    for (int k = next_; is_end && std::filesystem::exists(frame(k), none); ++k) {
      if (drawn_by_orrery(frame(k))) std::filesystem::remove(frame(k), none);
    }
    return {};
  }

 private:
  [[nodiscard]] std::filesystem::path frame(int number) const {
    return pattern_.parent_path() / numbered(pattern_.filename().string(), number);
  }

  std::filesystem::path pattern_;
  FilmOptions options_;
  int next_;  ///< number of the next frame
};

}  // namespace

std::unique_ptr<FilmFormat> make_sequence(const std::filesystem::path& pattern, const FilmOptions& options) {
  return std::make_unique<Sequence>(pattern, options);
}

}  // namespace orrery::render
