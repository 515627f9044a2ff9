"""LocalEngine: a campaign that runs in this process."""

from __future__ import annotations

from collections.abc import Iterable

from rlcheck.campaign import Campaign
from rlcheck.engines import Listener, Plan, Subject, no_listener
from rlcheck.failure import Failure
from rlcheck.protocols import Observer
from rlcheck.report.blocks import pack_inputs
from rlcheck.report.record import Recorder, Snapshot


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
        self.failures: dict[str, Failure] = {}
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
        self.distributions = self.recorder.distributions

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
        if episodes is not None and episodes <= 0:
            self.stopped = "episodes"
            return
        if seconds > 0:
            self.campaign.run(episodes, seconds)
            self.failures = {failure.place: failure.portable() for failure in summary.failures}
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
            summary.shapes,
            summary.effective_shapes,
            0 if summary.coverage is None else len(summary.coverage.covered),
        )

    def take(self) -> tuple[bytes, int]:
        """The inputs since the last call, as a block."""
        inputs = self.recorder.take().inputs
        return (pack_inputs(inputs) if inputs else b""), len(inputs)

    def close(self) -> None:
        """Release nothing: a campaign holds no resources."""
