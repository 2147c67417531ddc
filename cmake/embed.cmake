# SPDX-License-Identifier: MIT
# embed_scenarios(<target>): embeds the shipped scenarios as text, for `orrery new`.
function(embed_scenarios target)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenarios/*.toml)
  set(entries "")
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WLE)
    file(READ ${file} text)
    string(APPEND entries "      {\"${name}\", R\"--toml--(${text})--toml--\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/shipped_scenarios.cpp)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
// SPDX-License-Identifier: MIT
// Written by cmake/embed.cmake from scenarios/*.toml.
#include "pipeline/scenario/shipped_scenarios.hpp"

namespace orrery::pipeline {

std::span<const ShippedScenario> shipped_scenarios() {
  static constexpr ShippedScenario list[] = {
@entries@  };
  return list;
}

}  // namespace orrery::pipeline
]])
  target_sources(${target} PRIVATE ${output})
endfunction()
