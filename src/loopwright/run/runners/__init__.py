"""Test runners: how each is made to report, how its report is read, how one of its tests is made to fail."""
