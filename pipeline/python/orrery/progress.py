# SPDX-License-Identifier: MIT
"""Bars that show how far a work is, in a terminal and in a notebook."""

from __future__ import annotations

import sys
import time
from typing import Any

from .context import Progress


class Bar:
    """A bar for `progress=`: of text on standard error, or of HTML in a notebook. It appears after half a second, so
    that short works show none."""

    def __init__(self) -> None:
        self._start = self._shown = time.monotonic()
        self._display: Any = None
        self._drawn = False

    def __call__(self, done: float, what: str) -> None:
        now = time.monotonic()
        if now - self._start < 0.5 or (now - self._shown < 0.2 and done < 1):
            return
        self._shown, self._drawn = now, True
        left = (now - self._start) * (1 - done) / done if done > 0 else None
        line = f"{what}: {100 * done:.0f} %" + ("" if left is None or done >= 1 else f", {_duration(left)} left")
        if not _in_notebook():
            bar = "█" * round(30 * done)
            print(f"\r{bar:░<30} {line:<40}", end="", file=sys.stderr, flush=True)
            return
        from IPython.display import HTML, display

        shown = HTML(f'<progress value="{done:.4f}" max="1" style="width:20em"></progress> {line}')
        if self._display is None:
            self._display = display(shown, display_id=True)
        else:
            self._display.update(shown)

    def close(self) -> None:
        """Removes it."""
        if self._display is not None:
            from IPython.display import HTML

            self._display.update(HTML(""))
        elif self._drawn:
            print("\r" + " " * 75 + "\r", end="", file=sys.stderr, flush=True)


class Shown:
    """What `progress=` of a function means, as a context: True shows a bar, a function is called, None and False show
    nothing."""

    def __init__(self, progress: Progress | bool | None) -> None:
        self._bar = Bar() if progress is True else None
        self._own = None if isinstance(progress, bool) else progress

    def __enter__(self) -> Progress | None:
        return self._bar or self._own

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
