// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace orrery::render {

/// A page in one file, which asks for nothing else.
struct Page {
  std::string title{};
  std::string header{};  ///< markup
  std::string main{};    ///< markup
  std::string blocks{};  ///< of data (render/page/html.hpp)
  bool steps = false;    ///< has the engine, for runs that can be stepped
};

/// The page, with a policy that lets browsers execute nothing but the one script of all pages.
std::string html_of(const Page& page);

}  // namespace orrery::render
