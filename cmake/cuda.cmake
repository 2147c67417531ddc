# SPDX-License-Identifier: MIT
# Finds a CUDA compiler that can build the cuda backend, sets ORRERY_HAS_CUDA and prints the result.

set(ORRERY_HAS_CUDA OFF)
if(ORRERY_CUDA STREQUAL "OFF")
  return()
endif()

# The PATH and the locations of NVIDIA's packages.
find_program(ORRERY_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH ENV CUDA_HOME /usr/local/cuda /opt/cuda PATH_SUFFIXES bin)
set(lacking "")
if(NOT ORRERY_NVCC)
  set(lacking "no nvcc was found")
else()
  execute_process(COMMAND ${ORRERY_NVCC} --version OUTPUT_VARIABLE version)
  string(REGEX MATCH "release ([0-9.]+)" release "${version}")
  set(version ${CMAKE_MATCH_1})
  if(version VERSION_LESS 12.0)
    set(lacking "${ORRERY_NVCC} is of version ${version}")
  else()
    # nvcc refuses host compilers that are too new. Try this project's compiler, then older ones with the same ABI.
    set(trial ${PROJECT_BINARY_DIR}/cuda-trial)
    file(WRITE ${trial}/trial.cu "#include <concepts>\n#include <span>\n"
      "template <std::floating_point Real> __global__ void k(Real* x) { *x = Real(1); }\n"
      "void f(std::span<double> x) { k<<<1, 1>>>(x.data()); }\n")
    foreach(host ${CMAKE_CXX_COMPILER} g++-14 g++-13 g++-12)
      execute_process(COMMAND ${ORRERY_NVCC} -std=c++20 -ccbin ${host} -c trial.cu -o trial.o
        WORKING_DIRECTORY ${trial} RESULT_VARIABLE failed OUTPUT_VARIABLE words ERROR_VARIABLE words)
      if(NOT failed)
        set(lacking "")
        set(host_compiler ${host})
        break()
      elseif(NOT lacking)
        string(REGEX MATCH "[^\n]*error[^\n]*" first "${words}")
        set(lacking "nvcc ${version} cannot compile C++20 with ${host}: ${first}")
      endif()
    endforeach()
  endif()
endif()
if(lacking)
  set(advice "install NVIDIA's CUDA Toolkit 12 or newer (docs/install.md)")
  if(ORRERY_CUDA STREQUAL "ON")
    message(FATAL_ERROR "CUDA was asked for, but ${lacking}; ${advice}")
  endif()
  message(STATUS "CUDA backend: left out, since ${lacking}; ${advice}")
  return()
endif()

# Native code for Hopper and the GPUs of this machine. For others, PTX that the driver compiles at first use: Turing's
# for GPUs before Hopper, Hopper's for later ones. Native code for all generations would take minutes more. The
# environment variable CUDAARCHS overrides this.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  execute_process(COMMAND ${ORRERY_NVCC} --list-gpu-code OUTPUT_VARIABLE known)
  set(architectures 75-virtual 90)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE native RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+" native "${native}")
    foreach(architecture ${native})
      string(REPLACE "." "" architecture ${architecture})
      if(known MATCHES "sm_${architecture}\n" AND NOT architecture STREQUAL "90")
        list(APPEND architectures ${architecture}-real)
      endif()
    endforeach()
  endif()
  list(REMOVE_DUPLICATES architectures)
  set(CMAKE_CUDA_ARCHITECTURES ${architectures} CACHE STRING "GPU generations to compile for")
endif()

set(CMAKE_CUDA_COMPILER ${ORRERY_NVCC} CACHE FILEPATH "")
set(CMAKE_CUDA_HOST_COMPILER ${host_compiler} CACHE FILEPATH "")
enable_language(CUDA)
set(ORRERY_HAS_CUDA ON)
list(JOIN CMAKE_CUDA_ARCHITECTURES " " architectures)
message(STATUS "CUDA backend: nvcc ${version} with ${host_compiler}, for ${architectures}")
