"""Findings -> patches: proposed changes to what agents are told and set to, and to code."""
