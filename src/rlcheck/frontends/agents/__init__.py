"""Generators as environments for reinforcement-learning agents."""
