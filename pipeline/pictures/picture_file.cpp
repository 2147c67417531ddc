// SPDX-License-Identifier: MIT
#include "pipeline/pictures/picture_file.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/file_format.hpp"

namespace orrery::pipeline {

render::Provenance provenance_of_picture(const std::filesystem::path& file) {
  if (std::error_code none; !std::filesystem::is_regular_file(file, none))
    throw Error(fmt::format("{}: there is no such file", file.string()), Fault::request);
  const auto found = is_still(file) ? render::provenance_of_still(file) : render::provenance_of_film(file);
  if (!found || !found->of_a_run()) {
    throw Error(fmt::format("{}: has no metadata of a run: {}; give the scenario or the trajectory", file.string(),
                            extension_of(file) == ".csv" ? "a CSV has no place for them"
                                                         : "orrery did not draw it, or another program removed them"),
                Fault::request);
  }
  return *found;
}

}  // namespace orrery::pipeline
