"""Formats: one file each."""
