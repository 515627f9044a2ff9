"""`rlcheck run`: runs campaigns on a target, shows their progress, and stores the results."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import sys
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import rlcheck
from rlcheck.cli import failures
from rlcheck.cli.options import Options, label_of
from rlcheck.cli.printing import as_json, as_text, complain
from rlcheck.cli.race import Contender, race
from rlcheck.cli.targets import Subject
from rlcheck.engines import Engine, Plan
from rlcheck.errors import ConfigurationError
from rlcheck.report.store import Store

if TYPE_CHECKING:
    from rlcheck.report.dashboard import Server


def run(options: Options) -> int:
    """Run, and print the results; returns 1 if a property failed."""
    options.check()
    aside: Any = contextlib.redirect_stdout(sys.stderr) if options.as_json else contextlib.nullcontext()
    with aside:
        subject = options.target.load()
        result = _run(options, subject)
    sys.stdout.write(json.dumps(result) + "\n" if options.as_json else as_text(result))
    return 1 if result["failures"] else 0


def _run(options: Options, subject: Subject) -> dict[str, Any]:
    store = Store(say=complain) if options.save else None
    try:
        seed = options.take_seed(subject)
        regressions = failures.replay_known(subject, store, options.timeout_per_input)
        with contextlib.ExitStack() as stack:
            if options.dashboard:
                stack.callback(_serve().stop)
            contenders = list(_contenders(options, subject, store, seed))
            for contender in contenders:
                stack.callback(contender.engine.close)
            folder = os.getcwd()
            race(options, subject, contenders)
            os.chdir(folder)  # Whatever the subject did to it: files and places are relative to it.
        for contender in contenders:
            contender.keep(subject, always=True)  # As found; the shrunk failure replaces it.
        found = failures.conclude(subject, contenders, store, regressions, in_workers=options.in_workers)
        for contender in contenders:
            contender.finish(subject, isolate=options.in_workers)
        return as_json(options, seed, contenders, found, regressions, store)
    finally:
        if store is not None:
            store.close()


def _serve() -> Server:
    """Show the stored runs in a browser, on any free port."""
    from rlcheck.cli.dashboard import start

    server = start("127.0.0.1", 0)
    sys.stderr.write(f"{server.address}\n")
    sys.stderr.flush()
    return server


def _contenders(options: Options, subject: Subject, store: Store | None, seed: int) -> Iterator[Contender]:
    first = 0
    # All engines are made before a run is stored: a mistake in one of them is not a run.
    engines = [(learner, _engine(options, subject, store, learner, seed)) for learner in options.learners]
    for learner, engine in engines:
        label = label_of(learner, subject)
        number = 0
        if store is not None:
            stored = options.stored(label, seed)
            number = store.start_run(str(options.target), stored, _versions(), first or None)
            first = first or number
        yield Contender(label, engine, store, number)


def _engine(
    options: Options, subject: Subject, store: Store | None, learner: str | None, seed: int
) -> Engine:
    """The engine for a learner; only the module that it needs is imported."""
    settings = options.settings(learner)
    plan = Plan(
        options.target.load,
        settings,
        seed,
        *options.budget(subject),
        timeout=options.timeout_per_input,
        examples=_examples(options.policy, store),
    )
    if subject.hypothesis is not None:
        if settings or options.in_workers or options.policy:
            raise ConfigurationError(
                "a Hypothesis test is run by Hypothesis: it takes --seconds, --episodes and --seed, and"
                " none of the other options of a campaign."
            )
        from rlcheck.frontends.hypothesis.engine import HypothesisEngine

        return HypothesisEngine(plan, subject.hypothesis)
    if not options.in_workers:
        from rlcheck.engines.local import LocalEngine

        return LocalEngine(plan, subject)
    if options.engine == "ray":
        from rlcheck.engines.ray import ray_pool

        return ray_pool(plan, options.workers or 2, address=options.ray_address)
    from rlcheck.engines.processes import process_pool

    return process_pool(plan, options.workers or 1)


def _examples(policy: str | None, store: Store | None) -> list[list[int]]:
    """The inputs of a policy: a stored run, or a file that `Campaign.save` wrote."""
    if policy is None:
        return []
    if not policy.isdecimal():
        from rlcheck.policy import load_policy

        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            examples = load_policy(policy)
        for warning in warned:
            complain(str(warning.message))
        return examples
    if store is None:
        raise ConfigurationError(f"--policy={policy} is a stored run: leave out --no-save, or give a file.")
    store.run(int(policy))
    return store.policy(int(policy))


def _versions() -> dict[str, Any]:
    return {"rlcheck": rlcheck.__version__, "python": platform.python_version(), "system": platform.system()}
