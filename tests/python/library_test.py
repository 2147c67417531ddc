# SPDX-License-Identifier: MIT
"""The layer of ctypes: its declarations are those of orrery.h, and a library that does not fit is refused in one line."""

import ctypes
import os
import re
import shutil
import subprocess
import sys

import pytest

from orrery import _library
from orrery._declarations import Declarations, module_text
from orrery._library import C, candidates, why_not_loaded


def test_the_table_is_that_of_the_header(source):
    header = (source / "pipeline/public/orrery.h").read_text()
    own = (source / "pipeline/python/orrery/_header.py").read_text()
    assert own == module_text(header), "run `python3 pipeline/python/orrery/_declarations.py pipeline/public/orrery.h`"


def test_every_function_of_the_header_is_declared_with_all_of_its_arguments(source):
    header = re.sub(r"/\*.*?\*/", "", (source / "pipeline/public/orrery.h").read_text(), flags=re.S)
    exported = re.findall(r"ORRERY_API ([^;(]*?)(\w+)\(([^;]*?)\);", header)
    assert {name for _, name, _ in exported} == set(C.functions)
    for _, name, arguments in exported:
        count = 0 if arguments.strip() == "void" else arguments.count(",") + 1
        assert len(C.functions[name][1]) == count, name


def test_structs_and_enumerators_are_those_of_the_compiler(source, tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    own = {f"{name}": value for name, value in C.constants.items()}
    lines = [f'printf("{name} %lld\\n", (long long){name});' for name in C.constants]
    for name, struct in C.structs.items():
        if not hasattr(struct, "_fields_"):
            continue
        own[name] = ctypes.sizeof(struct)
        lines.append(f'printf("{name} %lld\\n", (long long)sizeof({name}));')
        for field, kind in struct._fields_:
            own[f"{name}.{field}"], own[f"{name}.{field}.size"] = getattr(struct, field).offset, ctypes.sizeof(kind)
            lines.append(f'printf("{name}.{field} %lld\\n", (long long)offsetof({name}, {field}));')
            lines.append(f'printf("{name}.{field}.size %lld\\n", (long long)sizeof((({name}*)0)->{field}));')
    program = tmp_path / "sizes.c"
    program.write_text(
        '#include "orrery.h"\n#include <stdio.h>\nint main(void) {\n' + "\n".join(lines) + "\nreturn 0; }\n"
    )
    subprocess.run([compiler, "-I", source / "pipeline/public", program, "-o", tmp_path / "sizes"], check=True)
    printed = subprocess.run([tmp_path / "sizes"], check=True, capture_output=True, text=True).stdout
    assert dict(line.split() for line in printed.splitlines()) == {name: str(value) for name, value in own.items()}


def test_the_version_in_its_one_place_is_of_this_series(source):
    version = re.search(r"project\(orrery VERSION (\d+\.\d+)\.", (source / "CMakeLists.txt").read_text())
    assert version and version[1] == _library.SERIES


def test_a_declaration_of_an_unknown_form_is_refused():
    with pytest.raises(SyntaxError):
        Declarations("typedef union orrery_x { int a; } orrery_x;")


@pytest.mark.parametrize(
    "reason, words",
    [
        ("/x/liborrery.so.0.1: version `GLIBC_2.99' not found (required by /x)", "glibc 2.99 or newer"),
        ("libstdc++.so.6: version `GLIBCXX_3.4.99' not found (required by /x)", "libstdc++ with GLIBCXX 3.4.99"),
        ("/x: wrong ELF class: ELFCLASS32", "no library for this machine"),
        (
            "libhdf5_serial.so.103: cannot open shared object file: No such file or directory",
            "needs libhdf5_serial.so.103",
        ),
        ("/x: cannot open shared object file: No such file or directory", "set ORRERY_LIBRARY"),
        ("something\nelse", "something else"),
    ],
)
def test_words_of_the_loader_are_translated(reason, words):
    line = why_not_loaded("/x", reason)
    assert words in line and "\n" not in line


def imported(library, *code):
    environment = dict(os.environ, ORRERY_LIBRARY=str(library), PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, "-c", "; ".join(code or ("import orrery",))]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_a_missing_or_wrong_library_is_one_line(tmp_path):
    text = tmp_path / "text.so"
    text.write_text("no library at all, but a text that is longer than the header of one would be" * 10)
    for path, words in [
        (tmp_path / "absent.so", "set ORRERY_LIBRARY"),
        (text, "no library"),
        (tmp_path, "there is no"),
    ]:
        process = imported(path)
        assert process.returncode == 1
        assert process.stderr.splitlines()[-1].startswith("ImportError: "), process.stderr
        assert words in process.stderr.splitlines()[-1]


def test_a_library_of_another_version_is_one_line(tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    for version, words in [("0.2.0", "is version 0.2.0"), (f"{_library.SERIES}.9", "lacks orrery_context_create")]:
        code = f'const char* orrery_version(void) {{ return "{version}"; }}'
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-xc", "-", "-o", tmp_path / "x.so"], input=code, text=True, check=True
        )
        line = imported(tmp_path / "x.so").stderr.splitlines()[-1]
        assert words in line and "install both of one version" in line


def test_a_wheel_finds_the_library_beside_the_package(tmp_path):
    package = tmp_path / "site-packages" / "orrery"
    (package / "lib").mkdir(parents=True)
    (package / "lib" / _library.NAME).touch()
    assert next(candidates(package, None)) == str(package / "lib" / _library.NAME)
    assert next(candidates(package, "/x/own.so")) == "/x/own.so"


@pytest.mark.parametrize("folder", ["lib", "lib/x86_64-linux-gnu"])
def test_an_installed_package_finds_the_library_above_it(tmp_path, folder):
    package = tmp_path / "lib" / "python3" / "dist-packages" / "orrery"
    package.mkdir(parents=True)
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / _library.NAME).touch()
    assert next(candidates(package, None)) == str(tmp_path / folder / _library.NAME)
    (tmp_path / folder / _library.NAME).unlink()
    assert list(candidates(package, None)) == [_library.NAME]  # the loader of the system
