"""Runs a campaign in steps of equal size, and notes how its counts grow."""

from __future__ import annotations

from rlcheck import Campaign

#: Inputs, valid ones and unique valid ones so far.
Point = tuple[int, int, int]


def run(campaign: Campaign, inputs: int, points: int) -> list[Point]:
    """Run so many inputs; the curve has so many points, or one for each input when there are fewer."""
    summary = campaign.summary
    curve = []
    for point in range(1, points + 1):
        due = inputs * point // points - summary.episodes
        if due > 0:
            campaign.run(episodes=due)
            curve.append((summary.episodes, summary.valid, summary.unique_valid))
    return curve
