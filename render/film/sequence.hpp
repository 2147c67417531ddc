// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "render/canvas/image.hpp"
#include "render/film/film.hpp"

namespace orrery::render {

/// Returns the number of digits in a name such as "frames-####.png", which has one group of '#'; 0 for other names.
int digits_of(const std::string& name);
/// Returns the name of a frame, counted from 0: "frames-0042.png".
std::string numbered(const std::string& name, int frame);

/// Returns whether `file` is the name of a frame of the sequence `name`.
bool is_numbered(const std::string& name, const std::string& file);

/// A film of numbered pictures. Each frame is complete as soon as it has its name, and stays if the film is interrupted.
class Sequence final : public FilmFormat {
 public:
  /// digits_of(`pattern`) > 0.
  explicit Sequence(std::filesystem::path pattern, Provenance provenance = {}, Replacing replacing = Replacing::ours,
                    const Piece& piece = {})
      : pattern_(std::move(pattern)),
        provenance_(std::move(provenance)),
        replacing_(replacing),
        last_(piece.is_last()),
        next_(piece.begin()) {}

  void add(const Image& image) override;
  /// After the end of the film, removes frames of a longer earlier film, if orrery drew them.
  Fit finish() override;

 private:
  [[nodiscard]] std::filesystem::path frame(int number) const;

  std::filesystem::path pattern_;
  Provenance provenance_;  ///< in every frame
  Replacing replacing_;
  bool last_;  ///< ends with the film
  int next_;   ///< number of the next frame
};

}  // namespace orrery::render
