"""Loopwright: run coding agents until your checks pass."""
