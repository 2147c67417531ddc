# SPDX-License-Identifier: MIT
"""Models: everything that decides the bits of a run."""

from __future__ import annotations

import ctypes
import os
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import arrays, toml
from ._library import made, text_of
from .bodies import DIMENSIONS, Bodies, Body, BodyArrays, body_of, columns_of, orbiting_body
from .catalogue import entries
from .context import Context, Handle, default_context, encoded, texts
from .errors import Error, integer, refused
from .keys import keys_of
from .kinds import ModelKinds
from .units import plain, plain_keys

if TYPE_CHECKING:
    from typing import Self

    from .simulation import Simulation

_FUNCTIONS = {
    "initial": ("model_add_initial", "[[initial]]"),
    "force": ("model_set_force", "[[force]]"),
    "field": ("model_add_field", "[[force]]"),
    "solver": ("model_set_solver", "[[force]]"),
    "integrator": ("model_set_integrator", "[integrator]"),
}


class Model(ModelKinds):
    """Bodies, forces, integrator, domain, units, precision: everything that decides the bits of a run.

    A new model has no bodies; Newtonian gravity of all pairs with G = 1, or the G of its units; leapfrog. Functions
    that change it return it, so that they can be chained. Initial states, forces and fields of `orrery.list` are
    functions of it: ``model.plummer(n=1000)`` is ``model.initial("plummer", n=1000)``,
    ``model.gravity(softening=0.05)`` is ``model.force("gravity", softening=0.05)``.

    Args:
        units: of all numbers: ``"nbody"`` (the default), ``"si"``, ``"astronomical"``, ``"galactic"``, ``"au-yr"``,
            ``"stellar"``, ``"gadget"``, ``"cgs"``. Keys with a dimension may then be texts, ``"1.37 Mearth"``.
        title: of figures and films.
        seed: of all random numbers.
        epoch: date of t = 0: ``"2026-11-27"``, ``"2026-11-27 18:30 UTC"``, ``"JD 2461371.5"``, ``"J2000"``.
        precision: of pair forces: ``"float64"``, ``"mixed"``, ``"float32"``.
        dimensions: 2 or 3.
        context: whose threads, GPU and plug-ins are used; None: that of this thread.

    Raises:
        Error: a value that cannot be.
    """

    def __init__(
        self,
        *,
        units: str | None = None,
        title: str | None = None,
        seed: int | None = None,
        epoch: str | None = None,
        precision: str | None = None,
        dimensions: int | None = None,
        context: Context | None = None,
    ) -> None:
        context = context or default_context()
        self._own(context.create("model", "model_create", context))
        given = {"units": units, "title": title, "seed": seed, "epoch": epoch, "precision": precision}
        for name, value in given.items():
            if value is not None:
                setattr(self, name, value)
        if dimensions is not None:
            self.domain(dimensions=dimensions)

    def _own(self, handle: Handle) -> None:
        self._model = handle
        self._waiting: list[Body] = []  # bodies that `add` was given and the library was not

    @classmethod
    def _of(cls, handle: Handle) -> Self:
        model = cls.__new__(cls)
        model._own(handle)
        return model

    @classmethod
    def from_toml(
        cls,
        text: str,
        changes: Mapping[str, Any] | None = None,
        *,
        name: str = "scenario",
        folder: str | os.PathLike[str] = "",
        context: Context | None = None,
    ) -> Self:
        """The model of a scenario in TOML, with the output that it asks for.

        Args:
            text: the scenario.
            changes: values of dotted keys instead of those of the text: ``{"integrator.dt": 0.01}``.
            name: what errors call the text.
            folder: to which paths of CSV files are relative.

        Raises:
            Error: with key and place, ``"scenario:3:8"``.
        """
        context = context or default_context()
        given = toml.overrides(changes)
        where = encoded(folder) or None
        handle = context.create(
            "model", "model_from_toml", context, encoded(text), encoded(name), where, texts(given), len(given)
        )
        return cls._of(handle)

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any], *, context: Context | None = None) -> Self:
        """The model of a scenario as dicts: ``{"seed": 7, "initial": {"kind": "plummer", "n": 100}, "integrator":
        {"dt": 0.01}}``.

        Raises:
            Error: as `from_toml`.
        """
        return cls.from_toml(toml.document(tables), name="dict", context=context)

    # -- bodies ---------------------------------------------------------------------------------------------------------

    def add(
        self,
        name: str | None = None,
        *,
        mass: Any,
        position: Any = None,
        velocity: Any = None,
        charge: Any = None,
        component: str | None = None,
        around: str | Sequence[str] | None = None,
        plane: str | None = None,
        radius: Any = None,
        **elements: Any,
    ) -> Self:
        """Adds a body. The centre of mass of bodies that are given like this is not moved.

        It has a position and a velocity, or elements of its orbit about bodies that were added before it:
        ``model.add("Moon", mass=3.7e-8, around="Earth", a=0.00257, e=0.055)``.

        Args:
            name: in figures, and in `Run.position[:, "Earth"]`.
            mass: in the model's units, as all numbers, or with a unit, ``"1.37 Mearth"`` or a quantity of astropy; 0: a
                body that does not act.
            position: three numbers; in a plane two; default: the origin.
            velocity: likewise; default: at rest.
            charge: for the force ``coulomb``.
            component: the group to which it belongs in figures.
            around: what an orbit is about: a name, or several for their barycentre; default: the barycentre of all before.
            plane: of an orbit: ``"ecliptic"``, which is x-y, or ``"equatorial"``.
            radius: of a solid sphere, which figures use, not forces.
            elements: ``semi_major_axis`` or ``a``, ``period`` or ``P``, ``pericentre`` or ``q``, ``apocentre`` or ``Q``,
                ``eccentricity`` or ``e``, ``inclination`` or ``i``, ``ascending_node`` or ``Omega``,
                ``argument_of_pericentre`` or ``omega``, ``longitude_of_pericentre`` or ``pomega``, ``mean_anomaly`` or
                ``M``, ``eccentric_anomaly`` or ``E``, ``true_anomaly`` or ``f``, ``mean_longitude`` or ``l``,
                ``time_of_pericentre`` or ``T``. Angles are in degrees.

        Raises:
            Error: numbers that are not finite, or too many or few of them. What contradicts or lacks among elements is
                said when the model is used.
        """
        where = f"body {name!r}" if name else f"body {len(self._waiting)}"
        if elements:
            for key, value in (("position", position), ("velocity", velocity)):
                if value is not None:
                    raise refused(f"{where}: `{key}` and elements of an orbit exclude each other", key, where)
            body = orbiting_body(self._plain, where, name, component, around, plane, mass, charge, radius, elements)
        else:
            for key, text in (("around", around), ("plane", plane)):
                if text is not None:
                    raise refused(f"{where}: `{key}` goes with elements of an orbit", key, where)
            origin = (0.0, 0.0, 0.0)
            numbers = {
                "mass": mass,
                "position": origin if position is None else position,
                "velocity": origin if velocity is None else velocity,
                "charge": charge,
                "radius": radius,
            }
            body = body_of(self._plain, where, name, component, **numbers)
        if self._waiting and self._waiting[-1].component != component:
            self._flush()
        self._waiting.append(body)
        return self

    def add_bodies(
        self,
        bodies: Any = None,
        *,
        mass: Any = None,
        position: Any = None,
        velocity: Any = None,
        charge: Any = None,
        names: Sequence[str] | None = None,
        component: str | None = None,
        around: str | Sequence[str] | None = None,
        plane: str | Sequence[str] | None = None,
        radius: Any = None,
        **elements: Any,
    ) -> Self:
        """Adds bodies of arrays, which are copied. Their centre of mass is not moved.

        Args:
            bodies: instead of the other arguments: a dict of columns, a table of pandas, or a structured array, with
                columns of these names, or ``x``, ``y``, ``z``, ``vx``, ``vy``, ``vz`` and ``name``; or a list of dicts,
                each as `add` takes it.
            mass: of shape [n].
            position: of shape [n, 3], or [n, 2] in a plane, with any strides.
            velocity: likewise; None: at rest.
            charge: of shape [n]; None: none.
            names: [n], empty texts for bodies without one.
            component: the group to which all of them belong in figures.
            around, plane: of orbits, as in `add`: one for all, or [n].
            radius: of shape [n]; None: none.
            elements: as in `add`, in place of positions: numbers or arrays of shape [n], NaN for bodies with a position.

        Raises:
            Error: shapes that do not fit, numbers that are not finite, with the body.
        """
        if bodies is not None:
            if isinstance(bodies, Iterable) and not hasattr(bodies, "keys") and not hasattr(bodies, "dtype"):
                for body in bodies:
                    self.add(**body)
                return self
            return self.add_bodies(**columns_of(bodies), component=component)
        columns = {"mass": mass, "position": position, "velocity": velocity, "charge": charge, "radius": radius}
        given = BodyArrays.of(
            self._plain, names, component, around=around, plane=plane, elements=elements, **columns
        )
        self._flush()
        self._add(given)
        return self

    def _plain(self, value: Any, key: str) -> Any:
        """A value of a body without its unit."""
        if isinstance(value, str) and DIMENSIONS.get(key) and any(map(str.isalpha, value)):
            number = ctypes.c_double()
            dimension = encoded(DIMENSIONS[key])
            try:
                self._call("model_quantity", self._handle, encoded(value, key), dimension, ctypes.byref(number))
            except Error as error:
                raise refused(str(error), key) from None
            return number.value
        if isinstance(value, (list, tuple)) and any(isinstance(one, str) for one in value):
            return [self._plain(one, key) for one in value]
        return plain(self, value, key, DIMENSIONS.get(key, ""))

    def _add(self, bodies: BodyArrays) -> None:
        self._call("model_add_bodies", self._model, ctypes.byref(bodies.struct()))

    def _flush(self) -> None:
        """Gives the library the bodies that wait."""
        if self._waiting:
            self._add(BodyArrays.of_bodies(self._waiting))
            self._waiting = []

    def perturb(self, body: str | int, *, position: Any = None, velocity: Any = None, mass: Any = None) -> Self:
        """Displaces a body, by its name or index, after all are made.

        Args:
            position, velocity: [x, y, z] to be added.
            mass: to be added; may be negative.
        """
        changes = {"body": body, "position": position, "velocity": velocity, "mass": mass}
        self._set("model_perturb", plain_keys(self, changes, entries("table")["perturb"].keys), "[[perturb]]")
        return self

    # -- the rest -------------------------------------------------------------------------------------------------------

    def _apply(self, topic: str, kind: str | None, keys: dict[str, Any]) -> Self:
        __tracebackhide__ = True
        if topic == "table":  # its other keys stay
            given = plain_keys(self, keys, entries(topic)[kind or ""].keys)
            self._set(f"model_set_{kind}", {**self.document.get(kind or "", {}), **given}, f"[{kind}]")
            return self
        function, place = _FUNCTIONS[topic]
        if kind is None and topic != "integrator":
            raise refused(f"a name is missing: orrery.list({topic!r}) shows what there is", "kind", place)
        described = entries(topic)[kind].keys if kind in entries(topic) else {}
        self._set(function, plain_keys(self, keys, described), place, None if kind is None else encoded(kind))
        return self

    def _set(self, function: str, keys: Mapping[str, Any], place: str, *kind: bytes | None) -> None:
        __tracebackhide__ = True
        array, count = keys_of(keys, place)
        self._call(function, self._handle, *kind, array, count)

    def _call(self, name: str, *arguments: Any) -> None:
        __tracebackhide__ = True
        self._model.context.call(name, *arguments)

    @property
    def _handle(self) -> Handle:
        """The handle, with all bodies."""
        self._flush()
        return self._model

    @property
    def context(self) -> Context:
        """Whose threads, GPU and plug-ins it uses."""
        return self._model.context

    def _value(self, key: str, table: str | None = None) -> Any:
        """The value of a key, or its default."""
        document = self.document if table is None else self.document.get(table, {})
        return document.get(key, entries("table")[table or "top"].keys[key].default)

    @property
    def units(self) -> str:
        """The system of units of all numbers; it decides the constant of the force."""
        return self._value("units") or "nbody"

    @units.setter
    def units(self, name: str) -> None:
        self._call("model_set_units", self._handle, encoded(name, "units"))

    @property
    def title(self) -> str:
        """Of figures and films."""
        return str(self._value("title"))

    @title.setter
    def title(self, title: str) -> None:
        self._call("model_set_title", self._handle, encoded(title, "title"))

    @property
    def seed(self) -> int:
        """Of all random numbers."""
        return int(self._value("seed"))

    @seed.setter
    def seed(self, seed: int) -> None:
        self._call("model_set_seed", self._handle, integer(seed, "seed"))

    @property
    def epoch(self) -> str | None:
        """The date of t = 0 in TDB, ``"2026-11-27 TDB"``; None if the model has none."""
        return self._value("epoch") or None

    @epoch.setter
    def epoch(self, date: str) -> None:
        self._call("model_set_epoch", self._handle, encoded(date, "epoch"))

    @property
    def precision(self) -> str:
        """Of pair forces."""
        return str(self._value("precision", "backend"))

    @precision.setter
    def precision(self, name: str) -> None:
        self._call("model_set_precision", self._handle, encoded(name, "precision"))

    # -- what it is -----------------------------------------------------------------------------------------------------

    @property
    def bodies(self) -> Bodies:
        """The bodies at the start, made of all initial states: copies.

        Raises:
            Error: what does not fit together in the model, such as two bodies of one name.
        """
        view = made("bodies_view")
        self._call("model_bodies", self._handle, ctypes.byref(view))
        charge = arrays.numbers_of(view.charge) if view.charge.count else None
        radius = arrays.numbers_of(view.radius) if view.radius.count else None
        names = tuple(text_of(view.names[i]) for i in range(view.count))
        mass, position, velocity = (
            arrays.numbers_of(view.mass),
            arrays.rows_of(view.position),
            arrays.rows_of(view.velocity),
        )
        return Bodies(mass, position, velocity, charge, names, radius)

    def __len__(self) -> int:
        """The number of bodies."""
        view = made("bodies_view")
        self._call("model_bodies", self._handle, ctypes.byref(view))
        return int(view.count)

    def __bool__(self) -> bool:
        return True

    @property
    def toml(self) -> str:
        """The model as a scenario. More than 1000 bodies of arrays are replaced by their hash; `save` writes them."""
        text = ctypes.c_char_p()
        self._call("model_toml", self._handle, ctypes.byref(text))
        return text_of(text.value)

    @property
    def document(self) -> dict[str, Any]:
        """`toml` as dicts."""
        return tomllib.loads(self.toml)

    def save(self, file: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Writes the model as a scenario, and more than 1000 bodies of arrays into CSV files beside it; `orrery.load`
        makes the same model of it, and `orrery simulate` the same run.

        Args:
            file: its name ends with .toml.
            replace: a file that has another content.

        Raises:
            Error: a file of another content is there; it cannot be written.
        """
        self._call("model_save", self._handle, encoded(file), int(replace))

    def copy(self) -> Self:
        """A copy, to be changed apart from it."""
        context = self.context
        return self._of(context.create("model", "model_copy", self._handle))

    __copy__ = copy

    def __deepcopy__(self, _memo: Any) -> Self:
        return self.copy()

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """A copy with other values of dotted keys, as of ``--set``: ``{"integrator.dt": 0.01, "initial.n": 100}``.

        Raises:
            Error: a key that there is not.
        """
        return self._loaded(self._files(), changes, self.context)

    def _files(self) -> dict[str, bytes]:
        """The files that `save` writes."""
        with tempfile.TemporaryDirectory(prefix="orrery-") as folder:
            self.save(Path(folder, "model.toml"))
            return {file.name: file.read_bytes() for file in Path(folder).iterdir()}

    @classmethod
    def _loaded(
        cls, files: Mapping[str, bytes], changes: Mapping[str, Any] | None = None, context: Context | None = None
    ) -> Self:
        with tempfile.TemporaryDirectory(prefix="orrery-") as folder:
            for name, content in files.items():
                Path(folder, name).write_bytes(content)
            return cls.from_toml(files["model.toml"].decode(), changes, name="model", folder=folder, context=context)

    def __eq__(self, other: object) -> bool:
        """Whether two models have the same bits: bodies, numbers, steps."""
        if not isinstance(other, Model):
            return NotImplemented
        if self is other:
            return True
        if not (self.document.get("initial") and other.document.get("initial")):  # there is nothing to compute
            return self.toml == other.toml
        equal = ctypes.c_int()
        self._call("model_equal", self._handle, other._handle, ctypes.byref(equal))
        return bool(equal.value)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        """Pickled as the files that `save` writes: every bit is kept."""
        return _unpickled, (self._files(),)

    def __repr__(self) -> str:
        document = self.document
        force = document.get("force", {})
        first = force[0] if isinstance(force, list) else force
        parts = [f"units={self.units!r}"] if self.units != "nbody" else []
        try:
            parts.append(f"{len(self)} bodies")
        except Error:
            parts.append("no bodies yet" if not document.get("initial") else "bodies that do not fit together yet")
        parts += [first.get("kind", "gravity"), document.get("integrator", {}).get("kind", "leapfrog")]
        return f"<orrery.Model {self.title!r}: {', '.join(parts)}>"

    # -- what is done with it -------------------------------------------------------------------------------------------

    def simulation(self, **options: Any) -> Simulation:
        """Steps without a file: `orrery.Simulation`."""
        from .simulation import Simulation

        return Simulation(self, **options)


def load(
    file: str | os.PathLike[str], changes: Mapping[str, Any] | None = None, *, context: Context | None = None
) -> Model:
    """The model of a scenario, of a picture that orrery drew, or of a trajectory.

    Args:
        file: .toml, .png, .svg, .pdf, .mp4, .h5, …
        changes: values of dotted keys instead of those of the file: ``{"integrator.dt": 0.01}``.

    Raises:
        Error: with key and place, ``"x.toml:3:8"``.
    """
    context = context or default_context()
    given = toml.overrides(changes)
    return Model._of(context.create("model", "model_from_file", context, encoded(file), texts(given), len(given)))


def _unpickled(files: Mapping[str, bytes]) -> Model:
    return Model._loaded(files)
