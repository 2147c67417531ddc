#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes all artefacts of a build: the packages of this distribution, and on Debian 12 the archive and the wheel, which then run on
# every Linux that is newer. `./bootstrap package` calls it.
#   package.sh BUILD OUT      BUILD as of `cmake --preset package`
set -euo pipefail
export LC_ALL=C.UTF-8
umask 022
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
say() { printf 'package: %s\n' "$*" >&2; }

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
# All dates in what is made are that of the last commit, so that two builds are equal.
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null || stat -c %Y "$source/CHANGELOG.md")}"
rm -rf "$build/tree"
cmake --install "$build" --prefix "$build/tree" --strip >/dev/null
if grep -rlF "$source" "$build/tree" >&2; then
  say "these name the folder in which they were built"
  exit 1
fi

"$here/deb.sh" "$build/tree" "$version" "$out" >"$build/made.log"
if [[ $(. /etc/os-release && echo "$ID$VERSION_ID") == debian12 ]]; then
  say "FFmpeg and HDF5 with what is needed of them (log: $build/slim.log) …"
  "$here/slim.sh" "$build/slim" >"$build/slim.log" 2>&1 || {
    tail -n 15 "$build/slim.log" >&2
    exit 1
  }
  say "the archive and the wheel …"
  python3 -B "$here/portable.py" "$build/tree" "$build/slim" "$version" "$out" >"$build/carried.log"
else
  say "no archive and no wheel, which are made on Debian 12, to run there and on what is newer"
fi
(cd "$out" && shopt -s nullglob && sha256sum ./*.deb ./*.whl ./*.tar.xz | sed 's# \./# #' >SHA256SUMS && du -h --apparent-size -- *)
