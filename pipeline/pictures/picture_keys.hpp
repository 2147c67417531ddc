// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/pictures/picture_plan.hpp"

namespace orrery::pipeline {

/// The keys of every [[figure]] or [[film]], besides those of its kind; `section` is "figure" or "film".
std::span<const Parameter> picture_keys(std::string_view section);

bool has_parts(const render::FigureKind& kind);

// Each of these throws Error, exit code 2, with the location of a key that has no effect where it is given.

/// Keys of the whole picture in part k. `part` is the name of the tables, "figure[0].part".
void refuse_picture_keys(const Document& document, std::string_view table, const std::string& part, std::size_t k,
                         const render::FigureKind& kind);
/// `bodies` in a figure of a quantity of all bodies, or outside the parts of a picture.
void refuse_bodies(const Document& document, std::string_view table, std::size_t i, const render::FigureKind& kind);
/// `width` and `dpi` in a film.
void refuse_paper_keys(const Document& document, std::size_t film);
/// `trails` in a picture without paths.
void refuse_trails(const Document& document, std::string_view table, std::size_t i, const render::FigureKind& kind,
                   const std::vector<PicturePart>& parts);

}  // namespace orrery::pipeline
