"""Containers and HTML parsers, tested by sequences of calls: the study of the ABP paper."""
