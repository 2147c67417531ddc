# SPDX-License-Identifier: MIT
"""Contexts: every call of the library goes through one, which keeps what ctypes and threads, signals and forks need.

- One thread at a time: a call waits until that of another thread with the same context has ended. A thread that asks
  for none has a context of its own (`default_context`), so that two threads with models of their own do not wait for
  each other. A callback that uses the context that is calling it is refused.
- An exception that a callback raises ends the work, and is raised again, unchanged, when the call returns.
- A signal that has a handler in Python, Ctrl-C above all, is handled within some 50 ms, as if by a callback.
- A process that was forked from one that used the library is refused: it lacks the threads of its parent.
- Plug-ins in Python belong to the module: `for_every_context` registers one in the context of the thread at once, and
  in each other one before its next call.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import logging
import os
import signal
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any

from ._library import callback, constant, library, made, text_of
from .errors import Error, Status, integer, misused, refused

Progress = Callable[[float, str], object]
"""Called with the part that is done, from 0 to 1, and what it is a part of. If it returns False, the work ends
there."""

log = logging.getLogger("orrery")

_LEVELS = {
    constant("LOG_INFO"): logging.INFO,
    constant("LOG_RESULT"): logging.INFO,
    constant("LOG_NOTE"): logging.INFO,
    constant("LOG_WARNING"): logging.WARNING,
}
_MAIN = threading.main_thread().ident
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)

_registrations: dict[str, Callable[[Context], None]] = {}
_own = threading.local()
_used = False
_orphan = False  # forked from a process that used the library
_ending = False  # the interpreter is
_contexts: weakref.WeakSet[Context] = weakref.WeakSet()


def _forked() -> None:
    global _orphan
    _orphan = _orphan or _used


os.register_at_fork(after_in_child=_forked)


class _Hooks:
    """What the callbacks of a context do during its call; apart from it, so that they do not keep it alive."""

    def __init__(self) -> None:
        self.progress: Progress | None = None
        self.results: list[str] | None = None  # collects lines of results instead of logging them
        self.raised: BaseException | None = None
        self.signals: deque[tuple[Callable[[int, FrameType | None], Any], int, FrameType | None]] = deque()
        self.threads: set[int] = set()  # that the library has started and that have called back
        self.caller = 0
        self.catching = False  # the thread of the call is where an exception of a signal is not lost

    def guarded(self, work: Callable[..., object]) -> Callable[..., int]:
        """A function for the library: 0, or other than 0 if `work` returned False or raised, which is kept, or had
        raised."""

        def guarded(*arguments: Any) -> int:
            if self.raised is not None or (_ending and self.caller != _MAIN):
                return 1
            me = threading.get_ident()
            self.threads.add(me)
            try:
                if me != self.caller:
                    return int(work(*arguments) is False)
                self.catching = True
                try:
                    self.handle_signals()
                    return int(work(*arguments) is False)
                finally:
                    self.catching = False
            except BaseException as error:
                self.catching = False
                self.raised = self.raised or error
                return 1

        return guarded

    def on_progress(self, _user: Any, done: float, what: bytes) -> bool:
        return self.progress is None or self.progress(done, text_of(what)) is not False

    def on_log(self, _user: Any, kind: int, text: bytes) -> None:
        if kind == constant("LOG_RESULT") and self.results is not None:
            self.results.append(text_of(text))
        else:
            log.log(_LEVELS[kind], "%s", text_of(text))

    @contextlib.contextmanager
    def deferring_signals(self) -> Iterator[None]:
        """While the library works, signals wait for a callback: what a handler raised outside the body of one would be
        lost to ctypes."""
        own: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            own = {number: handler for number in _SIGNALS if callable(handler := signal.getsignal(number))}

        def handle(number: int, frame: FrameType | None) -> None:
            if self.catching:
                self.catching = False
                own[number](number, frame)
            else:
                self.signals.append((own[number], number, frame))

        for number in own:
            signal.signal(number, handle)
        try:
            yield
        finally:
            for number, handler in own.items():
                signal.signal(number, handler)
            if self.raised is None:
                self.handle_signals()
            self.signals.clear()

    def handle_signals(self) -> None:
        while self.signals:
            handler, number, frame = self.signals.popleft()
            handler(number, frame)


class Context:
    """One use of the library: the threads and the GPU that it computes with.

    Models, runs and simulations that are made without one share that of their thread, `default_context`. Another one is
    for other settings, or for work in several threads at once.

    Args:
        threads: of the processor; 0: all that this process may use.
        device: index of the GPU.
    """

    def __init__(self, *, threads: int = 0, device: int = 0) -> None:
        global _used
        _refuse_orphans()
        self._hooks = _Hooks()
        self._turn = threading.Lock()
        self._owner: int | None = None
        self._garbage: deque[tuple[Any, Any]] = deque()
        self._callbacks = {
            field: callback("context_options", field, self._hooks.guarded(function))
            for field, function in {"log": self._hooks.on_log, "progress": self._hooks.on_progress}.items()
        }
        numbers = {"threads": integer(threads, "threads", 0, 32), "device": integer(device, "device", 0, 32)}
        options = made("context_options", **numbers, **self._callbacks)
        pointer = ctypes.c_void_p()
        status = library.orrery_context_create(ctypes.byref(options), ctypes.byref(pointer))
        if status:
            raise Error(status, "a context cannot be made")
        weakref.finalize(self, _free_context, pointer)
        if not _used:
            atexit.register(_end_works)  # after the first finalizer, so that it comes before all of them at the end
        _used = True
        self._as_parameter_ = pointer
        _contexts.add(self)
        self._plug_ins: dict[str, Callable[[Context], None]] = {}

    def call(
        self,
        name: str,
        *arguments: Any,
        progress: Progress | None = None,
        results: list[str] | None = None,
        long: bool = False,
        stoppable: bool = False,
    ) -> Status:
        """Calls `orrery_NAME`, which returns a status.

        Args:
            arguments: as ctypes takes them; handles are `Handle`.
            progress: called during the work.
            results: receives the lines of results that would else be logged.
            long: it may take long: signals end it.
            stoppable: what it has done until a callback stops it is of use.

        Returns:
            Status.OK, or Status.STOPPED if it is stoppable and a callback said so.

        Raises:
            Error: as the library says, also of a stop; or what a callback raised.
        """
        __tracebackhide__ = True  # notebooks show the line of the user
        function = getattr(library, "orrery_" + name)
        hooks = self._hooks
        if self._plug_ins != _registrations:
            self._register()
        with self._alone():
            hooks.progress, hooks.results, hooks.raised, hooks.caller = progress, results, None, threading.get_ident()
            try:
                if long or _registrations:
                    with hooks.deferring_signals():
                        status = function(*arguments)
                else:
                    status = function(*arguments)
                if hooks.raised is not None:
                    raise hooks.raised
                if status == Status.OK or (status == Status.STOPPED and stoppable):
                    return Status(status)
                raise self._error(status)
            finally:
                hooks.progress = hooks.results = hooks.raised = None
                hooks.threads.clear()

    def _register(self) -> None:
        """The plug-ins in Python that it does not have yet."""
        for name, register in [*_registrations.items()]:
            if self._plug_ins.get(name) is not register:
                self._plug_ins[name] = register  # before the call that it makes
                register(self)

    def create(self, kind: str, function: str, *arguments: Any, **options: Any) -> Handle:
        """A handle of what a function makes, whose last parameter receives it; `kind` is the part of its name before
        `_free`.

        Raises:
            Error: as `call`.
        """
        __tracebackhide__ = True
        pointer = ctypes.c_void_p()
        self.call(function, *arguments, ctypes.byref(pointer), long=True, **options)
        return Handle(self, kind, pointer)

    def value(self, function: str, *arguments: Any) -> Any:
        """The result of a function that returns no status, such as orrery_simulation_step."""
        with self._alone():
            return getattr(library, "orrery_" + function)(*arguments)

    def guarded(self, work: Callable[..., object]) -> Callable[..., int]:
        """`work` as a function that the library may call: what it raises ends the work, and is raised by `call`."""
        return self._hooks.guarded(work)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """One call at a time."""
        _refuse_orphans()
        _rest()
        me = threading.get_ident()
        if self._owner is not None and (self._owner == me or me in self._hooks.threads):
            raise misused("a callback cannot use the models, runs and simulations of the context that is calling it")
        try:
            with self._turn:
                self._owner = me
                try:
                    yield
                finally:
                    self._owner = None
                    while self._garbage:
                        free, pointer = self._garbage.popleft()
                        free(pointer)
        finally:
            _rest()

    def release(self, free: Any, pointer: Any) -> None:
        """Frees a handle at once, or, while a call is going on, after it."""
        if _orphan:
            return
        self._garbage.append((free, pointer))
        if self._turn.acquire(blocking=False):
            try:
                while self._garbage:
                    waiting, handle = self._garbage.popleft()
                    waiting(handle)
            finally:
                self._turn.release()

    def _error(self, status: int) -> Error:
        message, key, place = (
            text_of(getattr(library, f"orrery_context_{w}")(self)) for w in ("message", "key", "place")
        )
        if not message:
            message = "`progress` stopped it before its end" if status == Status.STOPPED else "the library was misused"
        return Error(status, message, key, place)

    def __reduce__(self) -> Any:
        raise TypeError("a context cannot be pickled: make one where it is needed")


class Handle:
    """A handle of the library, freed with its last reference; passed to functions as it is."""

    def __init__(self, context: Context, kind: str, pointer: ctypes.c_void_p) -> None:
        self.context = context
        self._pointer: ctypes.c_void_p | None = pointer
        self._free = weakref.finalize(self, context.release, getattr(library, f"orrery_{kind}_free"), pointer)

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        if self._pointer is None:
            raise misused("it is closed")
        return self._pointer

    @property
    def closed(self) -> bool:
        return self._pointer is None

    def close(self) -> None:
        """Frees it now; to use it afterwards is refused."""
        self._pointer = None
        self._free()


def default_context() -> Context:
    """The context of this thread for all that is made without one."""
    context: Context | None = getattr(_own, "context", None)
    if context is None:
        context = _own.context = Context()
    return context


def for_every_context(name: str, register: Callable[[Context], None]) -> None:
    """Calls `register` with the context of this thread, now, and with each other one before its next call: plug-ins in
    Python belong to the module. Of several with one `name` the last counts; models that were made before keep theirs.

    Raises:
        Error: as `register`; then it is forgotten.
    """
    context = default_context()
    register(context)
    context._plug_ins[name] = _registrations[name] = register


def encoded(text: str | os.PathLike[str], key: str = "") -> bytes:
    """A text for the library.

    Raises:
        Error: it contains a zero, which would end it.
    """
    raw = os.fspath(text).encode("utf-8", "surrogateescape")
    if b"\0" in raw:
        raise refused(f"{text!r} contains a zero character", key)
    return raw


def texts(values: Sequence[str]) -> Any:
    """An array of texts for the library."""
    return (ctypes.c_char_p * len(values))(*(encoded(value) for value in values))


def _refuse_orphans() -> None:
    if _orphan:
        raise misused(
            "this process was forked from one that had used orrery, whose threads it lacks: start it by "
            'multiprocessing.get_context("spawn"), or fork before the first use'
        )


def _end_works() -> None:
    """At the end of the interpreter, ends what its other threads compute: a callback that came later would find no Python, and
    the process would be aborted."""
    global _ending
    _ending = True
    for context in list(_contexts):
        if context._turn.acquire(timeout=10):
            context._turn.release()


def _rest() -> None:
    """Keeps all threads but the main one from going on when the interpreter ends."""
    if _ending and threading.get_ident() != _MAIN:
        threading.Event().wait()


def _free_context(pointer: ctypes.c_void_p) -> None:
    if not _orphan:
        library.orrery_context_free(pointer)
