# SPDX-License-Identifier: MIT
"""Makes the archive and the wheel that need nothing installed: an installed tree, its libraries and fonts, what is said of them.

    portable.py TREE SLIM VERSION OUT

TREE is as of ``cmake --install --prefix TREE`` with the folder lib, SLIM as of slim.sh. SOURCE_DATE_EPOCH dates all files, so that
two builds are equal.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from carried import LICENCES, Carried, carry, compiled_in, glibc, is_elf, sbom

SOURCE = Path(__file__).resolve().parents[2]
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
FONTS = Path("/usr/share/fonts/truetype/dejavu")

COPYING = """\
orrery {version} itself is under the MIT licence (LICENSES/orrery). What is carried with it is not all: FFmpeg is built with x264
here, both under the GNU General Public License, version 2 or later, and so is this folder as a whole (version 3, since oneTBB is
under the Apache License). Without lib/orrery_pictures.so, lib/libav*, lib/libsw* and lib/libx264* it is not.

If sbom.spdx.json names cuda-cudart, CUDA's runtime is in lib/liborrery.so. Its terms are NVIDIA's (https://docs.nvidia.com/cuda/eula),
which the GPL does not allow in one work with it: use this folder as you like, but pass it on without the one or the other.

LICENSES has the copyright files of all parts, and LICENSES/GPL-2 and so on the licences that they name. sbom.spdx.json lists each
carried file with its licence, its SHA-256, and the Debian source package and version that it was built from, whose sources are at
https://snapshot.debian.org. FFmpeg and HDF5 are built from these with fewer parts, by pipeline/packaging/slim.sh of orrery's sources.
"""

README = """\
orrery {version}: N-body simulation with figures and films

    bin/orrery run share/orrery/scenarios/two-body.toml

needs nothing but Linux on x86-64 with glibc {glibc} or newer (Debian 12, Ubuntu 24.04, Fedora 38, or later). The folder may
lie anywhere, also where it cannot be written, and be moved. It draws figures, charts and films by itself; pixels of view3d use the
system's OpenGL (EGL, with Mesa or the driver of a GPU), and are refused before a run begins where there is none. Films are H.264,
AV1, VP9 and GIF; HEVC takes an FFmpeg of the system, so packages or a build. A GPU of NVIDIA is used if its driver is there.

share/doc/orrery has the documentation, include and lib/cmake what programs with the library need, COPYING the licences.
"""

# For an environment, a user or the system, and for `pip install --target`.
SCRIPT = """\
#!/bin/sh
# SPDX-License-Identifier: MIT
here=$(dirname "$(readlink -f "$0")")
for program in "$here"/../lib*/python3*/*-packages/orrery/bin/orrery "$here"/../orrery/bin/orrery; do
  [ ! -x "$program" ] || exec "$program" "$@"
done
echo "orrery: the program is not in the packages of Python beside $here" >&2
exit 1
"""


def write_terms(place: Path, version: str) -> None:
    (place / "COPYING").write_text(COPYING.format(version=version))
    shutil.copyfile(SOURCE / "LICENSE", place / "LICENSES" / "orrery")
    shutil.copyfile("/usr/share/doc/fonts-dejavu-core/copyright", place / "LICENSES" / "fonts-dejavu")
    for name in ("GPL-2", "GPL-3", "LGPL-2", "LGPL-2.1", "MPL-1.1", "Apache-2.0"):
        shutil.copyfile(f"/usr/share/common-licenses/{name}", place / "LICENSES" / name)


def assemble(tree: Path, slim: Path, version: str, root: Path) -> list[Carried]:
    """Makes `root` of the tree, the libraries that it needs, and the fonts."""
    shutil.copytree(tree, root, symlinks=True, ignore=shutil.ignore_patterns("python3"))
    carried = carry(root, slim, root / "LICENSES")
    fonts = root / "share" / "orrery" / "fonts"
    fonts.mkdir(parents=True)
    package = subprocess.run(["dpkg-query", "-W", "-f", "${source:Version}", "fonts-dejavu-core"], capture_output=True, text=True, check=True)
    for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"):
        shutil.copyfile(FONTS / name, fonts / name)
        carried.append(Carried(fonts / name, "fonts-dejavu", package.stdout))
    write_terms(root, version)
    created = datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    inside = compiled_in(root, root / "LICENSES")
    (root / "sbom.spdx.json").write_text(sbom(root, f"orrery-{version}", version, carried, inside, created))
    return carried


def archive(root: Path, out: Path) -> Path:
    """The folder as .tar.xz, with names in order and one date."""
    documents = root / "share" / "doc" / "orrery"
    shutil.copytree(SOURCE / "docs", documents, ignore=shutil.ignore_patterns("images", "studies", "validation", "*.sh"))
    shutil.copyfile(SOURCE / "README.md", documents / "README.md")
    shutil.copyfile(SOURCE / "CHANGELOG.md", documents / "CHANGELOG.md")
    target = out / f"{root.name}.tar.xz"
    tar = ["tar", "-C", root.parent, "--sort=name", f"--mtime=@{EPOCH}", "--owner=0", "--group=0", "--numeric-owner"]
    tar += ["--mode=u=rwX,go=rX", "--format=gnu", "-cf", "-", root.name]
    with target.open("wb") as file:
        making = subprocess.Popen(tar, stdout=subprocess.PIPE)
        subprocess.run(["xz", "-9e", "-T1", "-c"], stdin=making.stdout, stdout=file, check=True)
        if making.wait() != 0:
            raise SystemExit("tar failed")
    return target


def wheel(tree: Path, root: Path, version: str, tag: str, out: Path) -> Path:
    """The module for Python with all of `root` in it but what is for C and for shells."""
    info, data = f"orrery-{version}.dist-info", f"orrery-{version}.data"
    members: dict[str, tuple[bytes, int]] = {}

    def add(name: str, content: bytes, mode: int = 0o644) -> None:
        members[name] = content, mode

    module = tree / "lib" / "python3" / "dist-packages" / "orrery"
    for path in sorted(module.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            add(f"orrery/{path.relative_to(module).as_posix()}", path.read_bytes())
    soname = f"liborrery.so.{version.rpartition('.')[0]}"
    for path in sorted(root.rglob("*")):
        place = path.relative_to(root)
        if not path.is_file() or (path.is_symlink() and path.name != soname) or path.name == f"liborrery.so.{version}":
            continue
        if place.parts[0] in ("bin", "lib") and is_elf(path.resolve()):
            add(f"orrery/{place.as_posix()}", path.read_bytes(), 0o755)
        elif place.parts[:2] == ("share", "orrery"):
            add(f"orrery/{place.as_posix()}", path.read_bytes())
        elif place.parts[0] in ("LICENSES", "COPYING"):
            add(f"{info}/licenses/{place.as_posix()}", path.read_bytes())
    add(f"{info}/sboms/sbom.spdx.json", (root / "sbom.spdx.json").read_bytes())
    add(f"{data}/scripts/orrery", SCRIPT.encode(), 0o755)
    add(
        f"{info}/METADATA",
        f"""\
Metadata-Version: 2.1
Name: orrery
Version: {version}
Summary: N-body simulation with figures and films
License: MIT, with parts under the GPL, version 2 or later
Requires-Python: >=3.11
Requires-Dist: numpy
Description-Content-Type: text/plain

Models, runs, trajectories and pictures of orrery for Python, with its program and its libraries.
""".encode(),
    )
    add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: orrery {version}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    record = ""
    for name, (content, _) in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    add(f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode())
    target = out / f"orrery-{version}-{tag}.whl"
    date = datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).timetuple()[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, (content, mode) in members.items():
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, content)
    return target


def main(tree: Path, slim: Path, version: str, out: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / f"orrery-{version}-linux-x86_64"
        carried = assemble(tree, slim, version, root)
        major, minor = glibc([path for path in root.rglob("*") if is_elf(path)])
        (root / "README").write_text(README.format(version=version, glibc=f"{major}.{minor}"))
        for one in sorted(carried, key=lambda one: -one.path.stat().st_size):
            print(f"{one.path.stat().st_size:>10} {one.path.relative_to(root)} {one.source} {one.version} {LICENCES[one.source]}")
        print(wheel(tree, root, version, f"py3-none-manylinux_{major}_{minor}_x86_64", out))
        print(archive(root, out))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
