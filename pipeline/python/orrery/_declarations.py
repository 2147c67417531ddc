# SPDX-License-Identifier: MIT
"""The declarations of ``orrery.h`` as types of ctypes.

`HEADER` (in ``_header.py``) is what the compiler reads of the header, without its comments and inline functions;
``python3 orrery/_declarations.py path/of/orrery.h`` writes that file, and a test compares it with the header, so that
the two cannot drift apart. The part of C that the header uses is small: enums, structs, pointers to functions,
functions.
"""

from __future__ import annotations

import ctypes
import re
import sys
from pathlib import Path
from typing import Any

_SCALARS: dict[str, Any] = {
    "void": None,
    "char": ctypes.c_char,
    "unsigned char": ctypes.c_ubyte,
    "int": ctypes.c_int,
    "double": ctypes.c_double,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "ptrdiff_t": ctypes.c_ssize_t,
}


def stripped(header: str) -> str:
    """The declarations of a header: one per line, without comments, directives and inline functions."""
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.S)
    text = re.sub(r"#if\w* __cplusplus.*?#(else|endif)", " ", text, flags=re.S)  # what C++ sees besides
    text = re.sub(r"^#.*?(?<!\\)\n", "\n", text, flags=re.S | re.M)
    text = re.sub(r"static inline [^{]*\{.*?\n\}", " ", text, flags=re.S).replace("ORRERY_API ", "")
    statements: list[str] = []
    statement, depth = "", 0
    for part in re.split(r"([{};])", re.sub(r"\s+", " ", text)):
        depth += (part == "{") - (part == "}")
        statement += part
        if part == ";" and depth == 0:
            statements.append(statement.strip())
            statement = ""
    return "\n".join(statements) + "\n"


class Declarations:
    """Constants, structs and functions of a header, read from its stripped text.

    Attributes:
        constants: the values of all enumerators, ``{"ORRERY_OK": 0, …}``.
        structs: the types of structs by name.
        functions: ``{name: (result, [arguments])}``.
    """

    def __init__(self, text: str) -> None:
        self.constants: dict[str, int] = {}
        self.structs: dict[str, Any] = {}
        self.functions: dict[str, tuple[Any, list[Any]]] = {}
        self._types: dict[str, Any] = dict(_SCALARS)
        for line in text.splitlines():
            self._read(line)

    def _read(self, line: str) -> None:
        if found := re.fullmatch(r"(?:typedef )?enum (\w* ?)\{(.*)\} ?(\w*);", line):
            value = -1
            for entry in filter(None, (e.strip() for e in found[2].split(","))):
                name, _, given = entry.partition("=")
                value = int(given) if given else value + 1
                self.constants[name.strip()] = value
            if found[3]:
                self._types[found[3]] = ctypes.c_int
        elif found := re.fullmatch(r"typedef struct (\w+) \{(.*)\} (\w+);", line):
            self._struct(found[1], found[2])
        elif found := re.fullmatch(r"(?:typedef )?struct (\w+)(?: \w+)?;", line):
            self._struct(found[1])
        elif found := re.fullmatch(r"typedef (\w+) (\w+);", line):
            self._types[found[2]] = self._types[found[1]]
        elif found := re.fullmatch(r"(.*?[ *])(\w+)\((.*)\);", line):
            self.functions[found[2]] = self._type(found[1]), self._arguments(found[3])
        else:
            raise SyntaxError(f"this declaration of orrery.h is of no known form: {line}")

    def _struct(self, name: str, fields: str | None = None) -> None:
        if name not in self.structs:
            self._types[name] = self.structs[name] = type(name, (ctypes.Structure,), {})
        if fields is not None:
            self.structs[name]._fields_ = [f for line in fields.split(";") if line.strip() for f in self._fields(line)]

    def _fields(self, line: str) -> list[tuple[str, Any]]:
        """The fields that one declaration of a struct declares: ``double low, high``."""
        if found := re.fullmatch(r"(.*?) ?\( ?\*(\w+) ?\) ?\((.*)\)", line.strip()):
            return [(found[2], ctypes.CFUNCTYPE(self._type(found[1]), *self._arguments(found[3])))]
        first, *more = line.strip().split(",")
        found = re.fullmatch(r"(.*?[ *])(\w+(?:\[\w+\])?)", first)
        assert found, line
        fields = []
        for name in [found[2], *more]:
            kind = self._type(found[1])
            name, _, count = name.strip().partition("[")
            fields.append((name, kind * int(count.rstrip("]")) if count else kind))
        return fields

    def _arguments(self, text: str) -> list[Any]:
        if text.strip() in ("", "void"):
            return []
        arguments = []
        for argument in re.split(r",", text):
            found = re.fullmatch(r"(.*?[ *])\w*(\[\w*\])?", argument.strip())
            assert found, argument
            arguments.append(self._type(found[1] + ("*" if found[2] else "")))
        return arguments

    def _type(self, text: str) -> Any:
        words = re.sub(r"\b(const|struct)\b", " ", text)
        name, stars = words.replace("*", " ").strip(), words.count("*")
        kind = self._types[name]
        if name == "char" and "const" in text and stars:
            kind, stars = ctypes.c_char_p, stars - 1
        elif stars and (kind is None or (name in self.structs and not hasattr(kind, "_fields_"))):
            kind, stars = ctypes.c_void_p, stars - 1  # void* and handles
        for _ in range(stars):
            kind = ctypes.POINTER(kind)
        return kind


def module_text(header: str) -> str:
    """The text of ``_header.py`` for the text of ``orrery.h``."""
    return f'''# SPDX-License-Identifier: MIT
"""What orrery.h declares; made of it by orrery/_declarations.py."""

HEADER = """\\
{stripped(header)}"""
'''


if __name__ == "__main__":
    Path(__file__).with_name("_header.py").write_text(module_text(Path(sys.argv[1]).read_text()))
