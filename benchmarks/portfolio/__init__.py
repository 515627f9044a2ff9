"""Learners side by side on small subjects that favour different ones, and what a portfolio of them costs."""
