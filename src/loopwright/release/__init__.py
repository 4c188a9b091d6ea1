"""Decisions, a human's yes -> profiles in use."""
