#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes engine.wasm and engine-fused.wasm. Usage: build.sh [FOLDER], with clang 14 and lld 14 (Debian's packages clang-14 and lld-14);
# other versions give other bytes.
set -e
sources=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$sources/..}"
make() {
  name=$1 && shift
  clang++-14 --target=wasm32 -std=c++20 -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -ffreestanding -fno-exceptions -fno-rtti -ffp-contract=off -msimd128 -mbulk-memory "$@" \
    -c -o "$name.o" "$sources/engine.cpp"
  # Not through clang, which hands the result to any wasm-opt on the PATH.
  wasm-ld-14 --no-entry --strip-all --gc-sections -O2 -z stack-size=65536 -o "$name.wasm" "$name.o"
  chmod 644 "$name.wasm"
  rm "$name.o"
}
make engine
make engine-fused -mrelaxed-simd -DORRERY_ENGINE_FUSED
# clang 14 emits relaxed_madd as an early proposal numbered it, fd cf 01; it became 0x107.
LC_ALL=C sed -i 's/\xfd\xcf\x01/\xfd\x87\x02/g' engine-fused.wasm
