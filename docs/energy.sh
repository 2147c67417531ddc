#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the pictures of docs/energy.md again: docs/energy.sh [ORRERY], from the project's folder. Runs go to a temporary
# folder. ffmpeg, where it is there, makes the pictures a fifth as large.
set -e
orrery=${1:-build/release/bin/orrery}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# NAME SCENARIO [--set …]: a sweep, and the energy errors of its members over each other.
draw() {
  name=$1 scenario=$2
  shift 2
  "$orrery" simulate "scenarios/$scenario.toml" -o "$work/$name" --quiet "$@" >/dev/null
  "$orrery" render "$work/$name"/*/run.h5 --figure energy-error -o "$work/energy-$name.png" --quiet \
    --set 'figure[0].size=[800,440]' --set 'figure[0].scale="log"' --set 'figure[0].dpi=96'
  ffmpeg -v error -y -i "$work/energy-$name.png" -pix_fmt pal8 -pred mixed -compression_level 9 -vf \
    'split[a][b];[a]palettegen=max_colors=32[p];[b][p]paletteuse=dither=none' "docs/images/energy-$name.png" \
    2>/dev/null || cp "$work/energy-$name.png" docs/images
  "$orrery" table "$work/$name" --format markdown
}

draw bounded energy-drift
draw rounding energy-drift --set 'sweep.integrator.kind=["yoshida8"]' \
  --set 'sweep.backend.precision=["float64","mixed","float32"]'
draw encounter pythagorean --set integrator.dt=0.0005 --set trajectory.every=20 --set observables.every=20 \
  --set 'sweep={integrator.kind=["leapfrog","pefrl","hermite4","ias15"]}'
draw softening pythagorean --set integrator.kind=leapfrog --set integrator.dt=0.0005 --set trajectory.every=20 \
  --set observables.every=20 --set 'sweep={force.softening=[0.0,0.01,0.05,0.2]}'
