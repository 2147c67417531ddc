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

# embed_page(<target>): embeds what all pages have in common, as render/page/assets.hpp has them.
function(embed_page target)
  set(folder ${PROJECT_SOURCE_DIR}/render/page)
  include(${folder}/scripts.cmake)
  list(TRANSFORM page_scripts PREPEND ${folder}/)
  set(script "\n")
  foreach(file ${page_scripts})
    file(READ ${file} text)
    string(APPEND script "${text}")
  endforeach()
  file(READ ${folder}/style.css style)
  file(READ ${folder}/parts.html parts)
  string(SHA256 script_hash "${script}")
  string(SHA256 style_hash "${style}")
  foreach(name engine engine-fused)
    file(READ ${folder}/${name}.wasm ${name} HEX)
    string(LENGTH "${${name}}" digits)
    math(EXPR ${name}_size "${digits} / 2")
    string(REGEX REPLACE "(..)" "\\\\x\\1" ${name} "${${name}}")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page_scripts} ${folder}/style.css
    ${folder}/parts.html ${folder}/scripts.cmake ${folder}/engine.wasm ${folder}/engine-fused.wasm)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/page_assets.cpp)
  string(CONCAT text "// SPDX-License-Identifier: MIT\n// Written by cmake/embed.cmake from render/page.\n"
    "#include \"render/page/assets.hpp\"\n\nnamespace orrery::render {\n\nconst PageAssets& page_assets() {\n"
    "  static constexpr PageAssets all{\n"
    "      {R\"--asset--(${script})--asset--\", \"${script_hash}\"},\n"
    "      {R\"--asset--(${style})--asset--\", \"${style_hash}\"},\n"
    "      R\"--asset--(${parts})--asset--\",\n"
    "      {\"${engine}\", ${engine_size}},\n"
    "      {\"${engine-fused}\", ${engine-fused_size}}};\n"
    "  return all;\n}\n\n}  // namespace orrery::render\n")
  file(WRITE ${output}.new "${text}")
  file(COPY_FILE ${output}.new ${output} ONLY_IF_DIFFERENT)
  target_sources(${target} PRIVATE ${output})
endfunction()
