"""Signals and runs -> findings: what goes wrong again and again, what it costs, and the likely cause."""
