# SPDX-License-Identifier: MIT
"""N-body models, their runs, trajectories, figures and films.

    import orrery as orr

    m = orr.Model(units="astronomical", title="Sun and Earth")
    m.add("Sun", mass=1.0)
    m.add("Earth", mass=3.003e-6, position=(1, 0, 0), velocity=(0, 0.01720209895, 0))
    run = orr.run(m, integrator="ias15", time="100 yr", frames=1000, out="earth.h5")
    run.figure("elements")

`orrery.list()` tells what there is; what each key means is also in the docstrings of functions such as ``m.plummer``
and ``run.figure.elements``. Errors are `orrery.Error`, with the key that they are about. Messages go to the logger
``"orrery"``.
"""

from __future__ import annotations

from ._library import version as __version__
from .between import State
from .bodies import Bodies
from .catalogue import listing as _listing
from .context import Context
from .errors import Error, Status
from .frames import FrameArray
from .model import Model, load
from .observables import Observables
from .pictures import Axis, Chart, Curve, Picture
from .plug_ins import Parameter, Stepper, field, integrator, inverse_cube, inverse_root, law
from .runs import Comparison, diff, import_frames, resume, run, verify
from .simulation import Simulation, Writer
from .sweeps import sweep
from .table import Table
from .trajectory import Run
from .trajectory import open_run as _open_run

list, open = _listing, _open_run  # not in __all__: `from orrery import *` keeps Python's own

__all__ = [
    "Axis",
    "Bodies",
    "Chart",
    "Comparison",
    "Context",
    "Curve",
    "Error",
    "FrameArray",
    "Model",
    "Observables",
    "Parameter",
    "Picture",
    "Run",
    "Simulation",
    "State",
    "Status",
    "Stepper",
    "Table",
    "Writer",
    "__version__",
    "diff",
    "field",
    "import_frames",
    "integrator",
    "inverse_cube",
    "inverse_root",
    "law",
    "load",
    "resume",
    "run",
    "sweep",
    "verify",
]
