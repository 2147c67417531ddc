# SPDX-License-Identifier: MIT
"""The shared library: where it is looked for, how it is loaded, and its functions with their types.

In this order: the file or folder that the environment variable ``ORRERY_LIBRARY`` names; the folder ``lib`` in this
package, as in a wheel; the ``lib`` folders above the package, as where it is installed; builds of the tree that the
package lies in; what the system's loader finds.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ._declarations import Declarations
from ._header import HEADER

SERIES = "0.1"  # versions whose C interface is that of `HEADER`: CMakeLists.txt has the same, as a test checks
NAME = f"liborrery.so.{SERIES}"
C = Declarations(HEADER)


def candidates(package: Path, environment: str | None) -> Iterator[str]:
    """Paths or names to load, the likeliest first; with `environment` that alone."""
    if environment:
        path = Path(environment)
        yield str(path / NAME if path.is_dir() else path)
        return
    folders = [package / "lib"]
    for above in package.parents[:4]:
        folders += [above, *(above / "lib").glob("*-linux-gnu")]
        if above.name.startswith("python"):  # PREFIX/lib/python3/dist-packages
            folders.append(above.parent)
    if len(package.parents) > 2 and (package.parents[2] / "CMakeLists.txt").exists():
        builds = (package.parents[2] / "build").glob(f"*/lib/{NAME}")
        folders += [file.parent for file in sorted(builds, key=lambda f: f.stat().st_mtime, reverse=True)]
    for folder in folders:
        if (folder / NAME).exists():
            yield str(folder / NAME)
    yield NAME


def why_not_loaded(path: str, reason: str) -> str:
    """What the loader's words mean for somebody who wants to import a module; in one line."""
    reason = " ".join(reason.split())
    if found := re.search(r"version [`'](GLIBC|GLIBCXX|CXXABI)_([\d.]+)' not found", reason):
        what = "glibc" if found[1] == "GLIBC" else "a libstdc++ with " + found[1]
        return f"{path} needs {what} {found[2]} or newer, this system's is older: install orrery from its sources here"
    if "wrong ELF class" in reason or "invalid ELF header" in reason or "file too short" in reason:
        return f"{path} is no library for this machine: {reason}"
    if found := re.match(r"([\w.+-]+): cannot open shared object file", reason):
        if found[1] != NAME:
            return f"{path} needs {found[1]}, which is not on this system: install the package that has it"
    if "No such file" in reason or "cannot open shared object file" in reason:
        advice = f"set ORRERY_LIBRARY to the path of {NAME}, or to its folder, or build it with `./bootstrap build`"
        return f"there is no {path}: {advice}"
    return f"{path} cannot be loaded: {reason}"


def load(paths: Iterator[str]) -> tuple[ctypes.CDLL, str]:
    """The library of the first of these paths, with the types of its functions, and that path.

    Raises:
        ImportError: there is none, it cannot be loaded, or it is of another version; in one line.
    """
    path = next(paths)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(why_not_loaded(path, str(error))) from None
    try:
        library.orrery_version.restype = ctypes.c_char_p
        version = library.orrery_version().decode()
        if version.split("-")[0].rsplit(".", 1)[0] != SERIES:
            raise ImportError(
                f"{path} is version {version}, this module is for {SERIES}.*: install both of one version"
            )
        for name, (result, arguments) in C.functions.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as error:
        what = str(error).rsplit(" ", 1)[-1]
        raise ImportError(
            f"{path} lacks {what}, so it is older than this module: install both of one version"
        ) from None
    return library, path


def made(struct: str, **fields: Any) -> Any:
    """A struct by its name without ``orrery_``, with its size, and zeros besides these fields."""
    kind = C.structs["orrery_" + struct]
    value = kind(**fields)
    if "size" in (field[0] for field in kind._fields_):
        value.size = ctypes.sizeof(kind)
    return value


def callback(struct: str, field: str, function: Any) -> Any:
    """A function as the callback that a field of a struct takes; it must be kept as long as the library may call it."""
    return dict(C.structs["orrery_" + struct]._fields_)[field](function)


def constant(name: str) -> int:
    """The value of an enumerator by its name without ``ORRERY_``."""
    return C.constants["ORRERY_" + name]


def text_of(raw: bytes | None) -> str:
    """A text of the library."""
    return (raw or b"").decode("utf-8", "replace")


library, library_path = load(candidates(Path(__file__).resolve().parent, os.environ.get("ORRERY_LIBRARY")))
version = text_of(library.orrery_version())
