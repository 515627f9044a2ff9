"""Other projects' Hypothesis tests with and without `pytest --rlcheck`."""
