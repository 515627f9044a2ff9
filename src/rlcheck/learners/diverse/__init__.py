"""Diverse, the default learner."""

from rlcheck.learners.diverse.learner import Diverse

__all__ = ["Diverse"]
