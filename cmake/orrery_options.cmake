# SPDX-License-Identifier: MIT
# Options of all targets: language standard, warnings, and floating-point arithmetic without contraction.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# All becomes part of one shared library, which shows nothing that is not marked (common/export.hpp).
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
include(GNUInstallDirs)

add_library(orrery_options INTERFACE)
target_compile_features(orrery_options INTERFACE cxx_std_20)
target_include_directories(orrery_options INTERFACE ${PROJECT_SOURCE_DIR})
# -ffp-contract=off: only an explicit fma is fused; the bits depend on it. The options are for C++ only, since CUDA
# sources use the same target.
set(orrery_options -ffp-contract=off -Wall -Wextra -Wconversion)
# In unity builds, sources shadow each other's names and look like headers; the preset dev compiles each one separately.
set(shadow -Wshadow)
if(CMAKE_UNITY_BUILD)
  set(shadow -Wno-shadow)
  list(APPEND orrery_options -Wno-subobject-linkage)
endif()
target_compile_options(orrery_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${orrery_options};${shadow}>")
# GCC collects garbage only in heaps of more than 500 MB: this saves 5 to 13 % of compile time.
target_compile_options(orrery_options INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=500000>")
# No fused operations on GPUs either. CMake 3.25 cannot request C++20 from nvcc.
target_compile_options(orrery_options INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--fmad=false;--threads=2;-Xcompiler=-ffp-contract=off,-Wall,-Wextra,${shadow}>")
if(ORRERY_SANITIZE)
  target_compile_options(orrery_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;-fno-sanitize-recover=undefined>")
  # GCC 12 has false positives in std::variant and std::regex with sanitizers.
  target_compile_options(orrery_options INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>")
  target_link_options(orrery_options INTERFACE -fsanitize=address,undefined)
endif()

# precompile(<target> [headers…]): precompiles the headers that most sources include. Sources must still include what
# they use: the presets dev and tidy build without precompiled headers.
function(precompile target)
  set(headers <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string>
    <string_view> <utility> <vector> ${ARGN})
  list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

# orrery_library(<name> [deps…]): adds a static library of all sources in this folder and below, except those in folders
# simd/ or cuda/ and those that match the regular expression `elsewhere`.
function(orrery_library name)
  # Relative paths, since the checkout itself may be in a folder with such a name.
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "(^|/)main\\.cpp$|(^|/)(simd|cuda)/")
  if(elsewhere)
    list(FILTER sources EXCLUDE REGEX "${elsewhere}")
  endif()
  add_library(orrery_${name} STATIC ${sources})
  target_link_libraries(orrery_${name} PUBLIC orrery_options ${ARGN})
endfunction()

# unity_build(<target> <folders…>): with CMAKE_UNITY_BUILD, compiles the sources of each folder as one, in half of the
# time. Names in their unnamed namespaces must be distinct. Plug-ins are compiled separately.
function(unity_build target)
  foreach(folder ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# unity_build_cuda(<target> <name> <sources…>): the same for CUDA sources, for which CMake has no unity builds.
function(unity_build_cuda target name)
  if(NOT CMAKE_UNITY_BUILD)
    target_sources(${target} PRIVATE ${ARGN})
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE includes)
  list(JOIN includes "" includes)
  set(unit ${CMAKE_CURRENT_BINARY_DIR}/${target}_${name}.cu)
  file(CONFIGURE OUTPUT ${unit} CONTENT "${includes}")
  target_sources(${target} PRIVATE ${unit})
endfunction()

# show_only(<target> <patterns>): of the symbols that a shared library shows, such as the templates of the standard library, keeps
# those of these names.
function(show_only target patterns)
  list(JOIN patterns "; " patterns)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  file(CONFIGURE OUTPUT ${script} CONTENT "{ global: ${patterns}; local: *; };\n")
  target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${script})
endfunction()
