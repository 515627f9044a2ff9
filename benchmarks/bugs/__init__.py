"""Planted bugs: tasks of many kinds, and how soon a bug is found."""
