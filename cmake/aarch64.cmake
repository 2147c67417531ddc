# SPDX-License-Identifier: MIT
# A toolchain to cross-compile for 64-bit Arm on Linux; programs run in qemu's user mode.
#   cmake -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DORRERY_PIPELINE=OFF -DORRERY_CUDA=OFF …
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
