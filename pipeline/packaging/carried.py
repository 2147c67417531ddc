# SPDX-License-Identifier: MIT
"""The libraries that a folder carries along: which ones a program needs, where they are put, and what is known of them."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

# Licences by source package, as SPDX names; Debian's copyright files, which are carried too, have them in full.
LICENCES = {
    "brotli": "MIT",
    "bzip2": "bzip2-1.0.6",
    "cairo": "LGPL-2.1-only OR MPL-1.1",
    "cli11": "BSD-3-Clause",
    "cuda-cudart": "LicenseRef-NVIDIA-CUDA-EULA",
    "expat": "MIT",
    "ffmpeg": "GPL-2.0-or-later",
    "fmtlib": "MIT",
    "fontconfig": "HPND AND MIT",
    "fonts-dejavu": "Bitstream-Vera",
    "freetype": "FTL OR GPL-2.0-or-later",
    "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glew": "BSD-3-Clause AND MIT",
    "hdf5": "BSD-3-Clause",
    "highway": "Apache-2.0",
    "libbsd": "BSD-3-Clause AND BSD-2-Clause AND ISC",
    "libglvnd": "MIT",
    "libmd": "BSD-3-Clause AND BSD-2-Clause AND ISC",
    "libpng1.6": "libpng-2.0",
    "libvpx": "BSD-3-Clause",
    "libx11": "MIT",
    "libxau": "MIT",
    "libxcb": "MIT",
    "libxdmcp": "MIT",
    "libxext": "MIT",
    "libxrender": "MIT",
    "nlohmann-json3": "MIT",
    "onetbb": "Apache-2.0",
    "orrery": "MIT",
    "pixman": "MIT",
    "svt-av1": "BSD-3-Clause-Clear",
    "tomlplusplus": "MIT",
    "util-linux": "BSD-3-Clause",
    "vtk9": "BSD-3-Clause",
    "x264": "GPL-2.0-or-later",
    "xxhash": "BSD-2-Clause",
    "zlib": "Zlib",
}

# Packages whose headers are compiled into liborrery.so.
COMPILED_IN = ("libcli11-dev", "libhwy-dev", "nlohmann-json3-dev")

# A system that lacks one of these still finds it, in lib/if-missing. Where it has one, it is used: drivers of OpenGL are the
# system's, and need its C++ library and its X11, which may be newer.
SYSTEMS_FIRST = re.compile(r"lib(stdc\+\+|gcc_s|EGL|GL|GLX|OpenGL|GLdispatch|X11|X\w+|xcb(-\w+)?|bsd|md|expat)\.so\.")
# Of the system in any case: glibc.
SYSTEMS = re.compile(r"(lib(c|m|dl|rt|pthread|util|resolv|mvec)|ld-linux-x86-64)\.so\.")
SYSTEM_FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64")  # Debian and Ubuntu; Fedora, Arch, SUSE


@dataclass
class Carried:
    """A file that is carried, with the source package that it was built from."""

    path: Path
    source: str
    version: str


def run(*command: str | Path) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def is_elf(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path: Path) -> list[str]:
    return run("patchelf", "--print-needed", path).split()


def glibc(paths: list[Path]) -> tuple[int, int]:
    """The version of glibc that the newest symbols in these files are of."""
    versions = {tuple(map(int, found)) for path in paths for found in re.findall(r"GLIBC_(\d+)\.(\d+)", run("readelf", "-V", path))}
    return max(versions)


def source_of(file: Path) -> tuple[str, str, str]:
    """The source package and version of an installed file, and its binary package."""
    for place in (file, Path("/usr") / file.relative_to("/"), Path("/") / str(file).removeprefix("/usr/")):
        found = subprocess.run(["dpkg", "-S", str(place)], capture_output=True, text=True)
        if found.returncode == 0:
            package = found.stdout.split(": ")[0]
            source, version = run("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package).split()
            return source, version, package.split(":")[0]
    raise SystemExit(f"{file} is in no package")


def carry(root: Path, slim: Path, licences: Path) -> list[Carried]:
    """Copies into `root`/lib what its programs and libraries need and the system may lack, and makes all of it find each other.

    Libraries of `slim` are taken before those of the system. Copyright files of their packages go into `licences`.
    """
    lib, fallback = root / "lib", root / "lib" / "if-missing"
    fallback.mkdir(parents=True, exist_ok=True)
    licences.mkdir(parents=True, exist_ok=True)
    sources = {line.split()[0]: line.split()[1:] for line in (slim / "SOURCES").read_text().splitlines()}
    system = dict(re.findall(r"^\s+(\S+) \(libc6,x86-64[^)]*\) => (\S+)$", run("/sbin/ldconfig", "-p"), re.MULTILINE)[::-1])
    carried: dict[str, Carried] = {}
    own = [path for path in sorted(root.rglob("*")) if is_elf(path)]
    # MPI is the cluster's. FFmpeg's filters are loaded by name.
    wanted = [name for path in own if path.name != "orrery_mpi.so" for name in needed(path)]
    wanted += [name for name in sources if name.startswith("libavfilter")]
    while wanted:
        name = wanted.pop()
        if SYSTEMS.match(name) or name in carried or name.startswith("liborrery"):
            continue
        if name in sources:
            file, (source, version) = slim / "lib" / name, sources[name]
            shutil.copyfile(slim / "lib" / f"{source}.copyright", licences / source)
        else:
            file = Path(system[name]).resolve()
            source, version, package = source_of(file)
            shutil.copyfile(f"/usr/share/doc/{package}/copyright", licences / source)
        if source not in LICENCES:
            raise SystemExit(f"{name} is of {source}: look into its copyright, and give its licence in {__file__}")
        copy = (fallback if SYSTEMS_FIRST.match(name) else lib) / name
        shutil.copyfile(file, copy)
        copy.chmod(0o755)
        carried[name] = Carried(copy, source, version)
        wanted += needed(copy)
    for path in own + [one.path for one in carried.values()]:
        set_search(path, lib, fallback)
    return [carried[name] for name in sorted(carried)]


def set_search(path: Path, lib: Path, fallback: Path) -> None:
    """Where the loader looks for what this file needs: here, and for those of the system there first."""
    up = "/.." * len(path.parent.relative_to(lib.parent).parts)
    folders = [] if path.parent == fallback else [f"$ORIGIN{up}/lib".replace("/../lib", "") if path.parent == lib else f"$ORIGIN{up}/lib"]
    if any(SYSTEMS_FIRST.match(name) for name in needed(path)):
        folders += [*SYSTEM_FOLDERS, "$ORIGIN" if path.parent == fallback else folders[0] + "/if-missing"]
    run("patchelf", "--set-rpath", ":".join(folders), path)


def compiled_in(root: Path, licences: Path) -> list[Carried]:
    """What is part of the library itself: its headers, and CUDA's runtime."""
    library = (root / "lib" / "liborrery.so").resolve()
    found = []
    for package in COMPILED_IN:
        source, version = run("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package).split()
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", licences / source)
        found.append(Carried(library, source, version))
    if b"cudaErrorInvalidValue" in library.read_bytes():
        found.append(Carried(library, "cuda-cudart", "NOASSERTION"))
    return found


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sbom(root: Path, name: str, version: str, carried: list[Carried], inside: list[Carried], created: str) -> str:
    """The bill of materials as SPDX 2.3: source packages with licences, and each carried file with its size and SHA-256.

    `inside` are those that are part of the library itself.
    """
    digests = sorted(sha256(one.path) for one in carried)
    packages: dict[str, dict] = {}
    files, relations = [], [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-orrery"}]

    def package(source: str, source_version: str, origin: str) -> dict:
        return {
            "SPDXID": f"SPDXRef-{source}",
            "name": source,
            "versionInfo": source_version,
            "downloadLocation": origin,
            "filesAnalyzed": False,
            "licenseConcluded": LICENCES[source],
            "licenseDeclared": LICENCES[source],
            "copyrightText": "NOASSERTION",
        }

    def depend(how: str, source: str) -> None:
        relations.append({"spdxElementId": "SPDXRef-orrery", "relationshipType": how, "relatedSpdxElement": f"SPDXRef-{source}"})

    def snapshot(one: Carried) -> str:
        return f"https://snapshot.debian.org/package/{one.source}/{one.version.split(':')[-1]}/"

    packages["orrery"] = package("orrery", version, "NOASSERTION")
    for one in inside:
        origin = "https://developer.nvidia.com/cuda-downloads" if one.source == "cuda-cudart" else snapshot(one)
        packages[one.source] = package(one.source, one.version, origin)
        depend("STATIC_LINK", one.source)
    for one in carried:
        if one.source not in packages:
            packages[one.source] = package(one.source, one.version, snapshot(one))
            depend("DEPENDS_ON", one.source)
        place = one.path.relative_to(root).as_posix()
        identifier = "SPDXRef-File-" + re.sub(r"[^A-Za-z0-9.-]", "-", place)
        files.append(
            {
                "SPDXID": identifier,
                "fileName": f"./{place}",
                "checksums": [{"algorithm": "SHA256", "checksumValue": sha256(one.path)}],
                "licenseConcluded": LICENCES[one.source],
                "copyrightText": "NOASSERTION",
                "comment": f"{one.path.stat().st_size} bytes",
            }
        )
        relations.append(
            {"spdxElementId": f"SPDXRef-{one.source}", "relationshipType": "CONTAINS", "relatedSpdxElement": identifier}
        )
    document: dict = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"urn:orrery:{name}:{hashlib.sha256(''.join(digests).encode()).hexdigest()}",
        "creationInfo": {"created": created, "creators": ["Tool: pipeline/packaging"]},
        "packages": [packages[source] for source in sorted(packages)],
        "files": files,
        "relationships": relations,
    }
    if "cuda-cudart" in packages:
        terms = "https://docs.nvidia.com/cuda/eula/"
        document["hasExtractedLicensingInfos"] = [{"licenseId": LICENCES["cuda-cudart"], "extractedText": terms}]
    return json.dumps(document, indent=1) + "\n"
