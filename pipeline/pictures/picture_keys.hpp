// SPDX-License-Identifier: MIT
// The keys every [[figure]] and every [[film]] has besides those of its kind.
#pragma once

#include <span>
#include <string_view>

#include "common/parameter.hpp"

namespace orrery::pipeline {

/// `section` is "figure" or "film".
std::span<const Parameter> picture_keys(std::string_view section);

}  // namespace orrery::pipeline
