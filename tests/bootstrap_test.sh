#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests bootstrap with missing packages: when it asks before installing, and its messages. Nothing is installed: apt-get, sudo
# and dpkg-query are stand-ins that record how they were called.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$source/bootstrap" "$folder/bootstrap"
cd "$folder"
mkdir bin
printf '#!/bin/sh\nexit 0\n' >bin/dpkg-query # none is installed
printf '#!/bin/sh\necho "apt-get $*" >>"%s/calls"\nexit 1\n' "$folder" >bin/apt-get
printf '#!/bin/sh\necho "sudo $*" >>"%s/calls"\nwhile [ "${1#-}" != "$1" ]; do [ "$1" = -n ] || [ "$1" = -v ] || exit 1; shift; done\n[ $# = 0 ] || exec "$@"\n' "$folder" >bin/sudo
chmod +x bin/*
user=(env PATH="$folder/bin:$PATH" HOME="$folder")
failures=0

# as_user COMMAND…: runs it as a user other than root, so that sudo is needed.
as_user() {
  if ((EUID == 0)); then
    chmod -R a+rwX "$folder"
    setpriv --reuid 65534 --regid 65534 --clear-groups "${user[@]}" "$@"
  else
    "${user[@]}" "$@"
  fi
}

# expect WHAT CODE PATTERN: checks the exit code and output of the last `try`.
expect() {
  if [[ $code != "$2" || ! $said =~ $3 ]]; then
    printf 'FAILED: %s: exit code %s, expected %s; said: %s\n' "$1" "$code" "$2" "$said"
    failures=$((failures + 1))
  fi
}
# expect_calls WHAT PATTERN: checks how the stand-ins were called; "" means not at all.
expect_calls() {
  local calls=
  [[ -f calls ]] && calls=$(cat calls)
  if [[ ($2 == "" && $calls) || ! $calls =~ $2 ]]; then
    printf 'FAILED: %s: called: %s\n' "$1" "$calls"
    failures=$((failures + 1))
  fi
}
# try COMMAND…: runs it and sets `code`, `said` and the file calls.
try() {
  rm -f calls
  code=0
  said=$("$@" 2>&1) || code=$?
}
# at_terminal ANSWER: runs bootstrap at a terminal and types the answer.
at_terminal() {
  printf '%s\n' "$1" >answer
  as_user script -qec "./bootstrap build" /dev/null <answer
}

try as_user env ORRERY_NO_INSTALL=1 ./bootstrap build </dev/null
expect "forbidden" 2 'packages are missing, and ORRERY_NO_INSTALL forbids to install them.*apt-get install .*libhdf5-dev'
expect_calls "forbidden" ""

try as_user ./bootstrap build </dev/null
expect "nobody to ask, sudo works" 1 'installing [0-9]+ packages'
expect_calls "nobody to ask, sudo works" 'sudo .*apt-get update'

try at_terminal n
expect "no at a terminal" 2 'Install them with sudo apt-get\? \[y/N\].*takes root or sudo'
expect_calls "no at a terminal" '^sudo -n true$'

try at_terminal ""
expect "nothing at a terminal" 2 'takes root or sudo'

try at_terminal y
expect "yes at a terminal" 1 'installing [0-9]+ packages'
expect_calls "yes at a terminal" 'sudo -v.*sudo .*apt-get update'

rm bin/sudo
if ! command -v sudo >/dev/null; then
  try as_user ./bootstrap build </dev/null
  expect "no sudo" 2 'packages are missing, and installing them takes root or sudo'
  expect_calls "no sudo" ""
fi

if ((EUID == 0)); then
  try "${user[@]}" env ORRERY_NO_INSTALL=1 ./bootstrap build </dev/null
  expect "root, forbidden" 2 'ORRERY_NO_INSTALL forbids'
  expect_calls "root, forbidden" ""
fi
exit "$((failures > 0))"
