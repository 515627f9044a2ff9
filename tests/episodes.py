"""Finished episodes for tests that drive a learner by hand."""

from rlcheck import Episode, Outcome


def ended(outcome=Outcome.VALID, *, reward=0.0, progress=0.0, earned=0.0, unique=None, choices=(), sizes=()):
    """Return an episode that ended this way; a valid one is unique unless told otherwise."""
    episode = Episode()
    episode.outcome = outcome
    episode.unique = outcome is not Outcome.INVALID if unique is None else unique
    episode.reward, episode.progress, episode.earned = reward, progress, earned
    episode.choices, episode.sizes = list(choices), list(sizes)
    return episode
