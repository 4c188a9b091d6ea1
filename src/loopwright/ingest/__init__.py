"""Somebody's session -> a run with its events."""
