# SPDX-License-Identifier: MIT
"""Columns by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np


class Table(Mapping[str, Any]):
    """Columns of one length by name, which prints well, also in a notebook.

    ``table["energy"]`` is a column, ``table.pandas()`` a table of pandas.
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns = dict(columns)

    def __getitem__(self, name: str) -> Any:
        if name not in self._columns:
            raise KeyError(f"there is no column {name!r} (there are: {', '.join(self._columns)})")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """The number of columns."""
        return len(self._columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self._columns.values()), ()))

    def pandas(self) -> Any:
        """The same as a DataFrame.

        Raises:
            ImportError: pandas is not installed.
        """
        import pandas

        return pandas.DataFrame(self._columns)

    def _lines(self, most: int = 20) -> list[list[str]]:
        shown = (
            list(range(self.rows))
            if self.rows <= most
            else [*range(most // 2), -1, *range(self.rows - most // 2, self.rows)]
        )
        cells: list[Sequence[str]] = [
            [name, *("…" if row < 0 else _cell(column[row]) for row in shown)] for name, column in self._columns.items()
        ]
        return [list(line) for line in zip(*cells)]

    def __repr__(self) -> str:
        lines = self._lines()
        widths = [max(map(len, column)) for column in zip(*lines)]
        return "\n".join("  ".join(text.rjust(width) for text, width in zip(line, widths)) for line in lines)

    def _repr_html_(self) -> str:
        head, *body = self._lines() or [[]]
        rows = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
        rows += ["<tr>" + "".join(f"<td>{cell.replace('<', '&lt;')}</td>" for cell in line) + "</tr>" for line in body]
        return "<table>" + "".join(rows) + "</table>"


def tabulated(columns: Mapping[str, Any]) -> Any:
    """The columns as a table of pandas, if that is installed, else a `Table`."""
    try:
        return Table(columns).pandas()
    except ImportError:
        return Table(columns)


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)
