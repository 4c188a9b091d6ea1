"""x."""
STEERING = {}
