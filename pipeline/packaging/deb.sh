#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the Debian packages of an installed tree: the program, pictures, those in space, MPI, and the module for Python. They are for the
# distribution on which this runs, whose libraries they name.
#   deb.sh TREE VERSION OUT      TREE as of `cmake --install --prefix TREE`, with the folder lib
set -euo pipefail
export LC_ALL=C.UTF-8
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tree=$(realpath "$1")
out=$(realpath "$3")
version=$2+$(. /etc/os-release && echo "${ID/debian/deb}${VERSION_ID:-}") # a newer distribution's is newer
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debian
printf 'Source: orrery\n' >debian/control
echo "liborrery 0.1 orrery (= $version)" | sed "s/ 0\.1 / ${2%.*} /" >debian/shlibs.local

# needs PACKAGE: the packages of the libraries that its files name.
needs() {
  local files=()
  mapfile -t files < <(find "$1" -type f \( -path '*/bin/*' -o -name '*.so*' \))
  dpkg-shlibdeps -O -l"$work/orrery/usr/lib" "${files[@]/#/-e}" 2>"$1.log" |
    sed -n -e "s/, orrery (= $version)//" -e 's/^shlibs:Depends=//p'
}

# package NAME ARCHITECTURE DEPENDS SUMMARY DESCRIPTION [FIELD…]: the package of the folder NAME.
package() {
  local name=$1 fields=("${@:6}") file header
  local documents=$name/usr/share/doc/$name
  mkdir -p "$name/DEBIAN" "$documents"
  {
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: orrery\n\nFiles: *\n'
    sed -n 's/^Copyright (c)/Copyright:/p' "$source/LICENSE"
    printf 'License: Expat\n'
    sed -e '1,/^Copyright/d' -e '/./,$!d' "$source/LICENSE" | sed -e 's/^$/./' -e 's/^/ /'
    if [[ $name == orrery ]]; then # headers that are compiled in
      for header in libcli11-dev libhwy-dev nlohmann-json3-dev; do
        printf '\n\n%s, which is part of the library:\n\n' "$header"
        cat "/usr/share/doc/$header/copyright"
      done
    fi
  } >"$documents/copyright"
  gzip -9nc "$source/CHANGELOG.md" >"$documents/changelog.gz"
  find "$name" -type d -exec chmod 755 {} +
  find "$name/usr" -type f ! -path '*/bin/*' -exec chmod 644 {} +
  {
    printf 'Package: %s\nVersion: %s\nArchitecture: %s\nSection: science\nPriority: optional\n' "$name" "$version" "$2"
    printf 'Source: orrery\nMaintainer: the orrery developers <orrery@localhost>\n'
    printf 'Installed-Size: %s\n' "$(du -k --apparent-size -s "$name/usr" | cut -f1)"
    printf 'Depends: %s\n' "$3"
    ((${#fields[@]} == 0)) || printf '%s\n' "${fields[@]}"
    printf 'Description: %s\n %s\n' "$4" "$5"
  } >"$name/DEBIAN/control"
  (cd "$name" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$name/DEBIAN/md5sums"
  file=$out/${name}_${version}_$2.deb
  dpkg-deb --root-owner-group -Zxz --build "$name" "$file" >/dev/null
  echo "$file"
}

# move PACKAGE FOLDER FILE…: moves files of the tree into a package.
move() {
  mkdir -p "$1/usr/$2"
  cp -a "${@:3}" "$1/usr/$2"
}

cp -a "$tree" tree
mkdir -p orrery/usr
if [[ -d tree/lib/python3 ]]; then
  move python3-orrery lib tree/lib/python3
  rm -r tree/lib/python3
fi
for module in pictures opengl mpi; do
  [[ -f tree/lib/orrery_$module.so ]] || continue
  move "orrery-$module" lib "tree/lib/orrery_$module.so"
  rm "tree/lib/orrery_$module.so"
done
cp -a tree/. orrery/usr
mkdir -p orrery/DEBIAN
echo "activate-noawait ldconfig" >orrery/DEBIAN/triggers

package orrery "$architecture" "$(needs orrery)" "N-body simulation: program, library and headers" \
  "From scenarios in TOML to trajectories with the same bits on every machine." \
  "Recommends: orrery-pictures" "Suggests: orrery-mpi, python3-orrery, bash-completion"
if [[ -d orrery-pictures ]]; then
  # Loaded for GIFs alone.
  avfilter=libavfilter$(strings -a orrery-pictures/usr/lib/orrery_pictures.so | sed -n 's/^libavfilter\.so\.//p' | head -n 1)
  package orrery-pictures "$architecture" "$(needs orrery-pictures), orrery (= $version), fonts-dejavu-core" "figures and films of orrery" \
    "Draws what scenarios ask for: PNG, SVG, PDF, MP4, WebM and GIF." \
    "Recommends: $avfilter, orrery-opengl"
fi
if [[ -d orrery-opengl ]]; then
  package orrery-opengl "$architecture" "$(needs orrery-opengl), orrery-pictures (= $version)" "pictures of orrery in space" \
    "Pixels of scenes in perspective, by VTK and OpenGL, for which a GPU is not needed." "Recommends: libgl1-mesa-dri"
fi
if [[ -d orrery-mpi ]]; then
  package orrery-mpi "$architecture" "$(needs orrery-mpi), orrery (= $version)" "orrery on several nodes, by MPI" \
    "The module that joins processes which mpirun or srun has started." "Recommends: openmpi-bin"
fi
if [[ -d python3-orrery ]]; then
  mkdir -p python3-orrery/DEBIAN
  printf '#!/bin/sh\nset -e\n[ "$1" != configure ] || py3compile -p python3-orrery\n' >python3-orrery/DEBIAN/postinst
  printf '#!/bin/sh\nset -e\npy3clean -p python3-orrery\n' >python3-orrery/DEBIAN/prerm
  chmod 755 python3-orrery/DEBIAN/p*
  package python3-orrery all "python3 (>= 3.11), python3-numpy, orrery (>= ${2%.*}), orrery (<< ${2%.*}.99)" \
    "orrery for Python" "Models, runs, trajectories and pictures as Python objects over the library." \
    "Recommends: orrery-pictures" "Suggests: python3-pandas, python3-matplotlib, python3-astropy"
fi
