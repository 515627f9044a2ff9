"""Benchmarks: scripts that anyone can run. `src/` never imports them."""
