# SPDX-License-Identifier: MIT
"""The snippets of docs/python.md run, in their order, and what they print is as it says."""

import re

import orrery as orr


def test_the_snippets_run(source, capsys, pictures):
    page = (source / "docs/python.md").read_text()
    names = {}
    for code in re.findall(r"```python\n(.*?)```", page, re.S):
        exec(compile(code, f"docs/python.md: {code.splitlines()[0]}", "exec"), names)
    printed = capsys.readouterr().out
    for line in re.findall(r"print\(error.*?# (.*)", page):
        assert line in printed
    assert names["run"].position.shape == (50, 200, 3) and names["spread"] < 0.01


def test_the_page_names_what_there_is(source):
    page = (source / "docs/python.md").read_text()
    for kind in (orr.Model, orr.Simulation, orr.Run, orr.Picture):
        public = [name for name in vars(kind) if not name.startswith("_")]
        missing = [name for name in public if not re.search(rf"\b{name}\b", page)]
        assert not missing, f"docs/python.md does not mention {missing} of {kind.__name__}"
    missing = [name for name in ["list", "open", *orr.__all__] if not re.search(rf"\b{name}\b", page)]
    assert not missing, missing
