#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests a full file system: runs a scenario on a tmpfs that fills up during the run, then frees space and resumes.
#   tests/faults/full_tmpfs.sh ORRERY    the program; must run as root in order to mount
# Exit code 1 unless the full disk led to a one-line message, exit code 1 and a file that can be resumed.
set -uo pipefail
orrery=$(realpath "$1")
folder=$(mktemp -d)
errors=$(mktemp)
mount -t tmpfs -o size=256m tmpfs "$folder" || exit 77
trap 'umount "$folder"; rmdir "$folder"; rm "$errors"' EXIT
cat >"$folder/cube.toml" <<'TOML'
[initial]
kind = "random-cube"
n = 700
[integrator]
kind = "leapfrog"
dt = 0.001
steps = 600
[trajectory]
frames = 601
commit = 0
TOML
wrong=0
"$orrery" simulate "$folder/cube.toml" -o "$folder/calm" >"$folder/calm.out" 2>&1 || { cat "$folder/calm.out"; exit 2; }
state=$(tail -n 1 "$folder/calm.out")
used=$(du -k "$folder/calm/run.h5" | cut -f 1)
rm -r "$folder/calm"
for percent in 1 5 20 35 50 65 80 90; do
  "$orrery" simulate "$folder/cube.toml" -o "$folder/run" >/dev/null 2>"$errors" &
  run=$!
  until (($(du -k "$folder/run/run.h5" 2>/dev/null | cut -f 1 || echo 0) + 0 >= used * percent / 100)); do sleep 0.002; done
  mount -o remount,size=$(($(du -sk "$folder" | cut -f 1) + 400))k "$folder"
  wait $run
  code=$?
  lines=$(grep -vc ^stepping "$errors")
  mount -o remount,size=256m "$folder"
  said=$(grep -v ^stepping "$errors" | cut -d : -f 3-)
  after=$("$orrery" simulate "$folder/cube.toml" -o "$folder/run" 2>&1)
  again=$?
  if [[ $again == 2 && $after == *"before its first commit"* ]]; then
    after=$("$orrery" simulate "$folder/cube.toml" -o "$folder/run" --force 2>&1)
    again=$?
  fi
  verdict=good
  [[ $code == 1 && $lines == 1 && $again == 0 && $(tail -n 1 <<<"$after") == "$state" ]] || { verdict=WRONG; wrong=1; }
  printf '%3d %% of the room: exit %d, %d line:%s; gone on: exit %d, %s\n' "$percent" "$code" "$lines" "$said" "$again" "$verdict"
  rm -rf "$folder/run"
done
exit $wrong
