#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library as others use it: installed into a folder that is then moved, found by CMake and by pkg-config, by each compiler that
# is there. Every program of tests/consumer is built and run, and its files are compared with those of the program.
#   consumer_test.sh BUILD
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failures=0
fail() {
  printf 'FAILED: %s\n' "$*"
  failures=$((failures + 1))
}

# As `cmake --install --strip`, but the list of installed files is not written into the build folder, which may belong to another user.
sed "s#^file(WRITE \"$build/#file(WRITE \"$folder/#" "$build/cmake_install.cmake" >install.cmake
cmake -D CMAKE_INSTALL_PREFIX="$folder/here" -D CMAKE_INSTALL_DO_STRIP=1 -P install.cmake >install.log
mv here prefix
prefix=$folder/prefix
orrery=$prefix/bin/orrery
library=$(find "$prefix" -name liborrery.so -print -quit)
config=$(dirname "$(find "$prefix" -name orreryConfig.cmake -print -quit)")
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name orrery.pc -print -quit)")
"$orrery" --version >version.txt || fail "the installed program does not start"

# Where only some of the packages are installed, it is said which one has what a picture needs.
# without MODULE SCENARIO
without() {
  local module
  module=$(find "$prefix" -name "orrery_$1.so" -print -quit)
  [[ $module ]] || return 0 # a build without pictures
  mv "$module" hidden.so
  "$orrery" check "$prefix/share/orrery/scenarios/$2.toml" >check.txt 2>&1 || true
  grep -q "there is no orrery_$1.so; install the package orrery-$1" check.txt ||
    fail "without orrery_$1.so, check does not name its package"
  mv hidden.so "$module"
}
without pictures two-body
without opengl ions

# What the library shows are the functions of the header, and what the module of pictures calls.
sed -n 's/^ORRERY_API .*\b\(orrery_[a-z0-9_]*\)(.*/\1/p' "$prefix/include/orrery/orrery.h" | sort -u >declared.txt
nm -D --defined-only "$library" | awk '{print $3}' | sed 's/@.*//' | sort -u >shown.txt
grep '^orrery_' shown.txt >functions.txt || true
diff declared.txt functions.txt || fail "functions of orrery.h (<) and those that the library shows (>) differ"
if grep -v '^orrery_' shown.txt | c++filt | grep -v 'orrery::'; then fail "the library shows what is not its own"; fi

# Each compiler, by CMake; and with the sanitizers of addresses, leaks and undefined behaviour.
builds=()
build() {
  local name=$1 c=$2 cxx=$3 flags=${4:-}
  command -v "$c" >/dev/null && command -v "$cxx" >/dev/null || return 0
  cmake -S "$source/tests/consumer" -B "$name" -D CMAKE_C_COMPILER="$c" -D CMAKE_CXX_COMPILER="$cxx" -D orrery_DIR="$config" \
    -D CMAKE_C_FLAGS="$flags" -D CMAKE_CXX_FLAGS="$flags" >"$name.log" 2>&1 && cmake --build "$name" -j 2 >>"$name.log" 2>&1 || {
    tail -n 30 "$name.log"
    fail "$c and $cxx do not build the programs"
    return 0
  }
  builds+=("$name")
}
build gcc gcc g++
build clang clang clang++
# The library of a sanitizer must be the first one.
[[ ${LD_PRELOAD:-} ]] || build sanitized gcc g++ "-g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
((${#builds[@]})) || fail "nothing was built"
export LSAN_OPTIONS=suppressions=$source/tests/leaks.txt:print_suppressions=0

# And by pkg-config, as C99 and as C++.
for program in "$source"/tests/consumer/*.c; do
  # shellcheck disable=SC2046
  cc -std=c99 -pedantic-errors -Wall -Wextra -Werror "$program" $(pkg-config --cflags --libs orrery) \
    -pthread -lm -o by-pkg-config ||
    fail "$program does not compile with what pkg-config says"
  # shellcheck disable=SC2046
  [[ $(ldd by-pkg-config) == *liborrery.so.* ]] || fail "$program is not linked with the library"
done

# Each runs in a folder of its own. Runs of which there is a scenario are compared with it.
run_all() {
  local built=$1 name file run scenario
  for file in "$folder/$built"/*_c "$folder/$built"/*_cpp; do
    name=$(basename "$file")
    mkdir -p "runs/$built/$name"
    (cd "runs/$built/$name" && timeout 120 "$file" >out.txt 2>&1) || {
      tail -n 20 "runs/$built/$name/out.txt"
      fail "$name, built in $built, ends with an error"
    }
    for run in "runs/$built/$name"/*.h5; do
      scenario=$source/tests/consumer/${name%_*}.toml
      [[ -f $run && -f $scenario ]] || continue
      "$orrery" diff "$run" "$scenario" >diff.txt || {
        head -n 5 diff.txt
        fail "the run of $name is not that of $(basename "$scenario")"
      }
    done
  done
}
for built in "${builds[@]}"; do run_all "$built"; done

((failures == 0)) || exit 1
printf '%s functions; %s bytes of library\n' "$(wc -l <functions.txt)" "$(stat -L -c %s "$library")"
