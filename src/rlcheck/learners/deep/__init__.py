"""Learners with neural networks; they need the extra `torch`."""
