#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts_test.py: the scripts and the style of pages are formatted by prettier and checked by tsc, in the versions of
render/page/package-lock.json, and stay as short as they are. Skipped (77) without npm or its registry."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MOST = 1010  # lines of code of all scripts, without comments and empty lines

here = pathlib.Path(__file__).resolve().parents[2] / "render" / "page"


def lines_of_code(text):
    text = re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)
    return sum(1 for line in text.splitlines() if line.strip() and not line.lstrip().startswith("//"))


def skip(why):
    print(why)
    sys.exit(77)


npm = shutil.which("npm") or skip("there is no npm")
scripts = re.search(r"page_scripts (.*)\)", (here / "scripts.cmake").read_text())[1].split()
assert sorted(scripts) == sorted(p.name for p in here.glob("*.js")), "scripts.cmake names other scripts than there are"
count = sum(lines_of_code((here / name).read_text()) for name in scripts)
with tempfile.TemporaryDirectory(prefix="scripts-") as name:
    folder = pathlib.Path(name)
    for pattern in "*.js", "*.json", "*.css", "*.d.ts":
        for file in here.glob(pattern):
            shutil.copy(file, folder)
    install = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    if subprocess.run(install, cwd=folder, capture_output=True).returncode:
        skip("npm ci cannot install prettier and tsc")
    tools = folder / "node_modules" / ".bin"
    formatted = subprocess.run(
        [tools / "prettier", "--check", "*.js", "*.css", "*.d.ts", "package.json", "tsconfig.json"], cwd=folder
    )
    checked = subprocess.run([tools / "tsc", "-p", "."], cwd=folder)
print(f"{count} lines of JavaScript, at most {MOST}")
sys.exit(int(formatted.returncode != 0 or checked.returncode != 0 or count > MOST))
