# SPDX-License-Identifier: MIT
"""N-body models, their runs, trajectories, figures and films."""

from __future__ import annotations

from ._library import version as __version__
from .catalogue import listing as list
from .context import Context
from .errors import Error, Status

__all__ = ["Context", "Error", "Status", "list"]
