"""x."""
LIES = {}
