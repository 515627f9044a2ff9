"""LocalEngine: a campaign that runs in this process."""

from __future__ import annotations

import os
from collections.abc import Iterable

from rlcheck.campaign import Campaign
from rlcheck.engines import Found, Listener, Plan, Subject, no_listener
from rlcheck.failure import Failure, place_of
from rlcheck.protocols import Observer
from rlcheck.report.blocks import pack_inputs
from rlcheck.report.record import Recorder, Snapshot
from rlcheck.report.survey import shown


class LocalEngine:
    """Runs one campaign, one step at a time.

    Args:
        plan: What to run.
        subject: The subject that the plan loads.
        share: This engine's share of the corpus, when several engines fill it.
        observers: Called with each episode, in addition to the recorder.
    """

    def __init__(
        self, plan: Plan, subject: Subject, *, share: float = 1.0, observers: Iterable[Observer] = ()
    ) -> None:
        self.stopped = ""
        self.failures: dict[str, Found] = {}
        self._plan = plan
        self.recorder = Recorder(plan.seed, share=share)
        self.campaign = Campaign(
            subject.generator,
            valid=subject.valid,
            test=subject.test,
            examples=plan.examples,
            observers=[self.recorder, *observers],
            **{**subject.settings, **plan.settings, "seed": plan.seed},
        )
        self.sizes = self.recorder.sizes
        self.sample = self.recorder.sample

    @property
    def note(self) -> str:
        """What the campaign did on its own initiative."""
        return self.campaign.summary.note

    def step(self, seconds: float, listener: Listener = no_listener) -> None:
        """Run for `seconds`, or until the budget is spent."""
        plan, summary = self._plan, self.campaign.summary
        episodes = None if plan.episodes is None else plan.episodes - summary.episodes
        if plan.seconds is not None:
            seconds = min(seconds, plan.seconds - summary.seconds)
        if (episodes is None or episodes > 0) and seconds > 0:
            self.campaign.run(episodes, seconds)
            for failure in summary.failures:
                self._note(failure)
        spent = plan.seconds is not None and summary.seconds >= plan.seconds
        if summary.stopped != "seconds" or spent:
            self.stopped = summary.stopped

    def snapshot(self) -> Snapshot:
        """The counts so far."""
        summary = self.campaign.summary
        return Snapshot(
            summary.seconds,
            summary.episodes,
            summary.valid,
            summary.unique_valid,
            summary.overruns,
            len(self.failures),
            self.campaign.guide.abilities.states,
        )

    def take(self) -> tuple[bytes, int]:
        """The inputs since the last call, as a block."""
        inputs, _, _ = self.recorder.take()
        return (pack_inputs(inputs) if inputs else b""), len(inputs)

    def close(self) -> None:
        """Release nothing: a campaign holds no resources."""

    def _note(self, failure: Failure) -> None:
        place = place_in(failure.error)
        known = self.failures.get(place)
        if known is None:
            message = message_of(failure.error)
            choices = list(failure.choices)
            known = self.failures[place] = Found(place, message, choices, shown(failure.value))
        known.count = failure.count


def place_in(error: BaseException) -> str:
    """Where an error was raised, with a path relative to the working directory: the same on every machine."""
    place: str = getattr(error, "place", None) or place_of(error)
    return place.replace(os.getcwd() + os.sep, "")


def message_of(error: BaseException) -> str:
    """An error on one line."""
    text = " ".join(str(error).split())
    name = type(error).__name__
    return f"{name}: {text[:300]}" if text else name
