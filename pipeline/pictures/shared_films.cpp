// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/shared_parts.hpp"

namespace orrery::pipeline {

std::vector<std::filesystem::path> draw_on_ranks(const Pictures& pictures, const TrajectoryReader& trajectory,
                                                 const RenderOptions& drawing, Context& context) {
  const Pictures::Divisible films = pictures.divisible();
  const std::filesystem::path folder = drawing.output.value_or("");
  const Replacing replacing = drawing.replacing;
  const int pieces = std::min(context.resources.ranks != nullptr ? context.resources.ranks->size() : 1, films.frames);
  if (pieces < 2) return pictures.draw(trajectory, folder, context, Pictures::What::all, "", replacing);
  std::vector<SharedPart> parts;
  for (int k = 1; k <= pieces; ++k) {
    RenderOptions piece = drawing;
    piece.runs = {trajectory.path()};
    piece.piece = fmt::format("{}/{}", k, pieces);
    parts.emplace_back(std::move(piece));
  }
  const std::vector<Outcome> outcomes = share(parts, context);
  if (context.stopped()) return {};
  const auto failed = std::ranges::find_if(outcomes, [](Outcome one) { return one != Outcome::done; });
  if (failed != outcomes.end())
    throw Error(fmt::format("piece {} of the films was not drawn", failed - outcomes.begin() + 1),
                *failed == Outcome::refused ? Fault::request : Fault::work);
  std::vector<std::filesystem::path> drawn;
  for (const std::string& file : films.files) {
    const std::filesystem::path film = folder / file;
    drawn.push_back(film);
    if (is_still(film)) continue;  // frames in files of their own
    render::join(film, replacing);
    for (int k = 1; k <= pieces; ++k) {
      std::error_code none;
      std::filesystem::remove(render::file_of({k, pieces}, film), none);
    }
  }
  const auto others = pictures.draw(trajectory, folder, context, Pictures::What::indivisible, "", replacing);
  drawn.insert(drawn.end(), others.begin(), others.end());
  return drawn;
}

}  // namespace orrery::pipeline
