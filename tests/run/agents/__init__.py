"""Tests of the agents, one file each."""
