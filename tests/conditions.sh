#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a command, by default the tests of build/release without the slow ones, on a poorer machine than this one.
#   tests/conditions.sh                      the tests under each condition in turn: a line for each, logs in build/conditions
#   tests/conditions.sh CONDITION [COMMAND…]
# Conditions:
#   space    a TMPDIR of 1 GB
#   memory   1 GB of memory
#   core     one core
#   disk     a disk that takes 30 ms for each sync, truncation and renaming
#   shm      no /dev/shm
#   umask    files that only their owner may read
#   user     an unprivileged user
#   words    other words, decimal commas and time zone: Turkish, if its locale can be made, a quarter of an hour off UTC
#   posix    no words at all: LC_ALL=C, no HOME, no TERM
#   load     eight busy processes
# Most need root, some more than that: a condition that this machine cannot provide is left out (exit code 77), but for `space`,
# which then watches how much there is in TMPDIR. ORRERY_BUILD is another folder than build/release.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$(realpath "${ORRERY_BUILD:-$root/build/release}")
conditions=(space memory core disk shm umask user words posix load)

unable() {
  echo "conditions: this machine cannot provide it: $1" >&2
  exit 77
}

# A temporary folder of the condition itself, removed at the end; $scratch.
make_scratch() {
  scratch=$(mktemp -d)
  chmod 755 "$scratch"
  trap 'rm -rf "$scratch"' EXIT
}

# in_namespace SETUP COMMAND…: runs the command where the mounts of the shell code SETUP are visible to it alone.
in_namespace() {
  local setup=$1
  shift
  unshare --mount --propagation private bash -c "set -e; $setup; exec \"\$@\"" bash "$@"
}

space() {
  make_scratch
  export TMPDIR=$scratch
  local mount='mount -t tmpfs -o size=1g,mode=1777 tmpfs "$TMPDIR"'
  if in_namespace "$mount" true 2>/dev/null; then
    in_namespace "$mount" "$@"
    return
  fi
  local over=$scratch.over
  while sleep 1; do
    (($(du -sk "$TMPDIR" 2>/dev/null | cut -f 1) > 1048576)) || continue
    echo "conditions: there is more than 1 GB in TMPDIR: $(du -sk "$TMPDIR"/* | sort -n | tail -n 3 | tr '\n' ' ')" | tee -a "$over"
  done >&2 &
  local watcher=$! code
  "$@"
  code=$?
  kill $watcher
  wait $watcher 2>/dev/null
  [[ ! -e $over ]] || { rm "$over"; ((code)) || code=1; }
  return $code
}

memory() {
  local one=1073741824 limit=memory.max
  group=/sys/fs/cgroup/orrery-tests-$$
  if [[ -d /sys/fs/cgroup/memory ]]; then group=/sys/fs/cgroup/memory/orrery-tests-$$ limit=memory.limit_in_bytes; fi
  mkdir "$group" 2>/dev/null && echo $one >"$group/$limit" || unable "no control group can be made"
  trap 'rmdir "$group"' EXIT
  (echo $BASHPID >"$group/cgroup.procs" && exec "$@")
}

core() { taskset --cpu-list "$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')" "$@"; }

disk() {
  local library
  library=$(echo "$build"/*/*/libfaulty_io.so)
  [[ -e $library ]] || unable "$build has no libfaulty_io.so"
  # Tests with faults of their own have the library for those.
  FAULTY_IO_FILE=/ FAULTY_IO_DO=sleep FAULTY_IO_CALLS="sync truncate rename" FAULTY_IO_SLEEP=30000 LD_PRELOAD=$library "$@" -LE 'slow|faults'
}

shm() {
  local setup='old=$(mktemp -d); mount --rbind /dev "$old"; mount -t tmpfs -o mode=755 tmpfs /dev; mkdir /dev/pts
    for name in null zero full random urandom tty; do touch /dev/$name; mount --bind "$old/$name" /dev/$name; done
    mount -t devpts -o newinstance,ptmxmode=666 devpts /dev/pts; ln -s pts/ptmx /dev/ptmx; ln -s /proc/self/fd /dev/fd; ln -s fd/0 /dev/stdin; ln -s fd/1 /dev/stdout; ln -s fd/2 /dev/stderr; umount -l "$old"; rmdir "$old"'
  in_namespace "$setup" true 2>/dev/null || unable "no namespace of mounts"
  in_namespace "$setup" "$@"
}

umask_077() (umask 077 && exec "$@")

user() {
  ((EUID == 0)) || unable "only root can become another user"
  make_scratch
  chmod 1777 "$scratch"
  mkdir -p "$build/Testing"
  export TMPDIR=$scratch HOME=$scratch
  # ctest writes its log into the build folder.
  local setup='mount -t tmpfs -o mode=1777 tmpfs "'$build'/Testing"; chmod 1777 "'$build'/Testing"'
  in_namespace "$setup" setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$build" || unable "$build is not readable by others"
  in_namespace "$setup" setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

words() {
  make_scratch
  if localedef -i tr_TR -f UTF-8 "$scratch/tr_TR.UTF-8" 2>/dev/null; then export LOCPATH=$scratch; fi
  TZ="<+1345>-13:45" LANG=tr_TR.UTF-8 LC_ALL=tr_TR.UTF-8 LANGUAGE=tr "$@"
}

posix() { env -u HOME -u TERM -u LANG LC_ALL=C TZ= "$@"; }

load() {
  busy=()
  for _ in {1..8}; do
    (while :; do :; done) &
    busy+=($!)
  done
  trap 'kill "${busy[@]}" 2>/dev/null' EXIT
  "$@"
}

if (($#)); then
  condition=$1
  shift
  [[ " ${conditions[*]} " == *" $condition "* ]] || { echo "conditions: there is none named $condition: ${conditions[*]}" >&2; exit 2; }
  (($#)) || set -- ctest --test-dir "$build" -j "$(nproc)" --output-on-failure -LE slow
  if [[ $condition == umask ]]; then condition=umask_077; fi
  "$condition" "$@"
  exit
fi
mkdir -p "$root/build/conditions"
failed=0
for condition in "${conditions[@]}"; do
  begin=$SECONDS
  "${BASH_SOURCE[0]}" "$condition" >"$root/build/conditions/$condition.log" 2>&1
  case $? in
  0) printf '%-8s passed in %d s\n' "$condition" $((SECONDS - begin)) ;;
  77) printf '%-8s left out: %s\n' "$condition" "$(tail -n 1 "$root/build/conditions/$condition.log")" ;;
  *)
    printf '%-8s FAILED in %d s; build/conditions/%s.log\n' "$condition" $((SECONDS - begin)) "$condition"
    failed=1
    ;;
  esac
done
exit $failed
