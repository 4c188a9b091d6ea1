"""A small world with a scripted apprentice: real clones, real processes, real test runs, no model."""
