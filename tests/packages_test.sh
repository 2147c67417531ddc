#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tries what `./bootstrap package` makes on bare roots of Debian 12 and 13, without a compiler: installs the packages, unpacks the
# archive as an ordinary user, puts the wheel into a virtual environment; runs the first scenario with its film, which must have the
# hash of the program that was built here; and removes all again. Prints sizes and times. Takes root, mmdebstrap and a network.
#   packages_test.sh PROGRAM ARTEFACTS [archive packages wheel containers]     exit code 77: skipped, something of this is missing
# ORRERY_ROOTS=FOLDER keeps the roots, as bookworm.tar and trixie.tar.
set -euo pipefail
program=$(realpath "$1")
artefacts=$(realpath "$2" 2>/dev/null) && [[ -f $artefacts/SHA256SUMS ]] && ((EUID == 0)) && command -v mmdebstrap >/dev/null || {
  echo "skipped: it needs what ./bootstrap package makes, root, and mmdebstrap"
  exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
roots=${ORRERY_ROOTS:-$folder}
failures=0
fail() {
  printf 'FAILED: %s: %s\n' "$release" "$*"
  [[ ! -s $folder/said ]] || tail -n 12 "$folder/said" | sed 's/^/    /'
  failures=$((failures + 1))
}

# fresh: a bare root of the release, in $root.
fresh() {
  root=$folder/root
  rm -rf "$root"
  mkdir -p "$root"
  [[ -f $roots/$release.tar ]] || mmdebstrap --quiet --variant=minbase "$release" "$roots/$release.tar" >"$folder/said" 2>&1
  tar -xf "$roots/$release.tar" -C "$root"
  ! inside 'command -v cc gcc c++ g++ clang ld' || fail "the root has a compiler"
  cp -r "$artefacts" "$root/opt/artefacts"
  find "$root" -xdev -name '*orrery*' ! -path '*/opt/artefacts/*' | sort >"$folder/before"
}
# inside COMMAND: runs it in the root with a bare environment, its output in $folder/said. as_user: the same as nobody.
in_root() {
  unshare --mount --pid --fork --kill-child --mount-proc="$root/proc" -- chroot "$root" "${@:2}" env -i \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -c "cd /tmp && $1" >"$folder/said" 2>&1
}
inside() { in_root "$1"; }
as_user() { in_root "$1" setpriv --reuid 65534 --regid 65534 --clear-groups; }
# said PATTERN: what the last command said has it.
said() { grep -qE "$1" "$folder/said" || fail "expected: $1"; }
# same_hash RUN: the state of a run in the root is that of the program here, and it has its film.
same_hash() {
  grep -q "state $expected" "$folder/said" || fail "another state than $expected"
  [[ $(stat -c %s "$root/tmp/$1/orbit.mp4" 2>/dev/null || echo 0) -gt 20000 && -s $root/tmp/$1/orbit.png ]] || fail "no film or figure"
}
# nothing_left: no file of orrery is in the root that was not there before.
nothing_left() {
  find "$root" -xdev -name '*orrery*' ! -path '*/opt/artefacts/*' ! -path "$root/tmp/*" | sort >"$folder/after"
  diff "$folder/before" "$folder/after" >"$folder/said" || fail "files are left"
}
report() { printf '%s: %s\n' "$release" "$*"; }
size() { du -cm --apparent-size "$@" | tail -n 1 | cut -f1; }

try_packages() {
  local version=12 begin
  [[ $release == bookworm ]] || version=13
  compgen -G "$artefacts/orrery_*+deb$version"_*.deb >/dev/null || {
    report "there are no packages for it"
    return 0
  }
  fresh
  begin=$SECONDS
  inside "apt-get -q update && apt-get -q install -y --no-install-recommends /opt/artefacts/orrery_*+deb$version*.deb \
    /opt/artefacts/orrery-pictures_*+deb$version*.deb" || fail "the packages cannot be installed"
  local downloaded
  downloaded=$(grep -oE 'Need to get [0-9.,]+ [kM]B[^ ]*' "$folder/said" || true)
  inside "orrery run /usr/share/orrery/scenarios/two-body.toml -o first" || fail "the first run"
  same_hash first
  local seconds=$((SECONDS - begin))
  ((seconds < 120)) || fail "installation and first run took $seconds s"
  report "packages: installation and first run with its film in $seconds s (${downloaded#Need to })"
  inside "orrery verify first/run.h5" || fail "verify"
  inside "orrery check /usr/share/orrery/scenarios/ions.toml" || true
  said 'space\.png: .*no orrery_opengl\.so; install the package orrery-opengl'
  inside "apt-get -q install -y --no-install-recommends /opt/artefacts/orrery-opengl_*+deb$version*.deb libgl1-mesa-dri \
    && orrery run /usr/share/orrery/scenarios/ions.toml -o ions --quiet && test -s ions/space.png" || fail "pixels of view3d"
  inside "apt-get -q install -y --no-install-recommends /opt/artefacts/python3-orrery_*+deb$version*.deb \
    && python3 -c 'import orrery; print(orrery.__version__, orrery.open(\"first/run.h5\").position.shape)'" || fail "python3-orrery"
  said '\(1001, 2, 3\)'
  inside "apt-get -q install -y --no-install-recommends /opt/artefacts/orrery-mpi_*+deb$version*.deb openmpi-bin && \
    HOME=/root OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --mca plm isolated --oversubscribe -n 2 \
    orrery simulate /usr/share/orrery/scenarios/cold-collapse.toml -o ranks" || fail "orrery-mpi"
  said "state $expected_of_many"
  inside "apt-get -q purge -y 'orrery*' python3-orrery" || fail "removal"
  nothing_left
}

try_archive() {
  local place="/opt/read only" begin
  fresh
  inside "apt-get -q update && apt-get -q install -y --no-install-recommends xz-utils" || fail "xz"
  mkdir -p "$root$place"
  tar -xf "$artefacts"/orrery-*-linux-x86_64.tar.xz -C "$root$place"
  chmod -R a-w "$root$place"
  local orrery="'$place'/orrery-*/bin/orrery" scenarios="'$place'/orrery-*/share/orrery/scenarios"
  begin=$(date +%s%N)
  as_user "$orrery run $scenarios/two-body.toml -o archive" || fail "the first run of the archive"
  same_hash archive
  report "archive: $(size "$artefacts"/orrery-*-linux-x86_64.tar.xz) MB, $(size "$root$place") MB unpacked; first run with its film in $((($(date +%s%N) - begin) / 1000000)) ms"
  as_user "$orrery verify archive/run.h5" || fail "verify"
  for film in gif webm; do
    as_user "$orrery render archive/run.h5 --figure projection -o archive/x.$film" || fail "a .$film"
  done
  as_user "$orrery check $scenarios/ions.toml" || true
  said 'warning: space\.png: pixels of view3d need OpenGL 3\.2, and EGL offers none here'
  inside "apt-get -q install -y --no-install-recommends libegl1 libgl1-mesa-dri" || fail "Mesa"
  as_user "$orrery run $scenarios/ions.toml -o space --quiet && test -s space/space.png" || fail "pixels by the system's OpenGL"
}

try_wheel() {
  fresh
  inside "apt-get -q update && apt-get -q install -y --no-install-recommends python3-venv python3-numpy" || fail "Python"
  find "$root" -xdev -name '*orrery*' ! -path '*/opt/artefacts/*' | sort >"$folder/before"
  inside "python3 -m venv --system-site-packages '/srv/an environment' && chown -R nobody '/srv/an environment'" || fail "the environment"
  (cd "$root/srv/an environment" && find . | sort) >"$folder/empty"
  as_user "'/srv/an environment/bin/python' -m pip install --no-cache-dir --no-index /opt/artefacts/orrery-*.whl" || fail "the wheel cannot be installed"
  as_user "'/srv/an environment/bin/orrery' run '/srv/an environment'/lib/python3*/site-packages/orrery/share/orrery/scenarios/two-body.toml -o wheel" ||
    fail "the first run of the wheel"
  same_hash wheel
  as_user "'/srv/an environment/bin/python' -c 'import orrery; print(orrery.__version__, orrery.open(\"wheel/run.h5\").position.shape)'" ||
    fail "the module of the wheel"
  said '\(1001, 2, 3\)'
  report "wheel: $(size "$artefacts"/orrery-*.whl) MB, $(size "$root/srv/an environment"/lib/python3*/site-packages/orrery) MB installed"
  as_user "'/srv/an environment/bin/python' -m pip uninstall -y orrery" || fail "pip uninstall"
  nothing_left
  (cd "$root/srv/an environment" && find . | sort) | diff "$folder/empty" - >"$folder/said" || fail "the environment is not as before"
}

# The commands of the recipes for containers, which are of Debian 12; the tools that run them are not needed here.
try_containers() {
  [[ $release == bookworm ]] || return 0
  local recipes
  recipes=$(cd "$(dirname "${BASH_SOURCE[0]}")/../pipeline/packaging" && pwd)
  fresh
  mv "$root/opt/artefacts" "$root/artefacts"
  sed -n '/^RUN/,/[^\\]$/p' "$recipes/Dockerfile" | sed 's/^RUN --mount=[^ ]*//' >"$root/tmp/commands"
  inside "sh -e commands" || fail "the commands of the Dockerfile"
  inside "orrery run /usr/share/orrery/scenarios/two-body.toml -o docker && python3 -c 'import orrery'" || fail "the container"
  same_hash docker
  fresh
  mv "$root/opt/artefacts" "$root/artefacts"
  for section in post test; do
    sed -n "/^%$section/,/^%/p" "$recipes/orrery.def" | sed '/^%/d' >"$root/tmp/commands"
    inside "sh -e commands" || fail "%$section of orrery.def"
  done
  said "state $expected"
  report "the commands of the recipes for containers have run"
}

release=here
(cd "$artefacts" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS"
# state SCENARIO: the hash that the program here gives.
state() {
  local scenarios
  scenarios=$(cd "$(dirname "${BASH_SOURCE[0]}")/../scenarios" && pwd)
  "$program" simulate "$scenarios/$1.toml" -o "$folder/$1" 2>&1 | grep -oE 'state [0-9a-f]{16}' | cut -d' ' -f2
}
expected=$(state two-body)
expected_of_many=$(state cold-collapse)
parts=("${@:3}")
((${#parts[@]})) || parts=(archive packages wheel containers)
for release in bookworm trixie; do
  for part in "${parts[@]}"; do "try_$part"; done
done
((failures == 0)) && echo passed
exit $((failures > 0))
