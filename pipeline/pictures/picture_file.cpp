// SPDX-License-Identifier: MIT
// The render room reads formats; here is who asks, and what is said where there is no answer.
#include "pipeline/pictures/picture_file.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::pipeline {

render::Provenance provenance_of_picture(const std::filesystem::path& file) {
  if (std::error_code none; !std::filesystem::is_regular_file(file, none))
    throw Error(fmt::format("{}: there is no such file", file.string()), 2);
  const auto told = is_still(file) ? render::provenance_of_still(file) : render::provenance_of_film(file);
  if (!told || !told->of_a_run()) {
    throw Error(fmt::format("{}: says nothing of a run: orrery did not draw it, or a program that saved it again has "
                            "dropped what it said; give the scenario or the trajectory",
                            file.string()),
                2);
  }
  return *told;
}

bool drawn_by_orrery(const std::filesystem::path& file) {
  return render::drawn_by_orrery(file);
}

std::string state_of_picture(const std::filesystem::path& file) {
  return render::quick_provenance(file).state;
}

}  // namespace orrery::pipeline
