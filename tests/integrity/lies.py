"""x."""

LIES = {}
