"""Runs -> evaluations, signals, metrics."""
