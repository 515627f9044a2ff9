"""Guidance for Hypothesis tests, and generators as Hypothesis strategies."""
