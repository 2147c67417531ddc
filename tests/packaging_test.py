# SPDX-License-Identifier: MIT
"""The scripts of pipeline/packaging on a toy folder: what is written down of carried files, the wheel, where libraries are looked
for; and that documents name the version of CMakeLists.txt."""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
os.environ.setdefault("SOURCE_DATE_EPOCH", "1700000001")
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "pipeline" / "packaging"))

import carried  # noqa: E402
import portable  # noqa: E402


class Packaging(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.tree, self.root = Path(scratch.name) / "tree", Path(scratch.name) / "root"
        for name, content in {
            "lib/python3/dist-packages/orrery/__init__.py": b"answer = 42\n",
            "lib/python3/dist-packages/orrery/__pycache__/x.pyc": b"cache",
        }.items():
            self.write(self.tree / name, content)
        for name, content in {
            "bin/orrery": b"\x7fELF program",
            "lib/liborrery.so.7.8.9": b"\x7fELF library",
            "lib/libz.so.1": b"\x7fELF z",
            "lib/if-missing/libX11.so.6": b"\x7fELF x",
            "lib/pkgconfig/orrery.pc": b"prefix",
            "share/orrery/scenarios/a.toml": b"# toml",
            "include/orrery/orrery.h": b"/* h */",
            "LICENSES/zlib": b"Zlib",
            "COPYING": b"terms",
            "sbom.spdx.json": b"{}",
        }.items():
            self.write(self.root / name, content)
        (self.root / "lib/liborrery.so.7.8").symlink_to("liborrery.so.7.8.9")
        (self.root / "lib/liborrery.so").symlink_to("liborrery.so.7.8")

    @staticmethod
    def write(path: Path, content: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def test_bill_of_materials(self) -> None:
        files = [
            carried.Carried(self.root / "lib/libz.so.1", "zlib", "1:1.2.13-1"),
            carried.Carried(self.root / "lib/if-missing/libX11.so.6", "libx11", "2:1.8-2"),
        ]
        inside = [carried.Carried(self.root / "lib/liborrery.so.7.8.9", "cuda-cudart", "NOASSERTION")]
        text = carried.sbom(self.root, "orrery-7.8.9", "7.8.9", files, inside, "2026-01-02T03:04:05Z")
        self.assertEqual(text, carried.sbom(self.root, "orrery-7.8.9", "7.8.9", files, inside, "2026-01-02T03:04:05Z"))
        document = json.loads(text)
        self.assertEqual(document["spdxVersion"], "SPDX-2.3")
        packages = {package["name"]: package for package in document["packages"]}
        self.assertEqual(set(packages), {"orrery", "zlib", "libx11", "cuda-cudart"})
        self.assertEqual(packages["zlib"]["licenseConcluded"], "Zlib")
        self.assertEqual(packages["zlib"]["versionInfo"], "1:1.2.13-1")
        self.assertIn("snapshot.debian.org/package/zlib/1.2.13-1", packages["zlib"]["downloadLocation"])
        one = {entry["fileName"]: entry for entry in document["files"]}["./lib/libz.so.1"]
        self.assertEqual(one["checksums"][0]["checksumValue"], hashlib.sha256(b"\x7fELF z").hexdigest())
        self.assertEqual(one["comment"], "6 bytes")
        names = {entry["SPDXID"] for entry in document["packages"] + document["files"]} | {"SPDXRef-DOCUMENT"}
        for relation in document["relationships"]:
            self.assertLessEqual({relation["spdxElementId"], relation["relatedSpdxElement"]}, names)

    def test_wheel(self) -> None:
        made = [self.tree.parent / name for name in ("first", "second")]
        for out in made:
            out.mkdir()
            portable.wheel(self.tree, self.root, "7.8.9", "py3-none-any", out)
        first, second = (out / "orrery-7.8.9-py3-none-any.whl" for out in made)
        self.assertEqual(first.read_bytes(), second.read_bytes())
        with zipfile.ZipFile(first) as wheel:
            names = wheel.namelist()
            record = wheel.read("orrery-7.8.9.dist-info/RECORD").decode().splitlines()
            self.assertEqual([line.split(",")[0] for line in record], names)
            for line in record[:-1]:
                name, digest, size = line.split(",")
                content = wheel.read(name)
                self.assertEqual(len(content), int(size))
                expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual(digest, f"sha256={expected}")
            self.assertEqual(wheel.read("orrery/lib/liborrery.so.7.8"), b"\x7fELF library")
            self.assertEqual(wheel.getinfo("orrery/bin/orrery").external_attr >> 16 & 0o777, 0o755)
        self.assertEqual([name for name in names if "liborrery" in name], ["orrery/lib/liborrery.so.7.8"])
        self.assertFalse([name for name in names if re.search(r"pycache|include|pkgconfig", name)])
        for name in ("orrery/__init__.py", "orrery/share/orrery/scenarios/a.toml", "orrery-7.8.9.dist-info/licenses/COPYING"):
            self.assertIn(name, names)

    def test_program_of_a_wheel_is_found(self) -> None:
        place = self.tree.parent / "an environment"
        program = place / "lib/python3.99/site-packages/orrery/bin/orrery"
        self.write(program, b'#!/bin/sh\necho "ran $1"\n')
        self.write(place / "bin/orrery", portable.SCRIPT.encode())
        self.write(place / "bin/other", portable.SCRIPT.encode())
        for file in (program, place / "bin/orrery"):
            file.chmod(0o755)
        link = self.tree.parent / "link"
        link.symlink_to(place / "bin/orrery")
        self.assertEqual(subprocess.run([link, "a b"], capture_output=True, text=True).stdout, "ran a b\n")

    @unittest.skipUnless(shutil.which("patchelf") and shutil.which("cc"), "needs patchelf and a compiler")
    def test_libraries_are_found_here_and_those_of_the_system_there_first(self) -> None:
        lib = self.root / "lib"
        subprocess.run(["cc", "-shared", "-o", lib / "libX11.so.6", "-Wl,-soname,libX11.so.6", "-x", "c", "/dev/null"], check=True)
        linking = ["cc", "-shared", "-Wl,--no-as-needed", "-x", "c", "/dev/null", "-x", "none"]
        subprocess.run([*linking, "-o", lib / "plain.so"], check=True)
        subprocess.run([*linking, "-o", lib / "drawing.so", lib / "libX11.so.6"], check=True)
        for name in ("plain.so", "drawing.so"):
            carried.set_search(lib / name, lib, lib / "if-missing")
        self.assertEqual(carried.run("patchelf", "--print-rpath", lib / "plain.so").strip(), "$ORIGIN")
        self.assertEqual(
            carried.run("patchelf", "--print-rpath", lib / "drawing.so").strip(),
            "$ORIGIN:/usr/lib/x86_64-linux-gnu:/usr/lib64:$ORIGIN/if-missing",
        )

    def test_documents_name_the_version(self) -> None:
        version = re.search(r"project\(orrery VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]
        named = re.findall(r"orrery-(\d+\.\d+\.\d+)-", (SOURCE / "docs" / "install.md").read_text())
        self.assertGreater(len(named), 1)
        self.assertEqual(set(named), {version})
        self.assertIn(f"\nversion: {version}\n", (SOURCE / "CITATION.cff").read_text())


if __name__ == "__main__":
    unittest.main()
