"""`rlcheck run`: campaigns on a target, watched and kept."""

from __future__ import annotations

import contextlib
import json
import platform
import sys
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import SystemRandom
from time import perf_counter
from typing import Any

import rlcheck
from rlcheck.budget import check_budget
from rlcheck.cli import failures
from rlcheck.cli.targets import Subject, Target
from rlcheck.engines import Engine, Plan
from rlcheck.errors import ConfigurationError
from rlcheck.report.progress import View, line
from rlcheck.report.record import Snapshot
from rlcheck.report.store import Store
from rlcheck.report.survey import survey

#: Seconds between two looks at what runs, and between two writes.
_STEP, _KEEP = 0.1, 1.0

_EPISODES = 10_000


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says."""

    target: Target
    learner: str | None = None
    compare: str | None = None
    abstraction: str | None = None
    characteristic: str | None = None
    seed: int | None = None
    episodes: int | None = None
    seconds: float | None = None
    workers: int | None = None
    engine: str = "processes"
    ray_address: str | None = None
    timeout_per_input: float | None = None
    policy: str | None = None
    save: bool = True
    as_json: bool = False

    def check(self) -> None:
        """Raise when something is given that cannot work."""
        check_budget(self.episodes, self.seconds)
        if self.workers is not None and self.workers < 1:
            raise ConfigurationError(f"--workers={self.workers} must be at least 1.")
        if self.timeout_per_input is not None and not 0 < self.timeout_per_input < 1e6:
            raise ConfigurationError(f"--timeout-per-input={self.timeout_per_input:g} must be above 0.")
        if self.ray_address is not None and self.engine != "ray":
            raise ConfigurationError("--ray-address is for --engine ray.")
        if self.compare is not None and self.in_workers:
            raise ConfigurationError(
                "--compare runs in this process: leave out --workers, --engine and timeouts."
            )

    @property
    def in_workers(self) -> bool:
        """Whether workers run the campaign."""
        return bool(self.workers or self.timeout_per_input or self.engine == "ray")


class Contender:
    """One engine with its run in the store."""

    def __init__(self, label: str, engine: Engine, store: Store | None, run: int) -> None:
        self.label = label
        self.engine = engine
        self.run = run
        self._store = store
        self._due = perf_counter() + _KEEP
        self._known: set[str] = set()

    def keep(self, subject: Subject, *, always: bool = False) -> None:
        """Write what is new, once a second."""
        if self._store is None or (perf_counter() < self._due and not always):
            return
        blocks = list(iter(self.engine.take, (b"", 0)))
        self._store.add_progress(self.run, self.engine.snapshot(), blocks)
        for place, found in list(self.engine.failures.items()):
            if place not in self._known:
                self._known.add(place)
                self._store.add_failure(self.run, failures.row(subject, found, count=0))
        self._due = perf_counter() + _KEEP

    def finish(self, subject: Subject) -> None:
        """Write what there is to know at the end."""
        if self._store is None:
            return
        self.keep(subject, always=True)
        details = survey(subject.generator, subject.valid, subject.test, self.engine.sample)
        details["sizes"] = sorted(self.engine.sizes.items())
        details["note"] = self.engine.note
        policy = [choices for valid, choices in self.engine.sample if valid][:1_000]
        self._store.finish_run(self.run, self.engine.stopped, details, policy)


def run(options: Options) -> int:
    """Run, and print what came of it; 1 when a property failed."""
    options.check()
    aside: Any = contextlib.redirect_stdout(sys.stderr) if options.as_json else contextlib.nullcontext()
    with aside:
        subject = options.target.load()
        outcome = _run(options, subject)
    if options.as_json:
        print(json.dumps(outcome))  # noqa: T201
    else:
        _print(outcome)
    return 1 if outcome["failures"] else 0


def _run(options: Options, subject: Subject) -> dict[str, Any]:
    store = Store(say=_say) if options.save else None
    try:
        seed = _seed(options, subject)
        regressions = failures.replay_known(subject, store, options.timeout_per_input)
        with contextlib.ExitStack() as stack:
            contenders = list(_contenders(options, subject, store, seed))
            for contender in contenders:
                stack.callback(contender.engine.close)
            _race(options, subject, contenders)
        for contender in contenders:
            contender.keep(subject, always=True)  # As it was found; shrunk it takes its place.
        found = failures.conclude(subject, contenders, store, regressions, isolated=options.in_workers)
        for contender in contenders:
            contender.finish(subject)
        return _outcome(options, seed, contenders, found, regressions, store)
    finally:
        if store is not None:
            store.close()


def _contenders(options: Options, subject: Subject, store: Store | None, seed: int) -> Iterator[Contender]:
    first = 0
    learners = [options.learner] if options.compare is None else [options.learner, options.compare]
    # All before the first run is entered: one that cannot be is a mistake, and no run.
    engines = [_engine(options, subject, store, learner, seed) for learner in learners]
    for learner, engine in zip(learners, engines, strict=True):
        label = learner or subject.settings.get("learner") or _default(subject)
        number = 0
        if store is not None:
            chosen = {"learner": str(label), "seed": seed, "workers": options.workers}
            for name in ("abstraction", "characteristic", "episodes", "seconds", "policy"):
                chosen[name] = getattr(options, name)
            number = store.start_run(str(options.target), chosen, _versions(), first or None)
            first = first or number
        yield Contender(str(label), engine, store, number)


def _engine(
    options: Options, subject: Subject, store: Store | None, learner: str | None, seed: int
) -> Engine:
    given = {"learner": learner, "abstraction": options.abstraction, "characteristic": options.characteristic}
    settings = {name: value for name, value in given.items() if value is not None}
    plan = Plan(
        options.target.load,
        settings,
        seed,
        *_budget(options, subject),
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
    from rlcheck.engines import processes

    return processes.process_pool(plan, options.workers or 1)


def _race(options: Options, subject: Subject, contenders: list[Contender]) -> None:
    """Step by step, one contender after the other, until all have ended."""

    def share(snapshots: Mapping[str, Snapshot]) -> float:
        done = [_spent(snapshot, *_budget(options, subject)) for snapshot in snapshots.values()]
        return sum(done) / len(done)

    def look() -> None:
        view.show({contender.label: contender.engine.snapshot() for contender in contenders})
        for contender in contenders:
            contender.keep(subject)

    with View(share, sys.stderr) as view:
        try:
            while running := [contender for contender in contenders if not contender.engine.stopped]:
                for contender in running:
                    if hasattr(contender.engine, "listener"):
                        contender.engine.listener = look
                    contender.engine.step(_STEP)
                look()
        except KeyboardInterrupt:
            pass
        except Exception:
            raise
        except BaseException as error:  # SystemExit, pytest.skip: the campaign is not theirs to end.
            raise ConfigurationError(
                f"{options.target} raised {type(error).__name__}, which ends a campaign."
                " Run it in a worker, with --workers 1: there it counts as a failure."
            ) from error
    for contender in contenders:
        contender.engine.stopped = contender.engine.stopped or "interrupted"


def _budget(options: Options, subject: Subject) -> tuple[int | None, float | None]:
    if options.episodes is not None or options.seconds is not None:
        return options.episodes, options.seconds
    if subject.hypothesis is not None or subject.episodes or subject.seconds:
        return subject.episodes, subject.seconds
    return _EPISODES, None


def _seed(options: Options, subject: Subject) -> int:
    own = subject.settings.pop("seed", None)
    given = options.seed if options.seed is not None else own
    return SystemRandom().getrandbits(32) if given is None else int(given)


def _spent(snapshot: Snapshot, episodes: int | None, seconds: float | None) -> float:
    parts = [
        snapshot.episodes / episodes if episodes else 0.0,
        snapshot.seconds / seconds if seconds else 0.0,
    ]
    return max(parts)


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
            _say(str(warning.message))
        return examples
    if store is None:
        raise ConfigurationError(f"--policy={policy} is a stored run: leave out --no-save, or give a file.")
    store.run(int(policy))
    return store.policy(int(policy))


def _default(subject: Subject) -> str:
    from rlcheck.registry import DEFAULTS

    return "hypothesis" if subject.hypothesis is not None else DEFAULTS["learner"]


def _versions() -> dict[str, Any]:
    return {"rlcheck": rlcheck.__version__, "python": platform.python_version(), "system": platform.system()}


def _outcome(
    options: Options,
    seed: int,
    contenders: list[Contender],
    found: list[dict[str, Any]],
    regressions: failures.Regressions,
    store: Store | None,
) -> dict[str, Any]:
    runs = []
    for contender in contenders:
        kept = contender.run if store is not None and store.lasting else None
        about = {"id": kept, "learner": contender.label, "stopped": contender.engine.stopped}
        runs.append({**about, **contender.engine.snapshot()._asdict(), "note": contender.engine.note})
    return {
        "rlcheck": "run",
        "version": 1,
        "target": str(options.target),
        "seed": seed,
        **{
            name: runs[0][name]
            for name in ("episodes", "valid", "unique_valid", "overruns", "seconds", "stopped")
        },
        "runs": runs,
        "failures": found,
        "fixed": regressions.fixed,
        "stale": regressions.stale,
    }


def _print(outcome: dict[str, Any]) -> None:
    out = sys.stdout.write
    names = Snapshot._fields
    for run in outcome["runs"]:
        out(f"{run['learner']}: {line(Snapshot(*(run[name] for name in names)))}; seed {outcome['seed']}")
        out(
            f"; run {run['id']}, stopped: {run['stopped']}\n"
            if run["id"]
            else f"; stopped: {run['stopped']}\n"
        )
        if run["note"]:
            out(f"  {run['note']}\n")
    if len(outcome["runs"]) > 1:
        first, second = outcome["runs"]
        times = first["unique_valid"] / max(1, second["unique_valid"])
        out(f"{first['learner']} made {times:.1f} times the unique valid inputs of {second['learner']}.\n")
    for number in outcome["fixed"]:
        out(f"fixed: {number} passes now\n")
    for number in outcome["stale"]:
        out(f"stale: {number} no longer fits its generator\n")
    for failure in outcome["failures"]:
        out(failures.text(failure))


def _say(text: str) -> None:
    sys.stderr.write(f"rlcheck: {text}\n")
