// SPDX-License-Identifier: MIT
// UTF-8, taken apart and put together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::render {

/// The letters of `words`; a byte that belongs to none is left out.
std::vector<char32_t> code_points(std::string_view words);

/// Puts `letter` behind `text`.
void append_utf8(std::string& text, char32_t letter);

}  // namespace orrery::render
