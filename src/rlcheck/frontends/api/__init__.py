"""Tests of interfaces by sequences of calls that a learner chooses."""
