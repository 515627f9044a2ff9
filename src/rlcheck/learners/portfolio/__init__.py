"""Portfolio: several learners, and a bandit that gives each episode to one of them."""

from rlcheck.learners.portfolio.learner import Portfolio, Turns

__all__ = ["Portfolio", "Turns"]
