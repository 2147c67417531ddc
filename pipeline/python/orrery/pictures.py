# SPDX-License-Identifier: MIT
"""Figures and films of runs, and the curves that they show."""

from __future__ import annotations

import base64
import ctypes
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import arrays
from ._library import constant, made, text_of
from .arrays import Floats
from .context import Context, Handle, Progress, encoded
from .errors import refused
from .keys import keys_of
from .progress import Shown

_LARGEST_SVG = 2_000_000  # bytes that a notebook stores with an output
_MIME = {".mp4": "video/mp4", ".webm": "video/webm", ".gif": "image/gif"}


class Picture:
    """A figure or a film of a run, which a notebook shows: figures as SVG, large ones as PNG, films as videos.

    It is drawn when it is made, so that a wrong key is refused there; in further formats when they are asked for.

    Attributes:
        kind: ``"elements"``
        keys: those that it was given.
    """

    _source: object = None  # the run, if it must not end before the picture: its file may be temporary

    def __init__(
        self,
        context: Context,
        run: str,
        topic: str,
        kind: str,
        keys: Mapping[str, Any],
        file: str | os.PathLike[str] | None = None,
        progress: Progress | bool | None = None,
    ) -> None:
        self._context, self._run, self._topic = context, run, topic
        self.kind, self.keys = kind, dict(keys)
        self._bytes: dict[str, bytes] = {}
        if file is not None:
            self.save(file, progress=progress)
        else:
            self.to_bytes(".svg" if topic == "figure" else ".mp4", progress)

    def to_bytes(self, format: str, progress: Progress | bool | None = None) -> bytes:
        """The picture in a format: of figures ``".svg"``, ``".png"``, ``".pdf"``, of figures of curves also ``".csv"``,
        ``".json"``; of films ``".mp4"``, ``".webm"``, ``".gif"``.

        Raises:
            Error: it cannot be drawn, or not in this format.
        """
        if format not in self._bytes:
            array, count = keys_of(self.keys, self._place)
            with Shown(progress) as progress:
                handle = self._context.create(
                    "picture",
                    "picture_create",
                    *self._what(),
                    array,
                    count,
                    encoded(format.lstrip("."), "format"),
                    progress=progress,
                )
            size = ctypes.c_size_t()
            pointer = self._context.value("picture_bytes", handle, ctypes.byref(size))
            self._bytes[format] = ctypes.string_at(pointer, size.value)
        return self._bytes[format]

    def _what(self) -> tuple[Any, ...]:
        return self._context, encoded(self._run), constant(self._topic.upper()), encoded(self.kind, "kind")

    @property
    def _place(self) -> str:
        return f"{self._topic} {self.kind}"

    def save(self, file: str | os.PathLike[str], *, progress: Progress | bool | None = None) -> Picture:
        """Draws it into a file, whose extension says the format. A file that orrery wrote is replaced.

        Raises:
            Error: it cannot be drawn; another file is there.
        """
        path = Path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in self._bytes and not path.exists():
            path.write_bytes(self._bytes[path.suffix])
            return self
        array, count = keys_of(self.keys, self._place)
        with Shown(progress) as progress:
            self._context.call("draw", *self._what(), array, count, encoded(path), long=True, progress=progress)
        if path.exists():  # not of numbered frames
            self._bytes[path.suffix] = path.read_bytes()
        return self

    @property
    def svg(self) -> str:
        """A figure as SVG."""
        return self.to_bytes(".svg").decode()

    @property
    def png(self) -> bytes:
        """A figure as PNG."""
        return self.to_bytes(".png")

    def _repr_svg_(self) -> str | None:
        small = self._topic == "figure" and len(self.to_bytes(".svg")) <= _LARGEST_SVG
        return self.svg if small else None

    def _repr_png_(self) -> bytes | None:
        return self.png if self._topic == "figure" and self._repr_svg_() is None else None

    def _repr_html_(self) -> str | None:
        if self._topic == "figure":
            return None
        format = next((name for name in self._bytes if name in _MIME), ".mp4")
        content = self.to_bytes(format)
        source = f'src="data:{_MIME[format]};base64,{base64.b64encode(content).decode()}"'
        if format == ".gif":
            return f"<img {source}>"
        return f'<video controls loop style="max-width:100%" {source}></video>'

    def __repr__(self) -> str:
        return f"<orrery.Picture: {self._topic} {self.kind} of {self._run}>"

    def __reduce__(self) -> Any:
        return _unpickled, (self._run, self._topic, self.kind, self.keys)


def picture(
    context: Context,
    run: str,
    topic: str,
    kind: str | None,
    keys: Mapping[str, Any],
    progress: Progress | bool | None = None,
) -> Picture:
    """A figure or a film. `kind` may be the name of a file instead: then it is drawn there, and its kind is the key
    `kind`, by default ``"projection"``."""
    given = dict(keys)
    file = given.pop("file", None)
    if kind is not None and Path(kind).suffix:
        if file is not None:
            raise refused(f"give the file {kind} or `file`, not both", "file", topic)
        file, kind = kind, None
    name = kind or given.pop("kind", None) or "projection"
    return Picture(context, run, topic, name, given, file, progress)


def _unpickled(run: str, topic: str, kind: str, keys: Mapping[str, Any]) -> Picture:
    from .context import default_context

    return Picture(default_context(), run, topic, kind, keys)


@dataclass(frozen=True)
class Axis:
    """An axis of a chart: its name, its unit (empty if it is dimensionless), whether it is logarithmic, its limits or
    None."""

    name: str
    unit: str
    logarithmic: bool
    limits: tuple[float, float] | None

    @property
    def label(self) -> str:
        """``"t [yr]"``"""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


@dataclass(frozen=True)
class Curve:
    """A curve: points in the order in which they are joined; one that is not finite is a gap. `low` is None, or the
    other edge of a band that reaches from it to `y`."""

    name: str
    x: Floats
    y: Floats
    low: Floats | None

    def __repr__(self) -> str:
        return f"<orrery.Curve {self.name!r} of {len(self.x)} points>"


@dataclass(frozen=True)
class Chart:
    """Curves over two axes: a panel of a figure. `remark` is what it does not show."""

    title: str
    remark: str
    x: Axis
    y: Axis
    curves: tuple[Curve, ...]

    def plot(self, axes: Any = None) -> Any:
        """Draws it with matplotlib into `axes`, by default new ones, which are returned: for further work on a
        figure."""
        if axes is None:
            from matplotlib import pyplot

            axes = pyplot.subplots()[1]
        for curve in self.curves:
            if curve.low is not None:
                axes.fill_between(curve.x, curve.low, curve.y, alpha=0.3, label=curve.name or None)
            else:
                axes.plot(curve.x, curve.y, label=curve.name or None)
        axes.set(xlabel=self.x.label, ylabel=self.y.label, title=self.title)
        axes.set(xscale="log" if self.x.logarithmic else "linear", yscale="log" if self.y.logarithmic else "linear")
        if any(curve.name for curve in self.curves):
            axes.legend()
        return axes


def charts(context: Context, run: str, kind: str, keys: Mapping[str, Any]) -> list[Chart]:
    """The curves of a figure of curves, one chart per panel.

    Raises:
        Error: a figure of bodies, which has no curves; as of `Picture`.
    """
    array, count = keys_of(keys, f"figure {kind}")
    handle = context.create("charts", "charts_create", context, encoded(run), encoded(kind, "kind"), array, count)
    return [_chart(context, handle, k) for k in range(context.value("charts_count", handle))]


def _chart(context: Context, handle: Handle, k: int) -> Chart:
    raw = made("chart")
    context.call("charts_chart", handle, k, ctypes.byref(raw))
    curves = []
    for j in range(raw.curves):
        curve = made("curve")
        context.call("charts_curve", handle, k, j, ctypes.byref(curve))
        x, y, low = (arrays.points_of(p, curve.count) if p else None for p in (curve.x, curve.y, curve.low))
        curves.append(Curve(text_of(curve.name), _or_empty(x), _or_empty(y), low))
    return Chart(text_of(raw.title), text_of(raw.remark), _axis(raw.x), _axis(raw.y), tuple(curves))


def _or_empty(points: Floats | None) -> Floats:
    return np.empty(0) if points is None else points


def _axis(raw: Any) -> Axis:
    limits = None if math.isnan(raw.low) else (raw.low, raw.high)
    return Axis(text_of(raw.name), text_of(raw.unit), bool(raw.logarithmic), limits)
