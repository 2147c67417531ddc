# SPDX-License-Identifier: MIT
# liborrery.so, of all static libraries; the modules of pictures, which call it; and what others need to build with it.

add_library(orrery_shared SHARED program.cpp)
set(whole "")
foreach(library pipeline render sim common)
  list(APPEND whole $<TARGET_FILE:orrery_${library}>)
endforeach()
list(JOIN whole "," whole)
target_link_libraries(orrery_shared PRIVATE orrery_pipeline)
target_link_options(orrery_shared PRIVATE "LINKER:--whole-archive,${whole},--no-whole-archive")
set_target_properties(orrery_shared PROPERTIES OUTPUT_NAME orrery EXPORT_NAME orrery
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
target_include_directories(orrery_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
if(NOT ORRERY_SANITIZE)  # whose functions are those of the program
  target_link_options(orrery_shared PRIVATE LINKER:-z,defs)
endif()
show_only(orrery_shared "orrery_*;_ZN6orrery*;_ZNK6orrery*;_ZT?N6orrery*")

foreach(module pictures opengl)
  if(NOT TARGET orrery_${module}_objects)
    continue()
  endif()
  add_library(orrery_${module} MODULE $<TARGET_OBJECTS:orrery_${module}_objects>)
  target_link_libraries(orrery_${module} PRIVATE orrery_${module}_objects orrery_shared)
  set_target_properties(orrery_${module} PROPERTIES PREFIX "" INSTALL_RPATH "\$ORIGIN"
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  show_only(orrery_${module} "orrery_${module};glewInit")
  if(NOT ORRERY_SANITIZE)
    target_link_options(orrery_${module} PRIVATE LINKER:-z,defs)
  endif()
  install(TARGETS orrery_${module} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()

include(CMakePackageConfigHelpers)
install(TARGETS orrery_shared EXPORT orrery LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/orrery)
install(EXPORT orrery NAMESPACE orrery:: FILE orreryConfig.cmake DESTINATION ${config})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/orreryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/orreryConfigVersion.cmake DESTINATION ${config})
install(DIRECTORY public/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/orrery FILES_MATCHING PATTERN "orrery.h*")
# The folders are found from where the file is, so that an installed folder may be moved.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/orrery.pc @ONLY CONTENT [[
prefix=${pcfiledir}/../..
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: orrery
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Cflags: -I${includedir}
Libs: -L${libdir} -lorrery
]])
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/orrery.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
