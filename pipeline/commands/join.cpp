// SPDX-License-Identifier: MIT
// orrery join: make a film of the pieces that `orrery render --piece` drew.
#include <fmt/format.h>

#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "render/film/pieces.hpp"

namespace orrery::pipeline {
namespace {

Action add_join(CLI::App& app) {
  const auto force = std::make_shared<bool>(false);
  add_force(app, *force);
  return [force](const CommandLine& line) {
    const std::filesystem::path film = line.operands.front();
    const render::JoinedFilm joined = render::join(film, *force ? Replacing::anything : Replacing::ours);
    say("{}: {} frames from {} pieces\n", film.string(), joined.frames, joined.pieces);
    return 0;
  };
}

}  // namespace

const Command join_command{.name = "join",
                           .meaning = "make a film of all its pieces, which `render --piece` drew into its folder",
                           .operands = "FILM.mp4",
                           .add = add_join};

}  // namespace orrery::pipeline
