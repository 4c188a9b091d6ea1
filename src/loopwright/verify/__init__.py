"""Patches -> decisions: no change without evidence."""
