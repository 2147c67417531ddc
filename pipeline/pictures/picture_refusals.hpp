// SPDX-License-Identifier: MIT
// Keys of pictures that say nothing where they stand. All throw Error, exit code 2, with the key's place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/pictures/picture_plan.hpp"

namespace orrery::pipeline {

bool has_parts(const render::FigureKind& kind);

/// What is of the whole picture has no place in part k of it.
void refuse_keys_of_the_whole(const Document& document, std::string_view table, const std::string& part, std::size_t k,
                              const render::FigureKind& kind);
/// Energies and the like are of all bodies together.
void refuse_bodies(const Document& document, std::string_view table, std::size_t i, const render::FigureKind& kind);
/// What a still has for paper a film has not.
void refuse_keys_of_paper(const Document& document, std::size_t film);
/// Trails are drawn behind bodies alone.
void refuse_idle_trails(const Document& document, std::string_view table, std::size_t i, const render::FigureKind& kind,
                        const std::vector<PicturePart>& parts);

}  // namespace orrery::pipeline
