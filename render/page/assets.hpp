// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace orrery::render {

/// What all pages have in common: made by cmake/embed.cmake from the files of this folder.
struct PageAssets {
  struct Text {
    std::string_view text, sha256;  ///< and its hash, in hexadecimal
  };
  Text script, style;
  std::string_view parts;                 ///< markup: templates of what the script puts into a page
  std::string_view engine, engine_fused;  ///< WebAssembly
};
const PageAssets& page_assets();

}  // namespace orrery::render
