// SPDX-License-Identifier: MIT
// What memory a picture takes while it is drawn, compared with what there is before anything is drawn.
#pragma once

#include <cstddef>

#include "pipeline/pictures/picture_plan.hpp"

namespace orrery::pipeline {

/// Bytes that the process has at most while it draws a picture of so many bodies: an upper estimate, up to three times
/// what it comes to. Pictures are drawn one after the other.
double memory_to_draw(const PicturePlan& plan, std::size_t bodies);

/// Throws Error, exit code 2, where that is more than this machine has left; says which size fits.
void refuse_too_large(const PicturePlan& plan, std::size_t bodies);

}  // namespace orrery::pipeline
