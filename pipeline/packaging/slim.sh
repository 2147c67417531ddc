#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the two libraries of which the distribution's carry far more than films and trajectories need: FFmpeg with the few codecs
# of films, and HDF5 without files on web servers. Sources, names and versions of symbols are the distribution's, so that they
# take the places of its own. Debian 12; about two minutes on two cores.
#   slim.sh FOLDER      makes FOLDER/lib, and FOLDER/SOURCES with a line "library source-package version" each
set -euo pipefail
export LC_ALL=C.UTF-8
mkdir -p "$1"
folder=$(realpath "$1")
made=$(sha256sum <"${BASH_SOURCE[0]}")
if [[ -f $folder/made && $(<"$folder/made") == "$made" ]]; then exit 0; fi
rm -rf "$folder"
mkdir -p "$folder"/{lib,apt/lists/partial,apt/cache/archives/partial,ffmpeg,hdf5}
cd "$folder"
jobs=$(nproc)

# The newest sources of this release with its security updates, by lists of their own: the system's settings stay as they are.
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=${DEBIAN_MIRROR:-http://deb.debian.org}
key='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
printf 'deb-src %s %s/%s main\n' "$key" "$mirror" "debian $codename" "$key" "$mirror" "debian-security $codename-security" >sources.list
settings=(-o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$PWD/apt/lists"
  -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User=)
apt-get "${settings[@]}" -q update
apt-get "${settings[@]}" -q source ffmpeg hdf5
version_of() { dpkg-parsechangelog -l "$(echo "$1"-*/debian/changelog)" -S Version; }
# Of the sources, so that two builds are equal.
export SOURCE_DATE_EPOCH HOSTNAME=debian
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -l "$(echo ffmpeg-*/debian/changelog)" -S Timestamp)

# What render/module asks for: encoders as in codec.cpp, of which the GPL-licensed x265 is left out for its size (16 MB), and
# containers and filters as in video.cpp, join.cpp and gif.cpp. The parsers are for joining pieces.
(
  cd ffmpeg
  ../ffmpeg-*/configure --prefix=/usr --disable-everything --disable-autodetect --disable-programs --disable-doc --disable-static \
    --enable-shared --disable-avdevice --disable-postproc --disable-swresample --disable-network --disable-debug \
    --enable-gpl --enable-libx264 --enable-libvpx --enable-libsvtav1 --enable-encoder=libx264,libvpx_vp9,libsvtav1,gif \
    --enable-muxer=mp4,webm,gif --enable-demuxer=mov,matroska,gif --enable-parser=h264,hevc,av1,vp9,gif \
    --enable-protocol=file --enable-filter=palettegen,paletteuse,format,scale
  make -j "$jobs"
)

# As debian/rules does for the serial library, without its drivers for web servers, szip, Fortran, C++ and Java.
(cd hdf5-* && autoreconf -fi)
(
  cd hdf5
  H5_LDFLAGS="-Wl,--version-script,\$(top_srcdir)/debian/map_serial.ver" CFLAGS=-O2 ../hdf5-*/configure --prefix=/usr \
    --enable-shared --disable-static --enable-build-mode=production --disable-sharedlib-rpath --with-zlib --with-szlib=no \
    --with-default-api-version=v18 --with-flavor=serial --enable-unsupported --enable-threadsafe \
    --disable-hl --disable-tools --disable-tests --disable-fortran --disable-cxx --disable-java
  sed -i -e "s#$folder#.#g" -e 's/^\( *\(Configured on\|Configured by\|Uname information\|Host system\|Build system\):\).*/\1 any/' src/libhdf5.settings
  make -C src -j "$jobs"
)

keep() { # SOURCE FILE…: the files under the names that the loader looks for
  local source=$1 file soname
  shift
  for file in "$@"; do
    soname=$(patchelf --print-soname "$file")
    strip -o "lib/$soname" "$(realpath "$file")"
    printf '%s %s %s\n' "$soname" "$source" "$(version_of "$source")" >>SOURCES
  done
}
keep ffmpeg ffmpeg/lib*/lib*.so.*
keep hdf5 hdf5/src/.libs/libhdf5_serial.so
for source in ffmpeg hdf5; do cp "$(echo "$source"-*/debian/copyright)" "lib/$source.copyright"; done
rm -rf apt ffmpeg hdf5 ffmpeg-* hdf5-* ./*.dsc ./*.tar.*
echo "$made" >made
