# SPDX-License-Identifier: MIT
# What holds for every target of the house: the language, the warnings, and arithmetic that is left as written.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
include(GNUInstallDirs)

add_library(house INTERFACE)
target_compile_features(house INTERFACE cxx_std_20)
target_include_directories(house INTERFACE ${PROJECT_SOURCE_DIR})
# -ffp-contract=off: a product and a sum are fused where the source says fma, nowhere else; the bits depend on it.
# The options speak to the C++ compiler alone, so that CUDA sources can share the target.
set(house_options -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow)
# Sources that are compiled as one hide each other's names and seem to be headers; the preset dev looks at each by itself.
if(CMAKE_UNITY_BUILD)
  list(APPEND house_options -Wno-shadow -Wno-subobject-linkage)
endif()
target_compile_options(house INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${house_options}>")
# A GPU's threads fuse nothing either. CMake 3.25 does not know how to ask nvcc for C++20.
target_compile_options(house INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--fmad=false;--threads=2;-Xcompiler=-ffp-contract=off,-Wall,-Wextra,-Wshadow>")
if(ORRERY_SANITIZE)
  target_compile_options(house INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;-fno-sanitize-recover=undefined>")
  # GCC 12 sees uninitialised values in std::variant and std::regex once they are instrumented.
  target_compile_options(house INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>")
  target_link_options(house INTERFACE -fsanitize=address,undefined)
endif()

# precompile(<target> [headers…]): the headers that most of its sources include are parsed once. Sources include what they use all
# the same; the presets dev and tidy build without, and notice.
function(precompile target)
  set(headers <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string>
    <string_view> <utility> <vector> ${ARGN})
  list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

# room(<name> [deps…]): a static library of every source in this folder and below; a new file needs no line here. What lies in
# folders simd/ or cuda/ is compiled otherwise, or not at all, and so is what `elsewhere`, a regular expression, matches.
function(room name)
  # Relative, since the checkout itself may lie in a folder of such a name.
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "(^|/)main\\.cpp$|(^|/)(simd|cuda)/")
  if(elsewhere)
    list(FILTER sources EXCLUDE REGEX "${elsewhere}")
  endif()
  add_library(orrery_${name} STATIC ${sources})
  target_link_libraries(orrery_${name} PUBLIC house ${ARGN})
endfunction()

# together(<target> <folders…>): with CMAKE_UNITY_BUILD, which the presets for users set, the sources of each folder are compiled
# as one, in half of the time: what they keep for themselves needs names of its own there. Plug-ins, which give equal names to
# equal parts, stay alone.
function(together target)
  foreach(folder ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# together_in_cuda(<target> <sources…>): the same for CUDA sources, which CMake leaves alone.
function(together_in_cuda target)
  if(NOT CMAKE_UNITY_BUILD)
    target_sources(${target} PRIVATE ${ARGN})
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE includes)
  list(JOIN includes "" includes)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}_together.cu CONTENT "${includes}")
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${target}_together.cu)
endfunction()
