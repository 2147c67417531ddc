# SPDX-License-Identifier: MIT
"""Signals, forks and further processes."""

import os
import signal
import subprocess
import sys
import time

import pytest

import orrery as orr


def after(process, line):
    """Waits until a process has printed a line."""
    for printed in process.stdout:
        if printed.strip() == line:
            return
    raise AssertionError(process.stderr.read())


def ended(process):
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 0, errors
    return output.split()


def test_ctrl_c_ends_a_run_and_its_file_goes_on(script):
    process = script(
        """
        model = orr.Model().plummer(n=64).integrator(dt=1e-3, steps=2_000)
        begun = []
        def progress(done, what):
            if not begun:
                begun.append(print("begun", flush=True))
            time.sleep(0.05)
        try:
            model.run("a.h5", frames=11, progress=progress, backend="cpu")
        except KeyboardInterrupt:
            run = orr.open("a.h5")
            print("interrupted", run.finished, run.resume().finished, bool(run.diff(model.run("b.h5", frames=11))))
        """
    )
    after(process, "begun")
    process.send_signal(signal.SIGINT)
    assert ended(process) == ["interrupted", "False", "True", "True"]


def test_signals_end_works_without_progress_and_keep_their_handlers(script):
    process = script(
        """
        import signal
        seen = []
        def handler(number, frame):
            seen.append(number)
            if len(seen) == 2:
                raise ValueError("mine")
            print("seen", flush=True)
        signal.signal(signal.SIGINT, handler)
        sim = orr.Model().plummer(n=64).integrator(dt=1e-3).simulation(backend="cpu")
        print("begun", flush=True)
        try:
            sim.advance(10**9)
        except ValueError as error:
            print(error, 0 < sim.step < 10**9, signal.getsignal(signal.SIGINT) is handler, flush=True)
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        seen[:] = [0]
        try:
            sim.advance(10**9)
        except ValueError as error:
            print(error)
        """
    )
    for line in ("begun", "seen"):  # the first signal is handled without an exception
        after(process, line)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
    assert ended(process) == ["mine", "True", "True", "mine"]


def test_a_fork_after_the_first_use_is_refused_in_words(script):
    process = script(
        """
        model = orr.Model().plummer(n=300)
        model.integrator(dt=1e-3).simulation(backend="cpu").advance(3)
        if os.fork() == 0:
            for use in (orr.Model, model.copy, lambda: len(model)):
                try:
                    use()
                except orr.Error as error:
                    print("refused" if "spawn" in str(error) and error.status == orr.Status.MISUSED else error)
            del model
            sys.exit(0)
        os.wait()
        print(len(model))
        """
    )
    assert ended(process) == ["refused"] * 3 + ["300"]


def test_a_fork_before_the_first_use_works(script):
    process = script(
        """
        child = os.fork()
        os.write(1, b"%d\\n" % len(orr.Model().plummer(n=300)))
        if child:
            os.wait()
        """
    )
    assert ended(process) == ["300", "300"]


def test_models_and_runs_go_to_spawned_processes(script):
    process = script(
        """
        import multiprocessing

        def steps(model, run, k):
            sim = model.integrator(dt=1e-3).simulation(backend="cpu")
            sim.advance(k)
            return sim.hash, len(run)

        if __name__ == "__main__":
            model = orr.Model(seed=3).plummer(n=40)
            run = model.run("a.h5", dt=1e-3, steps=4)
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.apply(steps, (model, run, 5)) == steps(model, run, 5))
        """
    )
    assert ended(process) == ["True"]


def test_what_cannot_be_pickled_says_so(earth):
    import pickle

    for what in (orr.Context(), earth.simulation()):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(what)


def test_numpy_and_other_threads_work_meanwhile(earth):
    """The library does not hold Python's lock while it works."""
    import threading

    counted = []
    model = orr.Model().plummer(n=256).integrator(dt=1e-3)
    sim = model.simulation(backend="cpu")
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(1)
            stop.wait(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    sim.advance(4000)
    stop.set()
    thread.join()
    assert len(counted) > 5


def test_handles_may_die_in_any_order_and_at_exit():
    code = (
        "import orrery as orr; c = orr.Context(threads=1); m = orr.Model(context=c).plummer(n=9).integrator(dt=1e-3, steps=2);"
        "s = m.simulation(); r = m.run('a.h5'); del c, m; s.advance(1); print(len(r), s.step)"
    )
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr, done.returncode) == (["3", "1"], "", 0)


def test_a_thread_that_computes_when_python_ends_is_no_crash(script):
    process = script(
        """
        import threading
        import numpy as np

        @orr.law(potential=lambda r2: 0)
        def own(r2):
            return 1 / (1 + r2)

        def compute(model):
            model.integrator(dt=1e-3).simulation(backend="cpu").advance(10**9)
            print("went on")

        models = [orr.Model().plummer(n=300), orr.Model(context=orr.Context(threads=2)).plummer(n=300).force("own")]
        for model in models:
            threading.Thread(target=compute, args=[model], daemon=True).start()
        time.sleep(0.2)
        """
    )
    assert ended(process) == []
