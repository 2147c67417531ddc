# SPDX-License-Identifier: MIT
"""Laws, fields and integrators that are functions of Python; runs, files and pictures do not tell them from others.

What a function is given are copies, which may be kept; what it returns is copied. It is called while it holds Python's
lock, so that the threads of the library wait for each other in it.
"""

from __future__ import annotations

import ctypes
import functools
import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from . import arrays
from ._library import C, constant, library, made
from .arrays import Floats
from .catalogue import Entry, Key, add_own, entries
from .context import Context, encoded, for_every_context
from .errors import misused, refused
from .simulation import column_of


F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Parameter:
    """What is said of a parameter of a plug-in, besides its name and its default.

    Attributes:
        meaning: one line.
        unit: ``"length"``, ``"mass"``, …; empty if it is dimensionless. Quantities of astropy are converted by it.
        low, high: the range, with its ends.
    """

    meaning: str = ""
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf


Parameters = Mapping[str, Parameter | str]


def law(
    name: str | None = None,
    *,
    potential: Callable[..., ArrayLike],
    slope: Callable[..., ArrayLike] | None = None,
    acts_by: Literal["mass", "charge", "number"] = "mass",
    meaning: str | None = None,
    parameters: Parameters | None = None,
) -> Callable[[F], F]:
    """Makes a function the force between pairs: ``model.force("spring", stiffness=2)``.

        @orr.law(potential=lambda r2, stiffness: 0.5 * stiffness * r2, acts_by="number")
        def spring(r2, stiffness=1.0):
            return stiffness

    The function gets an array of r² = |x_j − x_i|² + ε² of some pairs, of shape [n], and returns c(r²), the force over
    the distance: the acceleration of body i is s_i Σ_j w_j c(r²) (x_j − x_i). Its further parameters are keys of the
    law, besides `softening` (ε) and `strength` (a factor, 1 by default). Each result must depend on its own r² and the
    parameters alone. r² may be 0 for pairs that do not count; numpy does not warn of divisions by it.

    Args:
        name: None: that of the function, with ``-`` for ``_``.
        potential: a function of the same arguments: the potential u of a pair, with c = (du/dr)/r.
        slope: the same for c′(r)/r = 2 dc/d(r²), which integrators with jerks need (``hermite4``); None: it has none.
        acts_by: ``"mass"``: w = m, s = strength; ``"charge"``: w = q, s = −strength·q/m; ``"number"``: w = 1,
            s = strength/m.
        meaning: one line; None: the first one of the docstring.
        parameters: a `Parameter`, or its meaning alone, by names.

    Returns:
        A decorator, which returns the function as it is.

    Raises:
        Error: a name that is taken or cannot be one; functions of other arguments.
    """

    def register(function: F) -> F:
        about = _about("force", function, name, meaning, parameters, 1)
        for other in (potential, slope):
            about.check(other)

        def pairs(n: int, r2: int, c: int, u: int | None, by: int | None, given: int) -> None:
            x, values = _input(r2, n), about.values(given)
            with np.errstate(all="ignore"):
                _give(c, n, function(x, **values), about, "force over the distance")
                if u:
                    _give(u, n, potential(x, **values), about, "potential")
                if by and slope is not None:
                    _give(by, n, slope(x, **values), about, "slope")

        about.register(
            "law", {"pairs": pairs}, acts_by=constant("BY_" + acts_by.upper()), slope=int(slope is not None)
        )
        softening = entries("force")["gravity"].keys["softening"]
        strength = Key(
            "strength", "float", "factor of the force", "", 1.0, False, -math.inf, math.inf, False, False, 0, ()
        )
        about.describe({"softening": softening, "strength": strength})
        return function

    if acts_by not in ("mass", "charge", "number"):
        raise refused(f'`acts_by` = {acts_by!r} is none of "mass", "charge", "number"', "acts_by", "law")
    return register


def field(
    name: str | None = None,
    *,
    potential: Callable[..., ArrayLike],
    meaning: str | None = None,
    parameters: Parameters | None = None,
) -> Callable[[F], F]:
    """Makes a function an external field: ``model.field("well", k=0.5)``.

        @orr.field(potential=lambda x, y, z, k: 0.5 * k * (x * x + y * y + z * z))
        def well(x, y, z, k=1.0):
            return -k * x, -k * y, -k * z

    The function gets the coordinates of some bodies, three arrays of shape [n], and returns the three components of the
    acceleration. It does not depend on time. Its further parameters are keys of the field. Each result must depend on
    its own body and the parameters alone.

    Args:
        name: None: that of the function, with ``-`` for ``_``.
        potential: a function of the same arguments: the potential φ per mass, of which the acceleration is −∇φ.
        meaning: one line; None: the first one of the docstring.
        parameters: a `Parameter`, or its meaning alone, by names.

    Returns:
        A decorator, which returns the function as it is.

    Raises:
        Error: a name that is taken or cannot be one; functions of other arguments.
    """

    def register(function: F) -> F:
        about = _about("field", function, name, meaning, parameters, 3)
        about.check(potential)

        def bodies(n: int, position: int, acceleration: int, phi: int | None, given: int) -> None:
            at = [_input(address, n) for address in _three(position)]
            values = about.values(given)
            with np.errstate(all="ignore"):
                found = function(*at, **values)
                try:
                    x, y, z = found
                except (TypeError, ValueError):
                    raise refused(f"{about}: the acceleration must be three arrays, not {_short(found)}") from None
                for address, component in zip(_three(acceleration), (x, y, z)):
                    _give(address, n, component, about, "acceleration")
                if phi:
                    _give(phi, n, potential(*at, **values), about, "potential")

        about.register("field", {"bodies": bodies})
        about.describe({})
        return function

    return register


def integrator(
    name: str | None = None,
    *,
    order: int = 1,
    evaluations: int = 1,
    symplectic: bool = False,
    symmetric: bool = False,
    drifts_first: bool = False,
    jerk: bool = False,
    same_each_step: bool = False,
    columns: Sequence[str] = (),
    persistent: Sequence[str] = (),
    start: Callable[[Stepper], object] | None = None,
    reference: str = "",
    meaning: str | None = None,
    parameters: Parameters | None = None,
) -> Callable[[F], F]:
    """Makes a function a method of time steps: ``model.integrator("my-leapfrog", dt=0.01)``.

        @orr.integrator(order=2, symplectic=True, symmetric=True, same_each_step=True)
        def my_leapfrog(bodies, dt):
            bodies.accelerate()
            bodies.kick(dt / 2)
            bodies.drift(dt)
            bodies.accelerate()
            bodies.kick(dt / 2)

    The function gets a `Stepper` and dt, and takes one step. Its further parameters are keys of the integrator.

    Args:
        name: None: that of the function, with ``-`` for ``_``.
        order: of the error of a run.
        evaluations: of the forces in a step.
        symplectic: it is.
        symmetric: a step of −dt undoes one of dt, up to rounding.
        drifts_first: forces are never evaluated at the ends of a step.
        jerk: it calls `Stepper.accelerate_with_jerk`.
        same_each_step: what it does depends on dt and the parameters alone, and it neither downloads nor uploads: then
            a GPU records its operations, and does not call it again.
        columns: names of scratch columns.
        persistent: names of further ones that are kept between steps, and stored, so that a run can be resumed.
        start: called before the first step, to fill the persistent columns, which else begin with zeros.
        reference: where it was published.
        meaning: one line; None: the first one of the docstring.
        parameters: a `Parameter`, or its meaning alone, by names.

    Returns:
        A decorator, which returns the function as it is.

    Raises:
        Error: a name that is taken or cannot be one; a function of other arguments.
    """

    def register(function: F) -> F:
        about = _about("integrator", function, name, meaning, parameters, 2)
        named = {column: constant("SCRATCH") + k for k, column in enumerate([*columns, *persistent])}

        def step(handle: int, at: int) -> None:
            now = C.structs["orrery_step"].from_address(at)
            values = about.values(ctypes.cast(now.parameters, ctypes.c_void_p).value or 0)
            with _stepping(Stepper(handle, named, now.number, now.time, now.dt)) as bodies:
                function(bodies, now.dt, **values)

        def begin(handle: int) -> None:
            if start is not None:
                with _stepping(Stepper(handle, named, 0, 0.0, 0.0)) as bodies:
                    start(bodies)

        own = [made("own_column", name=encoded(column), persistent=int(column in persistent)) for column in named]
        array = (C.structs["orrery_own_column"] * len(own))(*own)
        about.register(
            "integrator",
            {"step": step} if start is None else {"step": step, "start": begin},
            reference=encoded(reference),
            columns=array,
            column_count=len(own),
            order=order,
            evaluations=evaluations,
            symplectic=int(symplectic),
            symmetric=int(symmetric),
            drifts_first=int(drifts_first),
            jerk=int(jerk),
            same_each_step=int(same_each_step),
        )
        keys = entries("integrator")["leapfrog"].keys
        about.describe({key: keys[key] for key in ("dt", "time", "steps")})
        return function

    return register


class Stepper:
    """The bodies during a step of an integrator in Python. Columns are ``"position"``, ``"velocity"``,
    ``"acceleration"``, and the integrator's own by their names.

    Attributes:
        step: the number of steps before this one.
        time: at its beginning.
        dt: negative if the run goes backward.
    """

    def __init__(self, handle: int, columns: Mapping[str, int], step: int, time: float, dt: float) -> None:
        self._handle: int | None = handle
        self._columns, self.step, self.time, self.dt = columns, step, time, dt

    def __len__(self) -> int:
        """The number of bodies."""
        return int(library.orrery_step_count(self._handle))

    def accelerate(self) -> None:
        """a ← Σ forces at the current positions; does nothing if they are known."""
        self._do("accelerate")

    def accelerate_with_jerk(self, jerk: str) -> None:
        """The same, and da/dt into a column of the integrator, which must say `jerk=True`."""
        self._do("accelerate_with_jerk", self._column(jerk))

    def kick(self, dt: float) -> None:
        """v ← v + dt·a"""
        self._do("kick", dt)

    def drift(self, dt: float) -> None:
        """x ← x + dt·v, then the boundary conditions of the domain."""
        self._do("drift", dt)

    def combine(self, target: str, terms: Iterable[tuple[float, str]]) -> None:
        """target ← Σ factor·source in the given order, one fused multiply-add per term; at most 32. A first term with
        factor 1 is copied."""
        given = [(float(factor), self._column(source)) for factor, source in terms]
        self._do("combine", self._column(target), (C.structs["orrery_term"] * len(given))(*given), len(given))

    def download(self, column: str) -> Floats:
        """A copy of a column, of shape [bodies, 3]."""
        array = np.empty((len(self), 3))
        self._do("download", self._column(column), arrays.room(array))
        return array

    def upload(self, column: str, values: ArrayLike) -> None:
        """Copies an array of shape [bodies, 3] to a column, but not to the acceleration.

        Raises:
            Error: it has another shape.
        """
        array = arrays.rows(values, "values", len(self))
        self._do("upload", self._column(column), arrays.vectors(array))

    def _column(self, name: str) -> int:
        found = self._columns.get(name)
        return column_of(name) if found is None else found

    def _do(self, operation: str, *arguments: Any) -> None:
        if self._handle is None:
            raise misused("the step that these bodies belong to has ended")
        if getattr(library, "orrery_step_" + operation)(self._handle, *arguments):
            raise _StepFailed


class _StepFailed(BaseException):
    """An operation of a step failed, whose message the library has. No Exception: integrators shall not catch it."""


class _stepping:
    """The bodies until the end of a block; then they cannot be used any more."""

    def __init__(self, bodies: Stepper) -> None:
        self._bodies = bodies

    def __enter__(self) -> Stepper:
        return self._bodies

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self._bodies._handle = None
        return kind is _StepFailed


def inverse_root(x: ArrayLike) -> Any:
    """x^(−1/2) of numbers in [2⁻⁶⁸⁰, 2⁶⁸⁰), with the same bits on every processor: that of the library's laws."""
    return _power("inverse_root", x)


def inverse_cube(x: ArrayLike) -> Any:
    """x^(−3/2) likewise: of r², the force of gravity over the distance."""
    return _power("inverse_cube", x)


def _power(function: str, x: ArrayLike) -> Any:
    array = np.array(x, dtype=np.float64, order="C")
    if array.size:
        first = ctypes.c_double.from_buffer(array.data)
        getattr(library, "orrery_" + function)(array.size, first, first)
    return array[()]


# -- registration ----------------------------------------------------------------------------------------------------

_numbers = itertools.count(1)
_alive: dict[int, Any] = {}  # the callbacks of a registration, until the library releases it


_release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda user: _alive.pop(user, None))


@dataclass(frozen=True)
class _About:
    """What a plug-in says of itself."""

    topic: str
    name: str
    meaning: str
    keys: dict[str, Key]
    arguments: int  # before the parameters

    def __str__(self) -> str:
        return f'the {"law" if self.topic == "force" else self.topic} "{self.name}"'

    def check(self, function: Callable[..., Any] | None) -> None:
        """Whether a function takes the arguments of the plug-in."""
        if function is None:
            return
        try:
            inspect.signature(function).bind(*[0.0] * self.arguments, **dict.fromkeys(self.keys, 0.0))
        except TypeError as error:
            raise refused(f"{self}: its functions must have the same arguments: {error}", self.name) from None

    def values(self, address: int) -> dict[str, float]:
        """The parameters of a call."""
        if not self.keys:
            return {}
        return dict(zip(self.keys, (ctypes.c_double * len(self.keys)).from_address(address)))

    def register(self, kind: str, functions: Mapping[str, Callable[..., None]], **fields: Any) -> None:
        """Registers it in all contexts. `functions` take addresses; their names are fields of the struct, as are other
        `fields`."""
        own = [
            made(
                "own_parameter",
                name=encoded(key.name),
                meaning=encoded(key.meaning),
                unit=encoded(key.unit),
                required=int(key.required),
                fallback=key.default or 0.0,
                low=key.low,
                high=key.high,
            )
            for key in self.keys.values()
        ]
        parameters = (C.structs["orrery_own_parameter"] * len(own))(*own)
        struct = C.structs["orrery_" + kind]
        types = dict(struct._fields_)

        def register(context: Context) -> None:
            number = next(_numbers)
            callbacks = {
                name: _with_addresses(types[name])(context.guarded(_without_user(function)))
                for name, function in functions.items()
            }
            _alive[number] = callbacks
            given = made(
                kind,
                name=encoded(self.name),
                meaning=encoded(self.meaning),
                parameters=parameters,
                parameter_count=len(own),
                user=number,
                release=ctypes.cast(_release, types["release"]),
                **{name: ctypes.cast(called, types[name]) for name, called in callbacks.items()},
                **fields,
            )
            try:
                context.call(f"register_{kind}", context, ctypes.byref(given))
            except BaseException:
                del _alive[number]
                raise

        for_every_context(f"{kind} {self.name}", register)

    def describe(self, further: Mapping[str, Key]) -> None:
        """Makes it known to `orrery.list`, and a function of models."""
        add_own(Entry(self.topic, self.name, self.meaning, "in Python", {**self.keys, **further}))


def _about(
    topic: str,
    function: Callable[..., Any],
    name: str | None,
    meaning: str | None,
    parameters: Parameters | None,
    arguments: int,
) -> _About:
    """Reads name, meaning and parameters of a function."""
    own = name or function.__name__.strip("_").replace("_", "-")
    if meaning is None:
        meaning = (inspect.getdoc(function) or "").partition("\n")[0]
    told = dict(parameters or {})
    keys = {}
    for key, parameter in [*inspect.signature(function).parameters.items()][arguments:]:
        said = told.pop(key, "")
        detail = Parameter(meaning=said) if isinstance(said, str) else said
        required = parameter.default is inspect.Parameter.empty
        try:
            default = None if required else float(parameter.default)
        except (TypeError, ValueError):
            raise refused(f"the parameter `{key}` of {own} must have a number as its default", key, own) from None
        keys[key] = Key(
            key, "float", detail.meaning, detail.unit, default, required, detail.low, detail.high, False, False, 0, ()
        )
    if told:
        raise refused(f"{own} has no parameter `{next(iter(told))}`", next(iter(told)), own)
    about = _About(topic, own, meaning, keys, arguments)
    about.check(function)
    return about


def _without_user(function: Callable[..., None]) -> Callable[..., None]:
    return lambda _user, *arguments: function(*arguments)


@functools.cache
def _with_addresses(kind: Any) -> Any:
    """The type of a callback whose pointers are numbers, which are made faster than objects of ctypes."""
    simple = (ctypes.c_size_t, ctypes.c_int64, ctypes.c_double, ctypes.c_int)
    return ctypes.CFUNCTYPE(kind._restype_, *(one if one in simple else ctypes.c_void_p for one in kind._argtypes_))


def _three(address: int) -> list[int]:
    """Three addresses at an address."""
    return list((ctypes.c_size_t * 3).from_address(address))


def _input(address: int, n: int) -> Floats:
    """A copy of numbers."""
    return np.frombuffer(ctypes.string_at(address, 8 * n))


@functools.lru_cache(maxsize=256)
def _output(address: int, n: int) -> Floats:
    """Memory of the library as an array; the same addresses come again."""
    memory = (ctypes.c_double * n).from_address(address)
    return np.frombuffer(memory)  # type: ignore[call-overload, no-any-return]


def _give(address: int, n: int, value: Any, about: _About, what: str) -> None:
    """Copies a result to the library."""
    try:
        if value is None:
            raise TypeError
        _output(address, n)[...] = value
    except (TypeError, ValueError):
        raise refused(f"{about}: the {what} must be a number or an array of shape [{n}], not {_short(value)}") from None


def _short(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return f"an array of shape {list(shape)}" if shape else f"{value!r:.60}"
