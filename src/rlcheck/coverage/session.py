"""CoverageSession: turns coverage on while a campaign runs, and unasked while nothing is valid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlcheck.coverage.branches import Coverage
from rlcheck.coverage.modules import Modules, modules_of
from rlcheck.coverage.scout import Scout
from rlcheck.coverage.watch import Watch
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError

#: After this many episodes without a valid one, the next few, and later one now and then, find out which
#: modules reject inputs; these modules are then watched. A learner that uses the signs of rejected inputs
#: waits for fewer. This counts episodes, not seconds, so that the same seed gives the same run.
COLD, COLD_CLIMBING = 500, 100
SCOUTED = 10
_AGAIN = 50

#: The progress of an invalid input with new branches while nothing is valid. It does not grow with their
#: number: most branches are new to the first inputs, and a learner would keep no others.
_PROGRESS = 0.5

_WATCHED = (
    "none of the first {} inputs was valid: from then on, what {} compared led to new inputs,"
    " until one was valid"
)
_WITHOUT = "the learner reads branches, and went on without: {}"


def coverage_for(
    wanted: str | None,
    needed: str | None,
    *,
    given: Modules | Coverage | None,
    subject: tuple[Callable[..., Any] | None, ...],
) -> tuple[Coverage | None, str]:
    """Return the coverage for a campaign, and a remark about it.

    Args:
        wanted: What learner, reward and characteristic read of branches: "counts", "path" or None.
        needed: What the reward and the characteristic require; a learner works without.
        given: What the user asked for; None to decide by the other arguments.
        subject: The functions whose modules are covered by default.
    """
    if isinstance(given, Coverage):
        return given, ""
    if given is not None:
        return (Coverage(given, ordered=wanted == "path") if given else None), ""
    modules = modules_of(*subject)
    if wanted is None or not modules:
        missing = wanted is not None and needed is None
        return None, _WITHOUT.format("neither `valid` nor `test` is a Python function") if missing else ""
    try:
        coverage = Coverage(modules, ordered=wanted == "path")
        coverage.whole = False  # The user did not ask for a report.
        return coverage, ""
    except ConfigurationError as error:
        if needed is not None:
            raise
        return None, _WITHOUT.format(error)


class CoverageSession:
    """Turns a coverage on and off, and puts what it recorded into episodes. It is on inside a `with` block.

    Args:
        coverage: Records branches; may be None.
        needed: What the reward and the characteristic read of branches; with None, episodes that the learner
            does not look at may go unrecorded.
    """

    def __init__(self, coverage: Coverage | None, *, needed: str | None = None) -> None:
        if needed is not None and (coverage is None or (needed == "path" and not coverage.ordered)):
            raise ConfigurationError(
                f"the reward or the characteristic reads the {needed} of branches, which"
                f" coverage={coverage!r} does not keep. Give a Campaign coverage=[modules], or a Guide"
                f" coverage=rlcheck.Coverage([modules], ordered={needed == 'path'})."
            )
        self.coverage = coverage
        #: Whether the user grades episodes by rewards or targets: then new branches do not count as progress.
        self.graded = False
        #: While nothing is valid: first what finds the modules to watch, then what watches them.
        self.scout: Scout | None = None
        self.watch: Watch | None = None
        #: The options of each choice of the running episode, if branches are recorded.
        self.options: list[Any] = []
        self._optional = needed is None
        # Whether nothing is watched for now.
        self._asleep = False

    def __enter__(self) -> None:
        if self.coverage is not None:
            self.coverage.on()

    def __exit__(self, *raised: object) -> None:
        if self.coverage is not None:
            self.coverage.off()

    def begin(self, *, looking: bool, cold: bool) -> bool:
        """Begin an episode, and return whether its branches are recorded.

        Args:
            looking: Whether the learner looks at them.
            cold: Whether nothing has been valid yet: then new branches count as progress.
        """
        coverage = self.coverage
        assert coverage is not None
        ignored = not looking and self._optional and not coverage.whole and not cold
        if self.watch is not None:
            ignored = self._asleep or not looking
        if ignored:
            coverage.pause()
            return False
        coverage.resume()
        coverage.start()
        self.options.clear()
        return True

    def restart(self) -> None:
        """Forget the branches so far in this episode."""
        if self.coverage is not None:  # A concurrent episode may have been valid and turned it off.
            self.coverage.start()

    def advance(self) -> int:
        """Return how many branches since the last choice are new."""
        assert self.coverage is not None
        return self.coverage.advance()

    def end(self, episode: Episode, *, cold: bool) -> None:
        """Give an episode its branches; new ones count as progress while nothing is valid."""
        coverage = self.coverage
        if coverage is None:
            return
        valid = episode.outcome is not Outcome.INVALID
        episode.new_branches = coverage.stop(valid=valid)
        episode.counts = coverage.counts
        if coverage.ordered:
            episode.path = coverage.path
        if cold and not valid and not self.graded and coverage.is_new():
            episode.progress += _PROGRESS
        if self.watch is not None and not valid:
            self.watch.describe(episode, self.options)

    def wait(self, episodes: int, modules: Sequence[str], *, cold: int) -> str:
        """After enough inputs of which none was valid or new, watch what rejects them; return a remark or "".

        Args:
            episodes: The number of inputs so far.
            modules: The modules of the precondition; none if it is not Python or must not be watched.
            cold: How many inputs are enough.
        """
        self.wake()
        if not self._may_watch(modules) or episodes < cold:
            return ""
        if self.scout is not None and episodes >= cold + SCOUTED:
            new = self.watch_modules(self.scout.modules, modules)
            self.scout = None
            return _WATCHED.format(cold, modules[0]) if new else ""
        if episodes == cold or episodes % _AGAIN == 0:
            self.scout = Scout(modules)
        return ""

    def watch_modules(self, modules: Sequence[str], roots: Sequence[str]) -> bool:
        """Watch modules, perhaps in addition to others; return whether this is the first time.

        Args:
            modules: The modules to watch.
            roots: The modules of the precondition itself.
        """
        self.wake()
        if not self._may_watch(modules):
            return False
        try:
            if self.watch is not None:
                self.watch.extend(modules)
                return False
            watch = Watch(modules, roots)
            watch.on()
        except ConfigurationError:
            return False  # Another campaign covers it already.
        self.coverage = self.watch = watch
        return True

    def rest(self) -> None:
        """Watch nothing for now: inputs are valid, and the learner does not climb."""
        self.scout = None
        self._asleep = True
        if self.watch is not None:
            self.watch.pause()

    def wake(self) -> None:
        """Watch again what was watched before."""
        self._asleep = False

    def unwatch(self) -> None:
        """Turn off what was turned on unasked."""
        self.rest()
        if self.watch is not None:
            self.watch.off()
            self.coverage = self.watch = None

    def _may_watch(self, modules: Sequence[str]) -> bool:
        """Whether there are modules to watch, and the user neither grades inputs nor asked for coverage."""
        return bool(modules) and not self.graded and self.coverage is self.watch
