"""Guided random numbers, for programs that already draw them."""
