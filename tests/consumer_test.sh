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

cmake --install "$build" --prefix "$folder/here" --strip >install.log
mv here prefix
prefix=$folder/prefix
orrery=$prefix/bin/orrery
library=$(find "$prefix" -name liborrery.so -print -quit)
config=$(dirname "$(find "$prefix" -name orreryConfig.cmake -print -quit)")
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name orrery.pc -print -quit)")
"$orrery" --version >version.txt || fail "the installed program does not start"

# What the library shows are the functions of the header, and what the module of pictures calls.
sed -n 's/^ORRERY_API .*\b\(orrery_[a-z0-9_]*\)(.*/\1/p' "$prefix/include/orrery/orrery.h" | sort -u >declared.txt
nm -D --defined-only "$library" | awk '{print $3}' | sed 's/@.*//' | sort -u >shown.txt
grep '^orrery_' shown.txt >functions.txt || true
diff declared.txt functions.txt || fail "functions of orrery.h (<) and those that the library shows (>) differ"
if grep -v '^orrery_' shown.txt | c++filt | grep -v 'orrery::'; then fail "the library shows what is not its own"; fi

# Each compiler, by CMake.
built=
for compilers in "gcc g++" "clang clang++"; do
  read -r c cxx <<<"$compilers"
  command -v "$c" >/dev/null && command -v "$cxx" >/dev/null || continue
  cmake -S "$source/tests/consumer" -B "$c" -D CMAKE_C_COMPILER="$c" -D CMAKE_CXX_COMPILER="$cxx" -D orrery_DIR="$config" \
    -D CMAKE_BUILD_TYPE=Debug >"$c.log" 2>&1 && cmake --build "$c" -j 2 >>"$c.log" 2>&1 || {
    tail -n 30 "$c.log"
    fail "$c and $cxx do not build the programs"
    continue
  }
  built=$c
done
[[ $built ]] || fail "nothing was built"

# And by pkg-config, as C99 and as C++.
for program in "$source"/tests/consumer/*.c; do
  # shellcheck disable=SC2046
  "$built" -std=c99 -pedantic-errors -Wall -Wextra -Werror "$program" $(pkg-config --cflags --libs orrery) -lm -o by-pkg-config ||
    fail "$program does not compile with what pkg-config says"
  # shellcheck disable=SC2046
  [[ $(ldd by-pkg-config) == *liborrery.so.* ]] || fail "$program is not linked with the library"
done

# Each runs in a folder of its own. If it has a scenario, that is the same run.
for program in "$source"/tests/consumer/*.c "$source"/tests/consumer/*.cpp; do
  name=$(basename "$program")
  for compiler in gcc clang; do
    file=$folder/$compiler/${name/./_}
    [[ -x $file ]] || continue
    mkdir -p "runs/$compiler-$name"
    (cd "runs/$compiler-$name" && timeout 120 "$file" >out.txt 2>&1) || {
      tail -n 5 "runs/$compiler-$name/out.txt"
      fail "$name, built by $compiler, ends with an error"
    }
    scenario=$source/tests/consumer/${name%.*}.toml
    [[ -f $scenario ]] || continue
    for run in "runs/$compiler-$name"/*.h5; do
      "$orrery" diff "$run" "$scenario" >diff.txt || {
        head -n 5 diff.txt
        fail "$(basename "$run") of $name is not the run of $(basename "$scenario")"
      }
    done
  done
done

((failures == 0)) || exit 1
printf '%s functions; %s bytes of library\n' "$(wc -l <functions.txt)" "$(stat -L -c %s "$library")"
