#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the pictures of docs/gallery.md again, smaller than the commands there do: docs/gallery.sh [ORRERY], from the
# project's folder, in some minutes. ffmpeg, where it is there, makes the stills a third as large.
set -e
orrery=${1:-build/release/bin/orrery}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

simulate() {
  "$orrery" simulate "scenarios/$1.toml" -o "$work/$1" --quiet
}

# RUN NAME WIDTH HEIGHT KEYS: a [[figure]] of those keys, docs/images/NAME.png.
still() {
  "$orrery" render "$work/$1/run.h5" -o "$work" --quiet --set 'film=[]' \
    --set "figure=[{file=\"$2.png\", size=[$3,$4], dpi=96, $5}]"
  ffmpeg -v error -y -i "$work/$2.png" -pix_fmt pal8 -pred mixed -compression_level 9 -vf \
    'split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none' "docs/images/$2.png" 2>/dev/null ||
    cp "$work/$2.png" docs/images
}

# RUN NAME WIDTH HEIGHT KEYS: a film, docs/images/NAME.gif.
film() {
  "$orrery" render "$work/$1/run.h5" -o docs/images --quiet --set 'figure=[]' \
    --set "film=[{file=\"$2.gif\", size=[$3,$4], fps=20, $5}]"
}

simulate random-cube
still random-cube cube-space 640 480 'kind="view3d"'
still random-cube cube-energy 640 480 'kind="energy-error"'

simulate two-body
still two-body two-body 760 400 'kind="panels", part=[{kind="projection"}, {kind="conserved"}]'

"$orrery" simulate scenarios/kepler-0.9.toml -o "$work/kepler" --quiet --set integrator.kind=yoshida4 \
  --set integrator.dt='"1/2000 period"' --set integrator.time='"100 periods"' --set trajectory.frames=601
still kepler energy-kepler 640 480 'kind="energy-error"'

simulate lagrange
still lagrange lagrange 640 480 'kind="view3d"'
simulate lagrange-equal
film lagrange-equal lagrange-equal 300 300 'kind="projection", duration=9, trails="1/2 period"'

simulate figure-eight
film figure-eight figure-eight 400 200 'kind="projection", duration=4, trails="1/3 period", title=""'
for orbit in butterfly-1 butterfly-2 butterfly-3 moth-1 goggles dragonfly yin-yang-1a yin-yang-1b; do
  simulate $orbit
  still $orbit $orbit 360 270 'kind="projection"'
done

simulate pythagorean
still pythagorean pythagorean 760 400 'kind="panels", part=[{kind="projection"}, {kind="separation"}]'
simulate arenstorf
still arenstorf arenstorf 480 360 'kind="projection", frame="corotating"'

simulate galaxy
still galaxy galaxy-face-on 640 480 'kind="density"'
still galaxy galaxy-edge-on 640 256 'kind="density", plane="xz"'
still galaxy galaxy-rotation 640 480 'kind="rotation-curve"'
simulate cold-collapse
still cold-collapse collapse 640 480 'kind="lagrangian-radii"'
still cold-collapse collapse-snapshots 640 440 'kind="snapshots", theme="dark", limits=[-1.5,1.5,-1.5,1.5]'
