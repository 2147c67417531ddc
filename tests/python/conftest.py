# SPDX-License-Identifier: MIT
"""What the tests of the Python module share."""

import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "pipeline" / "python"))
sys.dont_write_bytecode = True


@pytest.fixture
def source() -> Path:
    """The root of the sources."""
    return SOURCE
