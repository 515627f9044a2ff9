"""Learners on software that nobody here wrote: the evaluation of the RLCheck paper, and more subjects."""
