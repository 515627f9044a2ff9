"""Tests as users of Hypothesis write them, on its default backend and on ours."""
