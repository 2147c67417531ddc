// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "pipeline/interrupt.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/ranks.hpp"

namespace orrery::pipeline {

std::vector<std::filesystem::path> draw_on_ranks(const Pictures& pictures, const TrajectoryReader& trajectory,
                                                 const std::filesystem::path& folder, Messages& messages,
                                                 Replacing replacing, const std::vector<std::string>& flags) {
  const Pictures::Divisible films = pictures.divisible();
  const int pieces = std::min(rank_count(), films.frames);
  if (pieces < 2) return pictures.draw(trajectory, folder, messages, Pictures::What::all, "", replacing);
  std::vector<std::vector<std::string>> commands;
  for (int k = 1; k <= pieces; ++k) {
    auto& command = commands.emplace_back(std::vector<std::string>{
        "orrery", "render", trajectory.path().string(), "--quiet", "--piece", fmt::format("{}/{}", k, pieces)});
    if (!folder.empty()) command.insert(command.end(), {"-o", folder.string()});
    if (replacing == Replacing::anything) command.emplace_back("--force");
    command.insert(command.end(), flags.begin(), flags.end());
  }
  const std::vector<int> codes = carry_out_on_ranks(commands);
  if (Interrupt::signal() != 0) return {};
  const auto failed = std::ranges::find_if(codes, [](int code) { return code != 0; });
  if (failed != codes.end())
    throw Error(fmt::format("piece {} of the films was not drawn", failed - codes.begin() + 1), *failed);
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
  const auto others = pictures.draw(trajectory, folder, messages, Pictures::What::indivisible, "", replacing);
  drawn.insert(drawn.end(), others.begin(), others.end());
  return drawn;
}

}  // namespace orrery::pipeline
